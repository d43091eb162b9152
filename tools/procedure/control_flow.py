"""The branches of each step of an SOP with their conditions: go-tos, loops, options and conditional steps."""

from bisect import bisect_left
from dataclasses import dataclass, field, replace

from soprag.tools.markdown.inline import section_number
from soprag.tools.markdown.outline import OutlineBlock
from soprag.tools.procedure import branches
from soprag.tools.procedure.choices import conditions, endings, name, option
from soprag.tools.procedure.step_reader import StepInProgress
from soprag.tools.tasks.retriever import BranchDraft

_NEAR = 12  # candidates of the same label considered on each side of a go-to
_ANSWERS = ({"yes", "no"}, {"ja", "nein"}, {"oui", "non"})

Way = tuple[int, str]  # index of the target step, condition


@dataclass
class Ways:
    """Resolves the branches of every step."""

    drafts: list[StepInProgress]
    headings: tuple[OutlineBlock, ...] = ()
    after: list[int] = field(init=False)  # for each step, the next one that is not nested in it
    labels: dict[str, list[int]] = field(init=False)
    options: dict[int, str] = field(init=False)  # step that is one of several options -> its condition

    def __post_init__(self) -> None:
        count = len(self.drafts)
        self.after = [count] * count
        open_: list[int] = []
        self.labels = {}
        inside: dict[int, list[int]] = {}
        for index, draft in enumerate(self.drafts):
            while open_ and open_[-1] != draft.parent:
                self.after[open_.pop()] = index
            open_.append(index)
            inside.setdefault(draft.parent, []).append(index)
            for label in self._names(draft):
                self.labels.setdefault(label, []).append(index)
        self.options = {}
        for parent, members in inside.items():
            self.options |= self._choice(parent, members)

    def _names(self, draft: StepInProgress) -> set[str]:
        if not draft.label:
            return set()
        above = self.drafts[draft.parent].label if draft.parent >= 0 else ""
        return {draft.label, branches.normal(f"{above}.{draft.label}")} if above else {draft.label}

    def _choice(self, parent: int, members: list[int]) -> dict[int, str]:
        """The options under a step when all its nested steps are options; else empty."""
        if parent < 0 or len(members) < 2:
            return {}
        question = self.drafts[parent].told
        leading = any(branches.jumps(self.drafts[index].text) for index in members)
        choices = {
            index: option(text := self.drafts[index].text, question) or (name(text) if leading else "")
            for index in members
        }
        return choices if all(choices.values()) and len(set(choices.values())) == len(choices) else {}

    def leave(self, index: int) -> list[BranchDraft]:
        """The branches that leave step `index`."""
        return self._distinct(self._ways(index))

    def _ways(self, index: int) -> list[Way]:
        ends = endings(self.drafts[index].told)
        return [(len(self.drafts) if condition in ends else to, condition) for to, condition in self._leading(index)]

    def _leading(self, index: int) -> list[Way]:
        after = self.after[index]
        jumps = self._jumps(index)
        step_conditions = self._conditions(index)
        nested = after > index + 1
        if jumps:
            return self._jumping(index, jumps, step_conditions)
        if nested and index + 1 in self.options:
            return self._choosing(index)
        if nested:
            governing = self._governing(index, step_conditions)
            if governing:
                return [(index + 1, governing), (after, "otherwise")]
            return self._passing(index + 1, step_conditions)
        if self._alternative(after, index) and after not in self.options:
            return [*((self._follow(index), condition) for condition in step_conditions or [""]), (after, "otherwise")]
        return self._passing(self._follow(index), step_conditions)

    def _conditions(self, index: int) -> list[str]:
        """The conditions that govern step `index`; an option's own condition is decided at its parent."""
        draft = self.drafts[index]
        step_conditions = [] if index in self.options else conditions(draft.told)
        if draft.condition == "otherwise" and branches.denial_of(draft.text) and not self._answers(index):
            step_conditions = [branches.denial_of(draft.text), *step_conditions]
        return [draft.when, *step_conditions] if draft.when else step_conditions

    @staticmethod
    def _passing(onward: int, step_conditions: list[str]) -> list[Way]:
        """The exits of a conditional step that is either done or skipped; all lead to the same step."""
        return (
            [*((onward, condition) for condition in step_conditions), (onward, "otherwise")]
            if step_conditions
            else [(onward, "")]
        )

    def _governing(self, index: int, step_conditions: list[str]) -> str:
        """The condition that governs the steps nested in step `index`; empty when there is none."""
        draft = self.drafts[index]
        if draft.condition and draft.condition != "otherwise":
            return draft.condition
        return step_conditions[-1] if step_conditions and draft.told.rstrip().endswith(":") else ""

    def _choosing(self, index: int) -> list[Way]:
        """The exits to the options, and past them unless they are a complete yes and no."""
        exits = [(member, self.options[member]) for member in self.options if self.drafts[member].parent == index]
        complete = {condition.lower() for _, condition in exits} in _ANSWERS
        return exits if complete else [*exits, (self.after[index], "otherwise")]

    def _jumps(self, index: int) -> list[tuple[int, branches.Jump]]:
        """The go-tos of a step whose targets exist, with their conditions."""
        draft = self.drafts[index]
        jumps = []
        for text in (draft.text, *draft.more):
            head = "" if index in self.options else name(text)
            for jump in branches.jumps(text):
                target = self._resolve(jump.target, index)
                if target is not None:
                    jumps.append((target, self._under(index, replace(jump, condition=jump.condition or head))))
        return jumps

    def _under(self, index: int, jump: branches.Jump) -> branches.Jump:
        """The go-to with the step's opening condition where it has none; in an else branch, without "otherwise"."""
        draft = self.drafts[index]
        opening = draft.condition
        answered = index in self.options or (opening == "otherwise" and self._answers(index))
        denies = jump.condition == "otherwise" or jump.condition == branches.denial_of(draft.text) != ""
        if denies and answered and not jump.leaves:
            return replace(jump, condition="")
        if not jump.condition and not jump.repeats and opening not in ("", "otherwise"):
            return replace(jump, condition=opening)
        return jump

    def _answers(self, index: int) -> bool:
        """Whether step `index` is the else branch or another option of the sibling before it."""
        before = [sibling for sibling in range(index) if self.drafts[sibling].parent == self.drafts[index].parent]
        return bool(before) and self._alternative(index, before[-1])

    def _jumping(self, index: int, jumps: list[tuple[int, branches.Jump]], step_conditions: list[str]) -> list[Way]:
        exits = [(target, jump.condition or ("repeat" if jump.repeats else "")) for target, jump in jumps]
        stays = _stays([jump for _, jump in jumps])
        if stays is None:
            return exits
        nested = self.after[index] > index + 1
        onward = index + 1 if nested or stays == "otherwise" else self._follow(index)
        covered = {condition for _, condition in exits}
        exits += [(onward, condition) for condition in step_conditions if condition not in covered]
        order = {condition: rank for rank, condition in enumerate(step_conditions)}
        return [*sorted(exits, key=lambda branch: order.get(branch[1], -1)), (onward, stays)]

    def _distinct(self, exits: list[Way]) -> list[BranchDraft]:
        """The distinct branches; one unconditional branch where all lead to the same step without own conditions."""
        unique = dict.fromkeys(branch for branch in exits if 0 <= branch[0] < len(self.drafts))
        conditions = {condition for _, condition in unique} - {"", "otherwise"}
        if len({target for target, _ in unique}) == 1 and not conditions and len(exits) == len(unique):
            unique = dict.fromkeys((target, "") for target, _ in unique)
        return [BranchDraft.model_construct(to=self.drafts[index].start, when=condition) for index, condition in unique]

    def _follow(self, index: int) -> int:
        """The step that follows step `index` and everything nested in it, skipping alternatives."""
        while True:
            following = self.after[index]
            if not self._alternative(following, index):
                parent = self.drafts[index].parent
                inside = following < len(self.drafts) and self.drafts[following].parent == parent
                if inside or parent < 0 or not self._alternative(following, parent):
                    return following
                index = parent
            else:
                index = following

    def _alternative(self, following: int, index: int) -> bool:
        """Whether step `following` is an alternative to step `index`: another option, or its else branch."""
        if following >= len(self.drafts) or self.drafts[following].parent != self.drafts[index].parent:
            return False
        if following in self.options and index in self.options:
            return True
        return self.drafts[following].condition == "otherwise" and bool(branches.condition_of(self.drafts[index].text))

    # targets --------------------------------------------------------------------------------------------------------

    def _resolve(self, target: str, index: int) -> int | None:
        if target in ("next", "previous"):
            return self._follow(index) if target == "next" else (index - 1 if index else None)
        if target.startswith(("section ", "title ", "following ")):
            return self._headed(target, index)
        candidates = self.labels.get(target, [])
        middle = bisect_left(candidates, index)
        near = candidates[max(0, middle - _NEAR) : middle + _NEAR]
        return min(near, key=lambda candidate: self._distance(candidate, index), default=None)

    def _headed(self, target: str, index: int) -> int | None:
        """The first step under the heading a go-to refers to, other than the step's own heading."""
        kind, _, name = target.partition(" ")
        line = self.drafts[index].start
        for heading in self.headings:
            number = ".".join(map(str, section_number(heading.words)))
            fits = {
                "section": name in (number, heading.words.split()[-1].lower() if heading.words else ""),
                "title": name in heading.words.lower(),
                "following": heading.start > line,
            }[kind]
            if fits and not heading.start <= line < self._end(heading):
                return next((to for to, draft in enumerate(self.drafts) if self._under_heading(draft, heading)), None)
        return None

    def _under_heading(self, draft: StepInProgress, heading: OutlineBlock) -> bool:
        return heading.start <= draft.start < self._end(heading)

    def _end(self, heading: OutlineBlock) -> int:
        """The line of the next heading of its level or above."""
        later = (
            candidate.start
            for candidate in self.headings
            if candidate.start > heading.start and candidate.level <= heading.level
        )
        return next(later, self.drafts[-1].end + heading.start + 1)

    def _distance(self, candidate: int, index: int) -> tuple[bool, bool, int]:
        groups = {self.drafts[index].group}
        parent = self.drafts[index].parent
        while parent >= 0 and len(groups) < 8:
            groups.add(self.drafts[parent].group)
            parent = self.drafts[parent].parent
        target = self.drafts[candidate]
        return target.group not in groups, target.section != self.drafts[index].section, abs(candidate - index)


def _stays(jumps: list[branches.Jump]) -> str | None:
    """The condition under which a step with go-tos continues to the next step; None when it never does."""
    conditions = [jump.condition for jump in jumps]
    if "otherwise" in conditions and len(conditions) > 1:
        return None  # both branches are go-tos
    leaves = next((jump.leaves for jump in jumps if jump.leaves), "")
    if leaves or conditions == ["otherwise"]:
        return leaves
    return "otherwise" if all(conditions) or all(jump.repeats for jump in jumps) else None
