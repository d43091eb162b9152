"""The sections of a long procedure: a list by number and title, and each alone behind the warnings before it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil

from soprag.tools.procedure.page import PageBlock
from soprag.tools.retriever.answer.answer import AnsweredStep, SopAnswer
from soprag.tools.retriever.answer.answer_page import steps_in_order, warnings_before
from soprag.tools.text.sanitize import one_line

_SHORT = 15  # a procedure of so many steps is shown whole
_LONGEST = 12  # steps of a section that is not cut into parts
_MOST = 20  # sections of a list; where there are more, headings of a lower level are left out


@dataclass(frozen=True)
class AnswerSection:
    """Consecutive steps under one heading; a long section is several parts of about the same length."""

    title: str
    steps: tuple[AnsweredStep, ...]

    @property
    def range(self) -> str:
        """`steps [3] to [9]`."""
        first, last = self.steps[0].number, self.steps[-1].number
        return f"step [{first}]" if first == last else f"steps [{first}] to [{last}]"


def is_long(answer: SopAnswer) -> bool:
    """Whether its steps are listed by section, and not all at once."""
    return len(answer.steps) > _SHORT


def sections_of(answer: SopAnswer) -> list[AnswerSection]:
    """All steps in order, under the headings of the deepest level that gives a list one can read."""
    paths = _paths(answer)
    depth = max(map(len, paths), default=0)
    while depth > 1 and _count(paths, depth) > _MOST:
        depth -= 1
    found: list[AnswerSection] = []
    for path, group in groupby(zip(paths, answer.steps, strict=True), key=lambda pair: pair[0][:depth]):
        found += _parts(" › ".join(path) or answer.title, [step for _, step in group])
    return found


def section_list(answer: SopAnswer) -> Iterator[PageBlock]:
    """A numbered line per section, and which ones the question is about."""
    sections, part = sections_of(answer), set(answer.part)
    asked = len(part) < len(answer.steps)
    yield PageBlock(f"{answer.title}: {len(answer.steps)} steps in {len(sections)} parts", role="title")
    for number, section in enumerate(sections, 1):
        about = " · for this question" if asked and part & {step.number for step in section.steps} else ""
        yield PageBlock(f"{section.title} · {section.range}{about}", f"({number}) ", 2, "choice")
    yield PageBlock("/steps 1, or words of its title, shows a part · /steps all shows the whole procedure", role="hint")


def named_sections(answer: SopAnswer, words: str) -> dict[int, AnswerSection]:
    """By number in the list: the section with this number, else those whose titles contain the words."""
    return {
        number: section
        for number, section in enumerate(sections_of(answer), 1)
        if (number == int(words) if words.isdecimal() else words.casefold() in section.title.casefold())
    }


def section_page(answer: SopAnswer, section: AnswerSection) -> Iterator[PageBlock]:
    """The steps of a section, behind the warnings of the steps before it."""
    yield PageBlock(f"{answer.title}, {section.range} of {len(answer.steps)}", role="title")
    yield from warnings_before(answer, section.steps[0].number)
    yield from steps_in_order(answer, section.steps)


def _paths(answer: SopAnswer) -> list[tuple[str, ...]]:
    """The headings above each step, without those that all steps share."""
    paths = [tuple(filter(None, map(one_line, step.section.split(" / ")))) for step in answer.steps]
    shared = 0
    while all(len(path) > shared for path in paths) and len({path[shared] for path in paths}) == 1:
        shared += 1
    return [path[shared:] for path in paths]


def _count(paths: Sequence[tuple[str, ...]], depth: int) -> int:
    return sum(1 for _ in groupby(path[:depth] for path in paths))


def _parts(title: str, steps: list[AnsweredStep]) -> Iterator[AnswerSection]:
    size = ceil(len(steps) / ceil(len(steps) / _LONGEST))
    for start in range(0, len(steps), size):
        yield AnswerSection(title, tuple(steps[start : start + size]))
