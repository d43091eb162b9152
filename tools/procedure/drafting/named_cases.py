"""Outcomes that another outcome sends the reader to by name: "If it lights, treat it as amber."."""

import re
from collections.abc import Iterable, Iterator

from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.wording.targets import Exit, Target

_TREATED = re.compile(
    r"(?:^|[,;.]\s*|\b(?:and|then)\s+)"
    r"(?P<treat>(?:treat(?:ed)?|handle|deal with)\s+(?:it|this|that|them|the \w+)?\s*(?:as|like)\s+"
    r"(?:an?\s+|the\s+|for\s+)?[`\"“]?(?P<case>[^`\"”.,;:()]{2,40})[`\"”]?)\W*$",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^\W*(?P<label>[^.:;→⇒]{2,50}?)\s*(?::|→|⇒|=>|->|\s[–—-]\s)")
_WORD = re.compile(r"[a-z0-9]+")


def case_labels(blocks: Iterable[Block]) -> Iterator[str]:
    """The names of the outcomes that items and rows state, in lower case."""
    for block in blocks:
        if block.kind == "row" and block.cells:
            yield block.cells[0].text.lower()
        found = _LABEL.match(block.text) if block.kind == "item" else None
        if found:
            yield found["label"].lower()
        yield from case_labels(block.children)


def case_exit(text: str, cases: frozenset[str]) -> Exit | None:
    """The jump to the outcome that words say to take as well, where one of `cases` has all its words."""
    found = _TREATED.search(text)
    named = words_of(found["case"]) if found else frozenset()
    if not found or not named or not any(named <= words_of(case) for case in cases):
        return None
    return Exit(Target("case", found["case"], words=found["treat"]), text[: found.start("treat")])


def words_of(label: str) -> frozenset[str]:
    """The words of a label."""
    return frozenset(_WORD.findall(label.lower()))
