"""Safe evaluation of formulas: a whitelist of nodes of Python's expression syntax, evaluated over the parsed tree.

Allowed are numbers, names, + - * / ** and a fixed list of functions. Text of a model or a document can therefore be
evaluated on the host; `eval` and sympy's `sympify` are not safe for it.
"""

import ast
import math
import operator
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from soprag.tools.units.quantity import UnitFault, registry

LONGEST = 1_000  # characters of a formula
_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "exp": math.exp,
    "log": math.log,
    "ln": math.log,
    "log10": math.log10,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "tanh": math.tanh,
    "atan": math.atan,
    "erf": math.erf,
}
_CONSTANTS = {"pi": math.pi}


class FormulaFault(ValueError):
    """A formula that cannot be read or has no value; the message says which part."""


@cache
def read(text: str) -> ast.expr:
    """The parsed formula; raises `FormulaFault` when it holds anything but arithmetic."""
    if len(text) > LONGEST:
        raise FormulaFault(f"The formula has {len(text)} characters; {LONGEST} are allowed.")
    try:
        tree = ast.parse(text.replace("^", "**").strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise FormulaFault(f"{text!r} is no formula: {error}.") from error
    for node in ast.walk(tree):
        _check(node, text)
    return tree


def _check(node: ast.AST, text: str) -> None:
    allowed = (ast.BinOp, ast.UnaryOp, ast.Call, ast.Name, ast.Constant, ast.Load, ast.operator, ast.USub, ast.UAdd)
    number = not isinstance(node, ast.Constant) or (type(node.value) in (int, float))
    call = not isinstance(node, ast.Call) or (isinstance(node.func, ast.Name) and not node.keywords)
    if not (isinstance(node, allowed) and number and call) or type(node) in (ast.MatMult, ast.Mod, ast.FloorDiv):
        raise FormulaFault(
            f"{text!r} holds {type(node).__name__}; only arithmetic and functions such as exp are taken."
        )


def names(text: str) -> set[str]:
    """The variable names of a formula, without functions and constants."""
    tree = read(text)
    functions = {
        node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - functions - set(_CONSTANTS)


def evaluate(text: str, values: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]] | None = None) -> Any:  # noqa: ANN401 - a float, or a pint quantity
    """The value of a formula for floats or pint quantities.

    Raises `FormulaFault` for what has no value and `UnitFault` where units do not go together.
    """
    from pint import DimensionalityError, OffsetUnitCalculusError

    callables = {**_DEFAULT, **(functions or {})}
    try:
        return _value(read(text), values, callables)
    except (DimensionalityError, OffsetUnitCalculusError) as error:
        raise UnitFault(f"In {text!r}: {error}.") from error
    except (ArithmeticError, ValueError, RecursionError) as error:
        if isinstance(error, UnitFault | FormulaFault):
            raise
        raise FormulaFault(f"{text!r} has no value here: {error}.") from error


def _value(node: ast.expr, values: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]]) -> Any:  # noqa: ANN401
    if isinstance(node, ast.Constant):
        return float(node.value)  # type: ignore[arg-type]
    if isinstance(node, ast.Name):
        value = values.get(node.id, _CONSTANTS.get(node.id))
        if value is None:
            raise FormulaFault(f"{node.id!r} has no value; known are {', '.join(sorted(values)) or 'none'}.")
        return value
    if isinstance(node, ast.UnaryOp):
        operand = _value(node.operand, values, functions)
        return -operand if isinstance(node.op, ast.USub) else operand
    if isinstance(node, ast.BinOp):
        return _OPERATORS[type(node.op)](_value(node.left, values, functions), _value(node.right, values, functions))
    assert isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    function = functions.get(node.func.id)
    if function is None:
        raise FormulaFault(f"There is no function {node.func.id!r}; known are {', '.join(sorted(functions))}.")
    return function(*(_value(argument, values, functions) for argument in node.args))


def _plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function of dimensionless arguments; a quantity with a dimension raises `DimensionalityError`."""

    def of(*arguments: Any) -> float:  # noqa: ANN401
        result = function(*(_bare(argument) for argument in arguments))
        return float(result)

    return of


def _bare(value: Any) -> float:  # noqa: ANN401
    return float(value.to("").magnitude) if hasattr(value, "to") else float(value)


def _root(value: Any) -> Any:  # noqa: ANN401
    return value**0.5


_DEFAULT: dict[str, Callable[..., Any]] = {
    **{name: _plain(function) for name, function in _FUNCTIONS.items()},
    "sqrt": _root,
    "abs": abs,
    "min": min,
    "max": max,
}


def quantity(value: float, unit: str) -> Any:  # noqa: ANN401 - pint's quantity
    """A pint quantity in base units, so that temperatures are absolute and can be multiplied."""
    from soprag.tools.units.quantity import parsed

    return registry().Quantity(value, parsed(unit)).to_base_units()
