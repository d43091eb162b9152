"""How well the support checker tells sentences that their lines support from sentences that they do not.

A sentence names a procedure of a folder and its lines; `kind` says what is wrong with a false one, and `half` whether
it may be looked at while the checker is tuned, or is only reported.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from soprag.tools.errors import UsageError
from soprag.tools.sop import Frozen
from soprag.tools.support.checker import check
from soprag.tools.support.excerpts import excerpt_of

TRUE = "true"


class JudgedSentence(Frozen):
    """A sentence with its lines; `kind` is `true`, or number, unit, polarity, equipment or step: what is wrong."""

    sop: str
    half: Literal["tune", "report"]
    lines: tuple[int, ...]
    text: str
    kind: str
    question: str = ""


@dataclass
class SupportReport:
    """Right verdicts and sentences, by half and kind, and the wrong verdicts of the tuning half."""

    counts: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    misses: list[str] = field(default_factory=list)

    def render(self) -> Iterator[str]:
        """A row per half and kind, then the wrong verdicts that may be looked at."""
        yield f"{'half':<10}{'sentences':<14}{'right':>7}{'of':>6}{'share':>8}"
        for (half, kind), (right, all_) in sorted(self.counts.items()):
            yield f"{half:<10}{kind:<14}{right:>7}{all_:>6}{right / all_:>8.0%}"
        yield from self.misses


def read_sentences(file: Path) -> list[JudgedSentence]:
    """The sentences of a file, one JSON object a line; raises `UsageError`."""
    try:
        return [JudgedSentence.model_validate_json(line) for line in file.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError) as error:
        raise UsageError(f"Cannot read the sentences of {str(file)!r}: {error}") from error


def measure_support(procedures: Path, sentences: list[JudgedSentence]) -> SupportReport:
    """Check every sentence against `<procedures>/<sop>.md`."""
    report = SupportReport()
    for sentence in sentences:
        body = (procedures / f"{sentence.sop}.md").read_text(encoding="utf-8")
        verdict = check(sentence.text, excerpt_of(body, sentence.lines), sentence.question)
        right = verdict.supported == (sentence.kind == TRUE)
        for kind in (sentence.kind, "false") if sentence.kind != TRUE else (TRUE,):
            done, all_ = report.counts.get((sentence.half, kind), (0, 0))
            report.counts[sentence.half, kind] = (done + right, all_ + 1)
        if not right and sentence.half == "tune":
            report.misses.append(f"{sentence.kind}: {sentence.text} ({sentence.sop}) {verdict.reason}".rstrip())
    return report
