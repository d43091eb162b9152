"""Renders an answer as plain text: the first step to look at, the selected steps, all other steps, citations."""

from collections.abc import Iterator

from soprag.tools.procedure.page import BLANK, PageBlock, name_of, raw, step_blocks
from soprag.tools.procedure.rendered_steps import runs
from soprag.tools.retriever.answer.answer import AnsweredStep, SopAnswer
from soprag.tools.sop import Warning
from soprag.tools.text.sanitize import one_line, sanitize

OPENINGS = {"yes": "Answer: yes. ", "no": "Answer: no. ", "not_stated": "The procedure does not say. "}


class PlainAnswer:
    """Answers as plain text."""

    def text(self, text: str) -> str:
        """Plain lines without hidden characters."""
        return sanitize(text)

    def answer(self, answer: SopAnswer) -> str:
        """The whole answer."""
        return raw(blocks(answer))


def blocks(answer: SopAnswer) -> list[PageBlock]:
    """The page; every warning of the SOP is printed before its step."""
    return [*_head(answer), *_procedure(answer), *_foot(answer)]


def _head(answer: SopAnswer) -> Iterator[PageBlock]:
    yield PageBlock(f"{answer.title} ({answer.sop})")
    for number, sentence in enumerate(answer.answer.sentences):
        yield PageBlock(sentence.shown(), OPENINGS.get(answer.form, "Answer: ") if number == 0 else "")
    warned = _warned(answer)
    if warned:
        yield PageBlock(f"Read the warnings of {', '.join(f'[{number}]' for number in warned)} first.", "! ")
    if answer.summary and not answer.answer.sentences:
        yield PageBlock(answer.summary, "In short: ")
    if answer.notice:
        yield PageBlock(answer.notice, "Notice: ")
    if answer.separating:
        yield PageBlock(answer.separating, "Several procedures fit. Which is it? ")
    if answer.first:
        yield PageBlock(_first(answer.steps[answer.first - 1]), "Look at first: ")
    chosen = [step.number for step in answer.steps if step.chosen]
    if chosen and set(chosen) < set(answer.part):
        yield PageBlock(", ".join(f"[{number}]" for number in chosen), "For this question: ")


def _warned(answer: SopAnswer) -> list[int]:
    """The steps with warnings on whose lines the answer stands; its sentences are read before the steps are."""
    cited = {line for sentence in answer.answer.sentences for line in sentence.lines if not sentence.withheld}
    return [
        step.number
        for step in answer.steps
        if any(warning.kind != "note" for warning in step.warnings)
        and cited & set(range(step.lines.start, step.lines.end + 1))
    ]


def _first(step: AnsweredStep) -> str:
    """A pointer to the step; its words are repeated only when no warning has to be read before them."""
    return name_of(step) if step.warnings else f"{name_of(step)} {one_line(step.text, 120)}"


def _procedure(answer: SopAnswer) -> Iterator[PageBlock]:
    part, count = frozenset(answer.part), len(answer.steps)
    whole = len(part) == count
    others = frozenset(range(1, count + 1)) - part
    if not whole:
        yield BLANK
        yield PageBlock(f"The part for this question comes first; the other steps of {count} follow after it.")
        yield from _before(answer, min(part))
    for run in [*runs(answer.steps, part), *runs(answer.steps, others)]:
        if not whole:
            yield BLANK
            yield PageBlock(f"=== Steps [{run[0].number}] to [{run[-1].number}] of {count} ===")
        yield from _run(answer, run)
    if answer.body:
        yield BLANK
        yield PageBlock(answer.body)


def missed_warnings(answer: SopAnswer, start: int) -> list[tuple[int, Warning]]:
    """The warnings (no notes) of the steps before `start`, with the numbers of their steps."""
    before = answer.steps[: start - 1]
    return [(step.number, warning) for step in before for warning in step.warnings if warning.kind != "note"]


def _before(answer: SopAnswer, start: int) -> Iterator[PageBlock]:
    """Warnings of earlier steps, for a reader who starts at step `start`."""
    missed = missed_warnings(answer, start)
    if missed:
        yield BLANK
        yield PageBlock("Read these warnings of the steps before it:")
    for number, warning in missed:
        yield PageBlock(warning.text, f"! [{number}] ")


def _run(answer: SopAnswer, run: list[AnsweredStep]) -> Iterator[PageBlock]:
    steps = {step.number: step for step in answer.steps}
    section = ""
    for step in run:
        yield BLANK
        if step.section != section:
            section = step.section
            yield PageBlock(f"--- {one_line(section).removeprefix(f'{answer.title} / ')} ---" if section else "---")
            yield BLANK
        yield from step_blocks(step, step.citation, steps)


def _foot(answer: SopAnswer) -> Iterator[PageBlock]:
    yield BLANK
    if answer.near:
        yield PageBlock("; ".join(f"{hit.title} ({one_line(hit.sop)})" for hit in answer.near), "Other procedures: ")
    if answer.author != "rules":
        yield PageBlock(
            f"{one_line(answer.author)} wrote the answer and chose the steps; each sentence was checked against its "
            "lines. Steps, warnings and conditions are the procedure's own words."
        )
