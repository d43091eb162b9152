"""Entry of the component: loads the libraries while the component is built, then runs programs for the WIT world."""

import slim  # type: ignore[import-not-found]  # first, so that all other modules are loaded small

slim.install()

import importlib  # noqa: E402
import os  # noqa: E402
import pkgutil  # noqa: E402
import sys  # noqa: E402
import types  # noqa: E402

import wit_world  # type: ignore[import-not-found]  # noqa: E402

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
    *("select", "statistics", "string", "textwrap", "time", "typing"),
)
LEFT_OUT = {
    *("benchmarks", "categories", "compatibility", "conftest", "crypto", "diffgeom", "external", "galgebra"),
    *("interactive", "liealgebras", "numba", "optional", "parsing", "physics", "plotting", "sampling", "sandbox"),
    *("testing", "tests", "testsuite", "this", "trace", "unify", "utilities", "vectorized"),
}


def load(name: str) -> None:
    """Import a module if it works without what a component lacks; else a program cannot import it."""
    try:
        importlib.import_module(name)
    except Exception:  # noqa: BLE001 - whatever is missing
        return


def load_package(package: types.ModuleType) -> None:
    """Import the modules of a package, down to every level, except those in `LEFT_OUT`."""
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        if LEFT_OUT.isdisjoint(module.name.split(".")):
            load(module.name)
            if module.ispkg and module.name in sys.modules:
                load_package(sys.modules[module.name])


for name in (*STANDARD, "sympy.physics.units", "sympy.parsing.sympy_parser"):
    load(name)
for library in (sympy, mpmath, pint, fluids, ht):
    load_package(library)

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
        """Run one program; see `program.run`."""
        return str(program.run(request, wit_world.call_tool))


slim.clear_free_memory()
