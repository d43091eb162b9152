"""Whether generated questions rank retrieval systems as questions of people on the same SOPs do."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from soprag.tools.evaluation.panel import DIGITS, PanelTrials, level_statistics
from soprag.tools.sop import Frozen
from soprag.tools.store.panel_record import PanelLevel

Floats = NDArray[np.float64]

HALVINGS = 200  # random halvings of the real questions


class SystemAgreement(Frozen):
    """One system on real and on generated questions."""

    name: str
    real: float = Field(description="MRR on the real questions")
    generated: float = Field(description="MRR on the generated questions")
    documents: float = Field(description="Spearman correlation of its MRR by SOP, over the SOPs with both")


class LevelAgreement(Frozen):
    """One level of real and of generated questions, and Spearman's correlation of the systems' MRR on it."""

    real: PanelLevel
    generated: PanelLevel
    spearman: float


class QuestionAgreement(Frozen):
    """The comparison of generated with real questions; correlations are Spearman's."""

    corpus: str
    wanted: int = Field(description="slots for generated questions; those without a question stayed empty")
    spearman: float = Field(description="correlation of the systems' MRR")
    halves: float = Field(
        description="mean correlation of two random halves of the real questions: what chance leaves of agreement"
    )
    real_margin: float = Field(description="MRR of the best system on real questions minus that of the best other one")
    generated_margin: float = Field(description="the same difference on the generated questions")
    systems: tuple[SystemAgreement, ...] = Field(description="by falling MRR on the real questions")
    levels: tuple[LevelAgreement, ...]

    @property
    def winners(self) -> tuple[str, str]:
        """The best system on real questions, and on generated ones."""
        return self.systems[0].name, max(self.systems, key=lambda system: system.generated).name


class DrawnAgreement(Frozen):
    """The agreement of several draws of generated questions; the first is that of the product."""

    draws: tuple[QuestionAgreement, ...]


def compare_questions(real: PanelTrials, generated: PanelTrials, wanted: int) -> QuestionAgreement:
    """Compare the trials of the same systems on the same corpus with two sets of questions."""
    real_mean, generated_mean = real.mean(), generated.mean()
    winner = max(real.names, key=lambda name: real_mean[name])
    documents = _document_correlations(real, generated)
    systems = [
        SystemAgreement(
            name=name,
            real=_rounded(real_mean[name]),
            generated=_rounded(generated_mean[name]),
            documents=_rounded(documents[row]),
        )
        for row, name in enumerate(real.names)
    ]
    return QuestionAgreement(
        corpus=real.benchmark.name,
        wanted=wanted,
        spearman=_rounded(spearman(real.reciprocal.mean(axis=1), generated.reciprocal.mean(axis=1))),
        halves=_rounded(_halves(real.reciprocal)),
        real_margin=_margin(real_mean, winner),
        generated_margin=_margin(generated_mean, winner),
        systems=tuple(sorted(systems, key=lambda system: -system.real)),
        levels=tuple(_levels(real, generated)),
    )


def spearman(first: Floats, second: Floats) -> float:
    """Spearman's rank correlation, ties with their mean rank; 0 where one of the two does not vary."""
    ranks = np.array([_ranks(first), _ranks(second)])
    if np.any(ranks.std(axis=1) == 0):
        return 0.0
    return float(np.corrcoef(ranks)[0, 1])


def render(agreement: QuestionAgreement) -> Iterator[str]:
    """The comparison as lines of plain text."""
    questions = sum(level.generated.questions for level in agreement.levels)
    yield f"{agreement.corpus}: {questions} of {agreement.wanted} wanted questions generated"
    yield f"  {'system':<16} {'real':>6} {'generated':>10} {'by SOP':>7}"
    for system in agreement.systems:
        yield f"  {system.name:<16} {system.real:>6.3f} {system.generated:>10.3f} {system.documents:>7.2f}"
    yield f"  {'level':<12} {'questions':>9} {'words':>11} {'MRR':>13} {'overlap':>10} {'repeated':>11} {'order':>6}"
    for level in agreement.levels:
        yield _level_line(level)
    real, generated = agreement.winners
    verdict = "the same" if real == generated else f"{real} on real and {generated} on generated questions"
    yield (
        f"  order of the systems: Spearman {agreement.spearman:.2f} "
        f"(two halves of the real questions: {agreement.halves:.2f}); winner: {verdict}"
    )
    margins = f"{agreement.real_margin:+.3f} real, {agreement.generated_margin:+.3f} generated"
    yield f"  {real} before the best other system: {margins}"


def render_draws(drawn: DrawnAgreement) -> Iterator[str]:
    """Correlation, winner and lead of every draw, and their means."""
    for number, each in enumerate(drawn.draws):
        winner, lead = each.winners[1], each.generated_margin
        yield f"  draw {number}: Spearman {each.spearman:.2f}, winner {winner}, lead {lead:+.3f}"
    same = sum(each.winners[0] == each.winners[1] for each in drawn.draws)
    correlation, lead = np.mean([[each.spearman, each.generated_margin] for each in drawn.draws], axis=0)
    yield (
        f"  {len(drawn.draws)} draws: mean Spearman {correlation:.3f}, mean lead {lead:+.3f}, the same winner in {same}"
    )


def _level_line(level: LevelAgreement) -> str:
    real, generated = level.real, level.generated
    return (
        f"  {real.level:<12} {real.questions:>4} {generated.questions:>4} {real.words:>5.1f} {generated.words:>5.1f} "
        f"{real.mrr:>6.3f} {generated.mrr:>6.3f} {real.overlap:>5.0%} {generated.overlap:>4.0%} "
        f"{real.repeated:>5.0%} {generated.repeated:>5.0%} {level.spearman:>6.2f}"
    )


def _levels(real: PanelTrials, generated: PanelTrials) -> Iterator[LevelAgreement]:
    """The levels that both sets have."""
    first, second = (level_statistics(trials.benchmark, trials.reciprocal.mean(axis=0)) for trials in (real, generated))
    by_name = {level.level: level for level in second}
    for level in first:
        if level.level in by_name:
            order = spearman(real.of_level(level.level), generated.of_level(level.level))
            yield LevelAgreement(real=level, generated=by_name[level.level], spearman=_rounded(order))


def _document_correlations(real: PanelTrials, generated: PanelTrials) -> list[float]:
    """For each system the correlation of its MRR by SOP."""
    first, second = real.by_document(), generated.by_document()
    both = sorted(set(first) & set(second))
    if len(both) < 3:
        return [0.0] * len(real.names)
    columns = np.array([[first[sop], second[sop]] for sop in both])  # SOP x set x system
    return [spearman(columns[:, 0, row], columns[:, 1, row]) for row in range(len(real.names))]


def _halves(reciprocal: Floats) -> float:
    """The mean correlation of the systems' MRR on two random halves of the questions."""
    random = np.random.default_rng(7)
    count = reciprocal.shape[1]
    correlations = []
    for _ in range(HALVINGS):
        order = random.permutation(count)
        first, second = order[: count // 2], order[count // 2 :]
        correlations.append(spearman(reciprocal[:, first].mean(axis=1), reciprocal[:, second].mean(axis=1)))
    return float(np.mean(correlations))


def _margin(means: dict[str, float], winner: str) -> float:
    return _rounded(means[winner] - max(mean for name, mean in means.items() if name != winner))


def _ranks(values: Floats) -> Floats:
    """Ranks from 1, equal values with their mean rank."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    means: Floats = (last - (counts - 1) / 2)[inverse]
    return means


def _rounded(value: float) -> float:
    return round(float(value), DIGITS)
