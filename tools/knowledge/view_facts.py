"""Mentions and facts of an SOP from the views that the index holds already: no model is asked.

step —verb→ entity          the direct object of the verb a step begins with
step —refers to→ reference  the other procedure that a step names
step —requires→ condition   a second person, a permit, protective equipment
state —causes→ state        the causal view, where one quote holds both states
alarm —indicates→ state     the words that follow the code of an alarm in a heading, a row of a table or a list
entity —has value→ value    an attribute of an entity on the line that names both; likewise location and meaning
"""

import re
from collections.abc import Container, Iterator, Sequence
from itertools import islice

from soprag.tools.knowledge.quotes import LONGEST, folded, quoted, stands_in, unmarked
from soprag.tools.knowledge.records import FactDraft, NameMention, NameRef
from soprag.tools.markdown.inline import labelled, plain
from soprag.tools.procedure.wording.lexicon import AMBIGUOUS, IMPERATIVES
from soprag.tools.retriever.index.alarm_cards import alarm_cards
from soprag.tools.sop import Entity, Sop, State, Step, Views
from soprag.tools.text.stop_words import SMALL

_DETERMINER = r"(?:(?:the|a|an|all|both|each|any|your|its|their|this|that|these|those)\s+)?"
_VERB = re.compile(
    r"^(?:(?:slowly|carefully|manually|then|immediately|first|next|now|please)[, ]+)*([A-Za-z-]+)\s+(.*)$"
)
_PARTICLE = re.compile(r"^(?:off|on|out|up|down|in|back)\s+")  # `IN SERVICE` is what a button says
_LIGHT = frozenset(("make", "take"))  # verbs whose objects are no things: make sure, take care
_REQUIREMENTS = {
    "requires a second person": (
        r"(?:a\s+)?(?:second|another|additional)\s+(?:person|operator|technician|engineer|man|worker)|"
        r"two[- ](?:person|people|persons|operators|technicians|man)"
    ),
    "requires a permit": (
        r"(?:(?:hot work |work |entry |lift(?:ing)? )|(?<=\ba )|(?<=\bthe ))permit(?: to work)?(?! holder)"
    ),
    "requires protective equipment": (
        r"safety (?:glasses|goggles|shoes|harness)|hard hat|ear protection|face shield|respirator|"
        r"(?:(?!and |or |with |of )\w+ )?gloves|"
        r"personal protective equipment|PPE"
    ),
}
_REQUIRED = {relation: re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE) for relation, pattern in _REQUIREMENTS.items()}
_ATTRIBUTES = {"location": "is located", "means": "stands for", "value": "is stated as"}
_DENIED = re.compile(r"\b(?:no|not|without|any|if|whether|unless)\b[^.;:]{0,40}$", re.IGNORECASE)
_NO_VALUE = re.compile(r"^(?:from|within|±)|\sin$")  # a part of a range, a time for something, a preposition
_QUANTITY = re.compile(r"\d\s*(?:[^\W\d_]|[%°])")  # a number with a unit
_LONGEST_STATE = 14  # words
_NOUN_CAUSE = re.compile(
    r"\b(?:root|likely|common|possible|probable|known|the|its|their|a|no)\s+causes?\b", re.IGNORECASE
)
_OPENING = re.compile(
    r"(?:if|when|in case|in order|based on|this|these|that|it|there|please|you|before|after|of|and|or|within|to|by|"
    r"for|with|from|during|otherwise|cannot|can|as|example|the steps|the procedure|be|only|not|also|then|see|what|"
    r"which|who|how|where)\b",
    re.IGNORECASE,
)
_REFERENCE = re.compile(r"\d|\s|[a-z][A-Z]|[A-Z]{2}")  # a number, several words or a compound name
_HANDED = re.compile(
    r"\b(?:close|cancel|return|hand|describe|file|drop|remove|discard|bin)\b[^.;:]{0,20}$", re.IGNORECASE
)
_MODIFIER = re.compile(r"([a-z][a-z-]*)\s+")  # in lower case: anything else is a part of the name
_STEP = re.compile(r"(?:see\s+)?steps?\s+[\d., and-]+", re.IGNORECASE)
_WORDING = re.compile(
    r"^(?:#{1,6}|\||[-*•])\s*(?:\d+(?:\.\d+)*\.?\s+)?(?:\*\*)?(?:alarm\s+|card\s+)?"
    r"(?P<code>[A-Z][^\s|:*]*\d[^\s|:*]*)(?P<sign>\s*[|:–-]|)(?:\*\*)?\s*(?P<wording>[^|]+?)\s*(?:\*\*)?(?:\||$)",
    re.IGNORECASE,
)
_LONGEST_WORDING = 12  # words
_NEAR = 60  # characters between an entity and the value of its attribute


def sop_mentions(sop: Sop, views: Views) -> list[NameMention]:
    """Every entity and state of the views with the lines that name it, the steps, and the title on the first line."""
    lines = sop.body.split("\n")
    text = [folded(line) for line in lines]
    names: dict[tuple[NameRef, int], None] = {(NameRef(kind="document", text=sop.title), 1): None}
    for entity in views.entity.entities:
        name, needle = NameRef(kind=entity.kind, text=entity.name), folded(entity.name)
        rows = [row for row, line in enumerate(text, 1) if needle in line and stands_in(entity.name, line)]
        names |= {(name, row): None for row in rows}
    for state in views.causal.states:
        if state.lines and state.text.strip():
            names[NameRef(kind="state", text=state.text), state.lines.start] = None
    for step in views.flow.steps:
        if step_text := step_name(step, lines):
            names[step_text, step.lines.start] = None
    return [NameMention(name=name, line=min(line, len(lines))) for name, line in names]


def sop_facts(sop: Sop, views: Views) -> Iterator[FactDraft]:
    """The facts of the views, unchecked."""
    lines = sop.body.split("\n")
    for step in views.flow.steps:
        yield from _step_facts(step, views.entity.entities, lines)
    yield from _causal_facts(views, lines)
    alarms = {entity.name for entity in views.entity.entities if entity.kind == "alarm"}
    yield from _wording_facts(alarms, {card.start for card in alarm_cards(sop.body, views.flow)}, lines)
    for entity in views.entity.entities:
        yield from _attribute_facts(entity, lines)


def step_name(step: Step, lines: Sequence[str]) -> NameRef | None:
    """A step is named by the first line of its text, as it is printed without its label."""
    if step.lines.start > len(lines):
        return None
    line = lines[step.lines.start - 1].strip().removeprefix("-").strip()
    match = labelled(line)
    text = plain(match.rest if match else line).strip()
    return NameRef(kind="step", text=text) if len(text.split()) > 1 else None


def _step_facts(step: Step, entities: Sequence[Entity], lines: Sequence[str]) -> Iterator[FactDraft]:
    name, row = step_name(step, lines), step.lines.start
    if name is None:
        return
    verb, rest = _leading_verb(name.text)
    if verb and (acted := _direct_object(rest, entities)):
        yield _fact(name, verb, NameRef(kind=acted.kind, text=acted.name), row)
    for reference in step.references:
        if not _REFERENCE.search(reference) or name.text.startswith(reference):
            continue
        yield _fact(name, "refers to", NameRef(kind="document", text=reference), row)
    for relation, pattern in _REQUIRED.items():
        for match in islice(pattern.finditer(name.text), 1):
            before = name.text[: match.start()]
            if not _DENIED.search(before) and not _HANDED.search(before):
                yield _fact(name, relation, NameRef(kind="other", text=match[0].strip()), row)


def _leading_verb(text: str) -> tuple[str, str]:
    """The imperative that a step begins with, with its particle, and what follows; empty when there is none."""
    match = _VERB.match(text)
    if not match or match[1].casefold() not in IMPERATIVES - _LIGHT:
        return "", ""
    verb, rest = match[1].casefold(), match[2]
    particle = _PARTICLE.match(rest)
    return (f"{verb} {particle[0].strip()}", rest[particle.end() :]) if particle else (verb, rest)


def _direct_object(rest: str, entities: Sequence[Entity]) -> Entity | None:
    """The entity that follows the verb after at most two modifiers; the longest, where several do."""
    after = unmarked(re.sub(rf"^{_DETERMINER}", "", rest, flags=re.IGNORECASE))
    for _ in range(3):
        fitting = [entity for entity in entities if _begins(after.casefold(), folded(entity.name))]
        if fitting:
            return max(fitting, key=lambda entity: (len(entity.name), entity.name))
        modifier = _MODIFIER.match(after)
        if not modifier or modifier[1] in SMALL:
            return None
        after = after[modifier.end() :]
    return None


def _begins(text: str, name: str) -> bool:
    """Whether `text` begins with the whole of `name`, and no further noun makes it a longer name."""
    if not name or not text.startswith(name):
        return False
    after = text[len(name) :]
    return not after or bool(
        re.match(r"\s*[,;:()]|\s*\.(?:\s|$)|\s+(?:and|or|to|in|on|at|of|for|by|until|with|from|if|is|are)\b", after)
    )


def _causal_facts(views: Views, lines: Sequence[str]) -> Iterator[FactDraft]:
    """The causal links whose states stand within few lines, and whose texts can stand for states by themselves."""
    states = {state.id: state for state in views.causal.states}
    for edge in views.causal.edges:
        source, target = states[edge.source], states[edge.target]
        if not (source.lines and target.lines):
            continue
        first = min(source.lines.start, target.lines.start)
        last = max(source.lines.end, target.lines.end)
        quote = quoted(lines, first, last)
        if last - first < LONGEST and _is_link(edge.relation, (source.text, target.text), quote):
            yield _fact(_state(source), edge.relation, _state(target), first, last)


def _is_link(relation: str, ends: tuple[str, str], quote: str) -> bool:
    """Whether two texts are states that a quote links: a row of a table, or two clauses that say nothing else."""
    if quote.lstrip().startswith("|"):
        return all(len(text.split()) > 1 and not _STEP.fullmatch(text) for text in ends)
    if relation == "mitigates" or _NOUN_CAUSE.search(quote):
        return False
    return all(_is_state(text) for text in ends)


def _is_state(text: str) -> bool:
    """Whether a text can stand for a state: a short clause, no fragment, no condition and no instruction."""
    tokens = [token.strip('.,:;*`"()').casefold() for token in text.split()]
    if not 2 <= len(tokens) <= _LONGEST_STATE or _OPENING.match(text) or ": " in text:
        return False
    if tokens[-1] in SMALL or tokens[-1].endswith("ly"):
        return False
    return not any(token in IMPERATIVES - AMBIGUOUS for token in tokens[:2])


def _state(state: State) -> NameRef:
    return NameRef(kind="state", text=state.text)


def _wording_facts(alarms: Container[str], cards: Container[int], lines: Sequence[str]) -> Iterator[FactDraft]:
    """What each alarm with a code is called: one that the entity view has, or that an alarm card begins with."""
    for row, line in enumerate(lines, 1):
        match = _WORDING.match(line)
        if not match or not (match["code"] in alarms or row in cards):
            continue
        if not (match["sign"] or line.startswith(("#", "|"))):
            continue
        wording = plain(match["wording"]).strip(" :–-")
        tokens = wording.casefold().split()
        if 2 <= len(tokens) <= _LONGEST_WORDING and tokens[0] not in IMPERATIVES - AMBIGUOUS:
            alarm, state = NameRef(kind="alarm", text=match["code"]), NameRef(kind="state", text=wording)
            yield _fact(alarm, "indicates", state, row)


def _attribute_facts(entity: Entity, lines: Sequence[str]) -> Iterator[FactDraft]:
    for attribute, value in entity.attributes.items():
        relation = _ATTRIBUTES.get(attribute)
        if not relation or not is_attribute(entity.name, attribute, value):
            continue
        for row, line in enumerate(lines, 1):
            if _adjoin(entity.name, value, line):
                yield _fact(NameRef(kind=entity.kind, text=entity.name), relation, _value(value), row)
                break


def is_attribute(name: str, attribute: str, value: str) -> bool:
    """Whether an attribute can be stated as a fact: a value has a unit, a meaning the initials of its abbreviation."""
    if attribute == "value":
        cut = any(token in SMALL and token != "of" for token in name.casefold().split())
        return bool(_QUANTITY.search(value)) and not cut and not _NO_VALUE.search(value)
    if attribute != "means":
        return bool(value.strip())
    words = re.split(r"[\s-]+", value)
    initials = {"".join(word[0] for word in words if word), "".join(word[0] for word in words if word[:1].isupper())}
    letters = "".join(sign for sign in name if sign.isalpha()).casefold()
    return letters in {entry.casefold() for entry in initials}


def _adjoin(name: str, value: str, line: str) -> bool:
    """Whether the value follows the name closely on the line, and is not cut off before the end of its unit."""
    if not (stands_in(name, line) and stands_in(value, line)):
        return False
    after = folded(line).partition(folded(name))[2]
    position = after.find(folded(value))
    if _DENIED.search(after[: max(position, 0)]):
        return False
    return 0 <= position <= _NEAR and after[position + len(folded(value)) :][:1] not in ("/", "·", "²", "³")


def _value(text: str) -> NameRef:
    return NameRef(kind="value", text=text.strip())


def _fact(subject: NameRef, relation: str, target: NameRef, first: int, last: int = 0) -> FactDraft:
    return FactDraft(subject=subject, relation=relation, object=target, first=first, last=last or first)
