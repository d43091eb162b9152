"""How questions of the rules agreed with questions of people when their edition was measured.

`measured_agreement.json` holds what `soprag measure questions --real DIR --profile offline --json` printed for each
corpus, the edition of the rules that it was printed for, and what readers who did not know the authors judged of it.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_FILE = Path(__file__).parent / "measured_agreement.json"


@dataclass(frozen=True)
class MeasuredAgreement:
    """The agreement on one corpus: MRR by system on people's and on generated questions, and correlations."""

    corpus: str
    spearman: float
    real_margin: float
    generated_margin: float
    winners: tuple[str, str]
    by_sop: tuple[float, ...]

    @property
    def sentence(self) -> str:
        """The order of the systems, the winner, its lead, and single SOPs."""
        real, generated = self.winners
        winner = "the same system wins" if real == generated else f"{generated} wins instead of {real}"
        return (
            f"{self.corpus}: the order of {len(self.by_sop)} systems correlates with that on people's questions by "
            f"{self.spearman:.2f} (Spearman), {winner}, {real} is ahead of the best other system by "
            f"{self.generated_margin:+.3f} where it is {self.real_margin:+.3f} on people's, and by single SOPs the "
            f"correlation is {min(self.by_sop):.1f} to {max(self.by_sop):.1f}."
        )


def measured_agreement(author: str) -> tuple[MeasuredAgreement, ...]:
    """The agreement on each corpus; none for questions of another author than the measured edition of the rules."""
    return tuple(map(_agreement, _record(author).get("agreements", ())))


def agreement_lines(author: str) -> Iterator[str]:
    """One sentence for each corpus, and one on how natural the questions read."""
    yield from (each.sentence for each in measured_agreement(author))
    if reading := _record(author).get("blind_reading"):
        yield _naturalness(reading)


def untold_difference(author: str) -> float:
    """The largest difference between the leads on both kinds of questions: what a difference must exceed to count."""
    return max((abs(each.generated_margin - each.real_margin) for each in measured_agreement(author)), default=0.0)


def _record(author: str) -> dict[str, Any]:
    """What was measured of this author's questions; empty for another author than the measured edition of the rules."""
    record: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))
    return record if record["edition"] == author else {}


def _naturalness(reading: dict[str, Any]) -> str:
    """Between how many and how many questions the readers held for what somebody at work writes."""
    (low, high), (least, most) = sorted(reading["natural"]), sorted(reading["natural_of_people"])
    return (
        f"Of {reading['read']} questions of this edition {low} to {high} read as if somebody at work had written them, "
        f"of {reading['of_people']} questions of people {least} to {most} (readers who did not know which were which)."
    )


def _agreement(printed: dict[str, Any]) -> MeasuredAgreement:
    systems = printed["systems"]
    real, generated = (max(systems, key=lambda system: system[kind])["name"] for kind in ("real", "generated"))
    return MeasuredAgreement(
        printed["corpus"],
        printed["spearman"],
        printed["real_margin"],
        printed["generated_margin"],
        (real, generated),
        tuple(system["documents"] for system in systems),
    )
