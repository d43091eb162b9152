"""Whole readings of annotated texts with models that have not seen them, beside the readings of the rules alone.

`python -m soprag.benchmarks.quality.flow_validation DATA [--folds N] [--across] [--without FILE]` fits the model of
`flow_fitting` N times, each time without a part of the texts, and prints the agreement of the readings of that part.
With `--across` a part is a whole origin: what was learned on one corpus is measured on the others.
The texts have no words of annotators, so that figures that compare words (ranges) are left to `measure annotated`.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from soprag.benchmarks.quality.annotated_flows.comparison import compare
from soprag.benchmarks.quality.annotated_flows.document import parse
from soprag.benchmarks.quality.annotated_flows.report import AnnotatedReport, figures, render
from soprag.benchmarks.quality.annotated_flows.tally import Tally
from soprag.benchmarks.quality.flow_fitting import (
    TaughtText,
    fit,
    names_in,
    parts,
    taught_texts,
)
from soprag.tools.procedure.block_model import BlockModel
from soprag.tools.procedure.block_opinions import BlockOpinions
from soprag.tools.procedure.export import gold
from soprag.tools.procedure.reader import read_with

_FOLDS = 5


def unseen_models(texts: Sequence[TaughtText], fold: Sequence[int]) -> Iterator[tuple[TaughtText, BlockModel]]:
    """Every annotated text with a model that was fitted without its part."""
    for one in sorted(set(fold)):
        model = fit([text for text, part in zip(texts, fold, strict=True) if part != one])
        yield from ((text, model) for text, part in zip(texts, fold, strict=True) if part == one and text.flow)


def validate(pairs: Sequence[tuple[TaughtText, BlockModel]], group: Callable[[TaughtText], str]) -> tuple[str, ...]:
    """The tables of the rules and of the models, a column for each group of sources."""
    ruled: dict[str, Tally] = {}
    modelled: dict[str, Tally] = {}
    for text, model in pairs:
        assert text.flow is not None
        read = read_with(text.markdown, text.opinions(model))
        for tallies, flow in ((ruled, read_with(text.markdown, BlockOpinions())), (modelled, read)):
            tallies.setdefault(group(text), Tally()).add(compare(text.flow, parse(gold(flow))))
    return ("The rules alone", *_table(ruled), "", "With models that have not seen the text", *_table(modelled))


def main(data: Path, folds: int, across: bool, without: frozenset[str]) -> None:
    """Prints the tables."""
    texts = taught_texts(data, without)
    origins = {text.source: _origin(data, text.source) for text in texts}
    names = sorted(set(origins.values()))
    fold = [names.index(origins[text.source]) for text in texts] if across else parts(texts, folds)
    tables = validate(
        list(unseen_models(texts, fold)), lambda text: origins[text.source] if text.weight > 1 else "tuned on"
    )
    sys.stdout.write("\n".join(tables) + "\n")


def _origin(data: Path, source: str) -> str:
    """The folder of DATA that holds a source, at most eight letters of it."""
    return next((path.parts[-3][:8] for path in sorted(data.glob(f"*/docs/{source}"))), "other")


def _table(tallies: dict[str, Tally]) -> Iterator[str]:
    columns = [figures(name, tallies[name]) for name in sorted(tallies)]
    whole = Tally()
    for name, tally in tallies.items():
        if name != "tuned on":
            whole.add(tally)
    return render(AnnotatedReport(origins=(*columns, figures("unseen", whole))))


if __name__ == "__main__":
    _count = int(sys.argv[sys.argv.index("--folds") + 1]) if "--folds" in sys.argv else _FOLDS
    main(Path(sys.argv[1]), _count, "--across" in sys.argv, names_in(sys.argv))
