"""The record of a benchmark's panel: how well a fixed set of systems finds the procedures behind its questions."""

from itertools import pairwise

from pydantic import Field

from soprag.tools.sop import Frozen

PANEL_FILE = "panel"  # its key in the run folder


class Estimate(Frozen):
    """A mean over questions and its 95 % confidence interval."""

    mean: float
    low: float
    high: float


class PanelSystem(Frozen):
    """One system of the panel: its mean reciprocal rank over all questions and over those of each level."""

    name: str
    mrr: Estimate
    levels: dict[str, Estimate]


class PanelLevel(Frozen):
    """The questions of one level."""

    level: str
    questions: int
    words: float = Field(description="mean number of words of a question")
    mrr: float = Field(description="mean reciprocal rank over the questions and all systems of the panel")
    overlap: float = Field(description="mean share, 0 to 1, of a question's content words that its SOP has too")
    repeated: float = Field(description="share, 0 to 1, of the sentences that more than one question of the set has")


class BaselinePanel(Frozen):
    """The panel's result, kept as `panel.json` in the run folder; systems are sorted by falling MRR.

    The intervals are percentile bootstraps over SOPs with all their questions. `skipped` says why nothing was measured;
    then `systems` is empty.
    """

    benchmark: str = Field(description="SHA-256 of the SOPs and questions that were measured")
    documents: int = Field(description="SOPs that were searched")
    questioned: int = Field(description="SOPs with at least one question")
    questions: int
    levels: tuple[PanelLevel, ...] = ()
    systems: tuple[PanelSystem, ...] = ()
    embedding: str = ""
    draws: int = Field(default=0, description="bootstrap draws")
    seed: int = 0
    skipped: str = ""

    @property
    def easier(self) -> list[tuple[str, str]]:
        """Pairs of neighbouring levels of which the one that ought to be harder has the higher MRR."""
        return [(low.level, high.level) for low, high in pairwise(self.levels) if high.mrr > low.mrr + 1e-9]

    def text(self) -> str:
        """Two small tables for a terminal, or the reason why there are none."""
        if not self.systems:
            return f"  panel      not measured: {self.skipped}"
        return "\n".join([*self._level_lines(), "", *self._system_lines(), *self._remarks()])

    def _level_lines(self) -> list[str]:
        head = f"  {'level':<12} {'questions':>9} {'words':>6} {'MRR':>6} {'overlap':>8} {'repeated':>9}"
        rows = (
            f"  {level.level:<12} {level.questions:>9} {level.words:>6.1f} {level.mrr:>6.3f} {level.overlap:>8.0%} "
            f"{level.repeated:>9.1%}"
            for level in self.levels
        )
        return [head, *rows]

    def _system_lines(self) -> list[str]:
        names = [level.level for level in self.levels]
        head = f"  {'system':<16} {'MRR':>6} {'95 %':>14} " + " ".join(f"{name:>11}" for name in names)
        return [head, *(self._system_line(system, names) for system in self.systems)]

    def _system_line(self, system: PanelSystem, names: list[str]) -> str:
        levels = " ".join(f"{system.levels[name].mean:>11.3f}" for name in names)
        interval = f"[{system.mrr.low:.3f}, {system.mrr.high:.3f}]"
        return f"  {system.name:<16} {system.mrr.mean:>6.3f} {interval:>14} {levels}"

    def _remarks(self) -> list[str]:
        inversions = "; ".join(f"{high} is not harder than {low}" for low, high in self.easier)
        return ["", f"  difficulty: {inversions or 'each level is harder than the one before'}"]
