"""Renders an answer as plain text.

`blocks` is the whole of it: the answer, the selected steps, all other steps, citations. `card` is what a screen shows
first: the answer, and the steps to do now behind their warnings.
"""

from collections.abc import Iterable, Iterator

from soprag.tools.procedure.page import BLANK, PageBlock, name_of, raw, step_blocks, warning_block
from soprag.tools.procedure.rendered_steps import lines_of, runs
from soprag.tools.retriever.answer.answer import AnsweredStep, SopAnswer
from soprag.tools.sop import Warning
from soprag.tools.text.sanitize import one_line, sanitize
from soprag.tools.text.sentences import sentences

_ABSTRACT = 220  # characters of the abstract on a card
_NOW = 3  # steps on a card
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
    return [*_head(answer), *whole_procedure(answer), *_foot(answer)]


def card(answer: SopAnswer) -> list[PageBlock]:
    """The answer, where to begin, every warning up to there, the steps to do now, the titles of other procedures."""
    steps = {step.number: step for step in answer.steps}
    now = _now(answer)
    page = [PageBlock(answer.title, role="title"), *_opening(answer, _ABSTRACT)]
    if now:
        missed = {warning.text: warning for _, warning in missed_warnings(answer, now[0].number)}
        behind = ", behind these warnings" if missed else ""
        page += [BLANK, PageBlock(f"{_beginning(answer, now[0])}{behind}:", role="title")]
        page += map(warning_block, missed.values())
    for step in now:
        page += [BLANK, *step_blocks(step, lines_of(step.lines), steps)]
    if answer.body:
        page += [BLANK, PageBlock(answer.body)]
    if answer.near:
        page += [BLANK, PageBlock("Other procedures that may fit:", role="title")]
        page += [PageBlock(one_line(hit.title), f"{n}. ", 2, role="choice") for n, hit in enumerate(answer.near, 1)]
    return page


def _beginning(answer: SopAnswer, step: AnsweredStep) -> str:
    heading = one_line(step.section).split(" / ")[-1]
    is_title = heading in answer.title or answer.title in heading
    place = "" if is_title else f"{heading!r}, "
    return f"Begin with {place}{name_of(step)}"


def _now(answer: SopAnswer) -> list[AnsweredStep]:
    """The steps to do now: those that a model named, else up to the first decision in the section to begin with."""
    chosen = [step for step in answer.steps if step.chosen]
    if chosen and answer.author != "rules":
        return chosen[:_NOW]
    begin = answer.first if answer.begins else min(answer.part, default=1)
    found: list[AnsweredStep] = []
    for step in answer.steps[begin - 1 : begin - 1 + _NOW]:
        if found and (step.section != found[0].section or found[-1].ways):
            break
        found.append(step)
    return found


def _head(answer: SopAnswer) -> Iterator[PageBlock]:
    yield PageBlock(answer.title, role="title")
    yield from _opening(answer)
    if answer.first:
        yield PageBlock(_first(answer.steps[answer.first - 1]), "Look at first: ")
    chosen = [step.number for step in answer.steps if step.chosen]
    if chosen and set(chosen) < set(answer.part):
        yield PageBlock(", ".join(f"[{number}]" for number in chosen), "For this question: ")


def _opening(answer: SopAnswer, longest: int = 0) -> Iterator[PageBlock]:
    """The answer in sentences, or the abstract of the procedure, of about `longest` characters where that is given."""
    for number, sentence in enumerate(answer.answer.sentences):
        opening = OPENINGS.get(answer.form, "Answer: ") if number == 0 else ""
        yield PageBlock(sentence.shown(), opening, role="answer")
    warned = _warned(answer)
    if warned:
        yield PageBlock(f"Read the warnings of {', '.join(f'[{number}]' for number in warned)} first.", "! ")
    if answer.summary and not answer.answer.sentences and not (longest and answer.card):
        yield PageBlock(_abstract(answer.summary, longest), "In short: ", role="answer")
    if answer.notice:
        yield PageBlock(answer.notice, "Notice: ")
    if answer.separating:
        yield PageBlock(answer.separating, "Several procedures fit. Which is it? ", role="ask")


def _abstract(summary: str, longest: int) -> str:
    """The sentences of the summary that fit, at least the first."""
    fitting = ""
    for sentence in sentences(summary):
        if longest and fitting and len(fitting) + len(sentence) > longest:
            break
        fitting = f"{fitting} {sentence}".lstrip()
    return fitting if longest else summary


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


def whole_procedure(answer: SopAnswer) -> Iterator[PageBlock]:
    """All steps; the part for the question comes first."""
    part, count = frozenset(answer.part), len(answer.steps)
    whole = len(part) == count
    others = frozenset(range(1, count + 1)) - part
    if not whole:
        yield BLANK
        yield PageBlock(f"The part for this question comes first; the other steps of {count} follow after it.")
        yield from warnings_before(answer, min(part))
    for run in [*runs(answer.steps, part), *runs(answer.steps, others)]:
        if not whole:
            yield BLANK
            yield PageBlock(f"=== Steps [{run[0].number}] to [{run[-1].number}] of {count} ===")
        yield from steps_in_order(answer, run)
    if answer.body:
        yield BLANK
        yield PageBlock(answer.body)


def missed_warnings(answer: SopAnswer, start: int) -> list[tuple[int, Warning]]:
    """The warnings (no notes) of the steps before `start`, with the numbers of their steps."""
    before = answer.steps[: start - 1]
    return [(step.number, warning) for step in before for warning in step.warnings if warning.kind != "note"]


def warnings_before(answer: SopAnswer, start: int) -> Iterator[PageBlock]:
    """Warnings of earlier steps, for a reader who starts at step `start`."""
    missed = {warning.text: warning for _, warning in missed_warnings(answer, start)}
    if missed:
        yield BLANK
        yield PageBlock("Read these warnings of the steps before it:")
    yield from map(warning_block, missed.values())


def steps_in_order(answer: SopAnswer, run: Iterable[AnsweredStep]) -> Iterator[PageBlock]:
    """Consecutive steps under their headings."""
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
        yield PageBlock("; ".join(one_line(hit.title) for hit in answer.near), "Other procedures: ")
    if answer.author != "rules":
        yield PageBlock(
            f"{one_line(answer.author)} wrote the answer and chose the steps; each sentence was checked against its "
            "lines. Steps, warnings and conditions are the procedure's own words."
        )
