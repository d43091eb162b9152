"""Linear algebra with numpy and linear programmes with HiGHS, on numeric input only."""

import asyncio
from typing import Literal

from pydantic import Field

from soprag.tools.history import StepFailure
from soprag.tools.math.properties import NotInstalled, need
from soprag.tools.math.tool import Computed, MathTool, Named, fail
from soprag.tools.protocols import ToolProtocol
from soprag.tools.sop import Frozen

SINGULAR = 1e12  # condition number above which a matrix counts as singular


class LinearAlgebra(Frozen):
    """Work on a matrix."""

    tool: Literal["linear_algebra"] = "linear_algebra"
    operation: Literal["solve", "eigenvalues", "determinant", "inverse", "rank", "least_squares"]
    matrix: list[list[float]] = Field(min_length=1, max_length=200)
    vector: list[float] = Field(default=[], description="the right-hand side, for solve and least_squares")
    unit: str = Field(default="", description="unit of the solution")


class Term(Frozen):
    """A variable with its coefficient."""

    variable: str
    coefficient: float


class Variable(Frozen):
    """A decision variable."""

    name: str = Field(pattern=r"^[A-Za-z]\w{0,40}$")
    lower: float | None = Field(default=0.0, description="null: no limit")
    upper: float | None = None
    integer: bool = False


class Constraint(Frozen):
    """A linear constraint: the sum of the terms stands in a relation to the bound."""

    terms: list[Term] = Field(min_length=1)
    relation: Literal["<=", ">=", "="]
    bound: float


class Optimise(Frozen):
    """Solve a linear programme, with whole numbers where asked."""

    tool: Literal["optimise"] = "optimise"
    sense: Literal["min", "max"]
    variables: list[Variable] = Field(min_length=1, max_length=500)
    objective: list[Term] = Field(min_length=1)
    constant: float = 0.0
    constraints: list[Constraint] = Field(max_length=1000)
    unit: str = Field(default="", description="unit of the objective")


async def linear_algebra(call: LinearAlgebra) -> Computed | StepFailure:
    """The result, its elements named x1, x2 and so on."""
    return await asyncio.to_thread(_algebra, call)


async def optimise(call: Optimise) -> Computed | StepFailure:
    """The best value of the objective, and the variables there."""
    return await asyncio.to_thread(_programme, call)


def _algebra(call: LinearAlgebra) -> Computed | StepFailure:
    import numpy as np

    if len({len(row) for row in call.matrix}) != 1:
        return fail("arguments", "Every row of the matrix must have the same length.")
    matrix = np.array(call.matrix, dtype=float)
    rows, columns = matrix.shape
    if call.operation in {"solve", "least_squares"} and len(call.vector) != rows:
        return fail("arguments", f"The vector has {len(call.vector)} elements; the matrix has {rows} rows.")
    if call.operation in {"solve", "eigenvalues", "determinant", "inverse"} and rows != columns:
        return fail("arguments", f"{call.operation} needs a square matrix; this one is {rows} by {columns}.")
    if call.operation in {"solve", "inverse"} and np.linalg.cond(matrix) > SINGULAR:
        return fail("inconsistent", "The matrix is singular: the equations are not independent.")
    return _elements(call, _apply(call, matrix))


def _apply(call: LinearAlgebra, matrix: "np.ndarray") -> "np.ndarray":  # type: ignore[name-defined] # noqa: F821
    import numpy as np

    vector = np.array(call.vector, dtype=float)
    if call.operation == "solve":
        return np.linalg.solve(matrix, vector)
    if call.operation == "least_squares":
        return np.linalg.lstsq(matrix, vector, rcond=None)[0]
    if call.operation == "inverse":
        return np.linalg.inv(matrix)
    if call.operation == "eigenvalues":
        return np.linalg.eigvals(matrix)
    if call.operation == "rank":
        return np.array([np.linalg.matrix_rank(matrix)])
    return np.array([np.linalg.det(matrix)])


def _elements(call: LinearAlgebra, result: "np.ndarray") -> Computed | StepFailure:  # type: ignore[name-defined] # noqa: F821
    import numpy as np

    if np.iscomplexobj(result) and np.abs(result.imag).max() > 1e-9 * max(1.0, np.abs(result).max()):
        return fail(
            "range", f"The eigenvalues are complex: {', '.join(str(np.round(eigenvalue, 6)) for eigenvalue in result)}."
        )
    flat = np.real(result).flatten()
    names = [call.operation] if flat.size == 1 else [f"x{number + 1}" for number in range(flat.size)]
    values = tuple(
        Named(name=name, value=float(element), unit=call.unit) for name, element in zip(names, flat, strict=True)
    )
    return Computed(values=values, method=f"numpy, {call.operation}")


def _programme(call: Optimise) -> Computed | StepFailure:
    import numpy as np

    try:
        solver = need("scipy.optimize")
    except NotInstalled as missing:
        return missing.failure
    places = {variable.name: column for column, variable in enumerate(call.variables)}
    used = {
        term.variable
        for terms in (call.objective, *(constraint.terms for constraint in call.constraints))
        for term in terms
    }
    if strange := used - set(places):
        return fail("arguments", f"These variables are not declared: {', '.join(sorted(strange))}.")
    sign = 1.0 if call.sense == "min" else -1.0
    size = len(places)
    lower = [-np.inf if variable.lower is None else variable.lower for variable in call.variables]
    upper = [np.inf if variable.upper is None else variable.upper for variable in call.variables]
    limits = [
        solver.LinearConstraint(
            _row(constraint.terms, places, size),
            -np.inf if constraint.relation == "<=" else constraint.bound,
            np.inf if constraint.relation == ">=" else constraint.bound,
        )
        for constraint in call.constraints
    ]
    done = solver.milp(
        sign * _row(call.objective, places, size),
        constraints=limits,
        bounds=solver.Bounds(lower, upper),
        integrality=np.array([int(variable.integer) for variable in call.variables]),
        options={"time_limit": 30.0},
    )
    if done.x is None:
        return fail("empty", f"The programme has no solution: {done.message} Check the constraints and the bounds.")
    best = Named(name="objective", value=float(sign * done.fun) + call.constant, unit=call.unit)
    optimum = (Named(name=variable.name, value=float(done.x[places[variable.name]])) for variable in call.variables)
    return Computed(values=(best, *optimum), method="HiGHS")


def _row(terms: list[Term], places: dict[str, int], size: int) -> "np.ndarray":  # type: ignore[name-defined] # noqa: F821
    import numpy as np

    row = np.zeros(size)
    for term in terms:
        row[places[term.variable]] += term.coefficient
    return row


TOOLS = (
    MathTool(
        ToolProtocol(
            name="linear_algebra",
            purpose="Solve linear systems, or find eigenvalues, determinant, inverse or rank of a matrix of numbers.",
            when_to_use="The coefficients are numbers in consistent units.",
            when_not="The equations hold products of unknowns; use solve_equations.",
            arguments=LinearAlgebra,
            response=Computed,
            side_effect="pure",
            errors=("arguments", "inconsistent", "range"),
        ),
        linear_algebra,
    ),
    MathTool(
        ToolProtocol(
            name="optimise",
            purpose="Find the least or greatest value of a linear objective under linear constraints.",
            when_to_use="Something is to be minimised or maximised, and all relations are linear; whole numbers too.",
            when_not="A relation is not linear.",
            arguments=Optimise,
            response=Computed,
            side_effect="pure",
            errors=("arguments", "empty"),
        ),
        optimise,
    ),
)
