"""Answers about the run itself: where it stands, what comes next, its warnings, and which command a reply stands for.

Nothing here moves a run. A reply that reads like a command names that command, and the operator types it.
"""

from collections.abc import Callable, Iterator

from soprag.tools.flow.commands import HELP, near_command
from soprag.tools.flow.cursor import Cursor
from soprag.tools.flow.edge_choice import likely
from soprag.tools.flow.reply_intent import Intent
from soprag.tools.flow.run import FlowRun
from soprag.tools.procedure.page import name_of
from soprag.tools.procedure.plan import START, Edge, lines_key, plain_lines
from soprag.tools.procedure.rendered_steps import lines_of
from soprag.tools.sop import UNRESOLVED, Warning
from soprag.tools.text.sanitize import one_line

_LONGEST = 160
_UNCHANGED = "Nothing was changed."
_ELSE = "If you asked something else: `ask` and your words."


def answer(cursor: Cursor, run: FlowRun, intent: Intent) -> str:
    """The words for an intent; empty for none."""
    if not intent or not run.at:
        return ""
    told: dict[str, Callable[[Cursor, FlowRun], str]] = {
        "position": _position,
        "next": _next,
        "repeat": lambda cursor, run: "Once more, as it stands in the procedure:",
        "warnings": _warnings,
        "help": lambda cursor, run: HELP,
    }
    if intent in told:
        return told[intent](cursor, run)
    return f"{_UNCHANGED} {_command(cursor, run, intent)} {_ELSE}"


def meant(cursor: Cursor, run: FlowRun, words: str) -> str:
    """Which command a mistyped word, or which way a few of its words, are likely to mean; empty for other replies."""
    typo = near_command(words)
    if typo:
        return f"{_UNCHANGED} Did you mean `{typo}`?"
    ways = cursor.plan.ways(run.at)
    edge = None if cursor.question(run) or cursor.warnings(run) else likely(ways, words)
    if edge is None:
        return ""
    return (
        f"{_UNCHANGED} Is it `{[*ways].index(edge) + 1}`: {one_line(edge.condition, _LONGEST)}? Reply with that number."
    )


def _position(cursor: Cursor, run: FlowRun) -> str:
    step, plan = cursor.plan.by_id[run.at], cursor.plan
    done = [node for node in run.done if node != START]
    skipped = [name_of(plan.by_id[mark.node]) for mark in run.skipped]
    reached = {mark.node for mark in run.trail} | {run.at}
    ahead = sum(other.id not in reached for other in plan.steps)
    section = f", under {step.section!r}" if step.section else ""
    passed = f", skipped: {', '.join(skipped)}" if skipped else ""
    return (
        f"{run.title!r} stands at {name_of(step)}, number {step.number} of {len(plan.steps)}{section}.\n"
        f"{len(done)} done{passed}; {ahead} not reached. Which of these are on the way depends on your answers."
    )


def _next(cursor: Cursor, run: FlowRun) -> str:
    ways = cursor.plan.ways(run.at) or (Edge("", ""),)
    rows = [_way(cursor, edge) for edge in ways]
    numbered = [f"({n}) {row}" for n, row in enumerate(rows, 1)] if len(rows) > 1 else rows
    shown = ["It is shown with its warnings when this step is done."] if any(edge.to for edge in ways) else []
    return "\n".join(["After this step:", *numbered, *shown])


def _way(cursor: Cursor, edge: Edge) -> str:
    condition = f"{one_line(edge.condition, _LONGEST)}: " if edge.condition else ""
    if edge.to == UNRESOLVED:
        return f"{condition}the text does not tell where to go on; you choose there."
    step = cursor.plan.by_id.get(edge.to)
    if step is None:
        return f"{condition}the procedure ends."
    return f"{condition}{name_of(step)} {one_line(plain_lines(step.text), _LONGEST)}"


def _warnings(cursor: Cursor, run: FlowRun) -> str:
    own = cursor.plan.by_id[run.at].warnings
    every = {lines_key(warning): warning for step in cursor.plan.steps for warning in step.warnings}
    others = {key: warning for key, warning in every.items() if warning not in own}
    rows = [
        *_listed("At this step:", own),
        *_listed("Acknowledged before, to be kept to:", [others[key] for key in others if key in run.read]),
        *_listed(
            "Before other steps, where they are shown again:", [others[key] for key in others if key not in run.read]
        ),
    ]
    rows = rows or ["The procedure has no warnings. That is no proof that it is safe."]
    return "\n".join([*rows, "For anything else about safety: `ask` and your words, or ask whoever is responsible."])


def _listed(head: str, warnings: tuple[Warning, ...] | list[Warning]) -> Iterator[str]:
    if warnings:
        yield head
    yield from (f"! {one_line(plain_lines(warning.text))} [{lines_of(warning.lines)}]" for warning in warnings)


def _command(cursor: Cursor, run: FlowRun, intent: Intent) -> str:
    """The command that a reply stands for, and what it does at this step."""
    if cursor.warnings(run) and intent in ("done", "yes", "no", "skip", "ahead"):
        return "The warnings come first: reply `ack` when you have read them."
    named: dict[str, Callable[[Cursor, FlowRun], str]] = {
        "done": _done,
        "yes": lambda cursor, run: _answered(cursor, run, "yes"),
        "no": lambda cursor, run: _answered(cursor, run, "no"),
        "skip": _skip,
        "unsure": _unsure,
        "ahead": _ahead,
    }
    if intent in named:
        return named[intent](cursor, run)
    if intent == "back":
        return "`back` returns to the step before; the readings of both steps are dropped then, to be given again."
    return "`stop` ends this run here; what was done is kept in the record."


def _done(cursor: Cursor, run: FlowRun) -> str:
    if cursor.question(run) or len(cursor.plan.ways(run.at)) > 1:
        return _answered(cursor, run, "done")
    required = [f"{demand.phrase!r}" for demand in cursor.plan.demands(run.at) if demand.required]
    if required:
        return f"Reply `done` and the value with its unit; the procedure states {' and '.join(required)}."
    return "Reply `done` when the step is done."


def _answered(cursor: Cursor, run: FlowRun, word: str) -> str:
    condition, ways = cursor.question(run), cursor.plan.ways(run.at)
    if condition:
        return f"The step applies only if: {one_line(condition, _LONGEST)}. Reply `yes` or `no`."
    if len(ways) > 1:
        return f"Reply with the number of the way that holds, 1 to {len(ways)}."
    if word == "no":
        return (
            "The procedure tells no other way from this step: reply `done` when it is as written, `skip` and the "
            "reason, or `stop`, and tell whoever is responsible."
        )
    return _done(cursor, run)


def _skip(cursor: Cursor, run: FlowRun) -> str:
    if len({edge.to for edge in cursor.plan.ways(run.at)}) > 1:
        return "This is a decision and cannot be skipped: reply with the number of the way that holds, or `stop`."
    return "Reply `skip` and the reason, which is kept in the record."


def _unsure(cursor: Cursor, run: FlowRun) -> str:
    asked = _answered(cursor, run, "done")
    return (
        f"The run does not guess. {asked} As long as nobody can tell: `why` shows what the procedure says here, `stop` "
        "ends the run, and whoever is responsible decides."
    )


def _ahead(cursor: Cursor, run: FlowRun) -> str:
    return (
        "A run goes from step to step, so that no warning and no reading is passed over. Reply `done` for each step "
        "that is done already, with its value where one is asked, or `skip` and the reason."
    )
