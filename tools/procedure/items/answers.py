"""Items that state outcomes: answers of the step above them, cases that stand alone, options."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.drafting.draft import Draft
from soprag.tools.procedure.drafting.tree import Act, Choice, DraftStep, Fork, Go, Node, Outcome, Stop
from soprag.tools.procedure.items.item_kinds import holds_acts, holds_numbered
from soprag.tools.procedure.nodes.announcing import differs
from soprag.tools.procedure.nodes.branching import leaves
from soprag.tools.procedure.nodes.composing import lead_condition
from soprag.tools.procedure.nodes.repeated_tests import goes_back
from soprag.tools.procedure.wording.clauses import sentences
from soprag.tools.procedure.wording.conditions import OPENING, form, read_clause
from soprag.tools.procedure.wording.exclusive import complementary, complete, gapped, one_subject
from soprag.tools.procedure.wording.passage import SourcePassage
from soprag.tools.procedure.wording.verbs import directs, is_check, looks_for
from soprag.tools.text.sanitize import one_line

if TYPE_CHECKING:
    from soprag.tools.procedure.items.lists import ListReader

OPTION = re.compile(r"^\W*(?P<label>to \w[\w -]{0,40}|for \w[\w -]{0,40}|on \w[\w -]{0,30})\s*:\s+\S", re.IGNORECASE)


_SUPPOSED = re.compile(r"^\W*(?:if|in case|should|when)\b", re.IGNORECASE)
_STILL = re.compile(r"^(?!.*\bor\b.*\b(?:still|again)\b).*\b(?:still|again|second attempt|that fails)\b", re.IGNORECASE)
_IS_SO = re.compile(r"\b(?:is|are|has|have|does|do|cannot|fails?)\b")
_HAPPENS = re.compile(r"\b(?:is|are|has|have|cannot|can't|fails?|indicates?|means?|does not|do not|\w+n't)\b")
_SUBJECT = re.compile(r"^\W*(?:the|an?|one|no|some|your|there)\s+(?:\S+\s+){2}", re.IGNORECASE)
_MODEL = re.compile(
    r"^\s*\[[\w-]{1,8}\]\s+\w|"
    r"^\W*(?:(?i:model|type|variant|version)\s+)?(?:[A-Z]{2,4}-?\d{1,4}[A-Z]?|[A-Z]|\d)\b[^:]{0,20}:\s+\w"
)

_NOTHING = re.compile(r"^\W*(?:no|none|nothing|neither)\b", re.IGNORECASE)  # "No damage: continue"


@dataclass
class AnswerReader:
    """Reads items as outcomes; what is nested in them is read by the list reader."""

    lists: "ListReader"

    @property
    def draft(self) -> Draft:
        """What the reading collects."""
        return self.lists.draft

    def options(self, items: list[Block]) -> Fork:
        """Items for one purpose each ("To activate: ...")."""
        outcomes = []
        for item in items:
            self.draft.role(item.lines, "step", "step-part")
            label = OPTION.match(item.text)
            outcomes.append(Outcome(label["label"] if label else "", [*self.lists.step(item), Stop()]))
        return Fork("purpose", outcomes)

    def states(self, items: list[Block]) -> Choice:
        """Items that each describe a state over what is done in it ("The pod is pending:")."""
        lines = [item.lines[0] for item in items]
        titles = [item.text.partition(":")[0] for item in items]
        words = " / ".join(titles)
        head = self.draft.step(SourcePassage(words, tuple((0, line) for line in lines)), "decision")
        outcomes = []
        for item, title in zip(items, titles, strict=True):
            self.draft.role(item.passage.lines[:1], "condition", "step-part")
            rest = item.passage.cut(len(title) + 1, len(item.text))
            body = self.lists.composer.unit(rest, prose=True) if rest.text else []
            outcomes.append(Outcome(title, self.lists.nested(item, body)))
        return Choice(head, outcomes, open=False, free=True)

    def group(self, item: Block) -> Outcome:
        """A label over the acts of one case."""
        self.draft.role(item.passage.lines, "condition")
        return Outcome(item.text.strip(" :"), self.lists.nested(item, []))

    def sent(self, items: list[Block], head: DraftStep) -> Choice:
        """Numbered items of which a step above names the one to take."""
        self.draft.steps.remove(head)
        head.kind = "decision"
        self.draft.steps.append(head)
        return Choice(head, [Outcome(one_line(item.text, 60), self.lists.step(item)) for item in items], open=False)

    def cases(self, items: list[Block], whole: bool = False) -> Choice:
        """Items that each open with their own condition and stand under no step: one decision on their lines.

        `whole` says that one of them holds.
        """
        words = " / ".join(read_clause(item.passage).condition or item.text for item in items)
        lines = [item.lines[0] for item in items]
        head = self.draft.step(
            SourcePassage(words, tuple((0, line) for line in lines)), "decision", number=items[0].number
        )
        head.lines = lines
        outcomes = [self.answer(item) for item in items]
        whens = [outcome.when for outcome in outcomes]
        stays_open = not whole and bool(items[0].number) and not complete(whens) and not one_subject(whens)
        return Choice(head, outcomes, open=stays_open, free=True)

    def answers(self, items: list[Block], outcomes: list[bool], nodes: list[Node], head: DraftStep) -> list[Node]:
        """Bullets under a step that say what its outcome leads to."""
        if len(items) > 1 and all(outcomes) and (differs(head.text) or all(_MODEL.match(item.text) for item in items)):
            variants = Fork("variant", _by_case([self._variant(item) for item in items]))
            return [*(self._untold(nodes, head, variants) if differs(head.text) else nodes), variants]
        found = [self.answer(item) if is_one else item for item, is_one in zip(items, outcomes, strict=True)]
        found = self._tried_again(found, head)
        answers = [one for one in found if isinstance(one, Outcome)]
        whole = complete([one.when for one in answers]) or (
            len(answers) > 1 and all(outcomes) and not _expects(head) and not _leave_a_case(items, answers)
        )
        whens = [one.when for one in answers]
        leading = len(answers) > 1 and all(outcomes) and all(leaves(one.body) for one in answers)
        several = _several(head) and not complementary(whens) and not any(map(_NOTHING.match, whens))
        whole = whole and not (several and not leading)
        whole = whole or (len(answers) > 1 and all(outcomes) and any(not one.body for one in answers))
        whole = whole and not (len(answers) == 2 and _after_retest(answers[0], answers[1], head))
        simple = len(answers) == 1 and len(answers[0].body) == 1 and isinstance(answers[0].body[0], Act)
        lines = [line for item, is_one in zip(items, outcomes, strict=True) if is_one for line in item.lines[:1]]
        apart = several and all(one.body for one in answers) and not leading
        if simple or apart or (len(answers) > 1 and not _parting(answers) and not whole and not complementary(whens)):
            chain = [self._maybe(one, head) if isinstance(one, Outcome) else self._loose(one, head) for one in found]
            return [*nodes, *(node for part in chain for node in part)]
        rest = [node for one in found if isinstance(one, Block) for node in self._loose(one, head)]
        pending = nodes[-1] if nodes else None
        if isinstance(pending, Choice) and pending.step is head:
            pending.outcomes += answers
            pending.open = pending.open and not whole
            head.extend(lines)
            return [*nodes, *rest]
        if isinstance(pending, Act) and form(head.text) == "act" and not looks_for(head.text) and len(answers) > 1:
            step = self.draft.step(SourcePassage(" / ".join(whens), tuple((0, line) for line in lines)), "decision")
            step.lines = [head.lines[-1], *lines] if head.lines[-1] < lines[0] else lines
            self.draft.steps.remove(step)
            self.draft.steps.insert(self.draft.steps.index(head) + 1, step)
            return [*nodes, Choice(step, answers, open=not whole, test=head), *rest]
        kept = [node for node in nodes if not (isinstance(node, Act) and node.step is head)]
        head.kind, only_if, head.only_if = "decision", head.only_if, ""
        head.extend(lines)
        return [*kept, Choice(head, answers, open=not whole or bool(only_if)), *rest]

    def _variant(self, item: Block) -> Outcome:
        """What is done for the model that opens a bullet, also under a condition ("Type B: If it is torn, ...")."""
        label = item.text.split(":", 1)[0]
        words = item.passage.cut(min(len(label) + 1, len(item.text)), len(item.text))
        if not words.text or not read_clause(words).condition:
            return self.answer(item)
        self.draft.role(item.lines[:1], "condition")
        start = len(self.draft.steps)
        made = self.lists.nested(item, self.lists.composer.unit(words))
        self.draft.note(item.passage, start)
        return Outcome(label.strip(), made, item.lines[:1])

    def _untold(self, nodes: list[Node], head: DraftStep, variants: Fork) -> list[Node]:
        """The nodes without a step that only says what its variants depend on; jumps to it ask which one it is."""
        first = next((node for one in variants.outcomes for node in one.body if isinstance(node, Act | Choice)), None)
        if first is None or not any(isinstance(node, Act) and node.step is head for node in nodes):
            return nodes
        variants.head = SourcePassage(head.text, ((0, head.lines[0]),))
        first.step.number = head.number
        self.draft.remove(head, first.step)
        self.draft.roles[head.lines[0]] = "heading"
        return [node for node in nodes if not (isinstance(node, Act) and node.step is head)]

    def _tried_again(self, found: list[Outcome | Block], head: DraftStep) -> list[Outcome | Block]:
        """The outcomes, with one that stands after another attempt ("If it still fails, ...") behind the one before.

        It stays an outcome where the one before repeats the test, and it leads away at once.
        """
        kept = found[:1]
        for one in found[1:]:
            before = kept[-1]
            if isinstance(one, Outcome) and isinstance(before, Outcome) and _follows_try(before, one, head):
                before.body += self._maybe(one, head)
            else:
                kept.append(one)
        return kept

    def _maybe(self, outcome: Outcome, head: DraftStep) -> list[Node]:
        """An answer that may not apply: one act is passed by, more of them stand behind a decision."""
        if len(outcome.body) == 1 and isinstance(outcome.body[0], Act):
            outcome.body[0].step.only_if = outcome.body[0].step.only_if or outcome.when
            return outcome.body
        lines = [line for node in outcome.body if isinstance(node, Act | Choice) for line in node.step.lines][
            :1
        ] or list(outcome.stated)
        step = self.draft.step(SourcePassage(outcome.when, ((0, lines[0]),)), "decision")
        self.draft.steps.remove(step)
        at = next(
            (i for i, one in enumerate(self.draft.steps) if lines[0] in one.lines and one is not head),
            len(self.draft.steps),
        )
        self.draft.steps.insert(at, step)
        return [Choice(step, [outcome])]

    def answer(self, item: Block) -> Outcome:
        """The outcome that one bullet states, with what is nested in it."""
        self.draft.role(item.lines[:1], "condition")
        lead = lead_condition(item.passage)
        start = len(self.draft.steps)
        words = self.lists.without_warning(item.passage)
        made = Outcome(lead) if lead and item.children else self.lists.composer.outcome(words)
        self.draft.note(item.passage, start)
        outcome = made or self._found(item)
        outcome.stated = item.lines[:1]
        for line in item.passage.lines[1:]:
            self.draft.role([line], "step-part")
        outcome.body = self.lists.nested(item, outcome.body)
        first = outcome.body[0] if outcome.body else None
        if isinstance(first, Choice) and first.free and not first.step.number:
            first.step.extend(item.passage.lines)
            first.free = False
        return outcome

    def _found(self, item: Block) -> Outcome:
        """The outcome of a bullet whose first sentence tells what is found, and the others what is done then."""
        parts = sentences(item.passage)
        rest = item.text.index(parts[1][0].text, len(parts[0][0].text)) if len(parts) > 1 else len(item.text)
        words = item.passage.cut(rest, len(item.text))
        return Outcome(item.text[:rest].strip(" .:"), self.lists.composer.answer(words) if words.text else [])

    def _loose(self, item: Block, head: DraftStep) -> list[Node]:
        """A bullet among outcomes that is none itself."""
        if directs(item.text):
            return self.lists.item(item, head)
        head.extend(item.lines)
        self.draft.role(item.lines, "step-part")
        return []


def _follows_try(before: Outcome, outcome: Outcome, test: DraftStep) -> bool:
    """Whether an outcome stands after the attempt that the outcome before it ends in."""
    tried = bool(before.body) and isinstance(before.body[-1], Act)
    return tried and bool(_STILL.search(outcome.when)) and not _after_retest(before, outcome, test)


def _after_retest(before: Outcome, outcome: Outcome, test: DraftStep) -> bool:
    """Whether an outcome says where the test leads that the outcome before it repeats ("Still low: go to step 9")."""
    return bool(_STILL.search(outcome.when)) and leaves(outcome.body[:1]) and goes_back(before, test)


def _by_case(outcomes: list[Outcome]) -> list[Outcome]:
    """The outcomes, neighbours for one case as one ("Type A: check it", "Type A: tighten it")."""
    found: list[Outcome] = []
    for outcome in outcomes:
        if found and found[-1].when.lower() == outcome.when.lower():
            found[-1].body += outcome.body
        else:
            found.append(outcome)
    return found


def last_step(nodes: list[Node]) -> DraftStep | None:
    """The step that a list below the nodes belongs to."""
    for node in reversed(nodes):
        if isinstance(node, Act | Choice):
            return node.step
    return None


def last_lines(nodes: list[Node]) -> list[int]:
    """The last line of the act before, on which a decision on what it reads begins."""
    last = nodes[-1] if nodes else None
    return last.step.lines[-1:] if isinstance(last, Act) else []


def last_inner(nodes: list[Node]) -> DraftStep | None:
    """The step read last, inside an outcome too."""
    for node in reversed(nodes):
        if isinstance(node, Act):
            return node.step
        if isinstance(node, Choice):
            inner = last_inner(node.outcomes[-1].body) if node.outcomes else None
            return inner or node.step
    return None


def _expects(head: DraftStep) -> bool:
    """Whether a check states what is accepted, which its outcomes below then need not repeat."""
    return bool(
        re.search(
            r"\b(?:accept|must|should|normal|expected|within|between|at least)\b|\d\s*(?:-|–|to)\s*\d", head.text, re.I
        )
    )


def escalates(items: list[Block]) -> bool:
    """Whether conditions speak of what was done just before ("If the above step fails"): one follows the other."""
    return any(
        re.search(
            r"\b(?:above|previous|preceding|last|these) steps?\b|\bstill\b|\bagain\b|\bnone of\b", item.text, re.I
        )
        for item in items
    )


def _leave_a_case(items: list[Block], answers: list[Outcome]) -> bool:
    """Whether outcomes are faults that may all be absent ("If the lamp is lit, ...", "If nobody replies, ...")."""
    whens = [one.when for one in answers]
    supposed = all(_SUPPOSED.match(item.text) for item in items)
    return supposed and (gapped(whens) or not (one_subject(whens) or complementary(whens)))


def _several(head: DraftStep) -> bool:
    """Whether a check names several quantities ("Check suction pressure, seal water flow and oil level")."""
    first = head.text.split(". ")[0]
    return is_check(first.split(",")[0]) and bool(re.search(r"\w[^.,;:]*(?:\([^)]*\))?,[^.;:]+\band\b", first))


def _parting(answers: list[Outcome]) -> bool:
    """Whether any outcome leaves the order of steps."""
    return any(node for one in answers for node in one.body if isinstance(node, Go | Stop | Choice))


def describes_state(item: Block) -> bool:
    """Whether an item says that something is so, over blocks of its own ("PVC is in Pending state:").

    A bullet over a numbered list needs no colon ("The dewar's pressure exceeds 0.5 mbar").
    """
    opening, colon, _ = item.text.partition(":")
    if directs(opening) or OPENING.match(opening):
        return False
    if not item.number and holds_numbered(item) and _SUBJECT.match(opening):
        return True
    if not item.number and not colon and _HAPPENS.search(opening) and holds_acts(item):
        return True
    stated = bool(_IS_SO.search(opening)) and bool(colon)
    return stated and any(child.kind in ("code", "item", "paragraph") for child in item.children)


def grouping(item: Block) -> bool:
    """Whether an item is only a label over options nested in it."""
    inner = [child for child in item.children if child.kind == "item"]
    return item.text.rstrip().endswith(":") and bool(inner) and all(OPTION.match(child.text) for child in inner)
