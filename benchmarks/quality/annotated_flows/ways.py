"""Agreement of edges, ends, jumps, decisions and acts under a condition."""

from collections.abc import Callable

from soprag.benchmarks.quality.annotated_flows.document import END, AnnotatedFlow
from soprag.benchmarks.quality.annotated_flows.tally import Tally

Way = tuple[str, str]
LineWay = tuple[int | str, int | str]


class WayComparison:
    """The ways of two flows of one document; `matched` maps read steps to annotated ones.

    "If X, do Y" may be drawn as an act under a condition or as a way around the act: both count as the same.
    """

    def __init__(self, gold: AnnotatedFlow, read: AnnotatedFlow, matched: dict[str, str]) -> None:
        """Prepares the annotated ways, those that are free, and the read ways under annotated names."""
        self.gold, self.read, self.matched = gold, read, matched
        self.free = {(e.source, e.target) for e in gold.edges if e.inferred}
        self.wanted = {(e.source, e.target) for e in gold.edges} - self.free
        self.optional = {step.id for step in gold.steps if step.conditional}
        self.around = self._ways_around()
        self.drawn = {(self._name(e.source), self._target(e.target)) for e in read.edges} - self.free

    def count(self, tally: Tally) -> None:
        """Adds all figures about ways."""
        passed = {self._name(step.id) for step in self.read.steps if step.conditional}
        into = {target for _, target in self.drawn}
        for way in self.drawn & set(self.around):
            passed |= self.around[way] & into
        drawn = self.drawn - set(self.around)
        tally.compare("only-if", len(self.optional & passed), len(self.optional), len(passed))
        tally.compare("edges", len(self.wanted & drawn), len(self.wanted), len(drawn))
        _compare_ends(tally, "ends", self.wanted, drawn)
        self._jumps(tally, drawn)
        self._lines(tally)
        for step in self.gold.steps:
            self._decision(tally, step.id)

    def _name(self, step: str) -> str:
        return self.matched.get(step, f"?{step}")

    def _target(self, step: str) -> str:
        return END if step == END else self._name(step)

    def _ways_around(self) -> dict[Way, set[str]]:
        """Ways that pass acts under a condition by -> those acts."""
        matched = set(self.matched.values())
        following: dict[str, set[str]] = {}
        for edge in self.gold.edges:
            following.setdefault(edge.source, set()).add(edge.target)
        around: dict[Way, set[str]] = {}
        for start, targets in following.items():
            hops: list[tuple[str, tuple[str, ...]]] = [(step, (step,)) for step in targets & self.optional & matched]
            seen: set[str] = set()
            while hops:
                step, path = hops.pop()
                if step in seen:
                    continue
                seen.add(step)
                for target in following.get(step, ()):
                    if (start, target) not in self.wanted:
                        around.setdefault((start, target), set()).update(path)
                    if target in self.optional and target in matched:
                        hops.append((target, (*path, target)))
        return around

    def _jumps(self, tally: Tally, drawn: set[Way]) -> None:
        order = {step.id: at for at, step in enumerate(self.gold.steps)}
        last = self.gold.steps[-1].id if self.gold.steps else ""

        def jumps(ways: set[Way]) -> set[Way]:
            return {
                (a, b) for a, b in ways if not (a in order and (order.get(b) == order[a] + 1 or (a, b) == (last, END)))
            }

        wanted, read = jumps(self.wanted), jumps(drawn)
        tally.compare("jumps", len(wanted & read), len(wanted), len(read))

    def _lines(self, tally: Tally) -> None:
        wanted, drawn = self._line_ways()
        tally.compare("edges by line", len(wanted & drawn), len(wanted), len(drawn))
        _compare_ends(tally, "ends by line", wanted, drawn)
        wrong = drawn - wanted
        marked = self._marked_starts()
        tally.wrong_ways += len(wrong)
        tally.silent_wrong_ways += len({way for way in wrong if way[0] not in marked})
        misled = {way[0] for way in wrong}
        right = {way[0] for way in wanted & drawn} - misled
        tally.overmarked_steps += sum(
            step.first in right for step in self.read.steps if step.lines & self.read.unresolved
        )

    def misleading_lines(self) -> frozenset[int | str]:
        """The first lines of read steps with a way that the annotation does not have."""
        wanted, drawn = self._line_ways()
        return frozenset(way[0] for way in drawn - wanted)

    def _line_ways(self) -> tuple[set[LineWay], set[LineWay]]:
        """Annotated and read ways from first line to first line: forgives another cut of one line into steps."""
        first = {step.id: step.first for step in self.gold.steps}
        stated = _line_ways([(e.source, e.target) for e in self.gold.edges if not e.inferred], first)
        free = _line_ways(list(self.free), first) - stated
        wanted = _line_ways([(e.source, e.target) for e in self.gold.edges], first) - free
        skips = {(first[a], END if b == END else first[b]) for a, b in self.around}
        begins = {step.id: step.first for step in self.read.steps}
        drawn = _line_ways([(e.source, e.target) for e in self.read.edges], begins) - free
        return wanted, {way for way in drawn if way in wanted or way not in skips}

    def _marked_starts(self) -> set[int | str]:
        """The first lines of read steps that stand on a line marked as unresolved."""
        return {step.first for step in self.read.steps if step.lines & self.read.unresolved}

    def _decision(self, tally: Tally, step: str) -> None:
        targets = list(self.gold.targets.get(step, ()))
        optional = [target for target in targets if (step, target) in self.free]
        targets = [target for target in targets if target not in optional]
        if len(targets) < 2:
            return
        back = {gold: read for read, gold in self.matched.items()}
        read = [self._target(target) for target in self.read.targets.get(back.get(step, ""), ())]
        read = [target for target in read if target not in optional and (step, target) not in self.around]
        tally.count("decisions right", int(set(targets) == set(read)), 1)
        tally.count("decisions right by line", int(self._right_by_line(step, targets, len(optional))), 1)

    def _right_by_line(self, step: str, targets: list[str], optional: int) -> bool:
        """Whether a read step on the first two lines of the decision parts into the same lines."""
        by_id = {one.id: one for one in self.gold.steps}
        begin = {one.id: one for one in self.read.steps}
        first_two = frozenset(sorted(by_id[step].lines)[:2]) | {by_id[step].first}
        for one in self.read.steps:
            ways = self.read.targets.get(one.id, [])
            if not one.lines & first_two or not len(targets) <= len(ways) <= len(targets) + optional:
                continue

            def fits(wanted: str, way: str) -> bool:
                if END in (wanted, way):
                    return wanted == way
                return way in begin and by_id[wanted].first in begin[way].lines

            if _assigned(targets, ways, fits) == len(targets):
                return True
        return False


def _compare_ends(tally: Tally, name: str, gold: "set[Way] | set[LineWay]", read: "set[Way] | set[LineWay]") -> None:
    wanted, drawn = {way for way in gold if way[1] == END}, {way for way in read if way[1] == END}
    tally.compare(name, len(wanted & drawn), len(wanted), len(drawn))


def _line_ways(ways: list[Way], first: dict[str, int]) -> set[LineWay]:
    found: set[LineWay] = set()
    for source, target in ways:
        a = first.get(source)
        b: int | str | None = END if target == END else first.get(target)
        if a is not None and b is not None and a != b:
            found.add((a, b))
    return found


def _assigned(gold: list[str], read: list[str], fits: Callable[[str, str], bool]) -> int:
    """The size of the largest one-to-one assignment of annotated outcomes to read ones."""
    owner: dict[int, int] = {}

    def grow(i: int, seen: set[int]) -> bool:
        for j, way in enumerate(read):
            if j in seen or not fits(gold[i], way):
                continue
            seen.add(j)
            if j not in owner or grow(owner[j], seen):
                owner[j] = i
                return True
        return False

    return sum(grow(i, set()) for i in range(len(gold)))
