"""Narrative documents: what people do is told in the third person, sentence by sentence, without lists."""

import re
from collections.abc import Iterator

from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.blocks.sections import Section
from soprag.tools.procedure.wording.clauses import sentences
from soprag.tools.procedure.wording.conditions import form, read_clause
from soprag.tools.procedure.wording.lexicon import AMBIGUOUS, IMPERATIVES

_WORD = re.compile(r"[a-z]{3,}")
_OBJECT = re.compile(r"\s+(?:the|an?|all|any|each|his|her|their|its|it|them|whether|if|that)\b", re.IGNORECASE)
_FEWEST = 4  # sentences; below that nothing can be told
_ACTIVE = re.compile(
    r"^\W*(?:(?:first|then|next|now|finally|afterwards|subsequently|after (?:that|this)|in (?:this|that) case|"
    r"at the same time|meanwhile|otherwise)\b,?\s+)*"
    r"(?:the|an?|each|every|this|that|his|her|their|our|its|some|all|he|she|they|we|(?-i:[A-Z]\w+))\s+"
    r"(?:[\w'/-]+\s+){0,5}?(?:(?:must|shall|should|has to|have to|needs to|will|can)\s+)?(?P<verb>[a-z]{3,})\b",
    re.IGNORECASE,
)
_PASSIVE = re.compile(
    r"\b(?:is|are|gets?|must be|has to be|have to be|will be|should be|can be)\s+(?:\w+ly\s+|then\s+|also\s+)*"
    r"(?P<verb>\w{2,}ed|sent|made|given|taken|written|paid|told|put|set|brought|kept|held|drawn|built|sold|bought)\b",
    re.IGNORECASE,
)


def is_narrative(root: Section) -> bool:
    """Whether most of what a document says is told: few list items, few imperatives, many activities."""
    items = told = acts = count = 0
    for block in _blocks(root):
        items += block.kind in ("item", "table")
        if block.kind != "paragraph":
            continue
        for sentence, _ in sentences(block.passage):
            count += 1
            tells = tells_activity(read_clause(sentence).body.text)
            acts += form(sentence.text) != "statement" and not tells
            told += tells
    return count >= _FEWEST and items * 5 <= count and acts * 5 <= count and told * 5 >= count * 2


def tells_activity(text: str) -> bool:
    """Whether a sentence tells what somebody does ("The clerk checks the claim", "The claim is sent back")."""
    active = next((found for found in _verbs(text)), "")
    return bool(active) or bool(_PASSIVE.search(text))


def _verbs(text: str) -> Iterator[str]:
    """Third-person verbs near the head of a sentence that are known as imperatives."""
    head = _ACTIVE.match(text)
    if head is None:
        return
    for found in list(_WORD.finditer(text[: head.end() + 60].lower()))[1:9]:
        word = found[0]
        stems = {word.removesuffix("s"), word.removesuffix("es"), re.sub("ies$", "y", word)} & IMPERATIVES
        surely = bool(stems - AMBIGUOUS) or bool(_OBJECT.match(text, found.end()))
        if word.endswith("s") and not word.endswith("ss") and stems and surely:
            yield word


def _blocks(section: Section) -> Iterator[Block]:
    yield from section.blocks
    for part in section.parts:
        yield from _blocks(part)
