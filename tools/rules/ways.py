"""Where each step of an SOP leads, and under which condition: go-tos, loops, options, and what may be left out."""

from bisect import bisect_left
from dataclasses import dataclass, field, replace

from tools.llm.tasks.retriever import Branch
from tools.rules import branches
from tools.rules.choices import conditions, endings, name, option
from tools.rules.inline import section_number
from tools.rules.outline import Block
from tools.rules.steps import Draft

_NEAR = 12  # how many steps of the same label on each side of a go-to are looked at
_ANSWERS = ({"yes", "no"}, {"ja", "nein"}, {"oui", "non"})

Way = tuple[int, str]  # the step it leads to, and the condition


@dataclass
class Ways:
    """Finds where each step leads."""

    drafts: list[Draft]
    headings: tuple[Block, ...] = ()
    after: list[int] = field(init=False)  # the first step that is not nested in it
    labels: dict[str, list[int]] = field(init=False)
    options: dict[int, str] = field(init=False)  # a step that is one of several to choose from -> when it is the one

    def __post_init__(self) -> None:
        count = len(self.drafts)
        self.after = [count] * count
        open_: list[int] = []
        self.labels = {}
        inside: dict[int, list[int]] = {}
        for at, draft in enumerate(self.drafts):
            while open_ and open_[-1] != draft.parent:
                self.after[open_.pop()] = at
            open_.append(at)
            inside.setdefault(draft.parent, []).append(at)
            for label in self._names(draft):
                self.labels.setdefault(label, []).append(at)
        self.options = {}
        for parent, members in inside.items():
            self.options |= self._choice(parent, members)

    def _names(self, draft: Draft) -> set[str]:
        if not draft.label:
            return set()
        above = self.drafts[draft.parent].label if draft.parent >= 0 else ""
        return {draft.label, branches.normal(f"{above}.{draft.label}")} if above else {draft.label}

    def _choice(self, parent: int, members: list[int]) -> dict[int, str]:
        """The options under a step when all that is nested in it are options."""
        if parent < 0 or len(members) < 2:
            return {}
        asked = self.drafts[parent].told
        leading = any(branches.jumps(self.drafts[at].text) for at in members)
        found = {at: option(text := self.drafts[at].text, asked) or (name(text) if leading else "") for at in members}
        return found if all(found.values()) and len(set(found.values())) == len(found) else {}

    def leave(self, at: int) -> list[Branch]:
        """The branches that leave step `at`."""
        return self._distinct(self._ways(at))

    def _ways(self, at: int) -> list[Way]:
        ends = endings(self.drafts[at].told)
        return [(len(self.drafts) if way in ends else to, way) for to, way in self._leading(at)]

    def _leading(self, at: int) -> list[Way]:
        after = self.after[at]
        known = self._jumps(at)
        own = self._conditions(at)
        nested = after > at + 1
        if known:
            return self._jumping(at, known, own)
        if nested and at + 1 in self.options:
            return self._choosing(at)
        if nested:
            governing = self._governing(at, own)
            if governing:
                return [(at + 1, governing), (after, "otherwise")]
            return self._passing(at + 1, own)
        if self._alternative(after, at) and after not in self.options:
            return [*((self._follow(at), condition) for condition in own or [""]), (after, "otherwise")]
        return self._passing(self._follow(at), own)

    def _conditions(self, at: int) -> list[str]:
        """The conditions under which what step `at` says is to be done; that of an option was answered before it."""
        draft = self.drafts[at]
        found = [] if at in self.options else conditions(draft.told)
        if draft.condition == "otherwise" and branches.denial_of(draft.text) and not self._answers(at):
            found = [branches.denial_of(draft.text), *found]
        return [draft.when, *found] if draft.when else found

    @staticmethod
    def _passing(onward: int, own: list[str]) -> list[Way]:
        """A step that is done under its conditions and else passed by; both lead on to the same step."""
        return [*((onward, condition) for condition in own), (onward, "otherwise")] if own else [(onward, "")]

    def _governing(self, at: int, own: list[str]) -> str:
        """The condition over what is nested in step `at`."""
        draft = self.drafts[at]
        if draft.condition and draft.condition != "otherwise":
            return draft.condition
        return own[-1] if own and draft.told.rstrip().endswith(":") else ""

    def _choosing(self, at: int) -> list[Way]:
        """To one of the options, or past them when none fits."""
        ways = [(member, self.options[member]) for member in self.options if self.drafts[member].parent == at]
        complete = {condition.lower() for _, condition in ways} in _ANSWERS
        return ways if complete else [*ways, (self.after[at], "otherwise")]

    def _jumps(self, at: int) -> list[tuple[int, branches.Jump]]:
        """The go-tos of a step whose targets are there, with the conditions they stand under."""
        draft = self.drafts[at]
        found = []
        for words in (draft.text, *draft.more):
            head = "" if at in self.options else name(words)
            for jump in branches.jumps(words):
                target = self._resolve(jump.target, at)
                if target is not None:
                    found.append((target, self._under(at, replace(jump, condition=jump.condition or head))))
        return found

    def _under(self, at: int, jump: branches.Jump) -> branches.Jump:
        """A go-to in a later sentence stands under the condition that its step opens with; an "otherwise" is none
        where the step is itself the other branch."""
        draft = self.drafts[at]
        opening = draft.condition
        answered = at in self.options or (opening == "otherwise" and self._answers(at))
        denies = jump.condition == "otherwise" or jump.condition == branches.denial_of(draft.text) != ""
        if denies and answered and not jump.leaves:
            return replace(jump, condition="")
        if not jump.condition and not jump.repeats and opening not in ("", "otherwise"):
            return replace(jump, condition=opening)
        return jump

    def _answers(self, at: int) -> bool:
        """Whether step `at` is the other branch of a step before it."""
        before = [other for other in range(at) if self.drafts[other].parent == self.drafts[at].parent]
        return bool(before) and self._alternative(at, before[-1])

    def _jumping(self, at: int, known: list[tuple[int, branches.Jump]], own: list[str]) -> list[Way]:
        ways = [(target, jump.condition or ("repeat" if jump.repeats else "")) for target, jump in known]
        stays = _stays([jump for _, jump in known])
        if stays is None:
            return ways
        nested = self.after[at] > at + 1
        onward = at + 1 if nested or stays == "otherwise" else self._follow(at)
        said = {condition for _, condition in ways}
        ways += [(onward, condition) for condition in own if condition not in said]
        order = {condition: place for place, condition in enumerate(own)}
        return [*sorted(ways, key=lambda way: order.get(way[1], -1)), (onward, stays)]

    def _distinct(self, ways: list[Way]) -> list[Branch]:
        """Each way once; where all lead to one step and none has a condition of its own, one way."""
        seen = dict.fromkeys(way for way in ways if 0 <= way[0] < len(self.drafts))
        conditions = {condition for _, condition in seen} - {"", "otherwise"}
        if len({target for target, _ in seen}) == 1 and not conditions and len(ways) == len(seen):
            seen = dict.fromkeys((target, "") for target, _ in seen)
        return [Branch.model_construct(to=self.drafts[at].start, when=condition) for at, condition in seen]

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
        """Whether step `following` is another option than `at`, or the "otherwise" to it."""
        if following >= len(self.drafts) or self.drafts[following].parent != self.drafts[at].parent:
            return False
        if following in self.options and at in self.options:
            return True
        return self.drafts[following].condition == "otherwise" and bool(branches.condition_of(self.drafts[at].text))

    # targets --------------------------------------------------------------------------------------------------------

    def _resolve(self, target: str, at: int) -> int | None:
        if target in ("next", "previous"):
            return self._follow(at) if target == "next" else (at - 1 if at else None)
        if target.startswith(("section ", "title ", "following ")):
            return self._headed(target, at)
        places = self.labels.get(target, [])
        middle = bisect_left(places, at)
        near = places[max(0, middle - _NEAR) : middle + _NEAR]
        return min(near, key=lambda place: self._distance(place, at), default=None)

    def _headed(self, target: str, at: int) -> int | None:
        """The first step under the heading that a go-to names, other than the step's own."""
        kind, _, name = target.partition(" ")
        here = self.drafts[at].start
        for heading in self.headings:
            number = ".".join(map(str, section_number(heading.words)))
            fits = {
                "section": name in (number, heading.words.split()[-1].lower() if heading.words else ""),
                "title": name in heading.words.lower(),
                "following": heading.start > here,
            }[kind]
            if fits and not heading.start <= here < self._end(heading):
                return next((to for to, one in enumerate(self.drafts) if self._under_heading(one, heading)), None)
        return None

    def _under_heading(self, draft: Draft, heading: Block) -> bool:
        return heading.start <= draft.start < self._end(heading)

    def _end(self, heading: Block) -> int:
        """The line of the next heading of its level or above."""
        later = (other.start for other in self.headings if other.start > heading.start and other.level <= heading.level)
        return next(later, self.drafts[-1].end + heading.start + 1)

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
