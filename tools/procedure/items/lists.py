"""Items of lists: steps, outcomes of a decision, options, and parts of a step."""

import re
from dataclasses import dataclass

from soprag.tools.procedure.blocks import boxes
from soprag.tools.procedure.blocks.adopting import adopted
from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.drafting.draft import Draft
from soprag.tools.procedure.drafting.references import points_elsewhere
from soprag.tools.procedure.drafting.tree import Act, Choice, DraftStep, Fork, Node, Outcome
from soprag.tools.procedure.items.answers import (
    OPTION,
    AnswerReader,
    describes_state,
    escalates,
    grouping,
    last_lines,
    last_step,
)
from soprag.tools.procedure.items.governed_lists import conditioned, governing
from soprag.tools.procedure.items.inner_blocks import InnerReader
from soprag.tools.procedure.items.item_kinds import (
    are_options,
    beside_acts,
    compared_end,
    either_end,
    enumerates,
    exclusive_end,
    holds_acts,
    holds_items,
    introduces_list,
    labelled_end,
    labels_command,
    names_version,
    purposes_end,
    states_case,
    titles_lists,
)
from soprag.tools.procedure.items.stated_outcomes import asks_and_answers, stated_outcomes
from soprag.tools.procedure.nodes.announcing import taken_over
from soprag.tools.procedure.nodes.branching import leaves
from soprag.tools.procedure.nodes.composing import Composer, lead_condition, opens_outcome
from soprag.tools.procedure.nodes.other_ways import beside, opens_other_way
from soprag.tools.procedure.nodes.parallel import (
    Group,
    conditional_groups,
    item_cases,
    offers_choice,
    remedied_causes,
    span,
)
from soprag.tools.procedure.nodes.parted_jumps import only_parts
from soprag.tools.procedure.wording.clauses import clauses
from soprag.tools.procedure.wording.conditions import form, read_clause
from soprag.tools.procedure.wording.exclusive import one_subject
from soprag.tools.procedure.wording.onward import only_onward
from soprag.tools.procedure.wording.passage import SourcePassage
from soprag.tools.procedure.wording.verbs import directs, is_check, tells_of_machine
from soprag.tools.text.sanitize import one_line

# A lead-in that breaks off inside its clause ("You can change them to:"): the items below it end its sentence.
_UNFINISHED = re.compile(r"\b(?:to|by|for|with|from|at|of|that|as|can|may|is|are):\s*$", re.IGNORECASE)
_NUMBERS = re.compile(r"\d")


@dataclass
class ListReader:
    """Reads the items of a list and what is nested in them."""

    draft: Draft
    shown: bool = False  # whether a command stands above in the item: what its output shows is a part of the step

    @property
    def answers(self) -> AnswerReader:
        """The reader of items that state outcomes."""
        return AnswerReader(self)

    @property
    def composer(self) -> Composer:
        """The reader of single items."""
        return Composer(self.draft)

    # lists -----------------------------------------------------------------------------------------------------------

    def items(self, items: list[Block], nodes: list[Node], nested: bool) -> list[Node]:
        """The nodes before a list, with those of the list put where they belong."""
        head = last_step(nodes) if nested else None
        outcomes = [opens_outcome(item.passage) for item in items]
        if head is not None:
            outcomes = stated_outcomes(items, outcomes, head.text)
        share = sum(outcomes) / len(items)
        apart = self._apart(items, nested)
        if apart is not None:
            return [*nodes, apart]
        if head is not None and not any(outcomes) and enumerates(items, head.text):
            for item in items:
                head.extend(item.lines)
                self.draft.role(item.lines, "step-part")
            return nodes
        ordered = bool(items[0].number) and not (items[0].number.isalpha() and share > 0.5)
        if (
            nested
            and head is not None
            and share >= 0.5
            and (not ordered or all(outcomes) or asks_and_answers(items, head.text))
        ):
            return self.answers.answers(items, outcomes, nodes, head)
        stated = [item for at, item in enumerate(items) if not at or not opens_other_way(item.text)]
        if (
            not nested
            and len(stated) > 1
            and all(map(states_case, stated))
            and not items[0].number
            and not escalates(stated)
        ):
            return [*nodes, self._cases(items, stated)]
        return [*nodes, *self._sequence(items, head)]

    def _cases(self, items: list[Block], stated: list[Block]) -> Choice:
        """Bullets for a case each; one that opens with "Or" is another way in the case before it."""
        choice = self.answers.cases(stated)
        case = -1
        for item in items:
            if item in stated:
                case += 1
                continue
            outcome = choice.outcomes[case]
            outcome.body = beside(outcome.body, self.item(item))
        return choice

    def _apart(self, items: list[Block], nested: bool) -> Node | None:
        """Items of which only one is followed: for a purpose, a group or a state each; None for other items."""
        if len(items) < 2:
            return None
        if all(OPTION.match(item.text) for item in items):
            return self.answers.options(items)
        cases = [item.text for item in items if item.tab] or item_cases(items)
        if cases:
            return Fork("case", [Outcome(case, self._case(item)) for case, item in zip(cases, items, strict=True)])
        if causes := remedied_causes(items):
            bodies = map(self._under_title, items)
            return Fork("cause", [Outcome(cause, body) for cause, body in zip(causes, bodies, strict=True)])
        labels = not nested and not items[0].number and all(map(grouping, items))
        if labels or all(map(names_version, items)):
            return Fork("case", [self.answers.group(item) for item in items])
        return self.answers.states(items) if not nested and all(map(describes_state, items)) else None

    def _sequence(self, items: list[Block], head: DraftStep | None) -> list[Node]:
        """Items one after the other; several cases among them are one decision."""
        nodes: list[Node] = []
        if titles_lists(items):
            return [node for item in items for node in self._under_title(item)]
        at = 0
        parallel = beside_acts(items)
        while at < len(items):
            taken, node = self._parted(items, at)
            if isinstance(node, Choice) and nodes and compared_end(items, at) == at + taken:
                node.step.lines = sorted({*last_lines(nodes), *node.step.lines})
            nodes += [node] if node else self.item(items[at], head, parallel[at])
            at += taken or 1
        return nodes

    def _parted(self, items: list[Block], at: int) -> tuple[int, Node | None]:
        """How many items from `at` on are for a case or a purpose each, and the decision on them; 0 for none."""
        labelled = labelled_end(items, at)
        if labelled > at:
            return labelled - at, self.answers.cases(items[at:labelled], whole=True)
        forked = purposes_end(items, at)
        if forked > at:
            return forked - at, Fork("case", [self.answers.group(item) for item in items[at:forked]])
        either = either_end(items, at)
        if either > at:
            return either - at, Fork("way", [Outcome(one_line(i.text, 60), self.item(i)) for i in items[at:either]])
        end = self._leading(items, at)
        if end - at > 1 and not escalates(items[at:end]):
            return end - at, self.answers.cases(items[at:end])
        return 0, None

    def _leading(self, items: list[Block], at: int) -> int:
        """The end of neighbouring items that only state a condition over what is nested in them, else `at`."""
        end = at
        while end < len(items) and lead_condition(items[end].passage) and items[end].children:
            end += 1
        if end - at > 1 and items[at].number and not one_subject([item.text for item in items[at:end]]):
            end = at  # numbered conditions about different things are looked at one after the other
        return end if end > at else max(exclusive_end(items, at), compared_end(items, at))

    # one item --------------------------------------------------------------------------------------------------------

    def item(self, item: Block, head: DraftStep | None = None, parallel: bool = False) -> list[Node]:
        """The nodes of one item of a procedure."""
        if item.tab:
            self.draft.role(item.passage.lines, "condition")
            return self.nested(item, [])
        if self._aside(item):
            return []
        lettered = len(item.number) == 1 and item.number.isalpha()
        if (
            (not item.number or lettered)
            and not self.draft.opinions.opens(item, self._acts(item, head))
            and not parallel
        ):
            return self._part(item, head)
        if item.number and holds_items(item) and introduces_list(item):
            options = [child for child in item.children if child.kind == "item"]
            if len(options) > 1 and all(opens_outcome(option.passage) for option in options):
                return self._asked(item)
            return self._under_title(item)
        return self.step(item)

    def _aside(self, item: Block) -> bool:
        """Whether an item is a warning, or only refers to something."""
        if boxes.warns(item.text, boxed=True) or (not item.number and boxes.prohibits(item.text)):
            self.draft.warn(item.lines, item.text)
            self.draft.role(item.lines, "warning")
            return True
        refers = not item.number and points_elsewhere(item.text)
        if refers:
            self.draft.role(item.lines, "reference")
        return refers

    def _case(self, item: Block) -> list[Node]:
        """What is done in the case that an item names; it may be no more than the title of a list."""
        titles = bool(item.number) and holds_items(item) and introduces_list(item)
        return self._under_title(item) if titles else self.item(item)

    def _under_title(self, item: Block) -> list[Node]:
        self.draft.role(item.passage.lines, "heading")
        return self.nested(item, [])

    def _asked(self, item: Block) -> list[Node]:
        """An item that only announces the conditions nested in it ("There are two ways, depending on the door:")."""
        self.draft.role(item.passage.lines, "decision", "step-part")
        return self.nested(item, [Act(self.draft.step(item.passage, "decision", number=item.number))])

    def _acts(self, item: Block, head: DraftStep | None) -> bool:
        """Whether a bullet is an act, a check of the reading that its step asks for, or an act under a condition."""
        if item.task or directs(item.text) or form(item.text) == "wait":
            return True
        clause = read_clause(item.passage)
        if clause.condition and (clause.form != "statement" or item.children):
            return True
        return bool(
            head is not None and head.text.rstrip().endswith(":") and is_check(head.text) and _NUMBERS.search(item.text)
        )

    def _part(self, item: Block, head: DraftStep | None) -> list[Node]:
        if labels_command(item):
            return self.step(item)
        nodes: list[Node] = []
        if head is not None:
            self.draft.note(item.passage, len(self.draft.steps))
            self._remark(item.passage)
            head.extend(item.passage.lines)
            self.draft.role(item.passage.lines, "step-part")
        else:
            self.draft.role(item.passage.lines, "heading" if item.children and item.text.endswith(":") else "prose")
        return self.nested(item, nodes, part=head is not None)

    def step(self, item: Block) -> list[Node]:
        """The nodes of an item that is an act; one that only says to go on is none."""
        if only_onward(item.text) and " " not in item.text.strip():
            self.draft.role(item.lines, "condition")
            return []
        governed = self._conditioned(item)
        if governed is not None:
            return governed
        words = self.without_warning(item.passage)
        start = len(self.draft.steps)
        nodes = self.composer.unit(words, number=item.number)
        self.draft.note(words, start)
        if not nodes and words.text:
            nodes = [Act(self.draft.step(words, number=item.number))]
        step = last_step(nodes)
        for node in nodes:
            _number(node, item.number)
        if leaves(nodes[:1]) or only_parts(nodes):
            self.draft.role(item.passage.lines, "condition")
            for before in self.draft.steps[start - 1 : start]:
                before.extend(item.passage.lines)  # where the step before it leads
        decides = bool(nodes) and all(isinstance(node, Choice) for node in nodes)
        self.draft.role(item.passage.lines, "decision" if decides else "step", "step-part")
        if step is not None and len(nodes) == 1:
            step.extend(item.passage.lines)
        return self._governed(item, nodes)

    def _governed(self, item: Block, nodes: list[Node]) -> list[Node]:
        """What is nested in an item; a list below an act under a condition is passed by with that act."""
        act = nodes[0] if len(nodes) == 1 else None
        inner = next((child for child in item.children if child.kind == "item" or child.number), None)
        made = self.nested(item, nodes)
        if not isinstance(act, Act) or inner is None or len(made) < 2 or made[0] is not act:
            return made
        if len(made) == 2 and inner is item.children[0]:
            made = taken_over(self.draft, made)
        first = made[-1] if len(made) < 2 else made[1]
        lists = isinstance(first, Act | Choice) and first.step.lines[0] in inner.lines
        if not act.step.only_if or not lists or made[0] is not act:
            return made
        when, act.step.only_if = act.step.only_if, ""
        if item.text.rstrip().endswith(":"):
            act.step.kind = "decision"
            return [Choice(act.step, [Outcome(when, made[1:])])]
        head = self.draft.before(act.step, SourcePassage(f"If {when}", ((0, act.step.lines[0]),)))
        return [Choice(head, [Outcome(when, made)])]

    def _conditioned(self, item: Block) -> list[Node] | None:
        """An item that is only a condition over the items nested in it, or ends in one; None for others."""
        over = governing(item)
        if over is not None:
            return conditioned(self, item, over)
        lead = lead_condition(item.passage) if holds_items(item) else ""
        if not lead or len(clauses(item.passage)) > 1:
            return None
        self.draft.role(item.passage.lines, "decision", "condition")
        head = self.draft.step(item.passage, "decision", number=item.number)
        return [Choice(head, [Outcome(lead, self.nested(item, []))])]

    def without_warning(self, words: SourcePassage) -> SourcePassage:
        """The words of an item up to the warning that they end in."""
        at = boxes.inline(words.text)
        if at < 0:
            self._remark(words)
            return words
        tail = words.cut(at, len(words.text))
        self.draft.warn(tail.lines, tail.text)
        return words.cut(0, at)

    def _remark(self, words: SourcePassage) -> None:
        """A caution in the middle of an item, whose words stay in its step, too."""
        remark = boxes.remark(words.text)
        if remark:
            self.draft.warn(words.lines, remark, inside=self.draft.next_name)

    def nested(self, item: Block, nodes: list[Node], part: bool = False) -> list[Node]:
        """What stands under the first paragraph of an item."""
        outer = self.draft.path
        self.draft.path = (*outer, item.number) if item.number else outer
        children = adopted(item.children)
        inner = InnerReader(self.draft, titled=item.title and not holds_acts(item), item=item.text)
        unfinished = False
        while children:
            groups = conditional_groups(children, 0) if children[0].kind == "paragraph" else []
            if groups and groups[0].body[0].kind == "item":
                nodes = [*nodes, self._governing(groups)]
                children = children[span(groups) :]
                continue
            child = children.pop(0)
            if child.kind in ("quote", "html", "paragraph") and boxes.bare(child.text):
                inner.box(child, children)
            elif child.kind == "item":
                group = [child]
                while children and children[0].kind == "item" and bool(children[0].number) == bool(child.number):
                    group.append(children.pop(0))
                led = part or (bool(nodes) and unfinished)
                nodes = self._sublist(group, nodes, led, group[0] is item.children[0] and offers_choice(item.text))
            else:
                nodes = inner.child(child, nodes, children[0] if children else None)
            unfinished = child.kind == "paragraph" and bool(
                _UNFINISHED.search(child.text) or tells_of_machine(child.text)
            )
        self.draft.path = outer
        return nodes

    def _governing(self, groups: list[Group]) -> Choice:
        """A lead-in with a condition over the items nested below it; neighbours are answers to one question."""
        lines = [line for group in groups for line in group.lead.lines]
        words = " / ".join(group.case for group in groups)
        head = self.draft.step(SourcePassage(words, tuple((0, line) for line in lines)), "decision")
        outcomes = []
        for group in groups:
            self.draft.role(group.lead.lines, "decision" if len(groups) == 1 else "condition", "step-part")
            inner = Block("item", group.lead.lines, children=list(group.body))
            outcomes.append(Outcome(group.case, self.nested(inner, [])))
        return Choice(head, outcomes, open=len(groups) == 1)

    def _sublist(self, group: list[Block], nodes: list[Node], part: bool, offered: bool) -> list[Node]:
        head = last_step(nodes)
        waiting = nodes[-1] if nodes else None
        told = waiting.outcomes[-1] if isinstance(waiting, Choice) and waiting.outcomes else None
        if told is not None and (not told.body or leaves(told.body)) and group[0].number:
            told.body = self._sequence(group, None)
            return nodes
        if isinstance(waiting, Act) and offered and are_options(group):
            waiting.step.kind = "decision"
            options = [Outcome(item.text.partition(":")[0], self._case(item)) for item in group]
            return [*nodes[:-1], Choice(waiting.step, options, open=False, free=True)]
        if part and head is not None and not group[0].number:
            for item in group:
                head.extend(item.lines)
                self.draft.role(item.lines, "step-part")
            return nodes
        return self.items(group, nodes, nested=bool(nodes))


def _number(node: Node, number: str) -> None:
    if isinstance(node, Act | Choice) and not node.step.number:
        node.step.number = number
