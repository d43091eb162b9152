"""The process around WebAssembly: compiles the component, or runs programs in it, one after the other.

Started as `python worker.py compile COMPONENT COMPILED` or `python worker.py serve COMPILED`. Messages are lines of
JSON on the standard streams. The host kills this process when a program takes too long; the process ends itself when
the host is gone, which closes its standard input. It imports nothing of the project, so that it starts quickly.
"""

import json
import lzma
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from typing import Any

LONGEST_TEXT = 2 << 20  # characters of an answer or of the arguments of a call

Lines = SimpleQueue[bytes]


def main() -> None:
    """Do what the command line says; a failure is reported as a message."""
    lines: Lines = SimpleQueue()
    threading.Thread(target=read, args=(lines,), daemon=True).start()
    mode, *paths = sys.argv[1:]
    try:
        if mode == "compile":
            compile_component(Path(paths[0]), Path(paths[1]))
        else:
            serve(Path(paths[0]), lines)
    except Exception as error:  # noqa: BLE001 - whatever it is, the host reads it
        send({"failed": f"{type(error).__name__}: {error}"[:500]})
    sys.stdout.flush()
    os._exit(0)  # wasmtime's own clean-up at exit complains


def read(lines: Lines) -> None:
    """Pass on the lines of the host, and end the process when there are no more."""
    for line in sys.stdin.buffer:
        lines.put(line)
    os._exit(0)


def send(message: dict[str, Any]) -> None:
    """Write one message to the host."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def compile_component(component: Path, compiled: Path) -> None:
    """Compile an xz-compressed component for this machine; the file appears complete or not at all."""
    from wasmtime import Engine
    from wasmtime.component import Component

    part = compiled.with_name(f"{compiled.name}.{os.getpid()}.part")
    try:
        part.write_bytes(Component(Engine(), lzma.decompress(component.read_bytes())).serialize())
        part.chmod(0o600)
        part.replace(compiled)
    finally:
        part.unlink(missing_ok=True)
    send({"ready": True})


def serve(compiled: Path, lines: Lines) -> None:
    """Load the compiled component once, then run a program for every line."""
    from wasmtime import Engine
    from wasmtime.component import Component

    engine = Engine()
    component = Component.deserialize_file(engine, str(compiled))
    send({"ready": True})
    while True:
        job = json.loads(lines.get())
        try:
            send(run(engine, component, job, lines))
        except Exception as trap:  # noqa: BLE001 - wasmtime raises several kinds; each of them ended this run only
            send({"trap": str(trap).strip()[-2000:] or type(trap).__name__})


def run(engine: Any, component: Any, job: dict[str, Any], lines: Lines) -> dict[str, Any]:  # noqa: ANN401 - wasmtime's
    """Run one program `{request, memory}` in a fresh store, with no folder, socket or variable of the environment.

    The result is `{done}` with the guest's response; raises what wasmtime raises when the guest traps.
    """
    from wasmtime import Store

    def call(_store: Any, name: str, arguments: str) -> str:  # noqa: ANN401 - wasmtime's
        if len(name) + len(arguments) > LONGEST_TEXT:
            return json.dumps({"error": {"kind": "limit", "message": "The arguments of the call are too long."}})
        send({"call": name, "arguments": arguments})
        return lines.get().decode()

    store = Store(engine)
    try:
        function = instantiate(store, component, int(job["memory"]), call)
        response = str(function(store, job["request"]))
        return {"done": response} if len(response) <= LONGEST_TEXT else {"trap": "The response is too long."}
    finally:
        store.close()


def instantiate(store: Any, component: Any, memory: int, call: Callable[..., str]) -> Any:  # noqa: ANN401 - wasmtime's
    """The `run` function of an instance that may use `memory` bytes; raises `WasmtimeError` when that is too little."""
    from wasmtime import WasiConfig
    from wasmtime.component import Linker

    store.set_limits(memory_size=memory)
    store.set_wasi(WasiConfig())
    linker = Linker(store.engine)
    linker.add_wasip2()
    with linker.root() as root:
        root.add_func("call-tool", call)
    return linker.instantiate(store, component).get_func(store, "run")


if __name__ == "__main__":
    main()
