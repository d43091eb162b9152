"""From the tree of the control flow to edges between steps; what a jump names is looked up here."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from soprag.tools.procedure.blocks.sections import Section
from soprag.tools.procedure.drafting.draft import Draft
from soprag.tools.procedure.drafting.named_cases import words_of
from soprag.tools.procedure.drafting.tree import Act, Choice, DraftStep, Fork, Go, Node, Outcome, Part, Stop
from soprag.tools.procedure.nodes.repeated_tests import goes_back
from soprag.tools.procedure.wording.passage import SourcePassage
from soprag.tools.procedure.wording.targets import Target
from soprag.tools.sop import END, Call, Unresolved

_THIS = re.compile(r"(?:this|the (?:same|above|present)|these)\b", re.IGNORECASE)
_WORD = re.compile(r"[a-z0-9]+")

_PLACED = re.compile(
    r"^\W*(?:section|part|chapter|phase|stage)\s+(?P<label>\d{1,2}(?:\.\d{1,2})*|[a-z])\W*$", re.IGNORECASE
)


@dataclass(frozen=True)
class LinkedWay:
    """A way to a step (or END), to a jump still to be resolved, under the words of a condition."""

    to: str | Go
    when: str = ""
    done: frozenset[int] = frozenset()  # the sections that have been done to their end on this way


@dataclass
class LinkedFlow:
    """The edges of a procedure and where reading may begin."""

    edges: list[tuple[str, str, str]] = field(default_factory=list)  # from, to, when
    entries: list[tuple[str, str]] = field(default_factory=list)  # situation, step
    alternatives: list[tuple[str, list[str]]] = field(default_factory=list)
    unresolved: list[Unresolved] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)


@dataclass
class Linker:
    """Lays the edges of a tree, last node first, and resolves the jumps at the end."""

    draft: Draft
    sections: list[Section]
    flow: LinkedFlow = field(default_factory=LinkedFlow)
    loose: list[tuple[str, Go, str]] = field(default_factory=list)
    exits: list[tuple[str, str, frozenset[int]]] = field(default_factory=list)  # from, to, sections done on this way
    called: list[tuple[str, Target, str]] = field(default_factory=list)  # step, section, what follows the call
    forks: dict[str, tuple[SourcePassage, list[tuple[str, str]]]] = field(default_factory=dict)  # by their first step
    parted: list[tuple[str, list[LinkedWay]]] = field(default_factory=list)  # what the ways part by, alternatives each
    asked: dict[str, str] = field(default_factory=dict)  # first of alternatives -> the question which one it is

    def link(self, nodes: list[Node]) -> LinkedFlow:
        """The flow of a whole document."""
        ways = self._nodes(nodes, [LinkedWay(END)])
        begin = [(way.when, way.to) for way in ways if isinstance(way.to, str) and way.to != END]
        self.flow.entries = begin + self.flow.entries
        for start, jump, when in self.loose:
            self._resolved(start, jump, when)
        self.flow.edges = list(dict.fromkeys(self.flow.edges))
        self.flow.alternatives += [(by, entries) for by, ways in self.parted if len(entries := self._begun(ways)) > 1]
        self.flow.calls = [call for start, target, after in self.called if (call := self._call(start, target, after))]
        return self.flow

    def _call(self, start: str, target: Target, after: str) -> Call | None:
        """The call of a section from outside it; None for a section that is not there or holds the caller itself."""
        index = self._named(target.name, anchor=target.kind == "anchor", numbered=target.kind == "section")
        scopes = self._scopes(index) if index is not None else set()
        steps = tuple(step.id for step in self.draft.steps if step.scope in scopes)
        if index is None or not steps or start in steps:
            return None
        exits = tuple(dict.fromkeys((a, b) for a, b, done in self.exits if index in done and a in steps))
        return Call(source=start, target=steps[0], steps=steps, exits=exits, returns=after)

    def _nodes(self, nodes: list[Node], ways: list[LinkedWay]) -> list[LinkedWay]:
        beyond = entry = ways
        for at in range(len(nodes) - 1, -1, -1):
            node = nodes[at]
            if isinstance(node, Part) and node.apart:
                after = nodes[at + 1] if at + 1 < len(nodes) else None
                if not (isinstance(after, Part) and after.apart):
                    beyond = entry = ways
                entered = self._node(node, beyond)
                entry = entry if node.passed else entered
                before = nodes[at - 1] if at else None
                ways = beyond if isinstance(before, Part) and before.apart else entry
                continue
            ways = self._node(node, ways)
        return ways

    def _node(self, node: Node, ways: list[LinkedWay]) -> list[LinkedWay]:
        if isinstance(node, Act):
            return self._act(node, ways)
        if isinstance(node, Choice):
            return self._choice(node, ways)
        if isinstance(node, Fork):
            return self._fork(node, ways)
        if isinstance(node, Part):
            return self._part(node, ways)
        return [LinkedWay(END if isinstance(node, Stop) else node)]

    def _act(self, node: Act, ways: list[LinkedWay]) -> list[LinkedWay]:
        for target, when in node.loops:
            self._edge(node.step, LinkedWay(Go(target, node.step.scope, tuple(node.step.lines), node.step.path), when))
        for way in ways:
            self._edge(node.step, LinkedWay(way.to, way.when or ("otherwise" if node.loops else ""), way.done))
        after = next((way.to for way in ways if isinstance(way.to, str)), "")
        if node.calls and len(ways) == 1 and after:
            self.called += [(node.step.id, target, after) for target, _ in node.loops]
        return [LinkedWay(node.step.id)]

    def _choice(self, node: Choice, ways: list[LinkedWay]) -> list[LinkedWay]:
        entries: list[LinkedWay] = []
        if node.hold and self._passes_over(node, ways):
            node.outcomes[-1].body = []
        for outcome in node.outcomes:
            test = node.test or node.step
            beyond = [LinkedWay(test.id)] if goes_back(outcome, test) else ways
            inside = self._nodes(outcome.body, beyond)
            entries += inside[:1] if outcome.body else []
            for way in inside:
                self._edge(node.step, LinkedWay(way.to, outcome.when, way.done))
        if node.open:
            for way in ways:
                self._edge(node.step, LinkedWay(way.to, way.when or "otherwise", way.done))
        if node.free:
            self.parted.append((node.step.text, entries))
        return [LinkedWay(node.step.id)]

    def _passes_over(self, node: Choice, ways: list[LinkedWay]) -> bool:
        """Whether a hold point lets pass to a later step ("Only proceed to step 9 if"): else the next one is done."""
        jump = node.outcomes[0].body[-1] if node.outcomes[0].body else None
        there = self.target(jump, node.step.id) if isinstance(jump, Go) else None
        return there is not None and there not in {way.to for way in ways}

    def _fork(self, node: Fork, ways: list[LinkedWay]) -> list[LinkedWay]:
        found: list[LinkedWay] = []
        for outcome in node.outcomes:
            found += [LinkedWay(way.to, outcome.when, way.done) for way in self._nodes(outcome.body, ways)]
        self.parted.append((node.by, found))
        entries = self._entry(found)
        if len(entries) > 1 and node.head is not None:
            self.forks[entries[0][1]] = node.head, entries
        return found or ways

    def _part(self, node: Part, ways: list[LinkedWay]) -> list[LinkedWay]:
        beyond = [LinkedWay(END)] if node.detached and not node.shares_end else ways
        inside = self._nodes(node.body, [replace(way, done=way.done | {node.scope}) for way in beyond])
        if node.detached:
            self.flow.entries += [(when or node.situation, entry) for when, entry in self._entry(inside)]
            return ways
        return inside

    @staticmethod
    def _entry(ways: list[LinkedWay]) -> list[tuple[str, str]]:
        """The steps that ways begin at, each with the case it is for."""
        return [(way.when, way.to) for way in ways if isinstance(way.to, str) and way.to != END]

    def _begun(self, ways: list[LinkedWay]) -> list[str]:
        """The steps that ways begin at, those of jumps ahead among them."""
        found = (way.to if isinstance(way.to, str) else self._ahead(way.to) for way in ways)
        return [step for step in dict.fromkeys(found) if step and step != END]

    def _ahead(self, jump: Go) -> str:
        """The step that a jump leads to, where that stands behind it."""
        order = [step.id for step in self.draft.steps]
        before = [step.id for step in self.draft.steps if step.lines and step.lines[0] <= jump.lines[0]] or order[:1]
        target = self.target(jump, before[-1])
        return target if target in order and order.index(target) > order.index(before[-1]) else ""

    def _edge(self, step: DraftStep, way: LinkedWay) -> None:
        if isinstance(way.to, Go):
            self.loose.append((step.id, way.to, way.when))
        else:
            self.flow.edges.append((step.id, way.to, way.when))
            self.exits.append((step.id, way.to, way.done))

    # jumps -----------------------------------------------------------------------------------------------------------

    def _resolved(self, start: str, jump: Go, when: str) -> None:
        target = self.target(jump, start)
        if target is None:
            self.flow.unresolved.append(Unresolved(lines=jump.lines, reason=jump.target.words, step=start, when=when))
        else:
            self.flow.edges.append((start, self._asked(target), when or jump.target.words))

    def _asked(self, target: str) -> str:
        """The step that a jump enters: where it is the first of several alternatives, the question which one it is."""
        if target not in self.forks:
            return target
        if target not in self.asked:
            head, ways = self.forks[target]
            first = next(step for step in self.draft.steps if step.id == target)
            asked = self.draft.before(first, head)
            first.number, asked.number = asked.number, ""
            self.draft.roles[head.lines[0]] = "decision"
            self.flow.edges += [(asked.id, entry, when) for when, entry in ways]
            self.asked[target] = asked.id
        return self.asked[target]

    def target(self, jump: Go, start: str) -> str | None:
        """The step that a jump leads to, END, or None when nothing of that name is there."""
        order = [step.id for step in self.draft.steps]
        at = order.index(start)
        target = jump.target
        if target.kind in {"end", "document"}:
            return END
        found: Callable[[], str | None] | None = {
            "next": lambda: self._after(at),
            "start": lambda: next((step.id for step in self.draft.steps if step.scope == jump.scope), None),
            "after": lambda: self._past(target, jump, at),
            "step": lambda: self._labelled(jump, at),
            "case": lambda: self._case(target.name, at),
        }.get(target.kind)
        if found is not None:
            return found()
        return self._section(target, self.draft.steps[at].scope)

    def _case(self, label: str, at: int) -> str | None:
        """The step that the nearest outcome of that name leads to."""
        order, named = {step.id: i for i, step in enumerate(self.draft.steps)}, words_of(label)
        ways = [(order[start], to) for start, to, when in self.flow.edges if named <= words_of(when)]
        for start, jump, when in self.loose:
            to = self.target(jump, start) if jump.target.kind != "case" and named <= words_of(when) else None
            ways += [(order[start], to)] if to else []
        before = [way for way in ways if way[0] <= at]
        return max(before)[1] if before else None

    def _labelled(self, jump: Go, at: int) -> str | None:
        """The step of a label; None for a step of something that is not in the document."""
        target = jump.target
        scope = self._named(target.name) if target.name else None
        if scope is None and target.name and not _THIS.match(target.name):
            return None
        path = () if "(" in target.words else jump.path  # a number in brackets is one of the document
        found = self._step(target.step, scope if scope is not None else jump.scope, path, at)
        there = next((step.scope for step in self.draft.steps if step.id == found), None)
        titled = None if target.name or there == jump.scope else self._titled_step(target.step)
        return titled or found or self._labelled_section(target.step)

    def _labelled_section(self, label: str) -> str | None:
        """The first step of the section of a number ("4.0"), or the step of a section that "D1" names."""
        split = re.fullmatch(r"(?P<letter>[a-z])[.-]?(?P<step>\d{1,2})", label)
        if split:
            return self._section(Target("section", split["letter"], split["step"]), -1)
        return self._section(Target("section", label), -1)

    def _titled_step(self, label: str) -> str | None:
        """The first step of the section that calls itself a step ("Step 2: Remount"), or nothing."""
        opening = re.compile(rf"^\W*step\s+{re.escape(label.strip('().'))}(?:[\s.:)–—-]|$)", re.IGNORECASE)
        section = next((one.index for one in self.sections[1:] if opening.match(one.title)), None)
        inside = self._scopes(section) if section is not None else set()
        return next((step.id for step in self.draft.steps if step.scope in inside), None)

    def _after(self, at: int) -> str:
        own = self.draft.steps[at]
        later = (s.id for s in self.draft.steps[at + 1 :] if s.number and s.number != own.number)
        return next(later, END)

    def _beyond(self, count: int, at: int) -> str:
        """The step behind the next `count` numbers or, without numbers, lines."""
        own = self.draft.steps[at]
        names = [(step.id, step.number or str(step.lines[0])) for step in self.draft.steps[at + 1 :]]
        later = dict.fromkeys(name for _, name in names if name != own.number)
        left = list(later)[count:]
        return next((step for step, name in names if left and name == left[0]), END)

    def _past(self, target: Target, jump: Go, at: int) -> str | None:
        if target.name == "section":
            return next((s.id for s in self.draft.steps[at + 1 :] if s.scope != jump.scope), END)
        if target.name.startswith("+"):
            return self._beyond(int(target.name), at)
        last = self._step(target.name, jump.scope, jump.path, at)
        if last is None:
            return None
        index = next(i for i, step in enumerate(self.draft.steps) if step.id == last)
        number = self.draft.steps[index].number
        return next((s.id for s in self.draft.steps[index + 1 :] if s.number and s.number != number), END)

    def _step(self, label: str, scope: int, path: tuple[str, ...], at: int) -> str | None:
        """The first step of a label: among the siblings, then in the section, then the only one in the document."""
        label = label.strip("().").lower()
        parts = tuple(label.split(".")) if "." in label else (*re.findall(r"^\d+|[a-z]$", label),)
        steps = self.draft.steps
        exact = [s for s in steps if s.scope == scope and s.number.lower() == label]
        siblings = [s for s in exact if s.path == path] or [s for s in exact if s.path == path[:-1]] or exact
        if siblings:
            return siblings[0].id
        deep = [
            s
            for s in steps
            if s.scope == scope and (*s.path, s.number.lower())[-len(parts) :] == parts and len(parts) > 1
        ]
        if deep:
            return deep[0].id
        continued = [int(s.number) for s in steps if s.scope == scope and s.number.isdigit()]
        if label.isdigit() and continued and min(continued) > int(label):
            before = [s for s in steps[: at + 1] if s.number.lower() == label]
            if before:  # the numbering goes on from the section before
                return next(s.id for s in before if s.scope == before[-1].scope)
        everywhere = {(s.scope, s.path): s.id for s in reversed(steps) if s.number.lower() == label}
        return next(iter(everywhere.values())) if len(everywhere) == 1 else None

    def _section(self, target: Target, scope: int) -> str | None:
        index = self._named(target.name, anchor=target.kind == "anchor", numbered=target.kind == "section")
        if index is None:
            return None
        if target.step:
            return self._within(target.step, index)
        inside = self._scopes(index)
        if scope in inside and target.kind == "title":
            return None  # a section cannot be what it sends its own reader to
        return next((step.id for step in self.draft.steps if step.scope in inside), None)

    def _within(self, label: str, index: int) -> str | None:
        """The step of a section that a number or "case 2" names."""
        word, _, number = label.rpartition(" ")
        inside = [step for step in self.draft.steps if step.scope in self._scopes(index)]
        opening = re.compile(rf"^\W*{re.escape(word)}\s+{re.escape(number)}\b", re.IGNORECASE) if word else None
        named = [step.id for step in inside if opening is not None and opening.match(step.text)]
        return named[0] if named else self._step(number, index, (), 0)

    def _scopes(self, index: int) -> set[int]:
        section = self.sections[index]
        found, open_ = {index}, list(section.parts)
        while open_:
            part = open_.pop()
            found.add(part.index)
            open_ += part.parts
        return found

    def _named(self, name: str, anchor: bool = False, numbered: bool = False) -> int | None:
        """The section of a title, an anchor or a number."""
        for section in self.sections[1:]:
            title = section.title.lower()
            if anchor and slug(title) == name.lower().strip("-"):
                return section.index
            if numbered and numbers_title(title, name.lower()):
                return section.index
        if anchor or numbered:
            return None
        placed = _PLACED.match(name)
        index = self._named(placed["label"], numbered=True) if placed else None
        return index or self._titled(name)

    def _titled(self, name: str) -> int | None:
        asked = set(_WORD.findall(name.lower()))
        scores = []
        for section in self.sections[1:]:
            words = set(_WORD.findall(section.title.lower()))
            if words and asked and (asked <= words or words <= asked):
                scores.append((len(asked & words) / len(asked | words), -section.index))
        return -max(scores)[1] if scores and max(scores)[0] >= 0.4 else None


def slug(title: str) -> str:
    """The anchor that Markdown renderers make of a heading."""
    return "-".join(re.sub(r"[^\w\s-]", "", title.lower()).split()).strip("-")


def numbers_title(title: str, number: str) -> bool:
    """Whether a title in lower case begins with a number or letter, alone or behind a word such as "part".

    "a procedure" begins with no letter.
    """
    closed = r"[.:)–—-]|\s[–—-]|$" if number == "a" else r"[\s.:)–—-]|$"
    return bool(
        re.match(
            rf"^\W*(?:(?:part|section|chapter|phase|stage|step|appendix|card|case|option|alarm|annex)\s+)?{re.escape(number)}"
            rf"(?:{closed})",
            title,
        )
    )


def empty(outcome: Outcome) -> bool:
    """Whether an outcome does nothing and goes on."""
    return not outcome.body
