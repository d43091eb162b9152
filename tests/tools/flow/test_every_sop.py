"""Every SOP there is, walked along every way: no step out of reach unnamed, no warning after its step."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from soprag.benchmarks.quality.flows import _corpora
from soprag.tools.approval import read_request
from soprag.tools.flow.commands import parse
from soprag.tools.flow.cursor import Cursor
from soprag.tools.flow.request_builder import next_request
from soprag.tools.flow.run import FlowRun
from soprag.tools.procedure.plan import START, plan
from soprag.tools.procedure.rendered_steps import stands
from soprag.tools.sop import Sop
from tests.tools.rules.reading import views

ROOT = Path(__file__).parents[3]
DATA = ROOT.parent / "shared" / "data"
PLACES = [
    ROOT / "examples" / "sources",
    pytest.param(DATA, marks=pytest.mark.skipif(not DATA.is_dir(), reason="the shared corpora are not here")),
]


def sops(place: Path) -> Iterator[Sop]:
    for corpus in _corpora(place).values():
        yield from corpus


class Screen:
    """What an operator sees on the way through one SOP, and whether it is in order."""

    def __init__(self, sop: Sop) -> None:
        self.sop = sop
        self.cursor = Cursor(plan(sop, views(sop.body, sop.title).flow), passes=10**9)
        self.steps: set[str] = set()
        self.warnings: set[str] = set()

    def arrive(self, run: FlowRun) -> FlowRun:
        """Read the warnings, then the step."""
        due = {warning.text for warning in self.cursor.plan.by_id[run.at].warnings}
        asked = read_request(next_request(self.cursor, run, [], {}))[0]
        shown: set[str] = set()
        if asked.name == "warning":
            shown = {warning["text"] for warning in asked.structured["warnings"]}
            assert asked.structured["text"] == ""
            assert self.cursor.plan.by_id[run.at].text not in asked.description or due
            run = self.cursor.reply(run, parse("ack")).run
            asked = read_request(next_request(self.cursor, run, [], {}))[0]
        assert due <= shown, (self.sop.id, run.at)
        assert all(stands(text, self.sop.body) for text in shown)
        assert asked.name == "step"
        assert run.at == START or stands(asked.structured["text"], self.sop.body)
        self.warnings |= shown
        self.steps.add(run.at)
        return run

    def ways(self, run: FlowRun) -> Iterator[FlowRun]:
        """The run after each way out of its step."""
        ways = self.cursor.plan.ways(run.at)
        replies = [str(number) for number in range(1, len(ways) + 1)] if len(ways) > 1 else ["skip not now"]
        for reply in replies:
            moved = self.cursor.reply(run, parse(reply)).run
            if moved.leaving and "Reply the same again" in moved.problem:  # the way of a decision is in doubt
                moved = self.cursor.reply(moved, parse(reply)).run
            if moved.leaving:  # the text does not tell where to go on: the operator chooses
                assert "Choose the next step" in moved.problem
                moved = self.cursor.reply(moved, parse("go 1")).run
            assert moved.problem == "", (self.sop.id, run.at, moved.problem)
            yield moved

    def walk(self) -> None:
        """Along every edge, from one run per step."""
        begun = self.cursor.begin()
        points = (point.step for point in self.cursor.plan.flow.entry_points)
        open_ = [begun, *(begun.model_copy(update={"at": step}) for step in points)]
        while open_:
            run = self.arrive(open_.pop())
            for after in self.ways(run):
                if after.at and after.at not in self.steps | {other.at for other in open_}:
                    open_.append(after)
                elif after.at:
                    self.arrive(after)


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize("place", PLACES, ids=["examples", "shared"])
def test_every_step_is_reached_and_every_warning_shown_before_its_step(place: Path) -> None:
    warnings = shown = 0
    for sop in sops(place):
        screen = Screen(sop)
        screen.walk()
        named = {step.id for step in screen.cursor.plan.unreachable}
        assert screen.steps | named == set(screen.cursor.plan.by_id), sop.id
        of_reached = {w.text for step in screen.cursor.plan.steps if step.id in screen.steps for w in step.warnings}
        warnings += len(of_reached)
        shown += len(of_reached & screen.warnings)
    assert shown == warnings > 0
