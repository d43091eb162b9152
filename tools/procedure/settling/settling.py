"""Settles which steps are decisions, once every way is known."""

from dataclasses import dataclass

from soprag.tools.procedure.drafting.draft import Draft
from soprag.tools.procedure.drafting.tree import DraftStep
from soprag.tools.procedure.settling.control import LinkedFlow
from soprag.tools.procedure.wording.conditions import OPENING
from soprag.tools.procedure.wording.endings import hands_work_over
from soprag.tools.procedure.wording.verbs import ends_in_check
from soprag.tools.sop import END


def settle(draft: Draft, flow: LinkedFlow) -> None:
    """Turns decisions that do not part the ways into acts that may not apply.

    A decision whose ways all lead to one step is no decision; a way that could not be resolved leads elsewhere. One
    act that is either done or passed by, with the same step after it, is an act under a condition.
    """
    _drop_unasked(draft, flow)
    _end_handed_over(draft, flow)
    open_ = {one.step for one in flow.unresolved}
    for step in [step for step in draft.steps if step.kind == "decision" and step.id not in open_]:
        if len({target for source, target, _ in flow.edges if source == step.id}) < 2:
            _merge_ways(step, flow)
        else:
            _Collapse(draft, flow, step).apply()


def _end_handed_over(draft: Draft, flow: LinkedFlow) -> None:
    """Ends the work behind the last act of a section that hands what it is about over to somebody."""
    scopes = {step.id: step.scope for step in draft.steps}
    for step in draft.steps:
        ways = [edge for edge in flow.edges if edge[0] == step.id]
        leaves = len(ways) == 1 and scopes.get(ways[0][1], step.scope) != step.scope and not ways[0][2]
        if leaves and not step.only_if and step.kind == "action" and hands_work_over(step.text):
            flow.edges = [(a, END if a == step.id else b, when) for a, b, when in flow.edges]
            step.kind = "end"


def _drop_unasked(draft: Draft, flow: LinkedFlow) -> None:
    """Takes out the question of a heading ("If the pump cannot take it") where only jumps enter its section."""
    reached = {target for _, target, _ in flow.edges} | {step for _, step in flow.entries}
    for step in draft.steps[1:]:
        inner = next((target for source, target, when in flow.edges if source == step.id and when != "otherwise"), "")
        entered = {source for source, target, _ in flow.edges if target == inner} - {step.id}
        heir = next((one for one in draft.steps if one.id == inner), None)
        asked = step.kind == "decision" and draft.roles.get(step.lines[0]) == "condition"
        if asked and entered and heir is not None and step.id not in reached:
            flow.edges = [edge for edge in flow.edges if edge[0] != step.id]
            draft.remove(step, heir)


def _merge_ways(step: DraftStep, flow: LinkedFlow) -> None:
    leaving = [edge for edge in flow.edges if edge[0] == step.id]
    step.kind = "action"
    if OPENING.match(step.text):
        step.only_if = next((when for _, _, when in leaving if when != "otherwise"), "")
    flow.edges = [edge for edge in flow.edges if edge[0] != step.id]
    flow.edges += [(step.id, target, "") for target in dict.fromkeys(edge[1] for edge in leaving)]


@dataclass(frozen=True)
class _Collapse:
    """A decision, its single act and the step after both."""

    draft: Draft
    flow: LinkedFlow
    step: DraftStep

    def apply(self) -> None:
        act, when = self._optional_act()
        if act is None:
            return
        act.only_if = when
        act.kind = "action" if act.kind == "end" else act.kind
        if OPENING.match(self.step.text) and not ends_in_check(self.step.text):
            self._remove(act)
        else:
            self.step.kind = "action"
            self.flow.edges = [
                (source, target, "" if source == self.step.id else words)
                for source, target, words in self.flow.edges
                if source != self.step.id or target == act.id
            ]

    def _optional_act(self) -> tuple[DraftStep | None, str]:
        """The act that one way leads through while the other passes it by, and its condition."""
        ways = [(target, when) for source, target, when in self.flow.edges if source == self.step.id]
        stated = [(target, when) for target, when in ways if when != "otherwise"]
        if len(ways) != 2 or len(stated) != 1:
            return None, ""
        (inner, when), (rest, _) = stated[0], next(way for way in ways if way[1] == "otherwise")
        after = [target for source, target, _ in self.flow.edges if source == inner]
        into = [source for source, target, _ in self.flow.edges if target == inner]
        act = next((step for step in self.draft.steps if step.id == inner), None)
        if act is None or after != [rest] or into != [self.step.id] or act.kind not in ("action", "wait", "end"):
            return None, ""
        return (act, when) if not act.only_if and (act.kind != "end" or rest == END) else (None, "")

    def _remove(self, act: DraftStep) -> None:
        """Takes the decision out; what led to it leads to its act."""
        gone = self.step.id
        self.flow.edges = [
            (source, act.id if target == gone else target, when)
            for source, target, when in self.flow.edges
            if source != gone
        ]
        self.flow.entries = [(words, act.id if step == gone else step) for words, step in self.flow.entries]
        self.flow.alternatives = [
            (by, [act.id if step == gone else step for step in entries]) for by, entries in self.flow.alternatives
        ]
        act.extend(self.step.lines)
        act.number = act.number or self.step.number
        self.draft.remove(self.step, act)
