"""Polarity: whether a sentence affirms what the cited text denies, or denies what it affirms.

A negation has a predicate (the first content word after it) and a scope (its clause). The sentence contradicts the
text when a negated predicate of one of them occurs in the other outside every negation, when it uses the opposite of a
word of the text with the same polarity, or when it adds to what the text calls the only way.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from soprag.tools.support.tokens import ContentWord, clause_of, clause_openers, content_words, kin, opposed
from soprag.tools.text.terms import stem

_PARTICLE = re.compile(r"^\s*(?:yes|no)\s*[,.:;]\s*", re.IGNORECASE)
# Negated comparisons state a limit and deny nothing.
_LIMIT = re.compile(
    r"\b(?:no|not|never)\s+(?:\w+\s+)?(?:more|less|fewer|later|earlier|longer|faster|slower|higher|lower|greater|below|"
    r"above|under|over|exceed\w*|at least|go(?:ing)? (?:under|below|above|over))\b|\bnothing but\b|\bnot only\b|"
    r"\bno (?:matter|doubt)\b|\bat no time exceed\b|\bno (?=\d)",
    re.IGNORECASE,
)
_NEGATOR = re.compile(
    r"\b(?:not|never|no|nobody|no one|none|nothing|neither|nor|cannot|without|avoid(?:s|ed)?|forbidden|prohibited|"
    r"refrain from|instead of|rather than|fails? to)\b|n['’]t\b",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"(?:not|n['’]t|never|nobody|no one|nothing|neither|cannot|forbidden|prohibited)$", re.IGNORECASE
)  # their scope is the whole clause: the subject stands before them
_MODALS = """
allowed permitted possible acceptable suitable necessary needed required have able yet always mean be been do done ready
longer enough need must want clear
"""
_MODAL = frozenset(map(stem, _MODALS.split()))
_TO = re.compile(r"\s*to\b", re.IGNORECASE)
_GERUND = re.compile(r"\b(?:for|by|before|after|when|while|on|of)\s+(?:\w+ly\s+)?$", re.IGNORECASE)
_UNTIL = ("until", "unless")
_CONDITIONS = ("if", "when", "once", "should")
_ONLY = re.compile(r"\b(?:only|exclusively|solely|nothing else)\b", re.IGNORECASE)
_ALSO = re.compile(r"\b(?:also|as well|too|other ways?|another way|either)\b", re.IGNORECASE)
_SWITCH = re.compile(
    r"\b((?:is|are|be|been|turn(?:s|ed)?|switch(?:es|ed)?|stays?|remains?|goes|gone|going|set|kept|keep|leave|left)"
    r"(?: it| them)?(?: to)?) (on|off|out)\b",
    re.IGNORECASE,
)
_OPPOSITES = """
open close shut|start stop|begin end|on_ off_|increase decrease reduce|raise lower|high low|hot cold|warm cool|
continue abandon stop|proceed stop abort|lock unlock|engage release disengage|connect disconnect|add remove|
tighten loosen|enable disable|activate deactivate|accept reject|fill drain empty|supply return|inlet outlet|
suction discharge|insert remove|plug unplug|allow forbid prohibit|stay move|keep discard|dry wet|full empty|
inner outer|upper lower|left right|first last|upstream downstream|primary secondary|clockwise anticlockwise|
manual automatic|pass fail|normal abnormal|before_ after_|rise fall|push pull|live dead|wide narrow|fast slow
"""
_OPPOSED: dict[str, set[str]] = {}
for _group in _OPPOSITES.replace("\n", " ").split("|"):
    _words = [stem(word) for word in _group.split()]
    for _word in _words:
        _OPPOSED.setdefault(_word, set()).update(
            [other for other in _words if other != _word] if _word == _words[0] else _words[:1]
        )


def contradiction(sentence: str, cited: str) -> str:
    """The word about which the sentence says the opposite of the cited text; empty when there is none."""
    said, text = NegatedText(sentence), NegatedText(cited)
    exclusive = bool(_ONLY.search(cited))
    if exclusive and _ALSO.search(sentence):
        return "only"
    return _denied(text, said) or ("" if exclusive else _denied(said, text)) or next(_opposites(said, text), "")


@dataclass(frozen=True)
class NegatedText:
    """A text with its negations."""

    raw: str

    @cached_property
    def text(self) -> str:
        """The text without a leading yes or no; states such as "is off" as one word, limits without their negation."""
        bare = _PARTICLE.sub("", self.raw)
        marked = _SWITCH.sub(lambda m: f"{m[1]} {'on_' if m[2].lower() == 'on' else 'off_'}", bare)
        return _LIMIT.sub(lambda m: "~" * len(m[0]), marked)

    @cached_property
    def words(self) -> list[ContentWord]:
        """Its content words; the marks of states are words."""
        marks = [
            ContentWord(match[0], match[0].lower(), clause_of(self.text, match.start()), match.start())
            for match in re.finditer(r"\b(?:on_|off_)", self.text)
        ]
        return sorted([*content_words(self.text.replace("on_", "   ").replace("off_", "    ")), *marks], key=_start)

    @cached_property
    def negations(self) -> list[tuple[ContentWord | None, int, int]]:
        """Of each negation its predicate, its clause, and the position from which on its clause is negated."""
        found: list[tuple[ContentWord | None, int, int]] = []
        for match in _NEGATOR.finditer(self.text):
            clause = clause_of(self.text, match.end())
            after = [word for word in self.words if word.clause == clause and word.start >= match.end()]
            head = next((word for word in after if word.stem not in _MODAL), None)
            modal = bool(after) and after[0].stem in _MODAL
            if modal and not _TO.match(self.text[after[0].start + len(after[0].text) :]):
                head = None  # "is not allowed with ..." denies the subject, which stands before it
            whole = bool(_WHOLE.search(match[0])) or modal
            found.append((head, clause, 0 if whole else match.start()))
        return found

    def is_negated(self, word: ContentWord) -> bool:
        """Whether the word stands in the scope of a negation, or in a clause that says how long something is not so."""
        return self._opener(word) in _UNTIL or any(
            word.clause == clause and word.start >= begin for _, clause, begin in self.negations
        )

    def affirms(self, word: ContentWord) -> bool:
        """Whether the word is affirmed: not negated, no condition, and no participle that describes a noun."""
        gerund = word.text.endswith("ing") and not _GERUND.search(self.text[: word.start])
        return not self.is_negated(word) and self._opener(word) not in _CONDITIONS and not gerund

    def _opener(self, word: ContentWord) -> str:
        return self._openers[word.clause]

    @cached_property
    def _openers(self) -> list[str]:
        return clause_openers(self.text)


def _denied(denying: NegatedText, affirming: NegatedText) -> str:
    """A negated predicate of one text that the other one has outside negations, and neither has both ways."""
    for head, _, _ in denying.negations:
        if head is None:
            continue
        mates = [word for word in affirming.words if kin(word.stem, head.stem)]
        reversed_ = any(opposed(word.stem, head.stem) for word in affirming.words)
        both = any(kin(word.stem, head.stem) and denying.affirms(word) for word in denying.words)
        if mates and not reversed_ and not both and not any(map(affirming.is_negated, mates)):
            return mates[0].text
    return ""


def _opposites(said: NegatedText, text: NegatedText) -> Iterator[str]:
    """Words of the sentence whose opposite stands in the text with the same polarity, and they do not."""
    stems = {word.stem for word in text.words}
    for word in said.words:
        if word.stem in stems:
            continue
        for mate in text.words:
            opposite = mate.stem in _OPPOSED.get(word.stem, ()) and said.is_negated(word) == text.is_negated(mate)
            if opposite and all(other.stem != mate.stem for other in said.words):
                yield word.text.rstrip("_")


def _start(word: ContentWord) -> int:
    return word.start
