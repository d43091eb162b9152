"""Rule-based research plan: one subtask per facet of the question, with the kinds of source its words request.

The question is split where a second question begins. A part with an anaphor ("and what prevents it?") depends on the
part before it; a part that compares or recommends depends on all earlier parts. Words such as *diagram*, *patent* or
*studies* select the source, and a question without a definition part gets a background subtask.
"""

import re

from soprag.tools.rules.research.subject import BACKGROUND, subject_of
from soprag.tools.tasks.deepsearch import PlanDraft, SubtaskDraft, SubtaskPlanAsk
from soprag.tools.text.sentences import WITH_COLONS, sentences
from soprag.tools.text.terms import terms

_ASKS = (
    r"(?:how|what|which|why|when|where|who|whether|is|are|does|do|can|should|list|describe|explain|compare|show|find)"
)
_CUT = re.compile(rf"\s*(?:[;?!]+|,?\s+(?:and|as well as|then)\s+(?={_ASKS}\b)|,\s+(?={_ASKS}\b))\s*", re.IGNORECASE)
_BACK = re.compile(r"\b(?:it|its|they|them|their|this|these|those|such|both|ones?)\b", re.IGNORECASE)
_ALL = re.compile(
    r"\b(?:compare|comparison|trade-?offs?|versus|vs\.?|better|best|recommend(?:ed)?|choose|conclude|overall|summar\w+|"
    r"differences?|differ)\b",
    re.IGNORECASE,
)
_DEFINES = re.compile(
    r"^\W*(?:what (?:is|are)(?! the\b)(?:\s+\S+){1,5}|"
    r"(?:define|definition|meaning|overview|introduction|background)\b.*)\W*$",
    re.IGNORECASE,
)
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


def plan(ask: SubtaskPlanAsk) -> PlanDraft:
    """At most `limit` subtasks: the background, then the parts of the question."""
    parts = facets(ask.question)
    subject = subject_of(parts[0])
    drafts: list[SubtaskDraft] = []
    for part in parts[: ask.limit]:
        drafts.append(_part(part, subject, drafts))
    if len(drafts) < ask.limit and not any(_DEFINES.match(part) for part in parts):
        drafts.insert(0, SubtaskDraft(id="background", query=f"{BACKGROUND}: {subject}"[:400], instructions=_OVERVIEW))
    return PlanDraft(subtasks=drafts)


def facets(question: str) -> list[str]:
    """The facets of a question as substrings; one of fewer than three words is joined to the previous facet."""
    parts: list[str] = []
    for sentence in sentences(" ".join(question.split()), WITH_COLONS) or [question]:
        for part in (fragment.strip(" .,:") for fragment in _CUT.split(sentence)):
            if not part:
                continue
            if parts and len(part.split()) < 3:
                parts[-1] += f" and {part}"
            else:
                parts.append(part)
    return parts or [question.strip() or "?"]


def sources_named(part: str) -> str:
    """The kinds of source a part requests, as a heading; empty when it requests none."""
    return " and ".join(name for cue, _, name in _SOURCES if cue.search(part)).capitalize()


def _part(part: str, subject: str, before: list[SubtaskDraft]) -> SubtaskDraft:
    """The subtask for one part; the subject is appended where the part does not mention it."""
    refers_back = bool(before) and bool(_BACK.search(part))
    strange = bool(before) and not set(terms(part)) & set(terms(subject))
    return SubtaskDraft(
        id=f"part-{len(before) + 1}",
        query=(f"{part} ({subject})" if refers_back or strange else part)[:400].ljust(3, "?"),
        instructions=_where(part),
        depends_on=_needs(part, refers_back, [draft.id for draft in before]),
    )


def _needs(part: str, refers_back: bool, before: list[str]) -> list[str]:
    if before and _ALL.search(part):
        return before
    return before[-1:] if refers_back else []


def _where(part: str) -> str:
    hints = " ".join(instructions for cue, instructions, _ in _SOURCES if cue.search(part))
    return hints or (_OVERVIEW if _DEFINES.match(part) else _PLAIN)
