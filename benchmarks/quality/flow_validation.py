"""Whole readings of annotated texts with models that have not seen them, beside the readings of the rules alone.

`python -m soprag.benchmarks.quality.flow_validation DATA` fits the models of `flow_fitting` and `way_fitting` several
times, each time without a part of the texts, and prints the agreement of the readings of that part. With `--across` a
part is a whole origin: what was learned on one corpus is measured on the others. With `--halves` the parts are the two
halves of the shapes (`ShapedText.half`), and each half has its own columns: rules are tuned on A and reported on B.
With `--readers` the texts are those that a second person read, too, and the agreement of the two stands beside that of
the readings of models that have not seen the half: nobody can ask more of a program.
The texts have no words of annotators, so that figures that compare words (ranges) are left to `measure annotated`.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from soprag.benchmarks.quality.annotated_flows.comparison import compare
from soprag.benchmarks.quality.annotated_flows.document import parse
from soprag.benchmarks.quality.annotated_flows.report import AnnotatedReport, figures, render
from soprag.benchmarks.quality.annotated_flows.shapes import SECOND, shaped
from soprag.benchmarks.quality.annotated_flows.tally import Tally
from soprag.benchmarks.quality.flow_fitting import (
    TaughtText,
    fit,
    names_in,
    parts,
    taught_texts,
    teaching_options,
)
from soprag.benchmarks.quality.way_fitting import fit_ways
from soprag.tools.procedure.drafting.block_opinions import BlockOpinions
from soprag.tools.procedure.export import gold
from soprag.tools.procedure.procedure import ProcedureFlow
from soprag.tools.procedure.reader import read_with
from soprag.tools.procedure.weighing.block_model import BlockModel
from soprag.tools.procedure.weighing.way_evidence import WayEvidence
from soprag.tools.procedure.weighing.way_model import WayModel

_FOLDS = 5
_TUNED = "tuned on"  # the column of the texts on which the rules were tuned


@dataclass(frozen=True)
class UnseenModels:
    """What was learned without a part of the texts."""

    blocks: BlockModel
    ways: WayModel

    def read(self, text: TaughtText) -> ProcedureFlow:
        """The reading of a text, as the product reads with the models that it ships."""
        opinions = text.opinions(self.blocks)
        flow = read_with(text.markdown, opinions)
        return self.ways.marked(flow, WayEvidence(flow, text.root, text.places, opinions))


def unseen_models(
    texts: Sequence[TaughtText], fold: Sequence[int], wanted: Callable[[TaughtText], bool] = lambda text: True
) -> Iterator[tuple[TaughtText, UnseenModels]]:
    """Every `wanted` annotated text with models that were fitted without its part."""
    for one in sorted(set(fold)):
        read = [text for text, part in zip(texts, fold, strict=True) if part == one and text.flow and wanted(text)]
        if read:
            others = [text for text, part in zip(texts, fold, strict=True) if part != one]
            models = UnseenModels(fit(others), fit_ways(others))
            yield from ((text, models) for text in read)


def validate(pairs: Sequence[tuple[TaughtText, UnseenModels]], group: Callable[[TaughtText], str]) -> tuple[str, ...]:
    """The tables of the rules and of the models, a column for each group of sources."""
    ruled: dict[str, Tally] = {}
    modelled: dict[str, Tally] = {}
    for text, models in pairs:
        assert text.flow is not None
        read = models.read(text)
        for tallies, flow in ((ruled, read_with(text.markdown, BlockOpinions())), (modelled, read)):
            tallies.setdefault(group(text), Tally()).add(compare(text.flow, parse(gold(flow))))
    return ("The rules alone", *_table(ruled), "", "With models that have not seen the text", *_table(modelled))


def halves(texts: Sequence[TaughtText]) -> list[int]:
    """For each text its half as a part, also where only its lines are labelled; the others are never left out."""
    known = {text.source: "AB".index(text.half) for text in texts if text.half}
    return [known.get(text.source, len("AB")) for text in texts]


def by_halves(data: Path, texts: Sequence[TaughtText], wanted: str) -> tuple[str, ...]:
    """The tables of the wanted halves ("AB", "A" or "B"), a column for each corpus of each."""
    pairs = list(unseen_models(texts, halves(texts), lambda text: text.half != "" and text.half in wanted))
    return validate(pairs, lambda text: f"{text.half} {_origin(data, text.source)[:6]}")


def by_readers(data: Path, texts: Sequence[TaughtText]) -> tuple[str, ...]:
    """The tables of two readers and of the models on the texts that both have read, a column for each corpus."""
    second = {text.source: text.flow for text in shaped(data, SECOND)}
    pairs = list(unseen_models(texts, halves(texts), lambda text: text.half != "" and text.source in second))
    agreed: dict[str, Tally] = {}
    for text, _ in pairs:
        assert text.flow is not None
        agreed.setdefault(_origin(data, text.source), Tally()).add(compare(text.flow, second[text.source]))
    read = validate(pairs, lambda text: _origin(data, text.source))
    return ("A second reader", *_table(agreed), "", *read)


def by_parts(data: Path, texts: Sequence[TaughtText], folds: int, across: bool) -> tuple[str, ...]:
    """The tables of texts in so many parts, or with a part for each corpus; a column for each corpus."""
    origins = {text.source: _origin(data, text.source) for text in texts}
    names = sorted(set(origins.values()))
    fold = [names.index(origins[text.source]) for text in texts] if across else parts(texts, folds)
    return validate(list(unseen_models(texts, fold)), lambda text: origins[text.source] if text.weight > 1 else _TUNED)


def _origin(data: Path, source: str) -> str:
    """The folder of DATA that holds a source, at most eight letters of it."""
    return next((path.parts[-3][:8] for path in sorted(data.glob(f"*/docs/{source}"))), "other")


def _table(tallies: dict[str, Tally]) -> Iterator[str]:
    columns = [figures(name, tallies[name]) for name in sorted(tallies)]
    for half in sorted({name[0] for name in tallies if name[:2] in ("A ", "B ")}):
        columns.append(figures(f"all {half}", _sum(tally for name, tally in tallies.items() if name[0] == half)))
    columns.append(figures("unseen", _sum(tally for name, tally in tallies.items() if name != _TUNED)))
    return render(AnnotatedReport(origins=tuple(columns)))


def _sum(tallies: Iterator[Tally]) -> Tally:
    whole = Tally()
    for tally in tallies:
        whole.add(tally)
    return whole


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").partition("\n")[0],
        epilog="example: python -m soprag.benchmarks.quality.flow_validation ../shared/data --halves --half A",
    )
    parser.add_argument("data", type=Path, metavar="DATA", help="folder with flows/, roles/ and the corpora")
    parser.add_argument("--folds", type=int, default=_FOLDS, metavar="N", help="parts to leave out in turn (5)")
    parser.add_argument("--across", action="store_true", help="leave out one corpus in turn instead")
    parser.add_argument(
        "--halves", action="store_true", help="leave out half A and half B of the shapes in turn instead"
    )
    parser.add_argument("--half", choices=("A", "B"), help="with --halves: read this half only")
    parser.add_argument("--readers", action="store_true", help="texts that two people read, with their agreement")
    teaching_options(parser)
    return parser.parse_args()


def main() -> None:
    """Prints the tables."""
    given = _arguments()
    texts = taught_texts(given.data, names_in(given.without), given.also)
    if given.readers:
        tables = by_readers(given.data, texts)
    elif given.halves:
        tables = by_halves(given.data, texts, given.half or "AB")
    else:
        tables = by_parts(given.data, texts, given.folds, given.across)
    sys.stdout.write("\n".join(tables) + "\n")


if __name__ == "__main__":
    main()
