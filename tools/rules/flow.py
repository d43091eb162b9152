"""The flow view by rule: the steps of an SOP with the ways between them (paper Eq. 4)."""

from bisect import bisect_left
from dataclasses import dataclass, field

from tools.llm.tasks.retriever import Branch, FlowAnswer, NumberedSop, StepDraft, WarningDraft, unnumber
from tools.rules import branches, remarks
from tools.rules.outline import Block, read
from tools.rules.steps import Draft, Reader

_NEAR = 12  # how many steps of the same label on each side of a go-to are looked at


def extract(sop: NumberedSop) -> FlowAnswer:
    """The steps with their warnings, references and branches, in the order they are written."""
    _, lines = unnumber(sop.numbered)
    body = "\n".join(lines)
    blocks = read(body)
    drafts = Reader(blocks).read() or Reader(blocks, eager=True).read() or _everything(blocks)
    links = branches.definitions(body)
    ways = Ways(drafts)
    return FlowAnswer(steps=[_step(draft, ways.leave(at), links) for at, draft in enumerate(drafts)])


def _everything(blocks: tuple[Block, ...]) -> list[Draft]:
    """An SOP without a single step, not even by an eager reading (a lone warning or heading): its blocks are shown."""
    drafts = []
    for block in [block for block in blocks if block.kind in ("paragraph", "code")] or blocks[:1]:
        kind = remarks.kind_of(block.text)
        warnings = [WarningDraft(kind=kind, start=block.start, end=block.end)] if kind else []
        drafts.append(Draft(block.start, block.end, block.words, source=block.text, warnings=warnings))
    return drafts


def _step(draft: Draft, ways: list[Branch], links: dict[str, str]) -> StepDraft:
    splits = len({way.to for way in ways}) > 1
    decides = splits or bool(draft.when or draft.condition) or (branches.is_question(draft.text) and bool(ways))
    return StepDraft.model_construct(
        kind="decision" if decides else "action",
        start=draft.start,
        end=draft.end,
        next=ways,
        warnings=draft.warnings,
        references=branches.references(draft.source, links),
    )


@dataclass
class Ways:
    """Finds where each step leads."""

    drafts: list[Draft]
    after: list[int] = field(init=False)  # the first step that is not nested in it
    labels: dict[str, list[int]] = field(init=False)

    def __post_init__(self) -> None:
        count = len(self.drafts)
        self.after = [count] * count
        open_: list[int] = []
        self.labels = {}
        for at, draft in enumerate(self.drafts):
            while open_ and open_[-1] != draft.parent:
                self.after[open_.pop()] = at
            open_.append(at)
            for name in self._names(draft):
                self.labels.setdefault(name, []).append(at)

    def _names(self, draft: Draft) -> set[str]:
        if not draft.label:
            return set()
        above = self.drafts[draft.parent].label if draft.parent >= 0 else ""
        return {draft.label, branches.normal(f"{above}.{draft.label}")} if above else {draft.label}

    def leave(self, at: int) -> list[Branch]:
        """The branches that leave step `at`."""
        draft = self.drafts[at]
        after = self.after[at]
        nested = after > at + 1
        found = [(self._resolve(jump.target, at), jump) for jump in branches.jumps(draft.text)]
        known = [(target, jump) for target, jump in found if target is not None]
        if known:
            ways = [(target, jump.condition or ("repeat" if jump.repeats else "")) for target, jump in known]
            stays = _stays([jump for _, jump in known])
            onward = at + 1 if nested or stays == "otherwise" else self._follow(at)
            return self._distinct(ways if stays is None else [*ways, (onward, stays)])
        if nested:
            return self._distinct(
                [(at + 1, draft.condition), (after, "otherwise")] if draft.condition else [(at + 1, "")]
            )
        if self._alternative(after, at):
            return self._distinct([(self._follow(at), draft.condition), (after, "otherwise")])
        return self._distinct([(self._follow(at), "")])

    def _distinct(self, ways: list[tuple[int, str]]) -> list[Branch]:
        seen: dict[int, str] = {}
        for target, condition in ways:
            if 0 <= target < len(self.drafts):
                seen.setdefault(target, condition)
        if len(seen) == 1 and len(ways) > 1 and all(target < len(self.drafts) for target, _ in ways):
            seen = dict.fromkeys(seen, "")  # every way leads to the same step
        return [Branch.model_construct(to=self.drafts[at].start, when=condition) for at, condition in seen.items()]

    def _follow(self, at: int) -> int:
        """Where the way goes on after step `at` and all that is nested in it."""
        while True:
            following = self.after[at]
            if not self._alternative(following, at):
                parent = self.drafts[at].parent
                inside = following < len(self.drafts) and self.drafts[following].parent == parent
                if inside or parent < 0 or not self._alternative(following, parent):
                    return following
                at = parent
            else:
                at = following

    def _alternative(self, following: int, at: int) -> bool:
        """Whether step `following` is the "otherwise" to step `at`."""
        if following >= len(self.drafts) or self.drafts[following].parent != self.drafts[at].parent:
            return False
        return self.drafts[following].condition == "otherwise" and bool(branches.condition_of(self.drafts[at].text))

    def _resolve(self, target: str, at: int) -> int | None:
        if target in ("next", "previous"):
            return self._follow(at) if target == "next" else (at - 1 if at else None)
        places = self.labels.get(target, [])
        middle = bisect_left(places, at)
        near = places[max(0, middle - _NEAR) : middle + _NEAR]
        return min(near, key=lambda place: self._distance(place, at), default=None)

    def _distance(self, place: int, at: int) -> tuple[bool, bool, int]:
        groups = {self.drafts[at].group}
        parent = self.drafts[at].parent
        while parent >= 0 and len(groups) < 8:
            groups.add(self.drafts[parent].group)
            parent = self.drafts[parent].parent
        other = self.drafts[place]
        return other.group not in groups, other.section != self.drafts[at].section, abs(place - at)


def _stays(jumps: list[branches.Jump]) -> str | None:
    """The condition under which a step with go-tos is left for the next one; None when it never is."""
    conditions = [jump.condition for jump in jumps]
    if "otherwise" in conditions and len(conditions) > 1:
        return None  # both branches are go-tos
    leaves = next((jump.leaves for jump in jumps if jump.leaves), "")
    if leaves or conditions == ["otherwise"]:
        return leaves
    return "otherwise" if all(conditions) or all(jump.repeats for jump in jumps) else None
