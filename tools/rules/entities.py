"""Rule-based entity view: alarms, parameters, equipment, commands, roles and other names of an SOP (paper Eq. 2)."""

import re
from collections.abc import Iterator
from itertools import chain

from soprag.tools.markdown.inline import plain
from soprag.tools.markdown.outline import OutlineBlock, read
from soprag.tools.procedure.blocks.step_tables import Table, table_of
from soprag.tools.procedure.wording.lexicon import IMPERATIVES
from soprag.tools.rules.naming import PROGRAM, PROMPT, Mention, coded_in, is_alarm_name, is_code, mentions, named_in
from soprag.tools.sop import EntityKind
from soprag.tools.tasks.retriever import Attribute, EntityAnswer, EntityDraft, NumberedSop, unnumber

_MOST = 300  # entities of one SOP; more are noise
_BOLD = re.compile(r"\*\*([^*\n]{3,50}?)\*\*")
_SHELL = re.compile(r"^(?:bash|sh|shell|console|terminal|zsh|powershell|cmd|csh)\b")


def extract(sop: NumberedSop) -> EntityAnswer:
    """The entities of the SOP, each once, in the order of its text."""
    _, lines = unnumber(sop.numbered)
    return EntityAnswer.model_construct(entities=entities_of(sop.title, "\n".join(lines)))


def entities_of(title: str, body: str) -> list[EntityDraft]:
    """The entities of a titled text."""
    by_name: dict[str, _Thing] = {}
    for found_name, kind, attributes in chain(_in_title(plain(title)), _in_blocks(read(body))):
        name = found_name.strip(" .,:;'\"")
        if len(name) > 1 and not name.isdigit():
            by_name.setdefault(name.lower(), _Thing(name)).learn(kind, attributes)
        if len(by_name) >= _MOST:
            break
    return [thing.draft() for thing in by_name.values()]


_RANK: tuple[EntityKind, ...] = ("alarm", "parameter", "asset", "role", "command", "other")


class _Thing:
    """One name with the kind and the attributes collected for it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.kind: EntityKind = "other"
        self.attributes: dict[str, str] = {}

    def learn(self, kind: EntityKind, attributes: dict[str, str]) -> None:
        """Add a mention: the kind that ranks first in `_RANK` wins, and the first value of an attribute is kept."""
        self.kind = min(self.kind, kind, key=_RANK.index)
        self.attributes = {**attributes, **self.attributes}

    def draft(self) -> EntityDraft:
        """The entity as a draft for the answer."""
        pairs = [Attribute.model_construct(name=name, value=value) for name, value in self.attributes.items()]
        return EntityDraft.model_construct(name=self.name, kind=self.kind, attributes=pairs)


def _in_title(title: str) -> Iterator[Mention]:
    if is_alarm_name(title):
        yield title, "alarm", {}
    else:
        yield from mentions(title)


def _in_blocks(blocks: tuple[OutlineBlock, ...]) -> Iterator[Mention]:
    for block in blocks:
        if block.kind == "code":
            yield from _commands(block)
        elif block.kind in ("table", "html"):
            table = table_of(block)
            if table:
                yield from _in_table(table)
        elif block.text:
            yield from coded_in(block.text)
            yield from named_in(block.words)
            if block.kind == "paragraph":
                yield from _labels(block.text)


def _in_table(table: Table) -> Iterator[Mention]:
    names_parameters = bool(table.head) and re.match(
        r"(?i)parameter|setting|variable|name|sensor|point|item|quantity|limit|metric", table.head[0]
    )
    for row in table.rows:
        if names_parameters and row.cells and len(row.cells) > 1:
            pairs = zip(table.head[1:], row.cells[1:], strict=False)
            yield (
                plain(row.cells[0])[:60],
                "parameter",
                {head.lower(): plain(cell)[:80] for head, cell in pairs if head and plain(cell)},
            )
        else:
            for column, cell in enumerate(row.cells):
                yield from _answered(cell) if column == table.trigger else mentions(cell)


def _answered(cell: str) -> Iterator[Mention]:
    """The names in a cell of an alarm column: its codes are alarms."""
    for name, kind, attributes in mentions(cell):
        code = kind in ("asset", "other") and is_code(name)
        yield name, "alarm" if code else kind, attributes


def _commands(block: OutlineBlock) -> Iterator[Mention]:
    shell = bool(_SHELL.match(block.info))
    for line in block.text.split("\n")[:40]:
        command = PROMPT.sub("", line)
        if (
            command.strip()
            and not command.lstrip().startswith(("#", "//"))
            and (command != line or (shell and PROGRAM.match(command.strip())))
        ):
            yield command.strip()[:100], "command", {}


def _labels(text: str) -> Iterator[Mention]:
    for bold in _BOLD.findall(text):
        name = bold.strip(" :.")
        if name[:1].isupper() and len(name.split()) <= 4 and name.split()[0].lower() not in IMPERATIVES:
            yield plain(name), "other", {}
