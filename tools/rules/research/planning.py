"""Rule-based research plan: one subtask per part of the question, with the kinds of source its words request.

The question is split where a second question begins. Each part is made self-contained: a pronoun is replaced by what
it stands for, and a part that names nothing of its own ("what are the hazards") gets the subject of the part before.
A part depends on an earlier one only when it needs its answer: it compares, refers to a list that the earlier part
asks for, or has its subject, so that it is answered from the same sources as well.
"""

import re
from dataclasses import dataclass

from soprag.tools.rules.research.answer_types import answer_type, beyond_type
from soprag.tools.rules.research.subject import aspect_of, names_thing, noun_phrase, own_stems, subject_of
from soprag.tools.tasks.deepsearch import PlanDraft, SubtaskDraft, SubtaskPlanAsk
from soprag.tools.text.sentences import WITH_COLONS, sentences
from soprag.tools.text.terms import terms

_ASKS = (
    r"(?:how|what|which|why|when|where|who|(?:to|by|from|with) whom|whether|is|are|does|do|can|should|list|describe|"
    r"explain|compare|show|find)"
)
_CUT = re.compile(rf"\s*(?:[;?!]+|,?\s+(?:and|as well as|then)\s+(?={_ASKS}\b)|,\s+(?={_ASKS}\b))\s*", re.IGNORECASE)
_POSSESSIVE = re.compile(r"\b(?:its|their)\b", re.IGNORECASE)
_PRONOUN = re.compile(r"\b(?:it|they|them|(?<=\b(?:is|do)\s)(?:this|that)|(?<=\bdoes\s)(?:this|that))\b", re.IGNORECASE)
_ONE = re.compile(r"(\bthe\s+[\w-]+)\s+ones?(?=\W*$)", re.IGNORECASE)  # "the electric one"
_SEVERAL = re.compile(r"\b(?:they|them|their|these|those|each of|which of)\b", re.IGNORECASE)
_LISTS = re.compile(r"^\W*(?:which|what are|list|name)\b", re.IGNORECASE)
_COMPARES = re.compile(
    r"\b(?:compare|comparison|trade-?offs?|versus|vs\.?|better|best|recommend(?:ed)?|choose|conclude|overall|summar\w+|"
    r"differences?|differs?)\b",
    re.IGNORECASE,
)
_DEFINES = re.compile(
    r"^\W*(?:what (?:is|are)(?! the\b)(?:\s+\S+){1,3}|"
    r"(?:define|definition|meaning|overview|introduction|background)\b.*)\W*$",
    re.IGNORECASE,
)
_WORDS = 3  # of a facet; a shorter one seldom stands alone
_OVERVIEW = "Find an encyclopedia article that gives the background: what it is and how it works."
_PLAIN = "Find web pages, manuals and guides that answer this in practical detail."
_SOURCES = (
    (
        re.compile(
            r"\b(?:diagrams?|drawings?|schematics?|photos?|pictures?|images?|figures?|P&IDs?|PFDs?|flow ?sheets?|"
            r"looks? like)\b",
            re.IGNORECASE,
        ),
        "Find diagrams, drawings and pictures.",
        "Pictures",
    ),
    (
        re.compile(
            r"\b(?:stud(?:y|ies)|research|papers?|literature|scientific|journals?|peer-reviewed)\b", re.IGNORECASE
        ),
        "Find scientific articles and studies in journals.",
        "Scientific articles",
    ),
    (
        re.compile(r"\b(?:patents?|patented|inventions?|inventors?|prior art)\b", re.IGNORECASE),
        "Find patents and inventions.",
        "Patents",
    ),
)


@dataclass(frozen=True)
class QuestionPart:
    """A part of a question as a query of its own, and the positions of the earlier parts whose answers it needs."""

    query: str
    needs: tuple[int, ...] = ()


def plan(ask: SubtaskPlanAsk) -> PlanDraft:
    """At most `limit` subtasks, one for each part of the question."""
    drafts = [
        SubtaskDraft(
            id=f"part-{number}",
            query=part.query[:400].ljust(3, "?"),
            instructions=_where(part.query),
            depends_on=[f"part-{need + 1}" for need in part.needs],
        )
        for number, part in enumerate(parts_of(ask.question)[: ask.limit], 1)
    ]
    return PlanDraft(subtasks=drafts)


def parts_of(question: str) -> list[QuestionPart]:
    """The parts of a question, each understood without the others."""
    parts: list[QuestionPart] = []
    topic, named = "", 0  # the last part that named its subject, and its position
    for number, facet in enumerate(facets(question)):
        query = _resolved(facet, topic) if topic else facet
        source = (named,) if query.startswith(f"{facet} (") else ()
        parts.append(QuestionPart(query, _needs(facet, number, parts) or source))
        if not topic or not _inherits(facet, topic):
            topic, named = query, number
    return parts


def facets(question: str) -> list[str]:
    """The facets of a question as substrings.

    One of fewer than three words is joined to the previous facet, unless it asks for something else, as `how often`.
    """
    parts: list[str] = []
    for sentence in sentences(" ".join(question.split()), WITH_COLONS) or [question]:
        for part in (fragment.strip(" .,:") for fragment in _CUT.split(sentence)):
            if not part:
                continue
            if parts and _belongs(part, parts[-1]):
                parts[-1] += f" and {part}"
            else:
                parts.append(part)
    return parts or [question.strip() or "?"]


def _belongs(facet: str, previous: str) -> bool:
    """Whether a facet is too short to stand alone; `how often` asks for something else than what is before it."""
    short = [len(one.split()) < _WORDS for one in (facet, previous)]
    return short[0] and (short[1] or answer_type(facet) in ("procedure", "statement"))


def sources_named(part: str) -> str:
    """The kinds of source a part requests, as a heading; empty when it requests none."""
    return " and ".join(name for cue, _, name in _SOURCES if cue.search(part)).capitalize()


def _resolved(facet: str, topic: str) -> str:
    """A facet with its pronouns replaced by the thing `topic` is about, or with the subject of `topic` behind it."""
    thing = noun_phrase(topic)
    if _POSSESSIVE.search(facet):
        return _POSSESSIVE.sub(lambda _: thing, facet)
    if _ONE.search(facet):
        return _ONE.sub(lambda match: f"{match[1]} {thing}", facet)
    if _PRONOUN.search(facet):
        aspect = aspect_of(topic)
        whole = f"{aspect} of {thing}" if aspect and _SEVERAL.search(facet) else thing
        return _PRONOUN.sub(lambda _: f"the {whole}", facet)
    return f"{facet} ({subject_of(topic).partition(' (')[0]})" if _inherits(facet, topic) else facet


def _inherits(facet: str, topic: str) -> bool:
    """Whether a facet names nothing but what `topic` names."""
    return own_stems(facet) <= set(terms(topic)) or not names_thing(beyond_type(facet))


def _needs(facet: str, number: int, before: list[QuestionPart]) -> tuple[int, ...]:
    """The earlier parts whose answers a facet needs."""
    if number and _COMPARES.search(facet) and not own_stems(facet) - own_stems(" ".join(one.query for one in before)):
        return tuple(range(number))
    if before and _SEVERAL.search(facet) and _LISTS.match(before[-1].query):
        return (number - 1,)
    return ()


def _where(part: str) -> str:
    hints = " ".join(instructions for cue, instructions, _ in _SOURCES if cue.search(part))
    return hints or (_OVERVIEW if _DEFINES.match(part) else _PLAIN)
