"""Conditional clauses as nodes: decisions, acts that may not apply, and what is done under each condition."""

import re
from dataclasses import dataclass, replace

from soprag.tools.procedure.drafting.draft import Draft
from soprag.tools.procedure.drafting.labelled_jumps import labelled_exit
from soprag.tools.procedure.drafting.named_cases import case_exit
from soprag.tools.procedure.drafting.titled_jumps import named_title, titled_exit
from soprag.tools.procedure.drafting.tree import Act, Choice, DraftStep, Go, Node, Outcome, Stop
from soprag.tools.procedure.nodes.conditional_runs import (
    FINITE,
    answered,
    continues,
    goes_on_unsolved,
    governed,
    grouped,
    leads_to_place,
    only_leaves,
    outcome_exit,
    stops,
    tells_half,
    tells_way,
)
from soprag.tools.procedure.nodes.repeated_tests import goes_back
from soprag.tools.procedure.wording.conditions import Clause, form
from soprag.tools.procedure.wording.consequences import is_command_line, only_ends, only_forbids, orders_something
from soprag.tools.procedure.wording.exclusive import complementary, complete
from soprag.tools.procedure.wording.onward import only_onward, onward
from soprag.tools.procedure.wording.passage import SourcePassage
from soprag.tools.procedure.wording.targets import (
    Exit,
    Target,
    bare_words,
    exit_of,
    standing_reference,
)
from soprag.tools.procedure.wording.verbs import ends_in_check
from soprag.tools.sop import StepKind

_TRAIL = re.compile(r"(?:^|[\s,;]+)(?:and |then )*(?:continue|carry on|go on|proceed)\b[\w\s-]*\W*$", re.IGNORECASE)
_SOLVED = re.compile(
    r"^\W*(?:this|that|it|the (?:issue|problem|error|fault|alert|alarm))\s+"
    r"(?:(?:is|was|has been|gets?)\s+)?(?:now\s+)?(?:fixed|resolved|solved|fixes|solves|resolves)\b",
    re.IGNORECASE,
)
_ALSO = re.compile(r"(?:you|one) (?:can|may|could) also\b", re.IGNORECASE)  # another way to do the same step
# "Carry out this section if the alarm was raised. Otherwise ...": what follows is done.
_THIS_PART = re.compile(
    r"^\W*(?:carry out|do|perform|follow|complete) (?:this|these) (?:section|part|steps?)\b", re.IGNORECASE
)
_USES_DOCUMENT = re.compile(r"^\W*(?:use|follow|start|see|go to|refer to|continue with)\b", re.IGNORECASE)


@dataclass
class Brancher:
    """Makes nodes of clauses that stand under conditions."""

    draft: Draft
    inside: bool = False  # in a further paragraph of an item, whose statements explain its step

    @staticmethod
    def run(found: list[Clause], start: int, prose: bool) -> int:
        """The end of the conditional clauses that begin at `start`, with the acts that belong to a stop among them."""
        at = start + 1
        end = governed(found, start) if not prose else start
        if end > start:
            return end
        while at < len(found):
            previous = found[at - 1]
            stays = not found[at].branches and previous.branches
            follows = stays and ((not prose and stops(previous)) or only_leaves(found[at]))
            looks = previous.opener == "otherwise" and previous.form == "check"  # what is read then is asked about next
            if looks or (not found[at].branches and not follows):
                break
            at += 1
        return at

    def branching(self, nodes: list[Node], run: list[Clause], prose: bool) -> list[Node]:
        """The nodes before, then a decision, or acts that may not apply."""
        run = answered(run)
        tried_before = "already" in run[0].condition and self.exit(run[0]) is not None
        if (tried_before and loops(nodes)) or (run[0].opener == "times" and (leaves(nodes) or loops(nodes))):
            return self.again(nodes, run)
        conditions = [clause for clause in run if clause.branches]
        tried = len(run) > 1 and conditions[1:] and run[1].opener != "times" and self.exit(run[0]) is None
        if tried and _TESTS.search(run[0].body.text) and any(map(self.exit, conditions[1:])):
            return self._tested(nodes, run, prose)
        if tried and run[1].repeated and self._stays(run[0]):
            return self.branching([*nodes, *self._chain(nodes, run[:1], prose)], run[1:], prose)
        exits = [self.exit(clause) for clause in conditions]
        attached = any(not clause.branches for clause in run)
        parting = [attached] + [found is not None and not continues(found) for found in exits]
        several = len(conditions) > 1 and (
            all(clause.opener in ("label", "led") for clause in conditions)
            or all(clause.opener == "asked" for clause in conditions)
            or (complementary([clause.condition for clause in conditions]) and all(map(tells_way, conditions)))
            or (prose and all(clause.opener in ("when", "whenever") for clause in conditions))
        )
        back = len(run) == 1 and self._stays(run[0]) and self._tests_again(nodes, run[0])
        if any(parting) or several or back or run[0].opener == "hold" or goes_on_unsolved(run):
            return self._decide(nodes, run, conditions)
        return [*nodes, *self._chain(nodes, run, prose)]

    def _tested(self, nodes: list[Node], run: list[Clause], prose: bool) -> list[Node]:
        """A decision on the first clause, whose act ends in a test that the conditions behind it are about."""
        head = self._head(nodes, run[:1])
        head.extend(run[0].passage.lines)
        inner = self.branching(self.consequence(run[0]), run[1:], prose)
        kept = [node for node in nodes if not (isinstance(node, Act) and node.step is head)]
        return [*kept, Choice(head, [Outcome(run[0].condition, inner)])]

    @staticmethod
    def _tests_again(nodes: list[Node], clause: Clause) -> bool:
        """Whether the act under a condition ends by doing again what the act right before it tests."""
        last = nodes[-1] if nodes else None
        act = Act(DraftStep("", [], clause.body.text))
        return isinstance(last, Act) and not last.step.only_if and goes_back(Outcome("", [act]), last.step)

    def _stays(self, clause: Clause) -> bool:
        """Whether a clause is an act under a condition after which the procedure goes on."""
        return clause.form in ("act", "wait") and self.exit(clause) is None and not onward(clause.body.text)

    def _decide(self, nodes: list[Node], run: list[Clause], conditions: list[Clause]) -> list[Node]:
        head = self._head(nodes, conditions)
        outcomes: list[Outcome] = []
        for clause, inner in grouped(run):
            if inner and outcomes and clause.branches:
                outcomes[-1].body = self.branching(outcomes[-1].body, inner, False)
            elif clause.branches:
                head.extend(clause.passage.lines)
                outcomes.append(Outcome(clause.condition, self.consequence(clause)))
            elif outcomes:
                self.attach(outcomes[-1].body, [clause])
        if len(outcomes) > 1 and outcomes[-1].body == [] and conditions[-1].opener == "otherwise":
            for outcome in outcomes[:-1]:
                _hand_over(outcome)
        if conditions[0].opener == "hold" or goes_on_unsolved(run):
            _hold(outcomes)
        kept = [node for node in nodes if not (isinstance(node, Act) and node.step is head)]
        asked = len(outcomes) > 1 and all(clause.opener == "asked" for clause in conditions)
        whole = (
            asked
            or complete([one.when for one in outcomes])
            or (len(outcomes) > 2 and len({one.opener for one in conditions}) == 1 and conditions[0].opener == "when")
        )
        return [*kept, Choice(head, outcomes, open=not whole, hold=conditions[0].opener == "hold")]

    def _head(self, nodes: list[Node], conditions: list[Clause]) -> DraftStep:
        """The step that decides: the check or the wait just before, or a step of its own."""
        last = nodes[-1] if nodes else None
        reads = isinstance(last, Act) and not last.step.only_if and not last.loops
        if isinstance(last, Act) and reads and _reads(last.step):
            last.step.kind = "decision"
            return last.step
        first = conditions[0]
        words = first.passage.cut(0, max(1, len(first.passage.text) - len(first.body.text)))
        step = self.draft.step(words if words.text and first.opener != "trailing" else first.passage, "decision")
        if nodes and isinstance(last, Act):
            step.number = ""
        return step

    def _chain(self, nodes: list[Node], run: list[Clause], prose: bool) -> list[Node]:
        """Acts that may not apply, one after the other."""
        found: list[Node] = []
        for clause in run:
            step = last_act([*nodes, *found])
            if (
                (onward(clause.body.text) and not self._staying_words(clause))
                or (step and tells_half(clause) and not self.exit(clause))
                or (step and _ALSO.match(clause.body.text))
            ):
                if step is not None:
                    step.extend(clause.passage.lines)
                    step.half_told |= len(run) == 1 and tells_half(clause)
            elif clause.body.text and (clause.form != "statement" or clause.opener in ("otherwise", "only")):
                words = clause.body if len(clause.passage.lines) == len(clause.body.lines) else clause.passage
                made = self.draft.step(replace(words, text=clause.body.text), only_if=clause.condition)
                made.half_told = tells_half(clause)
                found.append(Act(made))
            elif step is not None:
                step.extend(clause.passage.lines)
            elif clause.body.text and not self.inside and (not prose or not FINITE.search(clause.body.text)):
                found.append(Act(self.draft.step(clause.passage, only_if=clause.condition)))
        return found

    def consequence(self, clause: Clause) -> list[Node]:
        """What is done when the condition of a clause holds."""
        text = clause.body.text
        if _THIS_PART.match(text) or (clause.opener == "hold" and not leads_to_place(clause)):
            return []
        leaving = self.exit(clause)
        if leaving is None:
            return self._staying(clause)
        kind: StepKind = "end" if leaving.target.kind in ("end", "document") else "action"
        nodes: list[Node] = []
        before = bare_words(leaving.before)
        if leaving.target.kind == "document" and _USES_DOCUMENT.match(text) and clause.opener not in ("label", "led"):
            before = ""
        idle = only_ends(text) if kind == "end" else not orders_something(before) or only_forbids(before)
        if before and not idle:
            end = len(text) if kind == "end" else len(leaving.before)
            nodes = self.acts(clause.body.cut(0, end), kind=kind)
        if kind == "end":
            return [*nodes, Stop(leaving.target.words)]
        if leaving.calls:
            step = self.draft.step(clause.body)
            return [*nodes, Act(step, loops=[(leaving.target, leaving.target.words)], calls=True)]
        return [*nodes, self.go(leaving.target, clause.passage)]

    @staticmethod
    def _staying_words(clause: Clause) -> str:
        """What is left of a consequence without "continue"."""
        found = _TRAIL.search(clause.body.text)
        return clause.body.text[: found.start()].strip(" .,;") if found else clause.body.text

    def _staying(self, clause: Clause) -> list[Node]:
        text = clause.body.text
        nothing = only_onward(text)
        if is_command_line(text):
            return self.acts(clause.body)
        if not text or nothing or (clause.form == "statement" and not _TRAIL.search(text)):
            return []
        found = _TRAIL.search(text) if onward(text) else None
        words = clause.body.cut(0, found.start() if found else len(text))
        acts = clause.form != "statement" or form(words.text) != "statement"
        return self.acts(words) if words.text.strip(" .,;") and (acts or found) else []

    def exit(self, clause: Clause) -> Exit | None:
        """How the consequence of a condition leaves the order of steps, by title too."""
        text = clause.body.text
        found = named_title(text, self.draft.titles) or outcome_exit(clause) or titled_exit(text, self.draft.titles)
        found = found or labelled_exit(text, self.draft.labels, bare=clause.branches)
        found = found or case_exit(text, self.draft.cases)
        solved = clause.opener in ("if", "when") and clause.form == "act" and _SOLVED.match(clause.condition)
        return Exit(Target("end", words=text), text) if solved and not found else found

    def acts(self, words: SourcePassage, number: str = "", kind: StepKind = "action") -> list[Node]:
        """One step for the words."""
        trimmed = words.cut(0, len(words.text.rstrip(" ,;")))
        waits = form(trimmed.text) == "wait" and kind == "action"
        return [Act(self.draft.step(trimmed, "wait" if waits else kind, number=number))]

    def attach(self, body: list[Node], clauses_: list[Clause]) -> None:
        """Puts further sentences of an outcome before its exit."""
        for clause in clauses_:
            reference = standing_reference(clause.body.text)
            inner = exit_of(clause.body.text)
            pending = not (body and isinstance(body[-1], Go | Stop))
            exit_ = Stop() if pending else body.pop()
            if clause.form != "statement" and not (inner and not bare_words(inner.before)):
                step = last_act(body)
                if step is not None and not clause.branches:
                    step.extend(clause.passage.lines)
                    step.text = f"{step.text} {clause.body.text}"
                else:
                    kind: StepKind = "end" if isinstance(exit_, Stop) and not reference and not pending else "action"
                    body.append(Act(self.draft.step(clause.body, kind)))
            target = reference or (inner.target if inner and inner.target.kind not in ("end", "document") else None)
            stops = not pending or (inner is not None and inner.target.kind in ("end", "document"))
            if target:
                body.append(self.go(target, clause.passage))
            elif stops:
                body.append(exit_)

    def again(self, nodes: list[Node], run: list[Clause]) -> list[Node]:
        """ "Repeat step 4, but only once; the second time, change over": the first time and the second are outcomes."""
        if loops(nodes):
            return self._at_last(nodes, run)
        inner: list[Node] = [node for node in nodes if isinstance(node, Act | Go)]
        return [Choice(self.draft.step(run[0].passage, "decision"), self._tries(inner, run), open=False)]

    def counted(self, body: list[Node], run: list[Clause]) -> Choice:
        """An outcome that is treated otherwise when it is found again: `body` is what is done the first time."""
        step, back = self.draft.step(run[0].passage, "decision"), way_back(body[-1])
        return Choice(step, self._tries([*body, *back], run), open=False, counted=True)

    def _at_last(self, nodes: list[Node], run: list[Clause]) -> list[Node]:
        """ "Try again from step 1; after the third failure the fitter takes over": one of the two is the way on."""
        last = nodes[-1]
        if not isinstance(last, Act):
            return nodes
        last.step.kind = "decision"
        last.step.extend([line for clause in run for line in clause.passage.lines])
        return [*nodes[:-1], Choice(last.step, self._tries(way_back(last), run), open=False)]

    def _tries(self, first: list[Node], run: list[Clause]) -> list[Outcome]:
        """What is done the first time, and under each condition on a later time."""
        later = [Outcome(clause.condition, self.consequence(clause)) for clause in run if clause.branches]
        return [Outcome("first time", first), *later]

    def go(self, target: Target, words: SourcePassage) -> Go:
        """A jump from the place where the reading stands."""
        return Go(target, self.draft.scope, words.lines, self.draft.path)


# "wait ten minutes and read it again", "ask the lead whether it is released"
_TESTS = re.compile(
    r"\b(?:read|check|measure|look|test|weigh|count|compare|sample|analyse)\b[^.;]*"
    r"\b(?:again|once more|a second time)\W*$|"
    r"\b(?:re-?(?:read|check|measure|test|sample|weigh))\b[^.;]*\W*$|"
    r"\b(?:ask|check|see|find out)\b[^.;]*\b(?:whether|if)\b[^.;]*\W*$",
    re.IGNORECASE,
)
_HANDS_OVER = re.compile(
    r"\b(?:call|contact|report|inform|notify|alert|escalate)\b|\b(?:press|push) (?:the )?(?:E-)?STOP\b|\bpostpone\b|"
    r"\bdo not\b"
)


def _hand_over(outcome: Outcome) -> None:
    """Ends a way that calls for help or forbids to go on where the text says that only the other one continues."""
    last = outcome.body[-1] if outcome.body else None
    if isinstance(last, Act) and not last.loops and _HANDS_OVER.search(last.step.text):
        last.step.kind = "end"
        outcome.body.append(Stop())


def _hold(outcomes: list[Outcome]) -> None:
    """Ends every way but that on which the condition of a hold point is met."""
    if len(outcomes) == 1:
        outcomes.append(Outcome("otherwise", [Stop(outcomes[0].when)]))
    for outcome in outcomes[1:]:
        _hand_over(outcome)


def way_back(node: Node) -> list[Node]:
    """The way back that an act has beside the way on, as its only way, taken off the act; nothing for other nodes."""
    if not isinstance(node, Act) or not node.loops:
        return []
    (target, _), *_ = node.loops
    node.loops, node.calls = [], False
    return [Go(target, node.step.scope, tuple(node.step.lines), node.step.path)]


def leaves(nodes: list[Node]) -> bool:
    """Whether nodes end in a jump or a stop."""
    return bool(nodes) and isinstance(nodes[-1], Go | Stop)


def loops(nodes: list[Node]) -> bool:
    """Whether nodes end in an act that goes back."""
    return bool(nodes) and isinstance(nodes[-1], Act) and bool(nodes[-1].loops)


def last_act(nodes: list[Node]) -> DraftStep | None:
    """The step of the last act or decision."""
    for node in reversed(nodes):
        if isinstance(node, Act):
            return node.step
        if isinstance(node, Choice):
            return node.step
    return None


def _reads(step: DraftStep) -> bool:
    """Whether a step ends in a check or a wait whose outcome the conditions behind it can be about."""
    return form(step.text) in ("check", "statement") or ends_in_check(step.text) or _wait_for(step)


def _wait_for(step: DraftStep) -> bool:
    return step.kind == "wait" and bool(re.match(r"^\W*(?:\w+\W+){0,2}wait for\b", step.text, re.IGNORECASE))
