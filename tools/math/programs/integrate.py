"""Integrate the rates in `inputs` over time by Dormand and Prince's method; leaves the last state in `answer`."""

import math
from typing import Any

import sympy

inputs: dict[str, Any] = globals()["inputs"]  # given by the sandbox
STEPS = 200_000
RELATIVE = 1e-9
A = (
    (),
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
C = (0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1)
E = (71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)

states = [sympy.Symbol(name, real=True) for name in inputs["states"]]
time = sympy.Symbol("t", real=True)
places = {str(symbol): symbol for symbol in states} | {"t": time, "pi": sympy.pi, "ln": sympy.log}
places |= {name: sympy.Float(value, 17) for name, value in inputs["knowns"].items()}
rates = [sympy.parse_expr(text.replace("^", "**"), local_dict=places) for text in inputs["rates"]]
function = sympy.lambdify([time, *states], rates, "math")

t, y, end = 0.0, list(inputs["initial"]), inputs["until"]
step, first = end / 1000, function(0.0, *inputs["initial"])
scale = [abs(component) for component in y]
for _ in range(STEPS):
    if t >= end:
        break
    step = min(step, end - t)
    slopes = [first]
    for stage in range(1, 7):
        inner = [y[i] + step * sum(a * slopes[j][i] for j, a in enumerate(A[stage])) for i in range(len(y))]
        slopes.append(function(t + C[stage] * step, *inner))
    scale = [max(old, abs(component)) for old, component in zip(scale, inner, strict=True)]
    errors = [
        abs(step * sum(e * slopes[j][i] for j, e in enumerate(E))) / (RELATIVE * max(scale[i], 1e-300))
        for i in range(len(y))
    ]
    error = max(errors)
    if not math.isfinite(error):
        raise ValueError(f"the solution grows without limit near t = {t:.6g} s")
    if error <= 1:
        t, y, first = t + step, inner, slopes[6]
    step *= min(5.0, max(0.2, 0.9 * (error + 1e-12) ** -0.2))
    if step < 1e-14 * end:
        raise ValueError(f"the steps become too small near t = {t:.6g} s; the system is stiff or has a singularity")
else:
    raise ValueError("too many steps; the system is stiff")
answer = y
