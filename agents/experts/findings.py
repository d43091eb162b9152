"""What retrieval hands on to later steps as data: answer, chosen steps with lines, values with units, candidates."""

from collections.abc import Iterable, Iterator

from pydantic import Field, JsonValue

from soprag.tools.retriever.answer.answer import AnsweredStep, SopAnswer
from soprag.tools.retriever.answer.search_result import SopHit
from soprag.tools.sop import Frozen
from soprag.tools.support.quantities import measures
from soprag.tools.text.sanitize import one_line
from soprag.tools.text.sentences import sentences
from soprag.tools.units.quantity import Quantity

BUDGET = 6_000  # characters of findings that a later step is shown
_NAMED = 60  # characters that name a value
_VALUES = 40


class FoundStep(Frozen):
    """A chosen step, verbatim, with its lines and warnings."""

    id: str
    label: str
    lines: tuple[int, int]
    text: str
    warnings: tuple[str, ...] = ()


class FoundValue(Frozen):
    """A quantity of the procedure with the words around it and its line."""

    about: str
    quantity: Quantity
    line: int
    limit: str = Field(default="", description="`more than` or `less than`, when the procedure states a limit")


class RetrievedFindings(Frozen):
    """The result of retrieval as data."""

    sop: str
    title: str
    first: str = Field(default="", description="id of the step to begin with; empty: the first one")
    answer: tuple[str, ...] = ()
    steps: tuple[FoundStep, ...] = ()
    values: tuple[FoundValue, ...] = ()
    candidates: tuple[SopHit, ...] = ()

    def text(self, budget: int = BUDGET) -> str:
        """The findings in lines; what does not fit into the budget is counted and not cut silently."""
        rows = list(self._rows())
        shown: list[str] = []
        room = budget
        for row in rows:
            if len(row) + 1 > room:
                break
            shown.append(row)
            room -= len(row) + 1
        left = len(rows) - len(shown)
        return "\n".join([*shown, *([f"({left} more lines of {self.sop} are not shown)"] if left else [])])

    def quantities(self) -> dict[str, JsonValue]:
        """Name → value and unit, for a program; a name has the words around the value and its line."""
        return {f"line {v.line}: {v.about}": v.quantity.model_dump() for v in self.values}

    def _rows(self) -> Iterator[str]:
        yield f"{self.title} ({self.sop})"
        yield from self.answer
        for value in self.values:
            yield f"value, line {value.line}: {value.about} = {f'{value.limit} {value.quantity}'.strip()}"
        for step in self.steps:
            for warning in step.warnings:
                yield f"! {one_line(warning)}"
            yield f"[{step.id}] lines {step.lines[0]}-{step.lines[1]}: {one_line(step.text)}"
        yield from (f"also found: {hit.title} ({hit.sop})" for hit in self.candidates)


def findings_of(answer: SopAnswer, cited: Iterable[tuple[int, str]]) -> RetrievedFindings:
    """The findings of an answer; `cited` are the lines that its sentences cite, with their numbers."""
    chosen = [step for step in answer.steps if step.chosen]
    lines = dict(cited)
    for step in chosen:
        lines.update((step.lines.start + offset, row) for offset, row in enumerate(step.text.split("\n")))
    return RetrievedFindings(
        sop=answer.sop,
        title=answer.title,
        first=answer.begins,
        answer=tuple(sentence.shown() for sentence in answer.answer.sentences),
        steps=tuple(map(_found, chosen)),
        values=tuple(_values(lines))[:_VALUES],
        candidates=answer.near,
    )


def _found(step: AnsweredStep) -> FoundStep:
    warnings = tuple(warning.text for warning in step.warnings)
    return FoundStep(
        id=step.id, label=step.label, lines=(step.lines.start, step.lines.end), text=step.text, warnings=warnings
    )


def _values(lines: dict[int, str]) -> Iterator[FoundValue]:
    """Every quantity with a unit, in the order of the lines."""
    for number, line in sorted(lines.items()):
        for sentence in sentences(one_line(line)) or [line]:
            for measure in measures(sentence, words=True):
                if measure.unit:
                    limit = {1: "more than", -1: "less than"}.get(measure.side, "")
                    quantity = Quantity(value=measure.value, unit=measure.unit)
                    yield FoundValue(about=one_line(sentence, _NAMED), quantity=quantity, line=number, limit=limit)
