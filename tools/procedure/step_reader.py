"""Rule-based step extraction: which blocks are steps, which continue a step, and which remarks belong to it.

Every numbered list item and every check box is a step, wherever it stands. Bullets, paragraphs, table rows and headings
are steps where the text tells somebody what to do. What belongs to a step without being one (a command, its output, an
explanation) stays in that step's lines. A remark goes to the step it stands inside, else to the step after it, else,
when its section ends first, to the last step of that section.
"""

import re
from dataclasses import dataclass, field
from functools import cached_property

from soprag.tools.markdown.inline import is_bold, labelled, plain
from soprag.tools.markdown.outline import ListItem, OutlineBlock
from soprag.tools.procedure import safety_labels
from soprag.tools.procedure.branches import condition_of, normal, printed
from soprag.tools.procedure.bullets import Lists, describes, gives_order, is_surely_step, judge, labelled_lines
from soprag.tools.procedure.callouts import kind_at, last_block
from soprag.tools.procedure.heading_context import Sections
from soprag.tools.procedure.step_tables import table_steps
from soprag.tools.sop import WarningKind
from soprag.tools.tasks.retriever import WarningDraft
from soprag.tools.text.sentences import sentences

_CHECKBOX = re.compile(r"^\[[ xX]?\](?:\s|$)")
_COMMANDS = re.compile(
    r"\A(?:bash|sh|shell|console|terminal|zsh|powershell|cmd|csh|promql|sql)\b|^\s*(?:\$|>|#|ccs>)\s+\S", re.MULTILINE
)
_COMMENT = re.compile(
    r"^\.\. (?!\S+::)|^\[figure:|^<fig|^This (?:procedure|page) was last modified|^<!--", re.IGNORECASE
)


@dataclass
class StepInProgress:
    """A step under construction."""

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
    when: str = ""  # the alarm or condition of a table row
    more: list[str] = field(default_factory=list)  # plain text of its further paragraphs

    @cached_property
    def condition(self) -> str:
        """The condition it opens with; "otherwise" when it is the else branch of the step before it."""
        return condition_of(self.text)

    @cached_property
    def told(self) -> str:
        """Its whole plain text; paragraphs are separated by a blank line."""
        return "\n\n".join((self.text, *self.more))


@dataclass
class StepReader:
    """Reads blocks in order and gathers `steps`; `pending` are remarks whose step is still to come."""

    blocks: tuple[OutlineBlock, ...]
    eager: bool = False  # take every section for one that says what to do
    steps: list[StepInProgress] = field(default_factory=list)
    pending: list[WarningDraft] = field(default_factory=list)
    sections: Sections = field(default_factory=Sections)
    lists: Lists = field(init=False)
    busy: set[int] = field(init=False)  # quotes that hold more than words
    by_item: dict[int, int] = field(default_factory=dict)  # line of a list item -> its step
    intro: list[OutlineBlock] = field(default_factory=list)  # paragraphs that may turn out to be the only steps

    def __post_init__(self) -> None:
        self.lists = judge(self.blocks)
        self.busy = {block.quote for block in self.blocks if block.kind != "paragraph" or block.item}

    def read(self) -> list[StepInProgress]:
        """The steps of all blocks."""
        index = 0
        while index < len(self.blocks):
            index = self._take(index)
        self._settle()
        self._leave(last=True)
        return self.steps

    # sections -------------------------------------------------------------------------------------------------------

    def _heading(self, block: OutlineBlock) -> None:
        self._settle()
        self._leave(last=False)
        self.sections.enter(block)
        step = self.sections.step_in(block)
        if step:
            label, text = step
            draft = StepInProgress(block.start, block.start, text, label, self.sections.above, source=block.text)
            self.sections.open[-1].step = self._add(draft)

    @property
    def _acts(self) -> bool | None:
        return self.eager or self.sections.acts

    @property
    def _begun(self) -> bool:
        """Whether the current section has a step already."""
        return bool(self.steps) and self.steps[-1].section == self.sections.here

    def _leave(self, last: bool) -> None:
        """Close a section: pending remarks without a following step are added to its last step."""
        if self.pending and self.steps and (last or self._begun):
            self.steps[-1].warnings += self.pending
            self.pending = []

    # lists ----------------------------------------------------------------------------------------------------------

    def _is_step(self, block: OutlineBlock, item: ListItem) -> bool:
        if item.ordered or _CHECKBOX.match(block.text):
            return True
        if self._acts is False or item.list in self.lists.descriptive:
            return False
        if self._owner(item.parent) >= 0:
            return item.list in self.lists.acting
        return item.list in self.lists.acting or self._acts is True

    def _owner(self, item: ListItem | None) -> int:
        while item:
            if item.start in self.by_item:
                return self.by_item[item.start]
            item = item.parent
        return -1

    # blocks ---------------------------------------------------------------------------------------------------------

    def _take(self, index: int) -> int:
        """Process the block at `index` and any blocks it consumes; returns the index of the next block."""
        block = self.blocks[index]
        kind = kind_at(block)
        if block.kind == "heading":
            self._heading(block)
            return self._remark(index, kind) if kind and safety_labels.is_label_alone(block.text) else index + 1
        first = block.item is not None and block.start == block.item.start
        if kind and not (first and block.item and block.item.ordered):
            return self._remark(index, kind)
        if block.kind == "paragraph" and block.quote and self._is_plain_quote(index):
            return self._remark(index, "note")
        if block.kind in ("table", "html"):
            self._table(block)
        elif block.kind == "rule" or _COMMENT.match(block.text):
            pass
        elif first and block.item and self._is_step(block, block.item):
            self._listed(block, block.item, kind)
        else:
            self._running(block)
        return index + 1

    def _listed(self, block: OutlineBlock, item: ListItem, kind: WarningKind | None) -> None:
        text = _CHECKBOX.sub("", block.text).strip()
        inner = None if item.ordered else labelled(text)
        label = item.label or (inner.label if inner else "")
        lines = text.split("\n")
        cuts = labelled_lines(lines[1:], 1)
        opening = "\n".join(lines[: cuts[0]] if cuts else lines)
        parent = self._owner(item.parent)
        parent = self.sections.above if parent < 0 else parent
        draft = StepInProgress(
            block.start, item.end, plain(opening), normal(label), parent, item.list, source=opening, listed=True
        )
        number = self._add(draft)
        self.by_item[item.start] = number
        if kind:
            draft.warnings.append(WarningDraft(kind=kind, start=block.start, end=block.end))
        self._inner(draft, block)
        for first, past in zip(cuts, [*cuts[1:], len(lines)], strict=False):
            self._labelled("\n".join(lines[first:past]), block.start + first, block.start + past - 1, number)

    def _labelled(self, text: str, start: int, end: int, parent: int) -> int:
        """A step whose label is printed in running text, such as `2.1 Open the valve` or `b) Close it`."""
        entry = printed(text)
        body = entry.rest if entry else text
        label = normal(entry.label) if entry else ""
        return self._add(StepInProgress(start, end, plain(body), label, parent, -1 - max(parent, 0), source=text))

    def _running(self, block: OutlineBlock) -> None:
        """A paragraph or code: a step of its own, or part of the step before it."""
        owner = self._owner(block.item)
        if owner >= 0:
            self._extend(owner, block)
            return
        if block.item and block.kind != "code":
            if self._begun and self._acts:
                self._extend(self._root(), block)
            return
        if block.kind == "code":
            self._code(block)
            return
        lines = block.text.split("\n")
        cuts = labelled_lines(lines, 0)
        if self._acts is not False and cuts and (cuts[0] > 0 or len(cuts) > 1 or is_surely_step(lines[0])):
            for first, past in zip(cuts, [*cuts[1:], len(lines)], strict=False):
                self._labelled(
                    "\n".join(lines[first:past]), block.start + first, block.start + past - 1, self.sections.above
                )
            return
        self._paragraph(block)

    def _paragraph(self, block: OutlineBlock) -> None:
        if self._acts is False:
            return
        text = block.words
        parts = sentences(text)
        orders = [gives_order(part) for part in parts]
        if any(orders) and (self._acts or orders[0]) and not describes(text):
            self._settle(drop=True)
            draft = StepInProgress(block.start, block.end, text, parent=self.sections.above, source=block.text)
            self._add(draft)
            self._inner(draft, block)
        elif self._acts and self._begun and not is_bold(block.text) and not text.endswith(":"):
            self._extend(self._root(), block)
        else:
            self.intro.append(block)

    def _code(self, block: OutlineBlock) -> None:
        if self.intro and self._acts is not False and self.intro[-1].item is None and _COMMANDS.search(_shown(block)):
            introduced = self.intro.pop()
            self.intro.clear()
            self._add(
                StepInProgress(
                    introduced.start,
                    block.end,
                    plain(introduced.text),
                    parent=self.sections.above,
                    source=introduced.text,
                )
            )
        elif self._begun and self._acts is not False:
            self._extend(self._root(), block)
        elif self._acts:
            self._add(StepInProgress(block.start, block.end, block.text.strip(), parent=self.sections.above))

    def _settle(self, drop: bool = False) -> None:
        """At the end of an instruction section without steps, turn its paragraphs into steps; `drop` discards them."""
        empty = not self.steps or self.steps[-1].section != self.sections.here
        for block in self.intro if self._acts and empty and not drop else ():
            self._add(
                StepInProgress(block.start, block.end, plain(block.text), parent=self.sections.above, source=block.text)
            )
        self.intro = []

    def _table(self, block: OutlineBlock) -> None:
        rows = table_steps(block, self._acts)
        owner = self._owner(block.item)
        if not rows:
            if owner >= 0 or (self._acts and self._begun):
                self._extend(owner if owner >= 0 else self._root(), block)
            return
        parent = owner if owner >= 0 else self.sections.above
        for row in rows:
            draft = StepInProgress(
                row.start, row.end, row.text, normal(row.label), parent, -block.start, source=row.text, when=row.when
            )
            self._add(draft)
            kind = safety_labels.kind_of(row.text)
            remark_spans = [(kind, row.start, row.end)] if kind else row.remarks
            draft.warnings += [WarningDraft(kind=kind, start=start, end=end) for kind, start, end in remark_spans]

    # steps and remarks ----------------------------------------------------------------------------------------------

    def _add(self, draft: StepInProgress) -> int:
        draft.section = self.sections.here
        draft.warnings = [*self.pending, *draft.warnings]
        self.pending = []
        self.intro = []
        self.steps.append(draft)
        return len(self.steps) - 1

    def _root(self) -> int:
        """The outermost step of the section around the last one."""
        index = len(self.steps) - 1
        while (
            self.steps[index].parent >= 0 and self.steps[self.steps[index].parent].section == self.steps[index].section
        ):
            index = self.steps[index].parent
        return index

    def _extend(self, owner: int, block: OutlineBlock) -> None:
        step = self.steps[owner]
        step.end = max(step.end, block.end)
        if block.kind == "paragraph":
            step.source += "\n" + block.text
            step.more.append(block.words)
            self._inner(step, block)

    def _inner(self, step: StepInProgress, block: OutlineBlock) -> None:
        """A remark that begins in the middle of a step's own paragraph."""
        remark = safety_labels.inside(block.text)
        if remark:
            kind, offset = remark
            line = block.start + block.text.count("\n", 0, offset)
            step.warnings.append(WarningDraft(kind=kind, start=line, end=block.end))

    def _remark(self, index: int, kind: WarningKind) -> int:
        """Process the remark that begins at `index`; returns the index of the block after it."""
        end = last_block(self.blocks, index, lone_label=self.blocks[index].kind == "heading")
        remark = WarningDraft(kind=kind, start=self.blocks[index].start, end=self.blocks[end].end)
        owner = self._owner(self.blocks[index].item)
        if owner >= 0:
            self.steps[owner].warnings.append(remark)
        else:
            self.pending.append(remark)
        return end + 1

    def _is_plain_quote(self, index: int) -> bool:
        """Whether the quote contains paragraphs only; such a quote without a label is a note."""
        return self.blocks[index].quote not in self.busy


def _shown(block: OutlineBlock) -> str:
    return f"{block.info}\n{block.text}"
