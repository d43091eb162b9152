"""The set-up of a process before heavy imports (keys from .env, one BLAS thread, no telemetry), and its bounded end."""

import atexit
import gc
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

_LAST_TRACES = 5.0  # seconds in which a tracing service must take what is still to be sent
_last: list[Callable[[], object]] = []  # what sends it, besides LangSmith's client


def prepare() -> None:
    """Prepare this process; what the environment says already is left as it is."""
    if (keys := Path.cwd() / ".env").is_file():
        from dotenv import load_dotenv

        load_dotenv(keys)
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
    # Pydantic reads the metadata of every installed package to find extensions of itself; no command uses one.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
    gc.set_threshold(50_000)
    atexit.register(gc.freeze)


def send_last(send: Callable[[], object]) -> None:
    """Call `send` when the process ends, for as long as a tracing service may take; it may block."""
    _last.append(send)


def end(code: int) -> NoReturn:
    """End this process, also while a tracing service keeps the threads of its client waiting."""
    if _traces_sent():
        sys.exit(code)
    print(f"The tracing service took no traces for {_LAST_TRACES:g} s; the last ones are lost.", file=sys.stderr)  # noqa: T201
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # sys.exit would wait for the client's threads without end


def _traces_sent() -> bool:
    """Whether nothing waits to be sent to LangSmith or a collector, or was sent in time."""
    if not _last and "langsmith.client" not in sys.modules:
        return True
    sending = threading.Thread(target=_send_traces, daemon=True, name="last traces")
    sending.start()
    sending.join(_LAST_TRACES)
    return not sending.is_alive()


def _send_traces() -> None:
    while _last:
        _last.pop()()
    if "langsmith.client" in sys.modules:
        from langchain_core.tracers.langchain import wait_for_all_tracers

        wait_for_all_tracers()
