"""What is to be seen at a step that was read and at the ways out of it; `way_model` weighs whether one may be wrong."""

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from math import log

from soprag.tools.procedure.blocks.sections import Section
from soprag.tools.procedure.drafting.block_opinions import BlockOpinions
from soprag.tools.procedure.procedure import ProcedureFlow, ProcedureStep
from soprag.tools.procedure.weighing.block_evidence import NO_LIST, PlacedBlock, Signs, own_lines, wordings
from soprag.tools.sop import END

_CLEAR = 0.999  # no chance of a block counts for more than this
_PLAIN = 2.0  # log-odds that a step begins at a row or a line without a block
_UNLIKELY = (-3, -2, -1, 0)  # log-odds from which a block that was read as no step counts as likely one
# Signs that a way passes or a step holds what may be a step itself, and that it leads to another section or depth.
_POSSIBLE = frozenset(f"likelier {bound} {where}" for bound in _UNLIKELY[1:] for where in ("inside", "passed"))
_ELSEWHERE = frozenset(("other section", "depth -2", "depth -1", "depth +1", "depth +2"))


class WayEvidence:
    """The signs of every step of one reading, with the `opinions` on its blocks that it was read with."""

    def __init__(
        self, flow: ProcedureFlow, root: Section, places: tuple[PlacedBlock, ...], opinions: BlockOpinions
    ) -> None:
        """Lays out where the lines, steps and ways stand."""
        self._flow, self._places, self._opinions = flow, places, opinions
        self._at = {line: place for place in reversed(places) for line in own_lines(place.block)}
        self._sections = dict(_paths(root, ()))
        self._order = {step.id: at for at, step in enumerate(flow.steps)}
        self._into = Counter(edge.target for edge in flow.edges)
        self._held = {line for step in flow.steps for line in step.lines}

    def signs(self) -> dict[str, Signs]:
        """Step -> name -> value of everything that is to be seen at it; absent signs are 0."""
        marked = {line for part in self._flow.unresolved for line in part.lines}
        firsts = Counter(step.lines[0] for step in self._flow.steps)
        found: dict[str, Signs] = {}
        for step in self._flow.steps:
            seen = {"bias": 1.0} | self._document | self._opening(step, "") | self._wording(step)
            seen |= {"marked": 1.0} if step.lines[0] in marked else {}
            seen |= {"shares its line": 1.0} if firsts[step.lines[0]] > 1 else {}
            targets = {edge.target for edge in self._flow.edges if edge.source == step.id}
            for target in sorted(targets):
                for name, value in self._way(step, target):
                    seen[name] = max(value, seen.get(name, value))
            found[step.id] = seen | {f"ways {min(3, len(targets))}": 1.0}
        return found

    def orderly(self, seen: dict[str, Signs]) -> frozenset[str]:
        """Steps whose way the layout tells by itself; `seen` are their signs.

        It leads from a numbered item to the next one of its section, or to the end, past nothing that may be a step.
        """
        return frozenset(
            step.id
            for step in self._flow.steps
            if not _POSSIBLE & seen[step.id].keys() and ("end" in seen[step.id] or self._counts_on(step, seen[step.id]))
        )

    def runs(self, doubted: frozenset[str]) -> list[list[ProcedureStep]]:
        """Steps in reading order: neighbours of which each is a further item of one list together, others alone."""
        found: list[list[ProcedureStep]] = []
        for before, step in pairwise((None, *self._flow.steps)):
            if step is None or step.id not in doubted:
                continue
            if before is not None and before.id in doubted and self._lists(before, step):
                found[-1].append(step)
            else:
                found.append([step])
        return found

    def _lists(self, one: ProcedureStep, other: ProcedureStep) -> bool:
        """Whether two steps begin in items of the same list."""
        first, second = self._at.get(one.lines[0]), self._at.get(other.lines[0])
        if first is None or second is None or first.items is NO_LIST:
            return False
        return first.items is second.items

    def _counts_on(self, step: ProcedureStep, seen: Signs) -> bool:
        """Whether a numbered item leads to the next numbered one, at the same depth of the same section."""
        following = self._flow.steps[self._order[step.id] + 1 :][:1]
        numbered = bool(step.label) and any(one.label for one in following)
        return numbered and "next" in seen and not _ELSEWHERE & seen.keys()

    @cached_property
    def _document(self) -> Signs:
        """How regular the document is."""
        steps = self._flow.steps
        count = max(1, len(steps))
        labelled = sum(bool(step.label) for step in steps) / count
        sections = len({self._path(step)[-1] for step in steps})
        return {
            "share labelled": labelled,
            "share doubtful": sum(self._odds(step) < 1 for step in steps) / count,
            "all labelled": float(labelled == 1),
            f"sections with steps {min(4, sections)}": 1.0,
            f"steps {min(4, len(steps) // 5)}": 1.0,
        }

    def _opening(self, step: ProcedureStep, before: str) -> Signs:
        """The block on which a step begins; `before` stands before the names."""
        place = self._at.get(step.lines[0])
        found = {"odds": max(-3.0, min(3.0, self._odds(step))) / 3, f"kind {self._kind(step)}": 1.0}
        if place is not None:
            found |= {f"depth {min(place.depth, 2)}": 1.0, f"about {place.about}": 1.0}
            found |= {"preamble": 1.0} if place.section.level <= 1 else {}
        return {before + name: value for name, value in found.items()}

    def _wording(self, step: ProcedureStep) -> Signs:
        place = self._at.get(step.lines[0])
        found = [
            f"is {step.kind}",
            f"lines {min(4, len(step.lines) // 3)}",
            f"words {min(5, len(step.text.split()) // 8)}",
        ]
        found += [name for name, holds in (("only if", step.only_if), ("labelled", step.label)) if holds]
        if place is not None:
            found += [f"wording {name}" for name in wordings(place.block.text)]
            found += ["code behind"] if place.after is not None and place.after.kind == "code" else []
            inner = [one for one in self._places if one is not place and one.block.lines[0] in step.lines]
            found += [f"{name} inside" for name in self._likely(inner)]
        return dict.fromkeys(found, 1.0)

    def _way(self, step: ProcedureStep, target: str) -> Iterator[tuple[str, float]]:
        at = self._order[step.id]
        if target == END:
            yield from ((name, 1.0) for name in self._ending(step, at))
            return
        to = self._flow.steps[self._order[target]]
        yield from self._opening(to, "to ").items()
        over = self._order[target] - at - 1
        if over < 0:
            yield "back", 1.0
            return
        yield (f"over {min(3, over)}" if over else "next"), 1.0
        found = [*self._crossing(step, to), *self._between(step, to)]
        yield from ((name, 1.0) for name in (*found, *(["joined"] if self._into[target] > 1 else [])))

    def _ending(self, step: ProcedureStep, at: int) -> Iterator[str]:
        later = self._flow.steps[at + 1 :]
        yield "end"
        if later:
            yield "end with steps behind"
        if any(self._path(one)[-1] == self._path(step)[-1] for one in later):
            yield "end with steps of the section behind"

    def _crossing(self, step: ProcedureStep, to: ProcedureStep) -> Iterator[str]:
        """From what to what a way leads."""
        one, other = self._path(step), self._path(to)
        if one[-1] != other[-1]:
            common = len([a for a, b in zip(one, other, strict=False) if a == b])
            yield "other section"
            yield f"up {min(3, len(one) - common)} down {min(3, len(other) - common)}"
        if self._kind(step) != self._kind(to):
            yield f"{self._kind(step)} to {self._kind(to)}"
        here, there = self._at.get(step.lines[0]), self._at.get(to.lines[0])
        if here is None or there is None:
            return
        if here.depth != there.depth:
            yield f"depth {max(-2, min(2, there.depth - here.depth)):+d}"
        elif here.items and there.items and here.items is not there.items:
            yield "other list"

    def _between(self, step: ProcedureStep, to: ProcedureStep) -> Iterator[str]:
        """What a way passes that was read as no step."""
        gap = set(range(max(step.lines) + 1, to.lines[0])) - self._held
        passed = [place for place in self._places if place.block.lines[0] in gap]
        yield f"passes {min(4, len(passed))}"
        yield from (f"{name} passed" for name in self._likely(passed))
        if any(place.block.text.rstrip().endswith(":") for place in passed):
            yield "lead-in passed"

    def _likely(self, places: list[PlacedBlock]) -> list[str]:
        """The bounds that the likeliest beginning of a step among blocks exceeds."""
        most = max((_log_odds(self._opinions.begins.get(one.block.lines[0], 0.0)) for one in places), default=-9.0)
        return [f"likelier {bound}" for bound in _UNLIKELY if most > bound]

    def _odds(self, step: ProcedureStep) -> float:
        place = self._at.get(step.lines[0])
        chance = self._opinions.begins.get(place.block.lines[0]) if place else None
        return _PLAIN if chance is None else _log_odds(chance)

    def _kind(self, step: ProcedureStep) -> str:
        place = self._at.get(step.lines[0])
        return place.kind if place else "row"

    def _path(self, step: ProcedureStep) -> tuple[int, ...]:
        """The sections around a step, outermost first."""
        return self._sections.get(step.lines[0], (0,))


def _paths(section: Section, around: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
    path = (*around, section.index)
    for block in (*([section.heading] if section.heading else []), *section.blocks):
        yield from ((line, path) for line in block.lines)
    for part in section.parts:
        yield from _paths(part, path)


def _log_odds(chance: float) -> float:
    bounded = max(1 - _CLEAR, min(_CLEAR, chance))
    return log(bounded / (1 - bounded))
