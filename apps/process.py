"""Process set-up before heavy imports: keys from .env, one BLAS thread, no telemetry, rare garbage collection."""

import atexit
import gc
import os
from pathlib import Path


def prepare() -> None:
    """Prepare this process; what the environment says already is left as it is."""
    from dotenv import load_dotenv

    load_dotenv(Path.cwd() / ".env")
    # One BLAS thread: on a busy machine two spin against each other and are several times slower.
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    os.environ.setdefault("ANONYMIZED_TELEMETRY", "False")
    os.environ.setdefault("LANGGRAPH_STRICT_MSGPACK", "true")


def own() -> None:
    """Prepare a process that does nothing else: the garbage collector rarely runs, and not once more at the end.

    What is imported stays to the end, and a command makes little garbage in circles; the collector would search it all
    again and again. The last search alone takes up to a second, and the system takes the memory back anyway.
    """
    prepare()
    gc.set_threshold(50_000)
    atexit.register(gc.freeze)
