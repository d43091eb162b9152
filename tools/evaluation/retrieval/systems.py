"""The protocol of evaluated systems: index a corpus, rank it for a question."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Literal, Protocol

from soprag.tools.sop import Sop

Kind = Literal["soprag", "ablation", "baseline"]


@dataclass(frozen=True)
class SystemRanking:
    """The ranking of one question by a system.

    `hits` are (SOP id, score), the larger the better; `seconds` is the time per stage; `weights` are the router's
    (entity, causal, flow) when the system has one.
    """

    hits: tuple[tuple[str, float], ...]
    seconds: Mapping[str, float] = field(default_factory=dict)
    weights: tuple[float, float, float] | None = None


class System(Protocol):
    """One way to find procedures."""

    @property
    def name(self) -> str:
        """What it is called in tables and by `--system`."""
        ...

    @property
    def kind(self) -> Kind:
        """The product, the product without one part, or what it is measured against."""
        ...

    def index(self, corpus: Sequence[Sop]) -> Mapping[str, float]:
        """Take `corpus` in place of any earlier one; seconds per stage, what is shared with other systems included."""
        ...

    def rank(self, question: str, k: int) -> SystemRanking:
        """The best `k` SOPs or fewer; only those that fit at all."""
        ...


class Stopwatch:
    """Seconds per stage; a stage entered again adds up."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time what happens inside."""
        began = perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + perf_counter() - began
