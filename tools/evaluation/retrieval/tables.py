"""The evaluation as plain text: one table of systems and one of levels per benchmark."""

from soprag.tools.evaluation.retrieval.measures import METRICS
from soprag.tools.evaluation.retrieval.records import BenchmarkResult, Evaluation, SystemComparison, SystemResult
from soprag.tools.evaluation.retrieval.trial import TOTAL

SURE = 0.05
TITLES = {"soprag": "SOPRAG", "ablation": "SOPRAG without one part", "baseline": "Baselines"}


def tables(evaluation: Evaluation) -> str:
    """All tables, with a line on how to read them."""
    how = (
        f"MRR is cut at {evaluation.k}, nDCG at 10; brackets are 95 % intervals ({evaluation.bootstrap:,} draws of "
        f"SOPs with their questions, seed {evaluation.seed});\n< marks the best baseline, + and - a gain or loss in "
        f"MRR against it with p < {SURE} (paired randomisation test)."
    )
    return "\n\n".join([*map(_benchmark, evaluation.benchmarks), how])


def _benchmark(result: BenchmarkResult) -> str:
    title = f"{result.name}: {result.questions} questions on {result.groups} SOPs, {result.documents} SOPs in all"
    heads = ["", "MRR", "95 %", "Acc@1", "@3", "@5", "@10", "nDCG", "gain", "95 %", "p", "ms", "index s"]
    rows: list[list[str]] = [heads]
    for kind, title in TITLES.items():
        kind_rows = [_row(system, result.best_baseline) for system in result.systems if system.kind == kind]
        rows += [[title], *kind_rows] if kind_rows else []
    blocks = [title, _align(rows)]
    if result.levels:
        blocks += ["", _align(_levels(result))]
    return "\n".join(blocks)


def _row(system: SystemResult, best: str) -> list[str]:
    mrr = system.metrics["MRR"]
    means = [f"{system.metrics[name].mean:.3f}" for name in METRICS[1:]]
    name = f"  {system.name}" + (" <" if system.name == best else "")
    times = [f"{system.latency[TOTAL].median:.1f}", f"{system.index_seconds[TOTAL]:.1f}"]
    interval = f"[{mrr.low:.2f},{mrr.high:.2f}]"
    return [name, f"{mrr.mean:.3f}", interval, *means, *_gain(system.against_baseline), *times]


def _gain(comparison: SystemComparison | None) -> list[str]:
    if comparison is None:
        return ["", "", ""]
    gain = comparison.gain
    return [f"{gain.mean:+.3f}{mark(comparison)}", f"[{gain.low:+.2f},{gain.high:+.2f}]", chance(comparison.p)]


def mark(comparison: SystemComparison) -> str:
    """`+` for a sure gain, `-` for a sure loss, nothing otherwise."""
    if comparison.p >= SURE:
        return ""
    return " +" if comparison.gain.mean > 0 else " -"


def chance(p: float) -> str:
    """A p value as it is usually printed."""
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def _levels(result: BenchmarkResult) -> list[list[str]]:
    heads = ["MRR by level", *(f"{level} ({count})" for level, count in result.levels.items())]
    cells = ([f"{system.levels[level]['MRR'].mean:.3f}" for level in result.levels] for system in result.systems)
    return [heads, *([f"  {s.name}", *row] for s, row in zip(result.systems, cells, strict=True))]


def _align(rows: list[list[str]]) -> str:
    """First column to the left, the others to the right; a row of one cell is a heading."""
    full = [row for row in rows if len(row) > 1]
    widths = [max(map(len, column)) for column in zip(*full, strict=True)]
    lines = []
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=False)]
        lines.append("  ".join([row[0].ljust(widths[0]), *cells]).rstrip())
    return "\n".join(lines)
