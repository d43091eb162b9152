"""Boxes between the blocks of a section: quotes and HTML, and paragraphs below the bare label of a box."""

import re
from dataclasses import dataclass, field

from soprag.tools.procedure.blocks import boxes
from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.blocks.sections import Topic
from soprag.tools.procedure.drafting.draft import Draft
from soprag.tools.procedure.drafting.tree import Node
from soprag.tools.procedure.items.answers import last_inner
from soprag.tools.procedure.nodes.warned_jumps import jumps_of_warning
from soprag.tools.procedure.walking.paragraphs import tells_acts
from soprag.tools.procedure.wording.clauses import clauses
from soprag.tools.procedure.wording.verbs import directs

_HALTS = re.compile(r"^\W*stop\W*[.!:]", re.IGNORECASE)  # "STOP. You do not set foot on the track"
FIGURE = re.compile(
    r"^\W*(?:\[figure|(?:fig(?:ure|\.)?|table) ?\d+\s*(?:[:.–—-]|$)|fig(?:ure|\.)? ?\d|<figcaption|!\[)", re.IGNORECASE
)


@dataclass
class SectionBoxes:
    """Takes warnings and notes out of the blocks of a section."""

    draft: Draft
    rows: list[str]
    weighty: list[int] = field(default_factory=list)  # the label "Important" of the open box
    open: int = 0  # how many further paragraphs belong to an open box

    def read(self, block: Block, nodes: list[Node]) -> list[Node]:
        """The nodes before and those of a quote or of raw HTML."""
        raw = " ".join(self.rows[n - 1] for n in block.lines)
        if not block.text or FIGURE.match(block.text) or raw.lstrip().startswith("<figcaption"):
            self.open = 0
            if boxes.boxed_html(raw):
                self.open = 9
                self.draft.warn([], "")
            self.draft.role(block.lines, "none")
            return nodes
        if boxes.bare(block.text):
            self.open = 9 if not boxes.bare_note(block.text) else 1
            self.weighty = list(block.lines) if boxes.bare_important(block.text) else []
            self.draft.role(block.lines, "warning" if self.open == 9 else "none")
            if self.open == 9:
                self.draft.warn(block.lines, block.text)
            return nodes
        if boxes.warns(block.text, boxed=True, background=False) or boxes.boxed_html(raw):
            self.draft.warn(block.lines, block.text)
            self.draft.role(block.lines, "warning")
            return [*nodes, *jumps_of_warning(block, self.draft)]
        return self._quoted(block, nodes)

    def _quoted(self, block: Block, nodes: list[Node]) -> list[Node]:
        """The nodes before, with a quote or HTML that is labelled as no warning."""
        halts = bool(_HALTS.match(block.text))
        if block.kind == "quote" and boxes.obliges(block.text) and (halts or not tells_acts(block)):
            self.draft.warn(block.lines, block.text)
            self.draft.role(block.lines, "warning")
        elif block.kind == "quote" and nodes and not boxes.labelled(block.text):
            step = last_inner(nodes)
            if step is not None:
                step.extend(block.lines)
            self.draft.role(block.lines, "step-part")
        else:
            self.draft.role(block.lines, "prose")
        return nodes

    def takes_list(self, label: Block | None, items: list[Block], safety: bool) -> bool:
        """Whether bullets are warnings: the words of the bare label above them, or those of a section on safety.

        Closes the open box.
        """
        opened, weighty, self.open = self.open > 0, self.weighty, 0
        if items[0].number:
            return False
        if opened and label is not None and boxes.bare(label.text) and (weighty or not boxes.bare_note(label.text)):
            self._list_below(items, weighty)
            return True
        for item in items if safety else ():
            self.draft.warn(item.lines, item.text)
            self.draft.role(item.lines, "warning")
        return safety

    def _list_below(self, items: list[Block], weighty: list[int]) -> None:
        lines = [line for item in items for line in item.lines]
        words = " ".join(item.text for item in items)
        if weighty:
            self.draft.warn([*weighty, *lines], words)
        else:
            self.draft.warnings[-1].lines += lines
            self.draft.warnings[-1].text += f" {words}"
        self.draft.role(lines, "warning")

    def ways_of(self, items: list[Block]) -> list[Node]:
        """The decisions in bullets that are warnings."""
        return [node for item in items for node in jumps_of_warning(item, self.draft)]

    def ways(self, block: Block) -> list[Node]:
        """The decisions that a paragraph holds which was taken as a warning."""
        return jumps_of_warning(block, self.draft) if self.draft.roles.get(block.lines[0]) == "warning" else []

    def takes(self, block: Block, about: Topic) -> bool:
        """Whether a paragraph is a warning or belongs to the open box."""
        alone = boxes.bare(block.text)
        if not alone and boxes.warns(block.text, boxed=block.marked, background=about == "background"):
            self.draft.warn(block.lines, block.text)
            self.draft.role(block.lines, "warning")
            return True
        if self.open and not alone:
            return self._boxed_paragraph(block)
        if alone and boxes.bare_important(block.text):
            self.open, self.weighty = 1, list(block.lines)
            self.draft.role(block.lines, "none")
            return True
        if alone and not boxes.bare_note(block.text):
            self.open = 9
            self.draft.warn(block.lines, block.text)
            self.draft.role(block.lines, "warning")
            return True
        if self._forbids(block, about):
            self.draft.warn(block.lines, block.text)
            self.draft.role(block.lines, "warning")
            return True
        return False

    @staticmethod
    def _forbids(block: Block, about: Topic) -> bool:
        """Whether a paragraph that bears no label forbids something, or stops the reader before he goes on."""
        if block.text.isupper() or about in ("acts", "notes"):
            return boxes.stops_or_prohibits(block.text)
        return boxes.stops_first(block.text)

    def _boxed_paragraph(self, block: Block) -> bool:
        """Whether a paragraph below a bare label belongs to its box."""
        note = self.open == 1
        obliges = any(boxes.obliges(clause.body.text) for clause in clauses(block.passage))
        if FIGURE.match(block.text) or (note and tells_acts(block) and not (self.weighty and obliges)):
            self.open = 0
            return False
        if note and self.weighty:
            self.open = 9
            self.draft.warn([*self.weighty, *block.lines], block.text)
            self.draft.role(block.lines, "warning")
            return True
        if note:
            self.open = 0
            if obliges:
                self.draft.warn(block.lines, block.text)
            self.draft.role(block.lines, "warning" if obliges else "prose")
            return True
        return self._more_of_box(block)

    def _more_of_box(self, block: Block) -> bool:
        warning = self.draft.warnings[-1] if self.draft.warnings else None
        if warning is None or (len(warning.lines) > 1 and directs(block.text)):
            self.open = 0
            return False
        warning.lines += list(block.lines)
        warning.text = f"{warning.text} {block.text}"
        self.draft.role(block.lines, "warning")
        return True
