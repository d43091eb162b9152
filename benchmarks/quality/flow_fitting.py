"""Fits what tells blocks that begin a step from others, on annotated flows, with a check on texts that are left out.

`python -m soprag.benchmarks.quality.flow_fitting DATA OUT.json` reads the annotated texts of DATA/flows, of shapes in
`annotated_flows` and of the repository itself, and the labelled lines of DATA/roles. Coefficients and their provenance
are written to OUT.json; texts are not kept. The rules were tuned on DATA/flows, so that the other texts count
`_UNSEEN` times.
`--also DIR` adds the annotated texts of a folder. `--without FILE` leaves out the sources whose file names FILE lists,
for texts that are kept aside to report on.
`flow_validation` measures whole readings with models that have not seen the text.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from soprag.benchmarks.quality.annotated_flows.document import AnnotatedFlow, annotated
from soprag.benchmarks.quality.annotated_flows.own_texts import own_texts
from soprag.benchmarks.quality.annotated_flows.shapes import shaped
from soprag.tools.procedure.blocks.blocks import read_blocks
from soprag.tools.procedure.blocks.sections import Section, outline
from soprag.tools.procedure.drafting.block_opinions import BlockOpinions
from soprag.tools.procedure.reader import read_with
from soprag.tools.procedure.weighing.block_evidence import (
    PlacedBlock,
    Signs,
    Verdicts,
    own_lines,
    placed_blocks,
    signs,
    verdicts,
)
from soprag.tools.procedure.weighing.block_model import BlockModel
from soprag.tools.procedure.weighing.section_evidence import Pair, pair_signs

_REPOSITORY = Path(__file__).resolve().parents[2]
_UNSEEN = 3.0  # weight of texts that the rules were not tuned on
_PULL = 5.0  # L2 penalty
_FEWEST = 3  # texts that must show a sign
_FOLDS = 8
_HEADS = ("begins", "belongs", "apart")
_ROUNDS = 200  # of the optimiser
_ACTING = frozenset({"step", "condition"})  # labels of lines that begin a step

Matrix = NDArray[np.float64]
Known = tuple[Signs, int, float]  # the signs of one case, what is true of it, and its weight


@dataclass(frozen=True)
class TaughtText:
    """The blocks of a text with what an annotator says of them: 1, 0, or None where he says nothing."""

    source: str  # the file name; texts of one source are left out together
    weight: float
    places: tuple[PlacedBlock, ...]
    ruled: Verdicts
    signs: tuple[Signs, ...]
    begins: tuple[int | None, ...]
    belongs: tuple[int | None, ...]
    root: Section
    pairs: tuple[Pair, ...] = ()  # sections of one parent with nothing but sections without steps between them
    pair_signs: tuple[Signs, ...] = ()
    apart: tuple[int | None, ...] = ()
    markdown: str = ""
    flow: AnnotatedFlow | None = None  # None where only lines are labelled
    half: str = ""  # "A" or "B" of a text of the shapes

    def opinions(self, model: BlockModel) -> BlockOpinions:
        """What a model holds of the blocks and sections."""
        return model.judge(self.root, list(self.places), self.ruled)


def taught_texts(data: Path, without: frozenset[str] = frozenset(), also: Path | None = None) -> list[TaughtText]:
    """All texts that teach, with those of the folder `also`, but for those whose file name is in `without`."""
    own = [by_flow(f"{name}.md", markdown, flow, _UNSEEN) for name, markdown, flow in annotated(also)] if also else []
    found = [*_flows(data), *_own(), *own, *_lines(data)]
    return [text for text in found if text.source not in without]


def fit(texts: Sequence[TaughtText]) -> BlockModel:
    """Both regressions."""
    return BlockModel(*(_regression(texts, head) for head in _HEADS))


def left_out(texts: Sequence[TaughtText]) -> dict[int, BlockModel]:
    """For the position of every text a model that was fitted without its source."""
    fold = parts(texts, _FOLDS)
    models = {one: fit([text for text, part in zip(texts, fold, strict=True) if part != one]) for one in set(fold)}
    return {at: models[part] for at, part in enumerate(fold)}


def parts(texts: Sequence[TaughtText], folds: int) -> list[int]:
    """For each text the part it is left out with; texts of one source are in one part."""
    sources = sorted({text.source for text in texts})
    order = np.random.default_rng(7).permutation(len(sources))
    fold = {source: int(place) % folds for source, place in zip(sources, order, strict=True)}
    return [fold[text.source] for text in texts]


def check(texts: Sequence[TaughtText], models: dict[int, BlockModel]) -> list[str]:
    """Agreement on texts left out, for the texts that the rules never saw and for the others."""
    lines = []
    for name, unseen in (("texts unseen by the rules", True), ("other texts", False)):
        some = [at for at, text in enumerate(texts) if (text.weight > 1) == unseen]
        for head in _HEADS:
            lines.append(f"{name:<26} {head:<8} {_agreement([(texts[at], models[at]) for at in some], head)}")
    return lines


def main(data: Path, out: Path, without: frozenset[str], also: Path | None) -> None:
    """Print the check on texts left out; then fit on everything and write the model."""
    texts = taught_texts(data, without, also)
    checks = check(texts, left_out(texts))
    sys.stdout.write("\n".join(checks) + "\n")
    model = fit(texts)
    record = {
        "about": "Whether a step begins at a block, or the block belongs to the step before; see docs/procedure.md.",
        "fitted by": "python -m soprag.benchmarks.quality.flow_fitting",
        "fitted on": {"texts": len(texts), "blocks": sum(len(text.signs) for text in texts)},
        "left out and checked": checks,
        "begins": written(model.begins),
        "belongs": written(model.belongs),
        "apart": written(model.apart),
    }
    out.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _flows(data: Path) -> Iterator[TaughtText]:
    for name, markdown, flow in annotated(data / "flows"):
        source = json.loads((data / "flows" / f"{name}.json").read_text(encoding="utf-8"))["source"]
        yield by_flow(Path(source).name, markdown, flow, 1.0)
    for text in shaped(data):
        yield replace(by_flow(text.source, text.markdown, text.flow, _UNSEEN), half=text.half)


def _own() -> Iterator[TaughtText]:
    """The annotated texts of the repository; none where it is not there."""
    if not (_REPOSITORY / "examples").is_dir():
        return
    for text in own_texts(_REPOSITORY):
        yield by_flow(text.source, text.markdown, text.flow, _UNSEEN)


def by_flow(source: str, markdown: str, flow: AnnotatedFlow, weight: float) -> TaughtText:
    """An annotated text; `source` is its file name."""
    firsts = {step.first for step in flow.steps}
    held = {line for step in flow.steps for line in step.lines}
    begins: list[int | None] = []
    belongs: list[int | None] = []
    places, ruled = _blocks(markdown)
    for place in places:
        lines = set(own_lines(place.block))
        begins.append(int(bool(lines & firsts)))
        belongs.append(None if begins[-1] else int(bool(lines & held)))
    seen = tuple(signs(places, ruled))
    root = outline(read_blocks(markdown))
    found = list(_neighbours(root, flow))
    return TaughtText(
        source,
        weight,
        places,
        ruled,
        seen,
        tuple(begins),
        tuple(belongs),
        root,
        tuple((one.index, other.index) for _, one, other, _ in found),
        tuple(pair_signs(parent, one, other) for parent, one, other, _ in found),
        tuple(apart for _, _, _, apart in found),
        markdown,
        flow,
    )


def _neighbours(root: Section, flow: AnnotatedFlow) -> Iterator[tuple[Section, Section, Section, int | None]]:
    """(parent, section, next section with steps, whether neither follows the other: None when a decision leads in)."""
    for parent in _flat(root):
        acting = [(part, inside) for part in parent.parts if (inside := _steps_in(part, flow))]
        for (one, before), (other, behind) in pairwise(acting):
            ways = {(edge.source, edge.target) for edge in flow.edges}
            follows = any((a, b) in ways for a in before for b in behind)
            entered = any(b in behind and a not in behind for a, b in ways)
            yield parent, one, other, 0 if follows else None if entered else 1


def _steps_in(section: Section, flow: AnnotatedFlow) -> set[str]:
    lines = {line for part in _flat(section) for block in part.blocks for line in block.lines}
    lines |= {line for part in _flat(section) if part.heading for line in part.heading.lines}
    return {step.id for step in flow.steps if step.first in lines}


def _flat(section: Section) -> list[Section]:
    return [section, *(inner for part in section.parts for inner in _flat(part))]


def _lines(data: Path) -> Iterator[TaughtText]:
    """Texts of which single lines are labelled."""
    labels: dict[str, dict[int, str]] = {}
    for row in map(json.loads, (data / "roles" / "dev.jsonl").read_text(encoding="utf-8").splitlines()):
        labels.setdefault(row["file"], {})[row["line"]] = row["role"]
    for file, roles in labels.items():
        path = data / "roles" / file
        if not path.is_file():
            continue  # an example of the project, which is among the flows
        places, ruled = _blocks(path.read_text(encoding="utf-8"))
        seen = tuple(signs(places, ruled))
        begins = tuple(_labelled(place, roles) for place in places)
        yield TaughtText(path.name, _UNSEEN, places, ruled, seen, begins, (None,) * len(begins), Section())


def _labelled(place: PlacedBlock, roles: dict[int, str]) -> int | None:
    lines = own_lines(place.block)
    if any(roles.get(line) in _ACTING for line in lines):
        return 1
    return 0 if lines and lines[0] in roles else None


def _blocks(markdown: str) -> tuple[tuple[PlacedBlock, ...], Verdicts]:
    """The blocks of a text, and what the rules alone read there."""
    places = list(placed_blocks(outline(read_blocks(markdown)), markdown.split("\n")))
    flow = read_with(markdown, BlockOpinions())
    return tuple(places), verdicts(places, (step.lines for step in flow.steps))


def _regression(texts: Sequence[TaughtText], head: str) -> Signs:
    known = [
        (found, truth, text.weight)
        for text in texts
        for found, truth in zip(_seen(text, head), getattr(text, head), strict=True)
        if truth is not None
    ]
    return regression(known, [_seen(text, head) for text in texts])


def regression(known: Sequence[Known], texts: Sequence[Sequence[Signs]], pull: float = _PULL) -> Signs:
    """Logistic regression with an L2 penalty of `pull`; `texts` hold the signs of each text, to count rare ones."""
    if not known:
        return {}
    shown = Counter(name for text in texts for name in {name for found in text for name in found})
    columns = {name: at for at, name in enumerate(sorted(name for name, count in shown.items() if count >= _FEWEST))}
    table = np.zeros((len(known), len(columns)))
    for row, (found, _, _) in enumerate(known):
        for name, value in found.items():
            if name in columns:
                table[row, columns[name]] = value
    truth = np.array([one for _, one, _ in known], np.float64)
    pulls = np.full(len(columns), pull)
    pulls[columns["bias"]] = 0.0
    solution = _solved(table, truth, np.array([weight for _, _, weight in known]), pulls)
    return {name: float(solution[at]) for name, at in columns.items()}


def _seen(text: TaughtText, head: str) -> tuple[Signs, ...]:
    return text.pair_signs if head == "apart" else text.signs


def _solved(table: Matrix, truth: Matrix, weights: Matrix, pull: Matrix) -> Matrix:
    """The weights of the columns: many more columns than Newton's method could do in a minute."""

    def loss(solution: Matrix) -> tuple[float, Matrix]:
        odds = table @ solution
        value = weights @ (np.logaddexp(0, odds) - truth * odds) + (pull * solution) @ solution / 2
        chance = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
        return float(value), table.T @ (weights * (chance - truth)) + pull * solution

    found = minimize(loss, np.zeros(table.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": _ROUNDS})
    return np.asarray(found.x, np.float64)


def _agreement(pairs: Sequence[tuple[TaughtText, BlockModel]], head: str) -> str:
    right = wanted = given = 0
    for text, model in pairs:
        opinions = text.opinions(model)
        chances = [opinions.apart[pair] for pair in text.pairs] if head == "apart" else getattr(opinions, head).values()
        for chance, truth in zip(chances, getattr(text, head), strict=True):
            right += truth == 1 and chance > 0.5
            wanted += truth == 1
            given += truth is not None and chance > 0.5
    return f"F1 {2 * right / max(1, wanted + given):.3f}" if wanted else "-"


def written(weights: Signs) -> dict[str, float]:
    """The weights as they are kept: rounded, without those that are next to nothing."""
    return {name: round(weight, 2) for name, weight in weights.items() if abs(weight) >= 0.01}


def names_in(file: Path | None) -> frozenset[str]:
    """The file names that a file lists; none without a file."""
    return frozenset(Path(name).name for name in file.read_text(encoding="utf-8").split()) if file else frozenset()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").partition("\n")[0],
        epilog="example: python -m soprag.benchmarks.quality.flow_fitting ../shared/data /tmp/block_model.json",
    )
    parser.add_argument("data", type=Path, metavar="DATA", help="folder with flows/, roles/ and the corpora")
    parser.add_argument("out", type=Path, metavar="OUT.json", help="where the coefficients are written")
    teaching_options(parser)
    return parser.parse_args()


def teaching_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options for texts that teach less or more than the data folder holds."""
    parser.add_argument("--without", type=Path, metavar="FILE", help="file with names of sources that must not teach")
    parser.add_argument("--also", type=Path, metavar="DIR", help="folder with further texts: NAME.md with NAME.json")


if __name__ == "__main__":
    _given = _arguments()
    main(_given.data, _given.out, names_in(_given.without), _given.also)
