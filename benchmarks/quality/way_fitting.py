"""Fits what tells steps with a wrong way from others, on annotated flows, with a check on texts that are left out.

`python -m soprag.benchmarks.quality.way_fitting DATA OUT.json` reads every annotated text of `flow_fitting` with a
model of its blocks that has not seen it, compares the ways with the annotated ones, and writes coefficients and
provenance to OUT.json. `--without FILE` leaves out the sources whose file names FILE lists. Whole readings with such
marks are measured by `flow_validation`.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from soprag.benchmarks.quality.annotated_flows.document import parse
from soprag.benchmarks.quality.annotated_flows.matching import match_steps
from soprag.benchmarks.quality.annotated_flows.ways import WayComparison
from soprag.benchmarks.quality.flow_fitting import (
    Known,
    TaughtText,
    left_out,
    names_in,
    parts,
    regression,
    taught_texts,
    teaching_options,
    written,
)
from soprag.tools.procedure.export import gold
from soprag.tools.procedure.reader import read_with
from soprag.tools.procedure.weighing.block_evidence import Signs
from soprag.tools.procedure.weighing.block_model import BlockModel, chance
from soprag.tools.procedure.weighing.way_evidence import WayEvidence
from soprag.tools.procedure.weighing.way_model import DOUBTED, WayModel

_PULL = 15.0  # L2 penalty: fewer steps teach than blocks
_FOLDS = 5


@dataclass(frozen=True)
class TaughtWays:
    """The steps of a text as it was read: their signs, and 1 where a way out of them is not in the annotation."""

    weight: float
    signs: tuple[Signs, ...]
    astray: tuple[int, ...]

    @property
    def known(self) -> list[Known]:
        """The steps as cases of the regression."""
        return [(found, truth, self.weight) for found, truth in zip(self.signs, self.astray, strict=True)]


def fit_ways(texts: Sequence[TaughtText]) -> WayModel:
    """The regression; every text is read with a model of blocks that was fitted without it."""
    return _fitted(taught_ways(texts))


def taught_ways(texts: Sequence[TaughtText]) -> list[TaughtWays]:
    """What the annotated texts teach; none of a text of which only lines are labelled."""
    models = left_out(texts)
    return [_compared(text, models[at]) if text.flow else TaughtWays(0, (), ()) for at, text in enumerate(texts)]


def check(taught: Sequence[TaughtWays], fold: Sequence[int]) -> list[str]:
    """On parts left out: which share of the steps is marked, of steps with a wrong way and of the others."""
    told: list[tuple[float, int, float]] = []
    for part in sorted(set(fold)):
        model = _fitted([one for one, at in zip(taught, fold, strict=True) if at != part])
        cases = [case for one, at in zip(taught, fold, strict=True) if at == part for case in one.known]
        told += [(chance(model.astray, found), truth, weight) for found, truth, weight in cases]
    rows = []
    for name, unseen in (("texts unseen by the rules", True), ("other texts", False)):
        some = [(mark > DOUBTED, truth) for mark, truth, weight in told if (weight > 1) == unseen]
        wrong, right = [mark for mark, truth in some if truth], [mark for mark, truth in some if not truth]
        rows.append(
            f"{name}: marked {sum(wrong)} of {len(wrong)} steps with a wrong way, {sum(right)} of {len(right)} others"
        )
    return rows


def main(data: Path, out: Path, without: frozenset[str], also: Path | None) -> None:
    """Print the check on texts left out; then fit on everything and write the model."""
    texts = taught_texts(data, without, also)
    taught = taught_ways(texts)
    checks = check(taught, parts(texts, _FOLDS))
    sys.stdout.write("\n".join(checks) + "\n")
    record = {
        "about": "Whether a way out of a step that was read is wrong; see docs/procedure.md.",
        "fitted by": "python -m soprag.benchmarks.quality.way_fitting",
        "fitted on": {"texts": sum(bool(one.signs) for one in taught), "steps": sum(len(one.signs) for one in taught)},
        "left out and checked": checks,
        "astray": written(_fitted(taught).astray),
    }
    out.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _fitted(taught: Sequence[TaughtWays]) -> WayModel:
    return WayModel(regression([case for one in taught for case in one.known], [one.signs for one in taught], _PULL))


def _compared(text: TaughtText, model: BlockModel) -> TaughtWays:
    assert text.flow is not None
    opinions = text.opinions(model)
    flow = read_with(text.markdown, opinions)
    read = parse(gold(flow))
    misleading = WayComparison(text.flow, read, match_steps(text.flow, read)).misleading_lines()
    signs = WayEvidence(flow, text.root, text.places, opinions).signs()
    return TaughtWays(
        text.weight,
        tuple(signs[step.id] for step in flow.steps),
        tuple(int(step.lines[0] in misleading) for step in flow.steps),
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").partition("\n")[0],
        epilog="example: python -m soprag.benchmarks.quality.way_fitting ../shared/data /tmp/way_model.json",
    )
    parser.add_argument("data", type=Path, metavar="DATA", help="folder with flows/, roles/ and the corpora")
    parser.add_argument("out", type=Path, metavar="OUT.json", help="where the coefficients are written")
    teaching_options(parser)
    return parser.parse_args()


if __name__ == "__main__":
    _given = _arguments()
    main(_given.data, _given.out, names_in(_given.without), _given.also)
