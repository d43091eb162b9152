"""The sandbox runs what it should, and nothing gets out of it, on every backend that ships."""

import ast
import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from soprag.tools.errors import ConfigError
from soprag.tools.sandbox import Program, SandboxLimits
from soprag.tools.sandbox.native import NativeSandbox
from tests.tools.sandbox.backends import BACKENDS, LIMITS, linux, open_backend, prepared
from tests.tools.sandbox.probes import ATTEMPTS, HARMLESS, STOPPED

slow = pytest.mark.slow
WASM = open_backend("wasm")


@dataclass
class Bait:
    """Things of the host that a program must not reach, and what reached them."""

    folder: Path
    port: int = 0
    hits: list[str] = field(default_factory=list)

    @property
    def names(self) -> dict[str, object]:
        return {
            "secret": str(self.folder / "secret.txt"),
            "folder": str(self.folder),
            "socket": str(self.folder / "s"),
            "port": self.port,
        }

    def traces(self) -> list[str]:
        return [*self.hits, *(file.name for file in self.folder.glob("*.txt") if file.name != "secret.txt")]


@pytest.fixture
def bait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bait]:
    monkeypatch.setenv("FAKE_API_KEY", "hunter2")
    (tmp_path / "secret.txt").write_text("hunter2")
    (tmp_path / "secret.txt").chmod(0o644)
    bait = Bait(tmp_path)
    servers = []
    for family, kind, address in (
        (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
        (socket.AF_UNIX, socket.SOCK_STREAM, str(tmp_path / "s")),
    ):
        server = socket.socket(family, kind)
        server.bind(address)
        server.listen()
        servers.append(server)
        threading.Thread(target=wait, args=(server, bait.hits), daemon=True).start()
    bait.port = servers[0].getsockname()[1]
    yield bait
    for server in servers:
        server.close()


def wait(server: socket.socket, hits: list[str]) -> None:
    try:
        server.accept()[0].close()
        hits.append("connected")
    except OSError:
        return


def fill(code: str, bait: Bait) -> str:
    for name, value in bait.names.items():
        code = code.replace(f"{{{name}!r}}", repr(value)).replace(f"{{{name}}}", str(value))
    return code


@slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("backend", BACKENDS)
async def test_harmless_programs_run(backend: str) -> None:
    sandbox = open_backend(backend)
    for name, code in HARMLESS.items():
        outcome = await sandbox.run(Program(code), SandboxLimits(seconds=30.0))
        assert outcome.value is True, (name, outcome)


@slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("probe", ATTEMPTS)
@pytest.mark.parametrize("backend", BACKENDS)
async def test_no_attempt_gets_out(backend: str, probe: str, bait: Bait) -> None:
    outcome = await open_backend(backend).run(Program(fill(ATTEMPTS[probe], bait)), LIMITS)
    if probe == "daemon":
        time.sleep(1.5)  # it would write then
    assert outcome.value is not True, outcome
    assert "hunter2" not in outcome.model_dump_json()
    assert bait.traces() == []


@slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("probe", STOPPED)
@pytest.mark.parametrize("backend", BACKENDS)
async def test_what_takes_too_much_is_stopped(backend: str, probe: str) -> None:
    code, kinds = STOPPED[probe]
    outcome = await open_backend(backend).run(Program(code), LIMITS)
    assert outcome.failure is not None
    assert outcome.failure.kind in kinds, outcome.failure
    assert len(outcome.stdout) <= LIMITS.output


@slow
@linux
async def test_a_native_sandbox_that_fails_its_self_test_refuses_to_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("soprag.tools.sandbox.native.BREACHES", "answer = ['reads']")
    with pytest.raises(ConfigError, match="reads"):
        await NativeSandbox(LIMITS).run(Program("answer = 1"))


@prepared
async def test_a_quantity_comes_back_with_its_unit() -> None:
    code = "answer = (inputs['s1'] * Q(2, 'h')).to('kWh')"
    outcome = await WASM.run(Program(code, {"s1": {"value": 3, "unit": "kW"}}))
    assert outcome.value == {"value": pytest.approx(6), "unit": "kW*h"} or outcome.value == {"value": 6, "unit": "kWh"}


@prepared
@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("answer = (", "syntax"),
        ("answer = undefined", "name"),
        ("import scipy", "name"),
        ("answer = 'a' + 1", "type"),
        ("answer = 1 / 0", "runtime"),
        ("answer = Q(1, 'm') + Q(1, 's')", "dimension"),
        ("answer = Q(1, 'furlongg')", "dimension"),
        ("assert 1 > 2", "inconsistent"),
        ("answer = float('inf')", "runtime"),
        ("tool('double', x='a')", "arguments"),
        ("tool('delete_all')", "unavailable"),
        ("for _ in range(4): tool('double', x=1)", "limit"),
        ("print('x' * 3000)", "limit"),
    ],
)
async def test_every_error_has_its_kind(code: str, kind: str) -> None:
    outcome = await WASM.run(Program(code))
    assert outcome.failure is not None
    assert outcome.failure.kind == kind, outcome.failure


@prepared
async def test_the_wrong_route_of_peoas_worked_example_is_a_dimension_error() -> None:
    code = "R = Q(0.08206, 'L*atm/(mol*K)')\nanswer = (2 * R * Q(288.15, 'K') / Q(32.2, 'ft_H2O')).to('L')"
    outcome = await WASM.run(Program(code))
    assert outcome.failure is not None
    assert outcome.failure.kind == "dimension"


@prepared
async def test_the_programs_of_the_math_tools_solve_and_integrate() -> None:
    from soprag.tools.math.equations import IntegrateOde, Rate, SolveEquations, Unknown, integrate, solve
    from soprag.tools.math.tool import Computed, Named

    equations = SolveEquations(equations=["x*exp(x) = 3"], knowns=[], unknowns=[Unknown(name="x")])
    root = await solve(WASM, equations)
    assert isinstance(root, Computed)
    assert root.first.value == pytest.approx(1.0499089)
    falling = IntegrateOde(
        states=[Rate(name="C", rate="-q/V*C", initial=10, unit="g/m^3")],
        knowns=[Named(name="q", value=40, unit="L/min"), Named(name="V", value=2, unit="m^3")],
        until=50,
        unit="min",
    )
    end = await integrate(WASM, falling)
    assert isinstance(end, Computed)
    assert end.first.value == pytest.approx(10 * 0.36787944, rel=1e-6)


@prepared
async def test_nothing_of_one_run_is_there_in_the_next() -> None:
    await WASM.run(Program("import math\nmath.trace = 1\nanswer = 1"))
    assert (await WASM.run(Program("import math\nanswer = hasattr(math, 'trace')"))).value is False


@prepared
async def test_an_allowed_tool_of_the_host_answers() -> None:
    assert (await WASM.run(Program("answer = tool('double', x=21)"))).value == 42


@prepared
async def test_two_programs_run_at_once_and_each_keeps_its_own_time() -> None:
    endless = WASM.run(Program("while True: pass"), SandboxLimits(seconds=0.5))
    short = WASM.run(Program("answer = sum(range(100000))"), SandboxLimits(seconds=20))
    first, second = await asyncio.gather(endless, short)
    assert first.failure is not None
    assert first.failure.kind == "timeout"
    assert second.value == 4999950000


def test_no_text_is_ever_run_outside_the_sandbox() -> None:
    """Only our guest runs text, and only programs inside the sandbox import what evaluates it."""
    root = Path(__file__).parents[3]
    inside = {root / "tools/sandbox/guest", root / "tools/math/programs"}
    for folder in ("agents", "apps", "configs", "graphs", "prompts", "tools"):
        for file in (root / folder).rglob("*.py"):
            if file.parent in inside:
                continue
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
                assert called not in ("eval", "exec"), file
                imported = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                imported += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                assert not {name.partition(".")[0] for name in imported} & {"sympy", "mpmath"}, file
