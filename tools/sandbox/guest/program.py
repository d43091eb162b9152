"""Runs one program inside the sandbox: request in, response out, both JSON; errors of the program are values.

The program finds these names: `inputs` (the outputs of earlier steps, quantities as pint quantities), `Q(value, unit)`,
`ureg`, and `tool(name, **arguments)` for the tools of the host. It leaves its result in `answer`.
"""

import ast
import contextlib
import functools
import io
import json
import math
import traceback
from collections.abc import Callable
from typing import Any

Call = Callable[[str, str], str]
TRACE = 2_000  # characters of a trace in a response
DEPTH = 12  # levels of an answer
LARGEST = 500_000  # characters of a response

# The kind of an error by the nearest of its classes that is listed; the kinds are those of tools/history.py.
KINDS = {
    "SyntaxError": "syntax",
    "NameError": "name",
    "ImportError": "name",
    "DimensionalityError": "dimension",
    "OffsetUnitCalculusError": "dimension",
    "LogarithmicUnitCalculusError": "dimension",
    "UndefinedUnitError": "dimension",
    "AttributeError": "name",
    "TypeError": "type",
    "AssertionError": "inconsistent",
    "MemoryError": "limit",
    "RecursionError": "limit",
    "OutputLimit": "limit",
}


class OutputLimit(Exception):
    """The program printed more characters than it may."""


class ToolError(Exception):
    """A tool of the host refused the call; `kind` is the host's."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Capture(io.StringIO):
    """Collects what is printed, up to a limit of characters."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.remaining = limit

    def write(self, text: str) -> int:
        """Collect `text`; raises `OutputLimit`."""
        super().write(text[: max(self.remaining, 0)])
        self.remaining -= len(text)
        if self.remaining < 0:
            raise OutputLimit("The program prints too much; print only what is needed.")
        return len(text)


@functools.cache
def units() -> Any:  # noqa: ANN401 - pint's registry
    """The registry of units, made once."""
    import pint

    registry: Any = pint.UnitRegistry()
    registry.define("lbmol = 453.59237 * mol = lb_mol")
    return registry


def run(request: str, call: Call) -> str:
    """The response to a request `{code, inputs, output}`.

    It is `{value, stdout}` or `{error: {kind, message, detail}, stdout}`.
    """
    job = json.loads(request)
    printed = Capture(int(job["output"]))
    response: dict[str, Any] = {}
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            response["value"] = plain(_execute(job["code"], job["inputs"], call))
            json.dumps(response["value"], allow_nan=False)
    except BaseException as error:  # noqa: BLE001 - SystemExit and the like are errors of the program too
        response = {"error": describe(error)}
    response["stdout"] = printed.getvalue()
    text = json.dumps(response)
    if len(text) > LARGEST:
        too_long = {"kind": "limit", "message": f"The answer has {len(text)} characters; {LARGEST} are allowed."}
        return json.dumps({"error": {**too_long, "detail": ""}, "stdout": ""})
    return text


def _execute(code: str, inputs: dict[str, Any], call: Call) -> Any:  # noqa: ANN401 - whatever the program leaves
    tree = ast.parse(code, "<program>")
    stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr) and "answer" not in stored:
        assigned = ast.Assign([ast.Name("answer", ast.Store())], last.value)
        tree.body[-1] = ast.fix_missing_locations(ast.copy_location(assigned, last))

    def tool(name: str, **arguments: Any) -> Any:  # noqa: ANN401 - JSON in, JSON out
        reply = json.loads(call(name, json.dumps(plain(arguments))))
        if "error" in reply:
            raise ToolError(reply["error"]["kind"], reply["error"]["message"])
        return quantities(reply["value"])

    names: dict[str, Any] = {"__name__": "__main__", "tool": tool, "inputs": quantities(inputs)}
    if {"Q", "ureg"} & {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}:
        names |= {"Q": units().Quantity, "ureg": units()}  # only on demand: the native sandbox has to load pint first
    exec(compile(tree, "<program>", "exec"), names)  # the sandbox around this interpreter is the guard
    return names.get("answer")


def quantities(value: Any) -> Any:  # noqa: ANN401 - JSON
    """JSON with every `{value, unit}` as a pint quantity."""
    if isinstance(value, dict):
        if set(value) == {"value", "unit"} and isinstance(value["value"], int | float):
            return units().Quantity(value["value"], value["unit"])
        return {key: quantities(item) for key, item in value.items()}
    return [quantities(item) for item in value] if isinstance(value, list) else value


def plain(value: Any, depth: int = 0) -> Any:  # noqa: ANN401 - anything a program can make
    """JSON of an answer: quantities as `{value, unit}`, numbers of every library as numbers, the rest as text."""
    if depth > DEPTH:
        raise ValueError("The answer is nested too deeply; leave numbers, quantities, lists and dicts in `answer`.")
    if value is None or isinstance(value, bool | int | str):
        return value
    if hasattr(value, "magnitude") and hasattr(value, "units"):
        return {"value": plain(value.magnitude, depth + 1), "unit": f"{value.units:~C}"}
    if isinstance(value, dict):
        return {str(key): plain(item, depth + 1) for key, item in value.items()}
    if hasattr(value, "tolist"):
        return plain(value.tolist(), depth + 1)
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item, depth + 1) for item in value]
    return _number(value)


def _number(value: Any) -> Any:  # noqa: ANN401 - a number of some library
    try:
        number = float(value)
    except (TypeError, ValueError):
        return str(value)
    if not math.isfinite(number):
        raise ValueError(f"The answer is {number}, which is not a finite number.")
    return number


def describe(error: BaseException) -> dict[str, str]:
    """The kind of an error, its message, and the lines of the program it went through."""
    kinds = (KINDS.get(base.__name__) for base in type(error).__mro__)
    kind = error.kind if isinstance(error, ToolError) else next((kind for kind in kinds if kind), "runtime")
    frames = [
        f"line {frame.lineno} in {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == "<program>"
    ]
    trace = "; ".join(frames[-4:])
    if isinstance(error, SyntaxError):
        trace = f"line {error.lineno}: {(error.text or '').strip()}"
    message = f"{type(error).__name__}: {error}"[:TRACE]
    return {"kind": kind, "message": message, "detail": trace[:TRACE]}
