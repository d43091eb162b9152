"""Rule-based router: the intent and the entities of a question, and a score for each view (paper A.2)."""

import re

from soprag.tools.procedure.wording.lexicon import is_instruction
from soprag.tools.rules.naming import mentions, phrases
from soprag.tools.tasks.retriever import QueryEntity, Route, RouteAsk

_WE = r"(?:i|we|you|one|they|(?:the|an?) (?:operator|technician|engineer|crew|team|user|shift))\b"
# Evidence patterns for each view; without any, the flow view has the highest base score.
_FLOW = re.compile(
    rf"\b(?:how (?:to|(?:do|can|should|would|must|could) {_WE})|steps?|procedure|process|walk me through|guide|"
    rf"instructions?|what (?:should|do|must|can) (?:i|we)|"
    r"what to do|next step|order|sequence|checklist|proceed|before|after|perform|carry out|safely|standard|first)\b",
    re.IGNORECASE,
)
_CAUSAL = re.compile(
    rf"\b(?:why|how (?:do|does|can|could|might|would) (?!{_WE})|cause[sd]?|because|reason|due to|explain|"
    rf"explanation|means?|meaning|lead(?:s|ing)? to|effect|impact|consequences?|diagnos\w+|"
    r"root|suspect|improve|happen(?:s|ed|ing)?|result(?:s|ed)? in|prevent\w*)\b",
    re.IGNORECASE,
)
_WHY = re.compile(
    rf"\b(?:why|how (?:do|does|can|could|might|would) (?!{_WE})|what (?:could |can |may )?causes?)\b", re.IGNORECASE
)
_SYMPTOM = re.compile(
    r"\b(?:fail\w*|error\w*|fault\w*|alarm\w*|alert\w*|stuck|down|not (?:\w+ing|respond|start|work|open|close|move)|"
    r"won't|doesn't|does not|isn't|"
    r"can't|cannot|unable|keeps?|stopped|lost|missing|slow|leak\w*|overheat\w*|trip(?:s|ped)?|too (?:high|low|hot|"
    r"cold|many)|rejected|"
    r"refused|crash\w*|noise|smoke|suddenly|since|no longer|nothing|drop(?:s|ped)|rising|full)\b",
    re.IGNORECASE,
)
_LOOK_UP = re.compile(
    r"\b(?:which|what (?:is|are|value|range|limit)|where|who|how (?:many|much|long|high|low)|monitor|status|view|"
    r"setting|threshold|location|number)\b",
    re.IGNORECASE,
)
_INTENTS = ("find a thing or a value", "understand a cause", "carry out a procedure")


def route(ask: RouteAsk) -> Route:
    """Intent, entities and scores; the scores are softmax logits, so a difference of 1 is a clear preference."""
    question = ask.question
    entities = _entities(question)
    exact = sum(entity.kind in ("alarm", "parameter", "asset", "command") for entity in entities)
    scores = (
        0.5 * min(exact, 3) + 0.2 * min(len(entities), 4) + 0.5 * _count(_LOOK_UP, question) + _short(question),
        1.0 * _count(_CAUSAL, question)
        + (1.0 if _WHY.search(question) else 0.0)
        + 0.6 * _count(_SYMPTOM, question)
        + _observed(question),
        1.0 + 0.75 * _count(_FLOW, question) + (0.75 if is_instruction(question) else 0.0),
    )
    intent = _INTENTS[max(range(3), key=scores.__getitem__)]
    return Route(intent=intent, entities=entities, entity=scores[0], causal=scores[1], flow=scores[2])


def _count(pattern: re.Pattern[str], question: str) -> int:
    return min(3, len(pattern.findall(question)))


def _short(question: str) -> float:
    """1 for a short query without a question mark, which is most often a look-up of a name."""
    return 1.0 if len(question.split()) <= 6 and "?" not in question else 0.0


def _observed(question: str) -> float:
    """0.5 for a longer text without a question mark, which is most often a report of an observation."""
    return 0.5 if len(question.split()) > 6 and "?" not in question else 0.0


def _entities(question: str) -> list[QueryEntity]:
    entities: dict[str, QueryEntity] = {}
    for name, kind, _ in mentions(question):
        entity = name.strip(" .,:;?!'\"")
        if len(entity) > 1 and not entity.isdigit():
            entities.setdefault(entity.lower(), QueryEntity(name=entity, kind=kind))
    return list(entities.values())[:20] or [QueryEntity(name=name, kind="other") for name in phrases(question)]
