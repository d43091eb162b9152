"""Triples without a model: subject, verb and object of plain statements, and what attributes of entities say."""

import re
from collections.abc import Iterator, Sequence

from soprag.tools.knowledge.view_facts import is_attribute
from soprag.tools.markdown.inline import labelled, plain
from soprag.tools.rules.entities import entities_of
from soprag.tools.rules.nouns import EQUIPMENT, QUANTITIES, ROLES
from soprag.tools.sop import EntityKind
from soprag.tools.tasks.knowledge import (
    ChunkContext,
    ChunkContextAsk,
    ChunkEntities,
    ChunkEntity,
    ChunkRelations,
    ChunkRelationsAsk,
    CommunityAsk,
    CommunitySummary,
    KnowledgeAnswer,
    KnowledgeAsk,
    Triple,
)
from soprag.tools.tasks.retriever import unnumber
from soprag.tools.text.sentences import sentences
from soprag.tools.text.stop_words import SMALL

_SUMMARY = 5  # quotes of an extractive summary
_WORD = r"[A-Za-z0-9À-ž][\w./'’+-]*"
_PHRASE = rf"{_WORD}(?:\s(?:of\s(?:the\s)?)?{_WORD}){{0,5}}"
_RELATIONS = (
    r"(?:is|are|was|were)\s+(?:a\s+|an\s+|the\s+)?(?:part|component|member|subsidiary|capital|type|kind|name|owner|"
    r"author|director|founder|spouse|son|daughter|brother|sister|father|mother)\s+of",
    r"(?:is|are|was|were)\s+(?:born|located|installed|situated|mounted|based|stored|held)\s+(?:in|on|at|near|under|above)",
    r"(?:is|are|was|were)\s+(?:directed|written|composed|produced|founded|built|owned|published|designed|developed|"
    r"created|fed|supplied|driven|powered|cooled|heated|controlled|measured|monitored|protected|operated|caused|"
    r"triggered|isolated|replaced|followed|influenced|named)\s+(?:by|from|after)",
    r"(?:is|are|was|were)\s+(?:connected|linked|attached|married|related|equal|similar|wired)\s+to",
    r"(?:is|are)\s+(?:used|designed|intended|responsible|suitable)\s+for",
    r"(?:feeds|supplies|drives|powers|cools|heats|controls|measures|monitors|protects|operates|isolates|contains|"
    r"requires|causes|prevents|triggers|trips|produces|provides|stores|removes|reduces|increases|limits|replaces|"
    r"indicates|activates|discharges\s+(?:to|into)|drains\s+(?:to|into)|flows\s+(?:to|into|through)|depends\s+on|"
    r"consists\s+of|belongs\s+to|leads\s+to|results\s+in|connects\s+to|reports\s+to)",
)
_STATEMENT = re.compile(
    rf"^(?:the\s+|a\s+|an\s+|each\s+|every\s+|this\s+)?(?P<subject>{_PHRASE}?)\s+(?:also\s+|normally\s+|usually\s+)?"
    rf"(?P<relation>{'|'.join(_RELATIONS)})\s+(?:the\s+|a\s+|an\s+)?(?P<object>{_PHRASE})",
    re.IGNORECASE,
)
_HYPOTHETICAL = re.compile(
    r"^(?:if|when|where|unless|before|after|while|because|although|as|in|on|at|for|with|to)\b", re.I
)
_ENDS_OBJECT = re.compile(
    r"\s(?:and|or|but|which|that|who|when|where|if|to|in|on|at|for|with|from|by|as|is|are|was|were|has|have|will|"
    r"can|must|should|may|during|after|before|via|through|so|it|its|because|unless|until|while|then|near|between|along|about)"
    r"\b.*$",
    re.IGNORECASE,
)
_PARTICIPLE = re.compile(
    r"\s(?:\w+\s)?(?:\w+ed|known)(?=\s(?:by|in|at|on|for|to|with|as)\b)"
)  # of a clause that says more of the object
_PRONOUNS = frozenset(
    ("it", "he", "she", "they", "this", "that", "these", "those", "there", "who", "which", "what", "we", "you", "i")
)
_ATTRIBUTES = {"location": "is located", "means": "stands for", "value": "is stated as"}


def state(ask: KnowledgeAsk) -> KnowledgeAnswer:
    """The triples of a document; contexts are made of its headings by the caller."""
    first, lines = unnumber(ask.numbered)
    return KnowledgeAnswer(triples=_triples(ask.title, lines, first)[: ask.limit])


def describe(ask: ChunkContextAsk) -> ChunkContext:
    """The title and the nearest heading above the chunk."""
    before = ask.document.partition(ask.chunk)[0]
    headings = [line.lstrip("# ").strip() for line in before.split("\n") if line.startswith("#")]
    return ChunkContext(text=" / ".join(dict.fromkeys(part for part in (ask.title, *headings[-1:]) if part)) or "-")


def recognise(ask: KnowledgeAsk) -> ChunkEntities:
    """The entities that the entity view would have."""
    _, lines = unnumber(ask.numbered)
    drafts = entities_of("", "\n".join(lines))
    return ChunkEntities(entities=[ChunkEntity(name=draft.name, kind=draft.kind) for draft in drafts])


def relate(ask: ChunkRelationsAsk) -> ChunkRelations:
    """The triples of the chunk whose names were recognised."""
    first, lines = unnumber(ask.numbered)
    names = {entity.name.casefold() for entity in ask.entities}
    triples = _triples("", lines, first)
    kept = [triple for triple in triples if {triple.subject.casefold(), triple.object.casefold()} <= names]
    return ChunkRelations(triples=(kept or triples)[: ask.limit])


def summarise(ask: CommunityAsk) -> CommunitySummary:
    """The quotes that name the most frequent names of the community, each once."""
    text = " ".join(fact.text.casefold() for fact in ask.facts)
    weight = {name: text.count(name.casefold()) for name in ask.names}

    def score(quote: str) -> int:
        return sum(count for name, count in weight.items() if name.casefold() in quote.casefold())

    quotes = sorted(dict.fromkeys(fact.quote for fact in ask.facts), key=lambda quote: (-score(quote), quote))
    body = " ".join(quotes[:_SUMMARY]) or ", ".join(ask.names)
    return CommunitySummary(text=body[:2000] or "-")


def _triples(title: str, lines: Sequence[str], first: int) -> list[Triple]:
    triples: dict[tuple[str, str, str], Triple] = {}
    for row, line in enumerate(lines, first):
        for triple in _stated(line, row):
            triples.setdefault((triple.subject, triple.relation, triple.object), triple)
    for triple in _attributes(title, lines, first):
        triples.setdefault((triple.subject, triple.relation, triple.object), triple)
    return list(triples.values())


def _stated(line: str, row: int) -> Iterator[Triple]:
    if line.lstrip().startswith(("|", "#", "```", ">")):
        return
    label = labelled(line.strip())
    text = plain(label.rest if label else line).lstrip("-*• ")
    for sentence in sentences(text):
        match = None if _HYPOTHETICAL.match(sentence) else _STATEMENT.match(sentence)
        if match:
            whole = _PARTICIPLE.split(f"{match['object']}{sentence[match.end() :]}")[0][: len(match["object"])]
            subject, target = match["subject"], _ENDS_OBJECT.sub("", whole).rstrip(".,;:’'")
            if _denotes(subject) and _denotes(target):
                relation = " ".join(match["relation"].casefold().split())
                yield _triple(subject, relation, target, row)


def _denotes(phrase: str) -> bool:
    """Whether a phrase can stand for a thing by itself: no pronoun, clause or number, and no noun such as `film`."""
    tokens = phrase.casefold().split()
    if not tokens or tokens[0] in (_PRONOUNS | SMALL) or len(phrase) < 3 or tokens[-1] in SMALL:
        return False
    if phrase.isdigit() or (len(tokens) == 1 and phrase.isalpha() and phrase.islower()) or _PRONOUNS & {*tokens}:
        return False
    return any(token not in SMALL for token in tokens) and not any(token in ("not", "no", "never") for token in tokens)


def _attributes(title: str, lines: Sequence[str], first: int) -> Iterator[Triple]:
    for draft in entities_of(title, "\n".join(lines)):
        for attribute in draft.attributes:
            relation = _ATTRIBUTES.get(attribute.name)
            rows = [row for row, line in enumerate(lines, first) if draft.name in line and attribute.value in line]
            if relation and rows and is_attribute(draft.name, attribute.name, attribute.value):
                triple = _triple(draft.name, relation, attribute.value.strip(), rows[0])
                yield triple.model_copy(update={"subject_kind": draft.kind})


def _triple(subject: str, relation: str, target: str, row: int) -> Triple:
    return Triple(
        subject=subject,
        subject_kind=_kind(subject),
        relation=relation,
        object=target,
        object_kind=_kind(target),
        start=row,
        end=row,
    )


def _kind(phrase: str) -> EntityKind:
    """The kind of a phrase by its head noun."""
    head = next((word for word in reversed(phrase.casefold().split()) if not any(map(str.isdigit, word))), "")
    lists: tuple[tuple[EntityKind, frozenset[str]], ...] = (
        ("asset", EQUIPMENT), ("parameter", QUANTITIES), ("role", ROLES),
    )  # fmt: skip
    return next((kind for kind, nouns in lists if head in nouns or head.removesuffix("s") in nouns), "other")
