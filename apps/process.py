"""What must stand before anything heavy is imported: keys from `.env`, one BLAS thread, no telemetry."""

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
