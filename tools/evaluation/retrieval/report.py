"""Writes an evaluation as JSON and as a self-contained HTML page."""

from dataclasses import dataclass
from pathlib import Path

from soprag.tools.evaluation.retrieval.measures import METRICS
from soprag.tools.evaluation.retrieval.plots import Drawing, density_plot, interval_plot, trade_off_plot
from soprag.tools.evaluation.retrieval.records import BenchmarkResult, Evaluation, SystemComparison, SystemResult
from soprag.tools.evaluation.retrieval.tables import SURE, TITLES, chance
from soprag.tools.evaluation.retrieval.trial import TOTAL
from soprag.tools.store.run_folder import write_whole

BRIEF = ("MRR", "Acc@1", "Acc@5")  # what a narrow screen shows


@dataclass(frozen=True)
class EvaluationSection:
    """One benchmark with its sentence for those in a hurry, its drawings and the stages its systems go through."""

    result: BenchmarkResult
    headline: str
    intervals: Drawing
    trade_off: Drawing
    densities: tuple[Drawing, ...]
    stages: tuple[str, ...]

    @property
    def ablations(self) -> list[SystemResult]:
        """The systems that leave one part of the product out."""
        return [system for system in self.result.systems if system.kind == "ablation"]


def write_evaluation(folder: Path, evaluation: Evaluation) -> None:
    """Write `evaluation.json` and `evaluation.html`."""
    write_whole(folder / "evaluation.json", evaluation.model_dump_json(indent=1).encode())
    write_whole(folder / "evaluation.html", render(evaluation).encode())


def render(evaluation: Evaluation) -> str:
    """The page."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    page = Environment(
        loader=PackageLoader("soprag.tools.evaluation.retrieval", "."), autoescape=True, undefined=StrictUndefined
    )
    page.filters["chance"] = chance
    return page.get_template("evaluation.html.j2").render(
        evaluation=evaluation,
        sections=[section(result) for result in evaluation.benchmarks],
        metrics=METRICS,
        brief=BRIEF,
        titles=TITLES,
        total=TOTAL,
        sure=SURE,
    )


def section(result: BenchmarkResult) -> EvaluationSection:
    """All that the page says about one benchmark."""
    stages = dict.fromkeys(stage for system in result.systems for stage in system.latency)
    return EvaluationSection(
        result=result,
        headline=headline(result),
        intervals=interval_plot(result.systems),
        trade_off=trade_off_plot([system for system in result.systems if system.kind != "ablation"] or result.systems),
        densities=tuple(
            density_plot(system) for system in result.systems if system.kind == "soprag" and system.weights
        ),
        stages=(*(stage for stage in stages if stage != TOTAL), TOTAL),
    )


def headline(result: BenchmarkResult) -> str:
    """The outcome in words: the best form of the product (of the baselines when there is none), and its gain."""
    products = [system for system in result.systems if system.kind == "soprag"]
    best = max(products or result.systems, key=lambda system: system.metrics["MRR"].mean)
    first, five = (f"{100 * best.metrics[name].mean:.0f}\N{NO-BREAK SPACE}%" for name in ("Acc@1", "Acc@5"))
    summary = (
        f"{best.name} puts the right procedure first for {first} of the questions, among the first five for {five}."
    )
    return f"{summary} {_verdict(best.against_baseline)}" if best.against_baseline else summary


def _verdict(comparison: SystemComparison) -> str:
    gain = comparison.gain
    direction = "above" if gain.mean >= 0 else "below"
    surety = "more than chance explains" if comparison.p < SURE else "no more than chance may explain"
    return (
        f"Its MRR is {abs(gain.mean):.3f} {direction} that of the best baseline, {comparison.other} (95 % interval "
        f"{gain.low:+.3f} to {gain.high:+.3f}; p {chance(comparison.p)}): {surety}. It ranks the right procedure "
        f"higher for {comparison.better} questions, lower for {comparison.worse}, and the same for {comparison.same}."
    )
