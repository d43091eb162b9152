"""The blocks of one section: which are procedure, which are explanation, records, boxes or references."""

import re
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile

from soprag.tools.procedure.blocks import boxes
from soprag.tools.procedure.blocks.blocks import Block, footer
from soprag.tools.procedure.blocks.run_ins import run_in, told_by_run_ins
from soprag.tools.procedure.blocks.sections import Topic, about_safety, topic
from soprag.tools.procedure.drafting.draft import Draft, Role
from soprag.tools.procedure.drafting.references import lists_links, only_links, points_elsewhere
from soprag.tools.procedure.drafting.tree import Act, Choice, Node, Stop
from soprag.tools.procedure.items.answers import last_inner, last_step
from soprag.tools.procedure.items.inner_blocks import command, is_command
from soprag.tools.procedure.items.item_kinds import compared_cases, holds_orders, names_things
from soprag.tools.procedure.items.lists import ListReader
from soprag.tools.procedure.items.question_lists import answered, asked, asking_act, question, sends_on
from soprag.tools.procedure.nodes.announcing import announced, asked_above, sending_act
from soprag.tools.procedure.nodes.branching import leaves
from soprag.tools.procedure.nodes.composing import lead_condition
from soprag.tools.procedure.nodes.other_ways import beside, offers_other_way, span_of_way
from soprag.tools.procedure.tables.case_tables import joined_cases
from soprag.tools.procedure.tables.tables import TableReader
from soprag.tools.procedure.walking.grouping import GroupReader
from soprag.tools.procedure.walking.paragraphs import GOES_ON, Paragraph, acts_later, only_notes
from soprag.tools.procedure.walking.run_in_reading import titled_acts
from soprag.tools.procedure.walking.section_boxes import FIGURE, SectionBoxes
from soprag.tools.procedure.walking.section_leads import SectionLeads
from soprag.tools.procedure.walking.standing_rules import standing_rule
from soprag.tools.procedure.walking.told_lists import only_told
from soprag.tools.procedure.wording.clauses import clauses
from soprag.tools.procedure.wording.conditions import read_clause
from soprag.tools.procedure.wording.verbs import directs, tells_of_machine

_TOLD: tuple[Topic, ...] = ("reference", "metadata")  # where nothing is ordered, not even at any time
_METADATA = re.compile(
    r"\b(?:rev(?:ision|\.)?\s*\d|version \d|issue \d|effective (?:date|from|\d|[A-Z])|owner:|document (?:no|number|id)|"
    r"last (?:updated|reviewed)|next review|approved by|author:|prepared by)",
    re.IGNORECASE,
)
_SHOWN_BELOW = re.compile(r"^\W*see (?:the )?(?:[\w'-]+ ){1,4}?[\w'-]+[.:]?$", re.IGNORECASE)
_BOLD = re.compile(r"^\s*(\*\*|__)[^*_]+[^.*_]\1:?\s*$")
# "Return to [the power-off procedures](Power_Off.md)": the reader goes on in another document.
_LEAVES = re.compile(
    r"^\W*(?:return|go|go back|proceed|continue)\s+(?:to|with|on to)\s+(?:the\s+)?\[[^\]]+\]\((?!#)[^)]+\)",
    re.IGNORECASE,
)
_TO_FILL_IN = re.compile(r"_{4,}|\.{6,}|…{2,}")  # "Sign: ______"
_USED = re.compile(r"^\W*(?:to be )?used? (?:this )?(?:if|when|for)\W*:\W*$", re.IGNORECASE)  # over the cases it is for
_TAGGED = re.compile(r"^\s*(?:<(?:b|i|u|em|strong)>\s*){1,4}[^<>.]+(?:</(?:b|i|u|em|strong)>\s*){1,4}$")


@dataclass
class BlockReader:
    """Reads blocks into nodes."""

    draft: Draft
    rows: list[str]
    limits: bool = False  # whether the section states limits
    safety: bool = False  # whether the bullets of the section are warnings
    following: Block | None = None  # the block below the paragraph that is read
    lead: Block | None = None  # the block above the items that are read
    run_ins: bool = False  # whether paragraphs with bold headings of their own tell the section
    boxes: SectionBoxes = field(init=False)
    holding: SectionLeads = field(init=False)

    def __post_init__(self) -> None:
        self.boxes = SectionBoxes(self.draft, self.rows)
        self.holding = SectionLeads(self.draft)

    @property
    def lists(self) -> ListReader:
        """The reader of lists."""
        return ListReader(self.draft)

    def read(self, blocks: list[Block], nodes: list[Node], about: Topic, preamble: bool) -> list[Node]:
        """The nodes before, then those of the blocks of one section."""
        listed = any(block.kind == "item" and block.number for block in blocks)
        at = self.boxes.open = 0
        self.run_ins = about in ("acts", "background") and told_by_run_ins(blocks, self.rows)
        outer = about
        while at < len(blocks):
            block = blocks[at]
            if block.kind == "item":
                items = list(takewhile(partial(_beside, block), blocks[at:]))
                self.lead = blocks[at - 1] if at else None
                nodes = self._items(items, nodes, about, preamble)
                at += len(items)
                continue
            if about in ("acts", "notes") and not preamble and offers_other_way(block, nodes):
                taken = span_of_way(blocks, at)
                nodes = beside(nodes, self._other_way(blocks[at : at + taken], about))
                at += taken
                continue
            taken, grouped = self._grouped(blocks, at, about, preamble)
            if taken:
                nodes = asked_above(self.draft, nodes, grouped)
                at += taken
                continue
            following = blocks[at + 1] if at + 1 < len(blocks) else None
            self.following, self.lead = following, blocks[at - 1] if at else None
            acting = about in ("acts", "notes") and not preamble
            if acting and is_command(block) and self._titled(blocks, at, nodes):
                nodes = [*nodes, command(block, self.draft)]
                at += 1
                continue
            if self._titles(block):
                about, self.safety = topic(block.text, outer), about_safety(block.text)
            before = listed and following is not None and following.kind == "item" and not nodes
            nodes = self._block(block, nodes, about, preamble, before, following)
            at += 1
        return joined_cases(nodes)

    def _titled(self, blocks: list[Block], at: int, nodes: list[Node]) -> bool:
        """Whether a heading or a label names what is done at a block, and no sentence above leads to it."""
        if not at:
            return not nodes
        before = last_inner(nodes)
        led = before is not None and before.scope == self.draft.scope and before.text.endswith(":")
        return self._titles(blocks[at - 1]) and not led

    def _other_way(self, blocks: list[Block], about: Topic) -> list[Node]:
        """The nodes of another way: its list, or its command, or the act of its paragraph."""
        lead, rest = blocks[0], blocks[1:]
        if any(block.kind == "item" for block in rest):
            for block in blocks:
                if block.kind == "paragraph":
                    self.draft.role(block.lines, "heading")
            return self.read([block for block in rest if block.kind != "paragraph"], [], about, False)
        self.following = rest[0] if rest else None
        if not rest:
            return self._paragraph(lead, [], about, False, False)
        nodes = self._acts(lead, [])
        for block in rest:
            self._code(block, nodes)
        return nodes

    def _grouped(self, blocks: list[Block], start: int, about: Topic, preamble: bool) -> tuple[int, list[Node]]:
        taken, nodes = GroupReader(self, "acts").ruled(blocks, start) if about not in _TOLD else (0, [])
        if taken or preamble or about not in ("acts", "notes"):
            return taken, nodes
        return GroupReader(self, about).read(blocks, start)

    def _items(self, items: list[Block], nodes: list[Node], about: Topic, preamble: bool) -> list[Node]:
        if self.boxes.takes_list(self.lead, items, self.safety):
            return [*nodes, *self.boxes.ways_of(items)]
        if about == "states" and not items[0].number and not self._telling(items, about, preamble):
            return self._states(items, nodes, about)
        if about == "acts" and (asked(self.lead, items, nodes) or sends_on(self.lead, items, self.draft.labels)):
            return question(self.lists.answers, self.lead, items, nodes)
        if self._telling(items, about, preamble):
            for item in items:
                self._told(item, about)
            return nodes
        sent = sending_act(self.draft, items, nodes)
        if sent is not None:
            return [*(node for node in nodes if node is not sent), self.lists.answers.sent(items, sent.step)]
        last = nodes[-1] if nodes else None
        nested = (
            isinstance(last, Act)
            and not items[0].number
            and (last.step.text.rstrip().endswith((":", "?")) or answered(self.lead, last.step, items))
        )
        return announced(self.draft, self.lead, self.lists.items(items, nodes, nested))

    def _states(self, items: list[Block], nodes: list[Node], about: Topic) -> list[Node]:
        """The nodes with those of the bullets of states that order something or stand under a condition."""
        for item in items:
            conditioned = lead_condition(item.passage) or read_clause(item.passage).condition
            if directs(item.text) or conditioned or acts_later(item):
                nodes = self.lists.items([item], nodes, False)
            else:
                self._told(item, about)
        return nodes

    def _telling(self, items: list[Block], about: Topic, preamble: bool) -> bool:
        """Whether items of a section only tell something; numbered ones are judged by the rules alone."""
        if (
            items[0].tab
            or (about in ("acts", "notes") and compared_cases(items))
            or (about in ("acts", "notes", "states") and all(item.task for item in items))
            or (about == "background" and any(map(holds_orders, items)))
        ):
            return False
        if self.lead is not None and self.lead.kind == "paragraph" and tells_of_machine(self.lead.text):
            return True
        orders = len(items) > 1 and all(directs(item.text) for item in items)
        ruled = only_told(items, about, preamble and not (orders and not self.draft.scope))
        if items[0].number and (names_things(items, self.lead) or lists_links(items, self.rows)):
            return True
        return ruled if items[0].number else not self.draft.opinions.acting(items, not ruled)

    def _told(self, item: Block, about: Topic) -> None:
        rules = about not in _TOLD and boxes.forbids_always(item.text)
        if rules or boxes.warns(item.text, boxed=False, background=about == "background"):
            self.draft.warn(item.lines, item.text)
            self.draft.role(item.lines, "warning")
            return
        if about == "states" or self.limits:
            self.draft.note(item.passage, len(self.draft.steps))
        roles: dict[str, Role] = {"reference": "reference", "metadata": "metadata", "states": "condition"}
        refers = points_elsewhere(item.text) or only_links(self.rows[item.lines[0] - 1])
        role = "reference" if refers else roles.get(about, "prose")
        self.draft.role(item.passage.lines, role)
        self.draft.role(item.lines, "prose")

    def _block(
        self, block: Block, nodes: list[Node], about: Topic, preamble: bool, before: bool, following: Block | None
    ) -> list[Node]:
        if block.kind in ("quote", "html"):
            return self.boxes.read(block, nodes)
        if block.kind == "table":
            return self._table(block, nodes, about, preamble)
        if block.kind == "paragraph":
            return self._paragraph(block, nodes, about, preamble, before)
        self.boxes.open = 0
        if block.kind == "matter":
            self.draft.role(block.lines, "metadata")
        elif block.kind == "rule":
            self.draft.role(block.lines, "none")
        else:
            self._code(block, nodes)
        return nodes

    def _code(self, block: Block, nodes: list[Node]) -> None:
        step = last_inner(nodes)
        if step is None:
            self.draft.role(block.lines, "prose")
        else:
            step.extend(block.lines)
            self.draft.role(block.lines, "step-part")

    def _table(self, block: Block, nodes: list[Node], about: Topic, preamble: bool) -> list[Node]:
        self.boxes.open = 0
        told = about in ("background", "reference") or (preamble and not nodes)
        asked_there = asking_act(self.lead, block, self.draft) if told else None
        kept = [*nodes, asked_there] if asked_there else nodes
        return TableReader(self.draft).read(block, kept, told and not asked_there, about == "metadata")

    def _paragraph(self, block: Block, nodes: list[Node], about: Topic, preamble: bool, before: bool) -> list[Node]:
        rule = standing_rule(block, self.draft) if about not in _TOLD else None
        if rule is not None:
            return [*nodes, rule]
        if self.boxes.takes(block, about):
            return [*nodes, *self.boxes.ways(block)]
        if self.draft.steps and about == "acts" and _LEAVES.match(self.rows[block.lines[0] - 1]):
            self.draft.role(block.lines, "reference")
            return [*nodes, Stop()]
        if GOES_ON.match(block.text) and nodes and not (preamble or self._view(block).lists):
            self._code(block, nodes)  # "and then run:" between two commands of one step
            return nodes
        aside = self._aside(block, not nodes, about, preamble)
        if aside is not None:
            self.draft.role(block.lines, aside)
        elif self._procedural(block, about, preamble, before):
            return self._acts(block, nodes)
        elif not preamble and about in ("acts", "notes") and self.holding.leads_in(self._view(block), not nodes):
            self.draft.role(block.lines, "condition")
        else:
            self._prose(block, nodes, about, preamble)
        return nodes

    def _aside(self, block: Block, opens: bool, about: Topic, preamble: bool) -> Role | None:
        """The role of a paragraph that by its form is no act, or only says when its section holds; None for others."""
        if FIGURE.match(block.text) or not any(map(str.isalnum, block.text)):
            return "none"
        if _TO_FILL_IN.search(block.text):
            return "table-data"
        noted = only_notes(block.text)
        if noted or self._titles(block) or _USED.match(block.text):
            return "prose" if noted else "heading"
        recorded = preamble or about == "metadata"
        records = (recorded and _METADATA.search(block.text)) or (opens and _METADATA.search(block.text[:60]))
        if records or footer(block.text):
            return "metadata"
        told = any(clause.form != "statement" for clause in clauses(block.passage)[1:])
        linked = all(only_links(self.rows[line - 1]) for line in block.lines)
        if (self._refers(block) and not told) or linked:
            return "reference"
        governs = opens and not preamble and about in ("acts", "notes") and self.holding.governs(self._view(block))
        return "condition" if governs else None

    def _refers(self, block: Block) -> bool:
        """Whether a paragraph points to something else, and not to what the command below it shows ("See events.")."""
        shown = self.following is not None and is_command(self.following) and _SHOWN_BELOW.match(block.text)
        return points_elsewhere(block.text) and not shown

    def _titles(self, block: Block) -> bool:
        """Whether a paragraph is a heading in bold."""
        if block.kind not in ("paragraph", "html"):
            return False
        raw = " ".join(self.rows[line - 1] for line in block.lines)
        return bool(_BOLD.match(raw) and len(block.text.split()) < 8) or bool(_TAGGED.match(raw))

    def _procedural(self, block: Block, about: Topic, preamble: bool, before: bool) -> bool:
        if self.run_ins and run_in(block, self.rows):
            return True
        view = self._view(block)
        ruled = about in ("acts", "notes", "states") and not preamble and view.procedural(before)
        return self.draft.opinions.opens(
            block, ruled or (about == "background" and not preamble and view.orders_command())
        )

    def _view(self, block: Block) -> Paragraph:
        return Paragraph(block, self.following, self.draft.narrative)

    def _acts(self, block: Block, nodes: list[Node]) -> list[Node]:
        start = len(self.draft.steps)
        at = boxes.inline(block.text)
        if at > 0:
            self.draft.warn(block.lines, block.text[at:], inside=self.draft.next_name)
        made = titled_acts(block, self.rows, self.draft)
        if self._view(block).conditions_command():
            told = clauses(block.passage)
            made.append(Act(self.draft.step(told[-1].passage, only_if=told[-1].condition)))
        self.draft.note(block.passage, start)
        if not made:
            made = [Act(self.draft.step(block.passage, number=block.number))]
        if leaves(made[:1]):
            self.draft.role(block.lines, "condition")
        decides = bool(made) and all(isinstance(node, Choice) for node in made)
        self.draft.role(block.lines, "decision" if decides else "step", "step-part")
        step = last_step(made)
        if step is not None and len(made) == 1:
            step.extend([line for line in block.lines if line >= step.lines[0]])
        self._lead_lines(block, nodes, made)
        return [*nodes, *made]

    def _lead_lines(self, block: Block, nodes: list[Node], made: list[Node]) -> None:
        """Lines of a paragraph before its first act explain the step before."""
        first = min((node.step.lines[0] for node in made if isinstance(node, Act | Choice)), default=0)
        before = last_inner(nodes)
        early = [line for line in block.lines if line < first]
        if early and before is not None:
            before.extend(early)
        for line in early:
            self.draft.roles[line] = "step-part" if before is not None else "prose"

    def _prose(self, block: Block, nodes: list[Node], about: Topic, preamble: bool) -> None:
        step = last_inner(nodes)
        near = step is not None and step.scope == self.draft.scope
        ruled = near and about in ("acts", "notes") and not preamble
        if step is not None and near and self.draft.opinions.continues(block, ruled):
            step.extend(block.lines)
            self.draft.role(block.lines, "step-part")
            return
        if boxes.forbids_always(block.text) and about not in _TOLD:
            self.draft.warn(block.lines, block.text)
            self.draft.role(block.lines, "warning")
            return
        roles: dict[str, Role] = {"reference": "reference", "metadata": "metadata"}
        leads = about == "acts" and block.text.endswith(":")
        self.draft.role(block.lines, "heading" if leads else roles.get(about, "prose"))


def _beside(item: Block, block: Block) -> bool:
    """Whether a block is an item of the same list as another one."""
    return block.kind == "item" and bool(block.number) == bool(item.number)
