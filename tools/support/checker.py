"""The support checker: whether the cited lines of a source support a sentence of a model, and if not, why.

    check("The seal water must be at least 4 L/min.", SourceExcerpt(text=lines, headings=title)).supported

It compares names, quantities with units, polarity, order and words, not grammar: "has to pass" is supported by "cannot
continue until it passed". It is a heuristic and no proof; it is measured by `soprag measure support`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from soprag.tools.markdown.inline import plain
from soprag.tools.sop import Frozen
from soprag.tools.support.coverage import LIMIT, uncovered
from soprag.tools.support.names import missing_name
from soprag.tools.support.polarity import contradiction
from soprag.tools.support.quantities import missing_quantity
from soprag.tools.support.sequence import is_reversed

Fault = Literal["", "uncited", "name", "quantity", "polarity", "order", "words"]


@dataclass(frozen=True)
class SourceExcerpt:
    """The cited lines, the title, headings and table head above them, and the whole source.

    `statements` are the cited paragraphs, items and rows in their own words.
    """

    text: str
    headings: str = ""
    document: str = ""
    statements: tuple[str, ...] = ()


class SupportVerdict(Frozen):
    """Whether a sentence is supported; `reason` says what is missing, for the model that wrote it."""

    fault: Fault = ""
    reason: str = ""

    @property
    def supported(self) -> bool:
        """Nothing speaks against it."""
        return not self.fault

    @property
    def note(self) -> str:
        """The reason for a person, without a word of the sentence, which may be an injected order."""
        return _NOTES.get(self.fault, "")


_NOTES: dict[Fault, str] = {
    "uncited": "it cites no line",
    "name": "it names what the cited lines do not",
    "quantity": "its numbers are not those of the cited lines",
    "polarity": "the cited lines say the opposite",
    "order": "the cited lines have another order",
    "words": "the cited lines do not say it",
}


def check(sentence: str, cited: SourceExcerpt, question: str = "") -> SupportVerdict:
    """The verdict; the numbers of the question may occur in the sentence."""
    if not cited.text.strip():
        return SupportVerdict(fault="uncited", reason="no line is cited")
    return next(_faults(sentence, cited, question), SupportVerdict())


def _faults(sentence: str, cited: SourceExcerpt, question: str) -> Iterator[SupportVerdict]:
    """What speaks against the sentence, the cheapest check first."""
    text, headings = plain(cited.text), plain(cited.headings)
    name = missing_name(sentence, f"{text}\n{headings}")
    if name:
        yield SupportVerdict(fault="name", reason=f"{name!r} is not in the cited lines")
    quantity = missing_quantity(sentence, f"{text}\n{headings}", question)
    if quantity:
        yield SupportVerdict(fault="quantity", reason=f"{quantity!r} is not in the cited lines")
    word = contradiction(sentence, text)
    if word:
        yield SupportVerdict(fault="polarity", reason=f"the cited lines say the opposite about {word!r}")
    if is_reversed(sentence, text):
        yield SupportVerdict(fault="order", reason="the cited lines have another order")
    missing = uncovered(sentence, text, headings, plain(cited.document))
    if missing.weight > LIMIT:
        yield SupportVerdict(fault="words", reason=f"the cited lines do not speak of {missing.word!r}")
