"""Solve the equations in `inputs` for its unknowns; leaves their values, in base units, in `answer`."""

from typing import Any

import mpmath
import sympy

inputs: dict[str, Any] = globals()["inputs"]  # given by the sandbox
names = [unknown["name"] for unknown in inputs["unknowns"]]
symbols = {name: sympy.Symbol(name, real=True) for name in names}
places = {**symbols, "pi": sympy.pi, "ln": sympy.log, "log": sympy.log, "log10": lambda x: sympy.log(x, 10)}
places |= {name: sympy.Float(value, 17) for name, value in inputs["knowns"].items()}
residuals = [sympy.parse_expr(text.replace("^", "**"), local_dict=places) for text in inputs["equations"]]


def allowed(values: list[float]) -> bool:
    """Within the bounds of every unknown."""
    for value, unknown in zip(values, inputs["unknowns"], strict=True):
        low, high = unknown["lower"], unknown["upper"]
        if (low is not None and value < low - 1e-12 * abs(low)) or (
            high is not None and value > high + 1e-12 * abs(high)
        ):
            return False
    return True


def exact() -> list[list[float]]:
    """All real solutions that sympy finds for few and polynomial equations."""
    if len(residuals) != len(names) or not all(residual.is_polynomial(*symbols.values()) for residual in residuals):
        return []
    roots = sympy.solve(residuals, list(symbols.values()), dict=True)
    tuples = []
    for root in roots:
        values = [sympy.N(root.get(symbol, symbol)) for symbol in symbols.values()]
        if all(value.is_number and abs(sympy.im(value)) < 1e-9 for value in values):
            tuples.append([float(sympy.re(value)) for value in values])
    return tuples


def numeric() -> list[list[float]]:
    """A solution by Newton's method from the guesses."""
    functions = [sympy.lambdify(list(symbols.values()), residual, "mpmath") for residual in residuals]
    for factor in (1, 0.5, 2, 0.1, 10, 0.01, 100):
        start = [unknown["guess"] * factor for unknown in inputs["unknowns"]]
        try:
            if len(functions) == 1:
                root = [mpmath.findroot(functions[0], start[0], solver="secant", tol=1e-18, maxsteps=80)]
            else:
                root = list(mpmath.findroot(lambda *x: [f(*x) for f in functions], start, maxsteps=80))
        except (ValueError, ZeroDivisionError, OverflowError, TypeError):
            continue
        if all(abs(mpmath.im(component)) < 1e-9 for component in root):
            values = [float(mpmath.re(component)) for component in root]
            if allowed(values):
                return [values]
    return []


solutions = [candidate for candidate in exact() if allowed(candidate)]
if not solutions:
    solutions = numeric()
if not solutions:
    raise ValueError("no solution within the bounds; check the equations, the guesses and the bounds")
if len(solutions) > 1:
    guess = [unknown["guess"] for unknown in inputs["unknowns"]]
    positive = [solution for solution in solutions if all(value > 0 for value in solution)]
    if len(positive) > 1 or not positive:
        listing = "; ".join(
            ", ".join(f"{n}={v:.6g}" for n, v in zip(names, solution, strict=True)) for solution in solutions[:4]
        )
        raise ValueError(f"several solutions ({listing}); say which by the bounds of the unknowns")
    solutions = positive
substitution = dict(zip(symbols.values(), solutions[0], strict=True))
for residual, text in zip(residuals, inputs["equations"], strict=True):
    terms = sympy.Add.make_args(residual)
    size = max([abs(float(sympy.N(term.subs(substitution)))) for term in terms] + [1e-300])
    assert abs(float(sympy.N(residual.subs(substitution)))) <= 1e-6 * size, f"{text} does not hold for the solution"
answer = solutions[0]
