"""Reads neighbouring blocks of a section that hold for different cases as one decision or as alternatives."""

from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.blocks.run_ins import RunIn, run_in
from soprag.tools.procedure.blocks.sections import Topic
from soprag.tools.procedure.drafting.tree import Act, Choice, Fork, Node, Outcome, Stop
from soprag.tools.procedure.nodes.announcing import flattened
from soprag.tools.procedure.nodes.parallel import (
    Group,
    conditional_groups,
    is_case,
    matches_case,
    names_kind,
    names_model,
    offers_choice,
    parts_ways,
    span,
    supposed,
    titled_groups,
    version_groups,
)
from soprag.tools.procedure.walking.cased_sections import alike
from soprag.tools.procedure.walking.standing_rules import standing_rule, told_below
from soprag.tools.procedure.wording.clauses import clauses
from soprag.tools.procedure.wording.outcome_labels import compares
from soprag.tools.procedure.wording.passage import SourcePassage
from soprag.tools.procedure.wording.verbs import asks, directs

if TYPE_CHECKING:
    from soprag.tools.procedure.walking.section_blocks import BlockReader


_FEWEST_OBSERVED = 3


@dataclass
class GroupReader:
    """Reads the groups that begin at one block; their insides are read by the block reader."""

    reader: "BlockReader"
    about: Topic

    def read(self, blocks: list[Block], start: int) -> tuple[int, list[Node]]:
        """How many blocks from `start` on belong to groups, and their nodes; 0 for none."""
        for find in (
            self._named,
            self._observed,
            self._versions,
            self._found,
            self._matching,
            self._options,
            self._conditional,
        ):
            taken, nodes = find(blocks, start)
            if taken:
                return taken, nodes
        return 0, []

    def _inside(self, blocks: list[Block]) -> list[Node]:
        return self.reader.read(blocks, [], self.about, False)

    def ruled(self, blocks: list[Block], start: int) -> tuple[int, list[Node]]:
        """A rule for any time with the table or list that it announces, which are done under it only; 0 for none."""
        count = told_below(blocks, start)
        rule = standing_rule(blocks[start], self.reader.draft) if count else None
        if rule is None or not isinstance(rule.body[-1], Stop):
            return (1, [rule]) if rule else (0, [])
        rule.body = [*rule.body[:-1], *self._inside(blocks[start + 1 : start + 1 + count]), Stop()]
        return 1 + count, [rule]

    def _named(self, blocks: list[Block], start: int) -> tuple[int, list[Node]]:
        """Blocks under bold names, where the words above say that what is done depends on something."""
        groups = titled_groups(blocks, start)
        if not (self._announced(blocks, start) or all(map(names_kind, groups))):
            return 0, []
        for group in groups:
            self.reader.draft.role(group.lead.lines, "heading")
        outcomes = [Outcome(group.case, self._inside(group.body)) for group in groups]
        by = "variant" if all(map(names_model, groups)) else "case"
        return span(groups), [Fork(by, outcomes)] if outcomes else []

    def _observed(self, blocks: list[Block], start: int) -> tuple[int, list[Node]]:
        """Paragraphs for one case each, where the words above say that what is seen decides."""
        told = list(takewhile(supposed, blocks[start:])) if self._announced(blocks, start) else []
        if len(told) < _FEWEST_OBSERVED:
            return 0, []
        return len(told), [self.reader.lists.answers.cases(told)]

    @staticmethod
    def _announced(blocks: list[Block], start: int) -> bool:
        above = blocks[start - 1] if start else None
        return above is not None and above.kind in ("paragraph", "item") and parts_ways(above.text)

    def _versions(self, blocks: list[Block], start: int) -> tuple[int, list[Node]]:
        groups = version_groups(blocks, start)
        outcomes = [Outcome(group.case, self._version(group)) for group in groups]
        if sum(bool(outcome.body) for outcome in outcomes) > 1:
            return span(groups), [Fork("case", outcomes)]
        return span(groups), [node for outcome in outcomes for node in outcome.body]

    def _version(self, group: Group) -> list[Node]:
        """The nodes of one version; sentences before its first act explain that act."""
        nodes = self._inside([group.lead, *group.body])
        first = nodes[0] if nodes else None
        if isinstance(first, Act | Choice):
            first.step.extend(group.lead.lines)
            for line in group.lead.lines:
                self.reader.draft.roles[line] = "step" if line == group.lead.lines[0] else "step-part"
        return nodes

    def _found(self, blocks: list[Block], start: int) -> tuple[int, list[Node]]:
        """Paragraphs with bold headings for what was found at the step above ("**More than 4 mm.** Replace it")."""
        titled = [one for one in takewhile(bool, (run_in(block, self.reader.rows) for block in blocks[start:])) if one]
        count = next((at for at, one in enumerate(titled) if not self._states(one.label, titled)), len(titled))
        cases = titled[:count]
        last = self.reader.draft.steps[-1] if self.reader.draft.steps else None
        if len(cases) < 2 or last is None or not alike([one.label for one in cases], last.text):
            return 0, []
        if not (asks(last.text) or all(compares(one.label) for one in cases)):
            return 0, []
        return len(cases), [Fork("case", [Outcome(one.label, self._told(one.block)) for one in cases])]

    @staticmethod
    def _states(label: str, beside: list[RunIn]) -> bool:
        """Whether a bold heading is a case: all of them are, or it compares a value or counts as the first one does."""
        first = beside[0].label
        return alike([first, label], "") and not directs(label)

    def _told(self, block: Block) -> list[Node]:
        draft, start = self.reader.draft, len(self.reader.draft.steps)
        draft.role(block.lines, "step", "step-part")
        body = self.reader.lists.composer.answer(block.passage) or [Act(draft.step(block.passage))]
        draft.note(block.passage, start)
        return body

    def _matching(self, blocks: list[Block], start: int) -> tuple[int, list[Node]]:
        """A lead-in that sends the reader to the item of his case."""
        lead = blocks[start]
        items = _items(blocks, start + 1, cases=True)
        if lead.kind != "paragraph" or len(items) < 2 or not matches_case(lead.text):
            return 0, []
        head = self.reader.draft.step(lead.passage, "decision")
        self.reader.draft.role(lead.lines, "decision", "step-part")
        outcomes = [Outcome(item.text.partition(":")[0], self._case(item)) for item in items]
        head.extend([item.lines[0] for item in items])
        return 1 + len(items), [Choice(head, outcomes, open=False, free=True)]

    def _options(self, blocks: list[Block], start: int) -> tuple[int, list[Node]]:
        """A lead-in that offers the items below it for choice."""
        lead = blocks[start]
        items = _items(blocks, start + 1, cases=False)
        named = not any(directs(item.text) or item.children or clauses(item.passage)[1:] for item in items)
        if lead.kind != "paragraph" or len(items) < 2 or named or not offers_choice(lead.text):
            return 0, []
        if items[0].tab:
            self.reader.draft.role(lead.lines, "heading")
            return 1, []
        head = self.reader.draft.step(lead.passage, "decision")
        self.reader.draft.role(lead.lines, "decision", "step-part")
        outcomes = [Outcome(item.text.partition(":")[0], self._case(item)) for item in items]
        return 1 + len(items), [Choice(head, outcomes, open=False, free=True)]

    def _case(self, item: Block) -> list[Node]:
        """What is done in one case; the condition that its item repeats is that of the case."""
        body = self.reader.lists.step(item)
        first = body[0] if body else None
        if isinstance(first, Act):
            first.step.only_if = ""
        return body

    def _conditional(self, blocks: list[Block], start: int) -> tuple[int, list[Node]]:
        """Lead-ins over lists; one that governs a whole section is left to the reader of sections."""
        groups = conditional_groups(blocks, start)
        if not groups or (len(groups) == 1 and start == 0 and span(groups) == len(blocks)):
            return 0, []
        return span(groups), [self._decided(groups)]

    def _decided(self, groups: list[Group]) -> Choice:
        """One decision on the lead-ins of neighbouring lists."""
        draft = self.reader.draft
        words = " / ".join(group.case for group in groups)
        lines = [line for group in groups for line in group.lead.lines]
        head = draft.step(SourcePassage(words, tuple((0, line) for line in lines)), "decision")
        head.lines = lines
        outcomes = []
        for group in groups:
            draft.role(group.lead.lines, "condition")
            outcomes.append(Outcome(group.case, self._inside(group.body)))
        return flattened(draft, Choice(head, outcomes, open=len(groups) == 1, free=len(groups) > 1))


def _items(blocks: list[Block], start: int, cases: bool) -> list[Block]:
    found: list[Block] = []
    for block in blocks[start:]:
        if block.kind != "item" or (cases and not is_case(block)):
            break
        found.append(block)
    return found
