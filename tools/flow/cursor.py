"""The cursor of a guided run: moves along the edges of the flow graph, or reports why a reply was refused.

Every move takes a `FlowRun` and returns a new one; the cursor has no state. A refused reply leaves the position
unchanged and puts the reason into `problem`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal
from uuid import uuid4

from soprag.tools.flow.calls import follow
from soprag.tools.flow.commands import HELP, StepReply
from soprag.tools.flow.edge_choice import EdgeChoice, choose, decided
from soprag.tools.flow.explaining import explain
from soprag.tools.flow.message_intent import is_about
from soprag.tools.flow.opening import line_account
from soprag.tools.flow.required_readings import RequiredReadings, named_values, values_of, way_asked
from soprag.tools.flow.run import FlowRun, Means, StepResult
from soprag.tools.flow.unresolved_ways import doubtful, stranded
from soprag.tools.procedure.page import name_of
from soprag.tools.procedure.plan import Edge, FlowPlan, lines_key, plain_lines, words_of
from soprag.tools.procedure.ranges.comparisons import GivenReading, compares, comparison
from soprag.tools.procedure.ranges.reading_range import asks_for, asks_reading
from soprag.tools.sop import UNRESOLVED, Warning
from soprag.tools.text.sanitize import one_line
from soprag.tools.units.quantity import Quantity

Event = Literal[
    "begun",
    "acknowledged",
    "applies",
    "done",
    "skipped",
    "back",
    "why",
    "lines",
    "told",
    "note",
    "asked",
    "stopped",
    "refused",
    "reading",
]
_ABOUT = 400  # characters of the step's text stored with a reading, to identify the quantity
PASSES = 3  # visits to a step before the run asks for confirmation of a further loop


@dataclass(frozen=True)
class Transition:
    """The result of a reply: the new run, the event, and a text to show."""

    run: FlowRun
    event: Event
    text: str = ""


@dataclass(frozen=True)
class Cursor:
    """Executes replies on the runs of one plan."""

    plan: FlowPlan
    passes: int = PASSES

    def begin(self, at: str = "") -> FlowRun:
        """A run at the step with id `at`; without one at the first step, or at the question which beginning it is.

        Where `at` is one of several alternatives, as the card of an alarm, the steps common to them come first.
        """
        first = at if at in self.plan.by_id else self.plan.start
        chosen = self.plan.alternative(first)
        first = self.plan.start if chosen else first
        return FlowRun(
            id=uuid4().hex[:12],
            sop=self.plan.sop,
            title=self.plan.title,
            digest=self.plan.digest,
            graph=self.plan.graph,
            at=first,
            words=self._words(first),
            status="running" if first else "finished",
            visits={first: 1} if first else {},
            chosen=chosen,
        )

    def fits(self, run: FlowRun) -> bool:
        """Whether the SOP and its graph are unchanged since the run began."""
        return (run.digest, run.graph) == (self.plan.digest, self.plan.graph)

    def warnings(self, run: FlowRun) -> tuple[Warning, ...]:
        """The warnings to acknowledge before the step is shown; empty when they were acknowledged."""
        if not run.at or run.warned:
            return ()
        own = self.plan.warnings(run.at, run.read)
        return own if run.trail else tuple(dict.fromkeys([*self._passed_over(run), *own]))

    def _passed_over(self, run: FlowRun) -> list[Warning]:
        """The warnings (no notes) of all steps before the one that the run began with."""
        begun = self.plan.by_id.get(run.at)
        before = self.plan.steps[: begun.number - 1] if begun and run.at != self.plan.start else ()
        return [w for step in before for w in step.warnings if w.kind != "note" and lines_key(w) not in run.read]

    def suggested(self, run: FlowRun) -> EdgeChoice | None:
        """The branch decided by stored readings, where the conditions are comparisons; else None."""
        if self.question(run):
            return None
        return decided(self.plan.ways(run.at), run.readings, run.at) if run.at else None

    def question(self, run: FlowRun) -> str:
        """The condition under which the step applies, as long as the operator has not said that it holds."""
        return self.plan.by_id[run.at].only_if if run.at and not run.applies else ""

    def reply(self, run: FlowRun, command: StepReply) -> Transition:
        """Execute a reply."""
        run = run.model_copy(update={"turn": run.turn + 1, "problem": ""})
        if run.status != "running":
            return _refused(run, f"This run of {run.title!r} has {run.status}.")
        if self.warnings(run) and command.verb in ("done", "choose", "skip", "go", "unknown"):
            return _refused(run, "The warnings come first: reply `ack` when you have read them.")
        onward: dict[str, Callable[[FlowRun, str], Transition]] = {
            "ack": self._acknowledge,
            "done": self.done,
            "choose": self.choose,
            "skip": self.skip,
            "refuse": self.refuse,
            "go": self.go,
        }
        if command.verb in onward:
            return onward[command.verb](run, command.text)
        return self._aside(run, command)

    def _aside(self, run: FlowRun, command: StepReply) -> Transition:
        """Execute a command that does not advance the run."""
        text = command.text
        if command.verb in ("note", "ask") and not text:
            return _refused(run, f"`{command.verb}` needs some words after it.")
        if command.verb == "back":
            return self.back(run)
        if command.verb == "why":
            return Transition(run, "why", explain(self.plan, run))
        if command.verb == "lines":
            return Transition(run, "lines", line_account(self.plan))
        updates: dict[str, tuple[Event, dict[str, object]]] = {
            "stop": ("stopped", {"status": "stopped"}),
            "note": ("note", {"notes": (*run.notes, text)}),
            "ask": ("asked", {"question": text}),
        }
        if command.verb not in updates:
            return _refused(run, HELP)
        event, update = updates[command.verb]
        return Transition(run.model_copy(update=update), event, text)

    def _acknowledge(self, run: FlowRun, _: str) -> Transition:
        """Mark the warnings of this step as read."""
        read = dict.fromkeys([*run.read, *map(lines_key, self.warnings(run))])
        return Transition(run.model_copy(update={"warned": True, "read": tuple(read)}), "acknowledged")

    def done(self, run: FlowRun, text: str = "") -> Transition:
        """Complete the step, with a reading where it requires one."""
        named = named_values(text)
        values, words = (tuple(value for _, value in named), text) if named else values_of(text)
        if values and self.question(run):
            return self._applying_by(run, values[-1])
        swapped = self.required(run).misnamed(named)
        if swapped:
            return _refused(run, swapped)
        untaken = self._untaken(run, text, values)
        if untaken:
            return untaken
        for reading in values:
            run = self.measured(run, reading)
        run = run.model_copy(update={"variant": self.required(run).variant_in(words) or run.variant})
        return self._completed(run, values[-1] if values else None)

    def _untaken(self, run: FlowRun, text: str, values: tuple[Quantity, ...]) -> Transition | None:
        """Why the words behind `done` are not recorded as readings of the step; None when they are."""
        if text and not values:
            return _refused(run, f"{text!r} is no reading: reply only `done`, `done` and a value, or `note` and words.")
        if values and not self._asks_value(run, values) and run.confirming != text:
            asked = f"{name_of(self.plan.by_id[run.at])} asks for no value."
            return self._confirm(run, text, f"{asked} Reply the same again to record {text}, or only `done`.")
        foreign = self.required(run).foreign(values)
        return _refused(run, foreign) if foreign else None

    def _completed(self, run: FlowRun, value: Quantity | None) -> Transition:
        """Leave the step by the way that its last reading, an earlier choice or the text tells."""
        edges = self.plan.ways(run.at)
        choice = decided(edges, run.readings[-1:], run.at) if value else None
        if choice:
            return self._leave(run, choice.edge, self._mark(run, value, "reading"))
        problem, before = self._wanting(run, value), self.chosen(run)
        if before and not problem:
            return self._leave(run, before, self._mark(run, value))
        if not problem and len(edges) > 1:
            problem = way_asked(len(edges), value)
        if problem:
            return _refused(run, problem)
        return self._leave(run, edges[0] if edges else None, self._mark(run, value))

    def _asks_value(self, run: FlowRun, values: tuple[Quantity, ...]) -> bool:
        """Whether the step states a range, is decided by such a value, or tells to read something."""
        edges = self.plan.ways(run.at)
        if self.plan.demands(run.at) or any(compares(edge.condition, value) for edge in edges for value in values):
            return True
        words = self.plan.by_id[run.at].text
        return len(edges) < 2 and all(asks_for(words, value) for value in values)

    def _applying_by(self, run: FlowRun, value: Quantity) -> Transition:
        """A value at "Does it apply?": it answers where the condition compares that quantity, and else is not taken."""
        condition = self.question(run)
        compared = comparison(condition) if compares(condition, value) else None
        if compared is None:
            return _refused(run, f"Does the step apply ({condition})? Reply `yes` or `no` first.")
        return self._applying(self.measured(run, value), bool(compared.limits.holds(value)))

    def measured(self, run: FlowRun, value: Quantity, source: Means = "operator") -> FlowRun:
        """The run with a reading added at its current step; a missing unit is taken from the SOP's only range."""
        unit = value.unit
        demands = self.plan.demands(run.at)
        if not unit and len(demands) == 1:
            value = Quantity(value=value.value, unit=demands[0].unit)  # the SOP's own, as the operator read it
        about = one_line(plain_lines(self.plan.by_id[run.at].text), _ABOUT)
        reading = GivenReading(node=run.at, quantity=value, about=about, source=source)
        return run.model_copy(update={"readings": (*run.readings, reading)})

    def choose(self, run: FlowRun, answer: str, means: Means = "operator") -> Transition:
        """Answer "Does it apply?" or a decision by `yes`, `no`, or the number of a branch."""
        if self.question(run) and answer in ("yes", "no"):
            return self._applying(run, answer == "yes")
        edges = self.plan.ways(run.at)
        if len(edges) < 2:
            return self._without_choice(run, answer)
        if answer.isdigit() and int(answer) > len(edges) and self.plan.demands(run.at):
            return self.done(run, answer)
        edge = choose(edges, answer)
        if edge is None:
            return _refused(run, f"{answer!r} is none of the ways; reply with the number of one, 1 to {len(edges)}.")
        return self._leave(self._remembering(run, edge), edge, self._mark(run, None, means))

    def _without_choice(self, run: FlowRun, answer: str) -> Transition:
        """`yes`, `no` or a number at a step with one way: done, or a reading, or nothing that the procedure tells."""
        if answer == "yes":
            return self.done(run)
        demands = self.plan.demands(run.at)
        if not answer.isdigit() or not demands:
            return _refused(
                run,
                "There is one way from here: reply `done` when it is as written, `skip` and the reason, or `stop`.",
            )
        if len(answer) == 1 and demands[0].unit and run.confirming != answer:
            asked = f"Is {answer} the reading, in {demands[0].unit}? Reply the same again, or `done`, value and unit."
            return self._confirm(run, answer, asked)
        return self.done(run, answer)

    @staticmethod
    def _confirm(run: FlowRun, reply: str, asked: str) -> Transition:
        """Take the reply only when it is given again."""
        return _refused(run.model_copy(update={"confirming": reply}), asked)

    def _applying(self, run: FlowRun, holds: bool) -> Transition:
        """The step under a condition is to be done, or is passed by."""
        condition = self.question(run)
        if holds:
            return Transition(run.model_copy(update={"applies": True}), "applies", condition)
        edges = self.plan.ways(run.at)
        plain = len(edges) == 1 and not edges[0].condition  # a way under words belongs to the condition, too
        mark = self._mark(run, None).model_copy(update={"outcome": "skipped", "reason": f"not: {condition}"})
        return self._leave(run, edges[0] if plain else Edge(UNRESOLVED, f"not: {condition}"), mark)

    def _remembering(self, run: FlowRun, edge: Edge) -> FlowRun:
        """The run with the alternative of this kind, so that it is asked for once."""
        fork = self.plan.fork(run.at)
        if not fork or not edge.condition:
            return run
        update: dict[str, object] = {"chosen": {**run.chosen, fork.by: edge.condition}}
        if fork.by == "variant":
            update["variant"] = edge.condition
        return run.model_copy(update=update)

    def chosen(self, run: FlowRun) -> Edge | None:
        """The way of the alternative that was chosen before in this run."""
        fork = self.plan.fork(run.at) if run.at else None
        named = run.variant if fork and fork.by == "variant" else ""
        before = (run.chosen.get(fork.by) if fork else "") or named
        return next((edge for edge in self.plan.ways(run.at) if before and edge.condition == before), None)

    def go(self, run: FlowRun, number: str) -> Transition:
        """Go on at the step of a number: where the text does not tell, or at the entry point of a situation."""
        step = next((step for step in self.plan.steps if str(step.number) == number), None)
        points = {point.step for point in self.plan.flow.entry_points}
        if step is None:
            return _refused(run, f"There is no step {number}; the steps are 1 to {len(self.plan.steps)}.")
        if not run.leaving and step.id not in points:
            return _refused(run, "The procedure tells where to go on from here; `go` is for where it does not.")
        mark = run.leaving or self._mark(run, None).model_copy(
            update={"outcome": "skipped", "reason": f"went on at step {number}"}
        )
        return self._leave(run, Edge(step.id, mark.condition), mark)

    def skip(self, run: FlowRun, reason: str) -> Transition:
        """Skip the step with a reason; refused for a decision whose branches have different targets."""
        if not reason.strip() or is_about(reason, ""):
            return _refused(run, "A step is only skipped for a reason: reply `skip` and why.")
        edges = self.plan.ways(run.at)
        if len({edge.to for edge in edges}) > 1:
            return _refused(run, "A decision cannot be skipped, for every way leads elsewhere: choose one, or `stop`.")
        mark = self._mark(run, None).model_copy(update={"outcome": "skipped", "reason": reason.strip()})
        return self._leave(run, edges[0] if edges else None, mark)

    def refuse(self, run: FlowRun, reason: str) -> Transition:
        """Reject what is asked: it passes no warning and gives no reading, and it skips any other step."""
        because = f" ({one_line(reason)})" if reason.strip() else ""
        if self.warnings(run):
            acknowledge = "approve, or reply `ack`; `stop` ends the run here"
            return _refused(run, f"The warnings were refused{because}. Their step is shown after them: {acknowledge}.")
        required = any(demand.required for demand in self.required(run).applicable)
        if required or asks_reading(self.plan.by_id[run.at].text):
            return _refused(
                run, f"Rejecting{because} gives no reading. Reply with the value, or `skip` and why none can be taken."
            )
        return self.skip(run, reason)

    def back(self, run: FlowRun) -> Transition:
        """Return to the previous step of the trail; its warnings must be acknowledged again."""
        if not run.trail:
            return _refused(run, "This is where the run began.")
        gone = run.trail[-1]
        update = {"at": gone.node, "words": gone.words, "trail": run.trail[:-1], "warned": False, "confirming": ""}
        update |= {"leaving": None, "applies": False, "calling": gone.calling}
        readings = tuple(reading for reading in run.readings if reading.node not in (gone.node, run.at))
        update["arrived"] = len(readings)
        return Transition(run.model_copy(update={**update, "readings": readings}), "back")

    # moving ---------------------------------------------------------------------------------------------------------

    def _wanting(self, run: FlowRun, value: Quantity | None) -> str:
        """Why the step cannot be completed with this value; empty when it can."""
        stated = self.required(run)
        required = [repr(demand.phrase) for demand in stated.applicable if demand.required]
        readings = tuple(reading.quantity for reading in run.readings[run.arrived :] if reading.node == run.at)
        if value is None and required and not readings:
            phrases = " and ".join(required)
            return f"Which reading? The SOP states {phrases}: reply `done` and the value with its unit."
        return stated.problem(readings) if readings else ""

    def required(self, run: FlowRun) -> RequiredReadings:
        """The readings that the step asks for, for the model of the run."""
        return RequiredReadings(self.plan.demands(run.at), run.variant)

    def _mark(self, run: FlowRun, value: Quantity | None, means: Means = "operator") -> StepResult:
        stored = run.readings[-1].quantity if value and run.readings else value
        number = self.plan.by_id[run.at].number
        return StepResult(node=run.at, number=number, words=run.words, outcome="done", value=stored, means=means)

    def _words(self, node: str) -> str:
        return words_of(self.plan.by_id[node]) if node else ""

    def _leave(self, run: FlowRun, edge: Edge | None, mark: StepResult) -> Transition:
        to = edge.to if edge else ""
        if to == UNRESOLVED:
            return self._stranded(run, edge, mark)
        doubt = self.plan.doubt(run.at) if mark.outcome == "done" and not run.leaving else None
        if doubt:
            return _refused(run.model_copy(update={"leaving": mark}), doubtful(self.plan, doubt, to))
        to, calling = follow(self.plan, run.calling, run.at, to)
        if to and run.visits.get(to, 0) and run.visits[to] % self.passes == 0 and run.confirming != to:
            asking = run.model_copy(update={"confirming": to})
            step = name_of(self.plan.by_id[to])
            return _refused(asking, f"{step} was begun {run.visits[to]} times. Reply the same again to go round again.")
        condition = edge.condition if edge else ""
        departed = mark.model_copy(update={"to": to, "condition": condition, "calling": run.calling})
        moved = run.model_copy(
            update={
                "at": to,
                "words": self._words(to),
                "trail": (*run.trail, departed),
                "calling": calling,
                "arrived": len(run.readings),
                "warned": False,
                "confirming": "",
                "leaving": None,
                "applies": False,
                "status": "running" if to else "finished",
                "visits": {**run.visits, to: run.visits.get(to, 0) + 1} if to else run.visits,
            }
        )
        return Transition(moved, "skipped" if mark.outcome == "skipped" else "done")

    def _stranded(self, run: FlowRun, edge: Edge | None, mark: StepResult) -> Transition:
        """The step is done, and the text does not tell where it leads: the operator has to choose the next step."""
        condition = edge.condition if edge else ""
        left = run.model_copy(update={"leaving": mark.model_copy(update={"condition": condition})})
        return _refused(left, stranded(self.plan, run.at, condition))


def _refused(run: FlowRun, problem: str) -> Transition:
    return Transition(run.model_copy(update={"problem": problem}), "refused", problem)
