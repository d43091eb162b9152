"""How well the support checker tells sentences that their lines support from sentences that they do not.

A sentence names a procedure of a folder and its lines; `kind` says what is wrong with a false one, and `half` whether
it may be looked at while the checker is tuned, or is only reported.
"""

import asyncio
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Literal

from soprag.tools.errors import UsageError
from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.sop import Frozen, digest
from soprag.tools.support.checker import SupportVerdict
from soprag.tools.support.excerpts import excerpt_of
from soprag.tools.support.second_opinion import judge
from soprag.tools.tasks.support import SUPPORT, SupportAsk
from soprag.tools.tasks.task import Llm

TRUE = "true"
_TOGETHER = 3  # sentences in one request, as many as an answer has
_SEED = 15


def useless_judge(name: str) -> Llm:
    """A model that says `supported`, or one of the three verdicts at random, whatever it is shown."""
    draw = random.Random(_SEED)
    verdicts = {"trusting": ["supported"], "random": ["supported", "contradicted", "not_said"]}[name]

    def reply(ask: SupportAsk) -> dict[str, object]:
        return {"opinions": [{"n": one.n, "verdict": draw.choice(verdicts)} for one in ask.statements]}

    return ScriptedLlm({SUPPORT.name: reply})


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

    def add(self, sentence: JudgedSentence, verdict: SupportVerdict) -> None:
        """Count a verdict under the sentence's own kind, and under `false` when something is wrong with it."""
        right = verdict.supported == (sentence.kind == TRUE)
        for kind in (sentence.kind, "false") if sentence.kind != TRUE else (TRUE,):
            done, all_ = self.counts.get((sentence.half, kind), (0, 0))
            self.counts[sentence.half, kind] = (done + right, all_ + 1)
        if not right and sentence.half == "tune":
            self.misses.append(f"{sentence.kind}: {sentence.text} ({sentence.sop}) {verdict.reason}".rstrip())

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


async def measure_support(procedures: Path, sentences: list[JudgedSentence], llm: Llm) -> SupportReport:
    """Judge every sentence against `<procedures>/<sop>.md`, up to `_TOGETHER` of a procedure in one request."""

    async def judged(some: list[JudgedSentence]) -> Sequence[SupportVerdict]:
        body = (procedures / f"{some[0].sop}.md").read_text(encoding="utf-8")
        return await judge(llm, some[0].question, [(one.text, excerpt_of(body, one.lines)) for one in some])

    report, requests = SupportReport(), list(_requests(sentences))
    for some, verdicts in zip(requests, await asyncio.gather(*map(judged, requests)), strict=True):
        for sentence, verdict in zip(some, verdicts, strict=True):
            report.add(sentence, verdict)
    return report


def _requests(sentences: Iterable[JudgedSentence]) -> Iterator[list[JudgedSentence]]:
    """Sentences of one procedure and question, in an order that says nothing about their kind."""
    together = attrgetter("sop", "question")
    for _, several in groupby(sorted(sentences, key=together), key=together):
        mixed = sorted(several, key=lambda sentence: digest(sentence.text))
        yield from (mixed[start : start + _TOGETHER] for start in range(0, len(mixed), _TOGETHER))
