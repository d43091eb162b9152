"""The component's entry: loads the libraries once, as the component is built, and runs programs under the WIT world."""

import importlib
import os
import sys
import types

import wit_world  # type: ignore[import-not-found]

# sympy asks for sizeof(c_long) and platformdirs for the user; a component has neither.
sizes = types.ModuleType("ctypes")
sizes.c_long, sizes.sizeof = int, lambda _: 4  # type: ignore[attr-defined]
sys.modules["ctypes"] = sizes
os.getuid = os.geteuid = lambda: 0

import fluids  # noqa: E402, F401
import ht  # noqa: E402, F401
import mpmath  # noqa: E402, F401
import pint  # noqa: E402
import program  # type: ignore[import-not-found]  # noqa: E402
import sympy  # noqa: E402

# A program can import only what is loaded now: there are no files when it runs.
STANDARD = (
    "bisect calendar cmath collections contextlib copy csv dataclasses datetime decimal enum fractions functools heapq "
    "itertools json math numbers operator random re statistics string textwrap time typing"
)
for name in (*STANDARD.split(), "fluids.units", "sympy.physics.units", "sympy.stats"):
    try:
        importlib.import_module(name)
    except ImportError:
        continue

# What a first use makes once and keeps becomes part of the snapshot.
pint.set_application_registry(program.units())  # type: ignore[no-untyped-call]
program.units()("32.2 ft_H2O").to("atm")
sympy.solve(sympy.Symbol("x") ** 2 - 2)
sympy.integrate(sympy.Symbol("x") ** 2, sympy.Symbol("x"))
sympy.parse_expr("2*x + 1")


class WitWorld(wit_world.WitWorld):  # type: ignore[misc]
    """The world of sandbox.wit."""

    def run(self, request: str) -> str:
        """Run one program."""
        return str(program.run(request, wit_world.call_tool))
