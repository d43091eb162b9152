"""The component's entry: loads the libraries once, as the component is built, and runs programs under the WIT world."""

import importlib
import os
import pkgutil
import sys
import types

import wit_world  # type: ignore[import-not-found]

# sympy asks for sizeof(c_long) and platformdirs for the user; a component has neither.
sizes = types.ModuleType("ctypes")
sizes.c_long, sizes.sizeof = int, lambda _: 4  # type: ignore[attr-defined]
sys.modules["ctypes"] = sizes
os.getuid = os.geteuid = lambda: 0

import fluids  # noqa: E402
import ht  # noqa: E402
import mpmath  # noqa: E402
import pint  # noqa: E402
import program  # type: ignore[import-not-found]  # noqa: E402
import sympy  # noqa: E402

# A program can import only what is loaded now: there are no files when it runs. The libraries load much of themselves
# at first use, so all that a calculation may need is loaded here.
STANDARD = (
    *("bisect", "calendar", "cmath", "collections", "contextlib", "copy", "csv", "dataclasses", "datetime", "decimal"),
    *("enum", "fractions", "functools", "heapq", "itertools", "json", "math", "numbers", "operator", "random", "re"),
    *("statistics", "string", "textwrap", "time", "typing"),
)
WITHOUT = {
    *("benchmarks", "categories", "conftest", "crypto", "diffgeom", "external", "galgebra", "interactive"),
    *("liealgebras", "parsing", "physics", "plotting", "sandbox", "testing", "tests", "this", "unify", "utilities"),
    *("vectorized", "numba", "optional"),
}


def load(name: str) -> None:
    """Import a module, if it works without what a component does not have."""
    try:
        importlib.import_module(name)
    except Exception:  # noqa: BLE001 - whatever is missing, the program will be told when it asks for this module
        return


for name in (*STANDARD, "sympy.physics.units", "sympy.parsing.sympy_parser"):
    load(name)
for library in (sympy, mpmath, pint, fluids, ht):
    for found in pkgutil.walk_packages(library.__path__, f"{library.__name__}."):
        if not WITHOUT & set(found.name.split(".")):
            load(found.name)

# What a first use makes once and keeps becomes part of the snapshot.
pint.set_application_registry(program.units())  # type: ignore[no-untyped-call]
program.units()("32.2 ft_H2O").to("atm")
sympy.solve(sympy.Symbol("x") ** 2 - 2)
sympy.integrate(sympy.Symbol("x") ** 2, sympy.Symbol("x"))
sympy.parse_expr("2*x + 1")
sympy.lambdify(sympy.Symbol("x"), sympy.Symbol("x") ** 2, "mpmath")(2)
sympy.lambdify(sympy.Symbol("x"), sympy.Symbol("x") ** 2, "math")(2)


class WitWorld(wit_world.WitWorld):  # type: ignore[misc]
    """The world of sandbox.wit."""

    def run(self, request: str) -> str:
        """Run one program."""
        return str(program.run(request, wit_world.call_tool))
