"""A step or its warnings for generic clients: the few fields of a card, and Markdown for the thread of messages."""

from collections.abc import Iterator

from pydantic import JsonValue

from soprag.tools.flow.requests import StepArguments, ValueRange
from soprag.tools.flow.required_readings import labelled_problem
from soprag.tools.flow.step_names import place_words, way_words
from soprag.tools.procedure.wording.safety_labels import missing_label
from soprag.tools.text.markdown_writer import quoted_warning, source_link
from soprag.tools.text.sanitize import one_line, sanitize

REPLY = "reply"  # the field of a card that a person writes into


def fields(name: str, step: StepArguments) -> dict[str, JsonValue]:
    """At most four fields: the words, what is asked, why the last reply was not taken, and the empty reply."""
    words = step.text if name == "step" else "\n".join(warning.text for warning in step.warnings)
    asked = [labelled_problem("Problem:", step.problem)] if step.problem else []
    rows = "\n".join([*asked, *_asked(name, step)]).replace("`", "")  # cards show plain text
    return {name: sanitize(words), "asked": sanitize(rows), REPLY: ""}


def markdown(name: str, step: StepArguments, page: str = "") -> str:
    """The request as Markdown, complete by itself; `page` is the address of the SOP's page, for its source link."""
    place = place_words(step, f" of {step.of}")
    head = place.capitalize() if name == "step" and step.number else f"Before {place}"
    blocks = [f"#### {head} · {one_line(step.sop_title or step.sop)}"]
    if step.problem:
        blocks.append(sanitize(labelled_problem("**Not taken:**", step.problem)))
    section = one_line(step.section).removeprefix(f"{step.sop_title} / ")
    if section not in ("", step.sop_title) and name == "step":
        blocks.append(f"*{section}*")
    blocks += [quoted_warning(missing_label(one.kind, one.text), one.text) for one in step.warnings]
    if name == "step":
        blocks += [_words(step)]
    rows = list(_asked(name, step))
    blocks += ["**Your reply:**", "\n".join(f"- {row}" for row in rows)]
    return "\n\n".join([*blocks, *_source(step, page)])


def _words(step: StepArguments) -> str:
    label = one_line(step.label) + "." * step.label[-1:].isalnum()
    label = f"**{label}** " if step.label else ""
    passage = f"{sanitize(step.passage)}\n\n**This step:** " if step.passage else ""
    return f"{passage}{label}{sanitize(step.text)}"


def _asked(name: str, step: StepArguments) -> Iterator[str]:
    """What can be replied, a row each."""
    if name != "step":
        yield "Approve, or reply `ack`, when you have read this; the step is shown then."
        return
    rows = list(_replies(step))
    yield from rows or ["Approve when it is done, or reply `done`."]


def _replies(step: StepArguments) -> Iterator[str]:
    if step.only_if and not step.applies:
        yield f"Does it apply? Only if: {one_line(step.only_if)}. Reply `yes` or `no`."
    if len(step.ways) > 1:
        yield from (f"`{number}` {way_words(way)}" for number, way in enumerate(step.ways, 1))
        yield "Reply with the number of the way that holds, or with `yes` or `no`."
    if step.suggested:
        reading = f"{one_line(step.suggested.reading)} in step {step.suggested.step}"
        yield f"The reading {reading} says way {step.suggested.way}; approve to take it."
    if len(step.variants) > 1:
        yield f"Reply {' or '.join(step.variants)}, and only its limits are asked for."
    for limits in step.ranges:
        yield f"Reply with the value: {_limits(limits)}." if limits.required else f"Range: {_limits(limits)}."
    yield from (f"Reply `use {one_line(tool)}` for a draft; nothing is done unless you approve." for tool in step.tools)
    yield from (f"Reply `open {other.n}` for {one_line(other.name)}." for other in step.references)


def _limits(limits: ValueRange) -> str:
    if limits.phrase:
        return one_line(limits.phrase)
    ends = [("at least", limits.low), ("at most", limits.high)]
    return " and ".join(f"{word} {end:g} {limits.unit}".strip() for word, end in ends if end is not None)


def _source(step: StepArguments, page: str) -> Iterator[str]:
    if step.lines:
        yield f"*{source_link(step.sop_title or step.sop, step.lines, page)}*"
