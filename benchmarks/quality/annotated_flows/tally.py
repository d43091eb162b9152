"""Counts of agreement, summed over documents."""

from dataclasses import dataclass, field


@dataclass
class Agreement:
    """How many of the annotated and of the read things agree; a share has no `read`."""

    right: int = 0
    gold: int = 0
    read: int = 0

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall; None where neither side has any."""
        return 2 * self.right / (self.gold + self.read) if self.gold + self.read else None

    @property
    def share(self) -> float | None:
        """Right ones of all, None for none."""
        return self.right / self.gold if self.gold else None


@dataclass
class Tally:
    """Agreements by name: `sets` are compared both ways, `shares` only against the annotation."""

    sets: dict[str, Agreement] = field(default_factory=dict)
    shares: dict[str, Agreement] = field(default_factory=dict)
    steps: int = 0
    wrong_ways: int = 0
    silent_wrong_ways: int = 0
    unresolved_steps: int = 0
    overmarked_steps: int = 0  # unresolved ones whose ways are all as annotated
    documents: int = 0

    def compare(self, name: str, right: int, gold: int, read: int) -> None:
        """Adds the sizes of two sets and of what they have in common."""
        one = self.sets.setdefault(name, Agreement())
        one.right, one.gold, one.read = one.right + right, one.gold + gold, one.read + read

    def count(self, name: str, right: int, total: int) -> None:
        """Adds right ones of a total."""
        one = self.shares.setdefault(name, Agreement())
        one.right, one.gold = one.right + right, one.gold + total

    def add(self, other: "Tally") -> None:
        """Adds the counts of another tally."""
        for name, one in other.sets.items():
            self.compare(name, one.right, one.gold, one.read)
        for name, one in other.shares.items():
            self.count(name, one.right, one.gold)
        self.steps += other.steps
        self.wrong_ways += other.wrong_ways
        self.silent_wrong_ways += other.silent_wrong_ways
        self.unresolved_steps += other.unresolved_steps
        self.overmarked_steps += other.overmarked_steps
        self.documents += other.documents
