"""The steps of an SOP by rule: which blocks are steps, which go on with one, and which remarks protect it.

Every numbered list item and every check box is a step, wherever it stands. Bullets, paragraphs, table rows and headings
are steps where the text tells somebody what to do. What belongs to a step without being one (a command, its output, an
explanation) stays in that step's lines. A remark goes to the step it stands inside, else to the step after it, else,
when its section ends first, to the last step of that section.
"""

import re
from dataclasses import dataclass, field

from tools.llm.tasks.retriever import WarningDraft
from tools.rules import remarks
from tools.rules.branches import condition_of, is_alternative, normal, sentences
from tools.rules.inline import is_bold, labelled, plain
from tools.rules.lexicon import announces, is_instruction, requires
from tools.rules.outline import Block, Item
from tools.rules.rows import table_steps
from tools.sop import WarningKind

_CHECKBOX = re.compile(r"^\[[ xX]?\](?:\s|$)")
_STEP_HEADING = re.compile(r"^(?:step|stage|phase|schritt|étape|paso)\s+\d", re.IGNORECASE)
_NUMBERED = re.compile(r"^\(?\d+(?:\.\d+)*[.):]?\s")
_TELLING = re.compile(
    r"\b(?:performs?|does|consists?|includes?|contains?|means|shows?|are|is|reasons?|examples?|features?|benefits?|"
    r"such as|namely|as follows)\b[^.]*:\s*$",
    re.IGNORECASE,
)
_COMMENT = re.compile(
    r"^\.\. (?!\S+::)|^\[figure:|^<fig|^This (?:procedure|page) was last modified|^<!--", re.IGNORECASE
)


@dataclass
class Draft:
    """A step in the making."""

    start: int
    end: int
    text: str  # its own first words, plain
    label: str = ""
    parent: int = -1
    group: int = 0  # the list or section whose labels it is counted among
    section: int = 0
    source: str = ""  # all its own Markdown, for references
    warnings: list[WarningDraft] = field(default_factory=list)
    listed: bool = False


@dataclass
class _Heading:
    level: int
    line: int
    acts: bool | None
    step: int = -1


@dataclass
class Reader:
    """Reads blocks in order and gathers `steps`; `pending` are remarks whose step is still to come."""

    blocks: tuple[Block, ...]
    steps: list[Draft] = field(default_factory=list)
    pending: list[WarningDraft] = field(default_factory=list)
    headings: list[_Heading] = field(default_factory=list)
    acting: set[int] = field(default_factory=set)  # lists of bullets that are steps
    telling: set[int] = field(default_factory=set)  # lists of bullets that are none
    by_item: dict[int, int] = field(default_factory=dict)  # line of a list item -> its step
    intro: list[Block] = field(default_factory=list)  # paragraphs that may turn out to be the only steps

    def read(self) -> list[Draft]:
        """The steps of all blocks."""
        self._judge_lists()
        at = 0
        while at < len(self.blocks):
            at = self._take(at)
        self._settle()
        self._leave(last=True)
        return self.steps

    # headings -------------------------------------------------------------------------------------------------------

    def _heading(self, block: Block) -> None:
        self._settle()
        self._leave(last=False)
        while self.headings and self.headings[-1].level >= block.level:
            self.headings.pop()
        words = plain(block.text)
        above = self.headings[-1].acts if self.headings else None
        found = announces(words) if self.headings or block.level > 1 else None  # a title names the whole SOP
        acts = above if found is None else found == "acts" if found != "states" else None
        heading = _Heading(block.level, block.start, acts)
        numbered = _NUMBERED.match(words)
        bare = words[numbered.end() :] if numbered else words
        is_step = _STEP_HEADING.match(words) or (
            acts is not False
            and len(self.headings) > 0
            and ((numbered and is_instruction(bare)) or (condition_of(bare) and above))
        )
        if is_step:
            mark = labelled(words)
            label = normal(mark.label) if mark else normal(numbered[0]) if numbered else ""
            heading.step = self._add(Draft(block.start, block.start, bare, label, source=block.text))
        self.headings.append(heading)

    @property
    def _acts(self) -> bool | None:
        return self.headings[-1].acts if self.headings else None

    def _above(self) -> int:
        return next((heading.step for heading in reversed(self.headings) if heading.step >= 0), -1)

    def _here(self) -> int:
        return self.headings[-1].line if self.headings else 0

    def _leave(self, last: bool) -> None:
        """A section ends: its remarks that no step follows belong to its last step."""
        if self.pending and self.steps and (last or self.steps[-1].section == self._here()):
            self.steps[-1].warnings += self.pending
            self.pending = []

    # lists ----------------------------------------------------------------------------------------------------------

    def _judge_lists(self) -> None:
        """Which bullet lists are steps by the words of their items: those where at least half give an instruction."""
        counts: dict[int, list[int]] = {}
        for at, block in enumerate(self.blocks):
            if block.item and block.start == block.item.start and not block.item.ordered:
                count = counts.setdefault(block.item.list, [0, 0])
                if not sum(count) and at and _TELLING.search(plain(self.blocks[at - 1].text)):
                    self.telling.add(block.item.list)
                count[0 if _orders(block.text) else 1] += 1
        self.acting = {number for number, (orders, rest) in counts.items() if orders and orders >= rest}

    def _is_step(self, block: Block, item: Item) -> bool:
        if item.ordered or _CHECKBOX.match(block.text):
            return True
        if self._acts is False or item.list in self.telling:
            return False
        if self._owner(item.parent) >= 0:
            return item.list in self.acting
        return item.list in self.acting or self._acts is True

    def _owner(self, item: Item | None) -> int:
        while item:
            if item.start in self.by_item:
                return self.by_item[item.start]
            item = item.parent
        return -1

    # blocks ---------------------------------------------------------------------------------------------------------

    def _take(self, at: int) -> int:
        """Read the block at `at` (and those it takes with it); the index of the next one."""
        block = self.blocks[at]
        kind = remarks.kind_of(block.text) if block.kind != "code" else _fenced(block)
        if block.kind == "heading":
            self._heading(block)
            return self._remark(at, kind, at + 1) if kind and remarks.is_label_alone(block.text) else at + 1
        first = block.item is not None and block.start == block.item.start
        if kind and not (first and block.item and block.item.ordered):
            return self._remark(at, kind, at)
        if block.kind == "paragraph" and block.quote and self._is_plain_quote(at):
            return self._remark(at, "note", at)
        if block.kind in ("table", "html"):
            self._table(block)
        elif block.kind == "rule" or _COMMENT.match(block.text):
            pass
        elif first and block.item and self._is_step(block, block.item):
            self._listed(block, block.item, kind)
        else:
            self._running(block)
        return at + 1

    def _listed(self, block: Block, item: Item, kind: WarningKind | None) -> None:
        text = _CHECKBOX.sub("", block.text).strip()
        inner = None if item.ordered else labelled(text)
        label = item.label or (inner.label if inner else "")
        lines = text.split("\n")
        cuts = _labelled_lines(lines[1:], 1)
        own = "\n".join(lines[: cuts[0]] if cuts else lines)
        parent = self._owner(item.parent)
        parent = self._above() if parent < 0 else parent
        draft = Draft(block.start, item.end, plain(own), normal(label), parent, item.list, source=own, listed=True)
        number = self._add(draft)
        self.by_item[item.start] = number
        if kind:
            draft.warnings.append(WarningDraft(kind=kind, start=block.start, end=block.end))
        self._inner(draft, block)
        for first, past in zip(cuts, [*cuts[1:], len(lines)], strict=False):
            self._labelled("\n".join(lines[first:past]), block.start + first, block.start + past - 1, number)

    def _labelled(self, text: str, start: int, end: int, parent: int) -> int:
        """A step whose label is printed in running text, such as `2.1 Open the valve` or `b) Close it`."""
        mark = labelled(text)
        words = mark.rest if mark else text
        label = normal(mark.label) if mark else ""
        return self._add(Draft(start, end, plain(words), label, parent, -1 - max(parent, 0), source=text))

    def _running(self, block: Block) -> None:
        """A paragraph or code: a step of its own, or part of the step before it."""
        owner = self._owner(block.item)
        if owner >= 0:
            self._extend(owner, block)
            return
        if block.item and not block.kind == "code" and self._acts is not True:
            return
        if block.kind == "code":
            self._code(block)
            return
        lines = block.text.split("\n")
        cuts = _labelled_lines(lines, 0)
        if self._acts is not False and cuts and (cuts[0] > 0 or len(cuts) > 1 or _strong(lines[0])):
            for first, past in zip(cuts, [*cuts[1:], len(lines)], strict=False):
                self._labelled("\n".join(lines[first:past]), block.start + first, block.start + past - 1, self._above())
            return
        self._paragraph(block)

    def _paragraph(self, block: Block) -> None:
        if self._acts is False:
            return
        text = plain(block.text)
        parts = sentences(text)
        orders = [_orders(part) for part in parts]
        if any(orders) and (self._acts or orders[0]) and not _TELLING.search(text):
            self._settle(drop=True)
            draft = Draft(block.start, block.end, text, parent=self._above(), source=block.text)
            self._add(draft)
            self._inner(draft, block)
        elif self._acts and self.steps and self.steps[-1].section == self._here():
            self._extend(self._root(), block)
        else:
            self.intro.append(block)

    def _code(self, block: Block) -> None:
        if self.intro and self._acts is not False and self.intro[-1].item is None:
            introduced = self.intro.pop()
            self.intro.clear()
            self._add(
                Draft(introduced.start, block.end, plain(introduced.text), parent=self._above(), source=introduced.text)
            )
        elif self.steps and self.steps[-1].section == self._here() and self._acts is not False:
            self._extend(self._root(), block)
        elif self._acts:
            self._add(Draft(block.start, block.end, block.text.strip(), parent=self._above()))

    def _settle(self, drop: bool = False) -> None:
        """At the end of a section that should say what to do and names no step, its paragraphs are the steps."""
        empty = not self.steps or self.steps[-1].section != self._here()
        for block in self.intro if self._acts and empty and not drop else ():
            self._add(Draft(block.start, block.end, plain(block.text), parent=self._above(), source=block.text))
        self.intro = []

    def _table(self, block: Block) -> None:
        rows = table_steps(block, self._acts)
        owner = self._owner(block.item)
        if not rows:
            if owner >= 0 or (self._acts and self.steps and self.steps[-1].section == self._here()):
                self._extend(owner if owner >= 0 else self._root(), block)
            return
        parent = owner if owner >= 0 else self._above()
        for row in rows:
            draft = Draft(row.start, row.end, row.text, normal(row.label), parent, -block.start, source=row.text)
            self._add(draft)
            kind = remarks.kind_of(row.text)
            if kind:
                draft.warnings.append(WarningDraft(kind=kind, start=row.start, end=row.end))

    # steps and remarks ----------------------------------------------------------------------------------------------

    def _add(self, draft: Draft) -> int:
        draft.section = self._here()
        draft.warnings = [*self.pending, *draft.warnings]
        self.pending = []
        self.intro = []
        self.steps.append(draft)
        return len(self.steps) - 1

    def _root(self) -> int:
        """The outermost step of the section around the last one."""
        at = len(self.steps) - 1
        while self.steps[at].parent >= 0 and self.steps[self.steps[at].parent].section == self.steps[at].section:
            at = self.steps[at].parent
        return at

    def _extend(self, owner: int, block: Block) -> None:
        step = self.steps[owner]
        step.end = max(step.end, block.end)
        if block.kind == "paragraph":
            step.source += "\n" + block.text
            self._inner(step, block)

    def _inner(self, step: Draft, block: Block) -> None:
        """A remark that begins in the middle of a step's own paragraph."""
        found = remarks.inside(block.text)
        if found:
            kind, place = found
            line = block.start + block.text.count("\n", 0, place)
            step.warnings.append(WarningDraft(kind=kind, start=line, end=block.end))

    def _remark(self, at: int, kind: WarningKind, start: int) -> int:
        """Take the remark that begins at `at`; the index of the block after it."""
        end = _remark_end(self.blocks, start) if start == at else _remark_end(self.blocks, at, bare=True)
        remark = WarningDraft(kind=kind, start=self.blocks[at].start, end=self.blocks[end].end)
        owner = self._owner(self.blocks[at].item)
        if owner >= 0:
            self.steps[owner].warnings.append(remark)
        else:
            self.pending.append(remark)
        return end + 1

    def _is_plain_quote(self, at: int) -> bool:
        """Whether a quote without a label holds nothing but words: a callout, and so a note."""
        quote = self.blocks[at].quote
        return all(block.kind == "paragraph" and not block.item for block in self.blocks if block.quote == quote)


def _orders(text: str) -> bool:
    """Whether a sentence tells somebody to do something, outright or under a condition."""
    words = plain(text)
    if is_instruction(words) or requires(words):
        return True
    head, colon, rest = words.partition(": ")
    return bool(colon) and len(head) < 60 and is_instruction(rest)


def _strong(line: str) -> bool:
    """Whether a single labelled line is surely a step (`Step 4: ...`, `2.1 Open ...`)."""
    mark = labelled(line)
    return bool(mark and (re.match(r"(?i)[a-zé]{4}|\d+\.\d", mark.label) or is_instruction(plain(mark.rest))))


def _labelled_lines(lines: list[str], offset: int) -> list[int]:
    """Which lines begin with a printed label that is no accident of line wrapping."""
    found = []
    for at, line in enumerate(lines, offset):
        mark = labelled(line)
        if mark and mark.rest.strip() and (mark.rest.lstrip("*_`\"'([")[:1].isupper() or is_instruction(mark.rest)):
            found.append(at)
    return found


def _fenced(block: Block) -> WarningKind | None:
    return remarks.kind_of(f"::: {block.info}") if block.info.startswith("{") else None


def _remark_end(blocks: tuple[Block, ...], at: int, bare: bool = False) -> int:
    """The index of the last block of the remark that begins at `at`."""
    first = blocks[at]
    end = at
    if first.quote:
        while end + 1 < len(blocks) and blocks[end + 1].quote == first.quote and not _breaks(blocks[end + 1]):
            end += 1
        bare = end == at and remarks.is_label_alone(first.text)
    elif not bare:
        bare = remarks.is_label_alone(first.text)
    if bare or first.text.lstrip().startswith((":::", "!!!", "???", "..")):
        end = _body_end(blocks, end, first, bare)
    return end


def _breaks(block: Block) -> bool:
    """Whether a block ends the remark in whose quote it stands: a step, a heading or another remark."""
    if block.kind in ("heading", "rule") or (block.item and block.item.ordered and block.start == block.item.start):
        return True
    return block.kind == "paragraph" and remarks.kind_of(block.text) is not None


def _body_end(blocks: tuple[Block, ...], end: int, first: Block, bare: bool) -> int:
    following = end + 1
    if first.text.lstrip().startswith(":::"):
        while (
            following < len(blocks)
            and not blocks[following - 1].text.rstrip().endswith(":::\n".strip())
            or following == end + 1
        ):
            if following >= len(blocks) or _breaks(blocks[following]):
                return following - 1
            following += 1
        return following - 1
    while following < len(blocks) and blocks[following].kind == "code" and not blocks[following].info:
        if not first.text.lstrip().startswith(("!!!", "???", "..")):
            break
        following += 1
    if following > end + 1:
        return following - 1
    if bare and following < len(blocks) and not _breaks(blocks[following]):
        return _with_list(blocks, following)
    return end


def _with_list(blocks: tuple[Block, ...], at: int) -> int:
    """`at`, and the whole list when a list begins there or is announced there."""
    end = at
    if (
        (blocks[at].text.rstrip().endswith(":") or is_bold(blocks[at].text))
        and at + 1 < len(blocks)
        and not _breaks(blocks[at + 1])
    ):
        end = at + 1
    item = blocks[end].item
    if item and not item.ordered and blocks[end].start == item.start and item != blocks[at - 1].item:
        while end + 1 < len(blocks) and _within(blocks[end + 1].item, item.list):
            end += 1
    return end


def _within(item: Item | None, number: int) -> bool:
    while item:
        if item.list == number:
            return True
        item = item.parent
    return False


def alternative(draft: Draft) -> bool:
    """Whether a step opens the other branch of the step before it."""
    return is_alternative(draft.text)
