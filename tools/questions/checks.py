"""The checks every question must pass. Each returns what is wrong, in words the next attempt can use, or nothing."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from soprag.tools.embedding import Vectors
from soprag.tools.questions.corpus import Corpus
from soprag.tools.sop import Level, Sop
from soprag.tools.tasks.benchmark import DraftQuestion
from soprag.tools.text.codes import alarm_codes, named_in, title_names
from soprag.tools.text.language import CERTAIN, language_of, prose, same_language
from soprag.tools.text.terms import terms
from soprag.tools.text.words import normalised, squeezed

# Fewest and most words of a question. Operators' own questions: 3-6, 10-27, 13-35, 34-63 and 30-62 words.
LENGTHS: dict[Level, tuple[int, int]] = {
    "keyword": (2, 9),
    "direct": (5, 40),
    "symptom": (6, 70),
    "scenario": (14, 110),
    "conditional": (10, 110),
}
# How much better a sibling may fit before a question counts as the sibling's. Closeness of short texts is noisy: of 500
# questions that operators wrote 96 % pass with this value; given to the nearest sibling, 46 % (docs/questions.md).
TOLERANCE = 0.08
# A twin also has the evidence, so there is no excuse: the question must fit its own SOP better by a telling word.
MARGIN = 0.005
TWIN = 0.9  # share of the evidence's telling words that a twin has
TELLING = 2  # fewest words with a meaning of their own: "How do I close it?" has one
COVERED = 0.8  # share of a title's words, in order, that gives it away
LONG_TITLE = 5  # content words; of a shorter title all must occur

_MARKUP = re.compile(
    r"[*_]{2}|`|^\s*(?:#{1,6}|[-*+]|>|\d+[.)])\s|\]\(|\||<[a-z/][^>]*>|\\[_*#]|&\w+;", re.MULTILINE | re.IGNORECASE
)
# A pair of brackets with a word in it is a place to fill in; `[U_]` and `[OK]` are what a display shows.
_SLOT = re.compile(r"[{}]|\$\w+|<[^<>]*>|\[(?:[^\]\d]*[a-z]{3}[^\]]*|\s*)\]|\b(?:TODO|TBD|XXX|N/A)\b|\.\.\.|…")
# Only words that need the page before one: "the list", "the table" and "the steps" are what operators ask for.
_POINTS_AT_TEXT = re.compile(
    r"\b(?:this|these|above|previous|following|preceding)\s+"
    r"(?:step|section|procedure|document|chapter|table|figure|sop|runbook|manual|example|appendix|instruction)s?\b|"
    r"\bthe (?:above|section|chapter|appendix|document)\b(?!\s+(?:for|of|to|that|in which)\b)|"
    r"(?<!\bthe )\b(?:step|section|table|figure|appendix)\s+\d|"
    r"\baccording to the (?:text|document|procedure|sop|manual|runbook)|"
    r"\b(?:mentioned|described|listed|shown|as noted)\s+(?:above|below|here)|"
    r"\b(?:see|refer to)\s+(?:the\s+)?(?:section|page|table)",
    re.IGNORECASE,
)
# A capital A is a name, as in "beamline 2-BM-A?".
_ENDS_CUT = re.compile(r"(?:[,;:(\-–]|(?<![\w-])(?:the|an?|and|or|which|is|are)|(?<![\w-])that$)[.?!]?$")
# A preposition may end a sentence that asks for its noun: "no idea where it is coming from."
_ENDS_OPEN = re.compile(r"(?<![\w-])(?:of|to|with|by|from)[.!]?$")
_ASKS_NOUN = re.compile(r"\b(?:what|where|which|who|whom|whose|how)\b[^.?!]*[.!]?$", re.IGNORECASE)


class Procedure(Protocol):
    """What the checks read of an SOP."""

    @property
    def title(self) -> str:
        """Its title."""
        ...

    @property
    def body(self) -> str:
        """Its verbatim body."""
        ...

    @property
    def language(self) -> str:
        """Its ISO 639-1 code."""
        ...


@dataclass(frozen=True)
class QuestionCase:
    """What a question is checked against: its SOP, the siblings, and the questions already taken with their vectors."""

    sop: Sop
    corpus: Corpus
    siblings: Sequence[Sop]
    duplicate: float


@dataclass(frozen=True)
class Taken:
    """A question that passed, with its vector."""

    text: str
    vector: Vectors


def fault(draft: DraftQuestion, vector: Vectors, case: QuestionCase, taken: Sequence[Taken]) -> str:
    """The first thing that is wrong with `draft`, or an empty text when it passes every check."""
    return (
        text_fault(draft, case.sop)
        or repetition(draft, vector, taken, case.duplicate)
        or fits_a_sibling(draft, vector, case)
    )


def text_fault(draft: DraftQuestion, sop: Procedure) -> str:
    """The first thing that is wrong with `draft` beside its own SOP alone."""
    checks: tuple[Callable[[DraftQuestion, Procedure], str], ...] = (bad_form, invented_evidence, wrong_language, leak)
    return next((reason for reason in (check(draft, sop) for check in checks) if reason), "")


def invented_evidence(draft: DraftQuestion, sop: Procedure) -> str:
    """The evidence must be copied from the body, word for word; only white space may differ."""
    if squeezed(draft.evidence) in squeezed(sop.body):
        return ""
    return (
        "The evidence is not in the procedure word for word; copy it exactly, without adding or leaving out anything."
    )


def wrong_language(draft: DraftQuestion, sop: Procedure) -> str:
    """The question must be in the language of its SOP, as far as both can be told; codes tell nothing of either."""
    if draft.level == "keyword" or same_language(prose(draft.text), sop.language):
        return ""
    if language_of(prose(sop.body), CERTAIN) != sop.language:
        return ""
    detected = language_of(draft.text) or "another language"
    return f"The question seems to be in {detected!r}; write it in {sop.language!r} like the procedure."


def leak(draft: DraftQuestion, sop: Procedure) -> str:
    """Above the keyword level neither the title nor a name that gives the SOP away may occur."""
    if draft.level == "keyword":
        return ""
    name = tells_names(draft.text, sop.title, sop.body)
    if name:
        return f"It names {name!r}, which gives the procedure away; describe the thing instead."
    if tells_title(draft.text, sop.title, whole=draft.level == "direct"):
        return f"It repeats the title {sop.title!r}; say it in other words."
    return ""


def tells_names(text: str, title: str, body: str) -> str:
    """The first tag or alert name of the title, or alarm code of the body, that `text` contains; empty for none."""
    return named_in(text, title_names(title) | alarm_codes(body))


def tells_title(text: str, title: str, *, whole: bool = False) -> bool:
    """Whether `text` has the title, or nearly all of its content words in their order and close together.

    With `whole`, all of the content words, and more than two: who asks for a task in everyday words has to name its
    equipment, and "filing a fault report" is not the title "Fault Reporting".
    """
    if normalised(title) and f" {normalised(title)} " in f" {normalised(text)} ":
        return True
    title_stems, text_stems = terms(title), terms(text)
    count = len(title_stems)
    needed = count if whole or count < LONG_TITLE else int(np.ceil(COVERED * count))
    window = 2 * count
    return count > (2 if whole else 1) and any(
        _in_order(title_stems, text_stems[start : start + window]) >= needed
        for start in range(max(1, len(text_stems) - needed + 1))
    )


def _in_order(first: Sequence[str], second: Sequence[str]) -> int:
    """The length of the longest common subsequence."""
    row = [0] * (len(second) + 1)
    for left_stem in first:
        last = row
        row = [0]
        for index, right_stem in enumerate(second):
            row.append(last[index] + 1 if left_stem == right_stem else max(last[index + 1], row[index]))
    return row[-1]


def repetition(draft: DraftQuestion, vector: Vectors, taken: Sequence[Taken], limit: float) -> str:
    """No two questions of an SOP may be the same, in words or in meaning."""
    for earlier in taken:
        if normalised(earlier.text) == normalised(draft.text) or float(earlier.vector @ vector) > limit:
            return f"It asks the same as {earlier.text!r}; ask about another part of the procedure."
    return ""


def fits_a_sibling(draft: DraftQuestion, vector: Vectors, case: QuestionCase) -> str:
    """No sibling may fit the question better; a twin, which has the evidence too, not even as well.

    Search phrases are short enough for two SOPs to get the same one, so they must fit their own SOP best outright.
    """
    own_fit = case.corpus.fit(draft.text, vector, case.sop)
    for sibling in case.siblings:
        strict = draft.level == "keyword" or case.corpus.coverage(draft.evidence, sibling) >= TWIN
        bar = own_fit + (-MARGIN if strict else TOLERANCE)
        # Cosines are 1 at the most, and a passage has no more words than its SOP: most siblings are out by their words,
        # without being embedded.
        best = (1 + case.corpus.coverage(draft.text, sibling)) / 2
        if best > bar and case.corpus.fit(draft.text, vector, sibling) > bar:
            return (
                f"{sibling.title!r} answers it just as well; add a detail that only {case.sop.title!r} has, "
                "without naming the title."
            )
    return ""


def bad_form(draft: DraftQuestion, sop: Procedure) -> str:
    """Length and shape of its level, and no debris of a template or of Markdown."""
    text = draft.text.strip()
    fewest, most = LENGTHS[draft.level]
    count = len(text) // 2 if sop.language in ("zh", "ja", "th") else len(text.split())
    if not fewest <= count <= most:
        return f"It has {count} words; a {draft.level} question has {fewest} to {most}."
    if len(set(terms(text))) < TELLING:
        return "It says too little: name the thing and what is the matter with it."
    if _MARKUP.search(text) or _SLOT.search(text):
        return "It contains markup, a placeholder or three dots; write plain words."
    if _POINTS_AT_TEXT.search(text):
        return "It points at the document (a step, a section, a table); somebody at the equipment does not see it."
    return _bad_phrase(text) if draft.level == "keyword" else _bad_sentence(text)


def _bad_phrase(text: str) -> str:
    if text.endswith("?") or re.match(r"(?i)(?:how|what|when|where|why|which|who)\b", text):
        return "A keyword question is a search phrase, not a sentence."
    return ""


def _bad_sentence(text: str) -> str:
    """Operators leave out capitals and the last full stop; what ends in the middle of a phrase was cut."""
    cut = _ENDS_CUT.search(text) or (_ENDS_OPEN.search(text) and not _ASKS_NOUN.search(text))
    return "It ends in the middle of a sentence." if cut else ""
