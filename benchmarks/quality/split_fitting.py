"""Fits the model of the boundaries between independent procedures, with a check on every corpus that was left out.

`python -m soprag.benchmarks.quality.split_fitting DATA OUT.json` joins the SOPs and decoys below DATA, the example
library, the pages of one half of the installed packages and the pages in docs/, each in the forms of `heading_forms`.
Coefficients and their provenance are written to OUT.json; texts are not kept. Every corpus counts alike, and a single
document counts `_SINGLE` times, because a torn procedure costs more than two that stay together.
"""

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from soprag.benchmarks.quality.corpora import read_corpora
from soprag.benchmarks.quality.heading_forms import Form, rewrite
from soprag.benchmarks.quality.package_documents import read_packages
from soprag.benchmarks.quality.splitting import JoinPlan, joined_files
from soprag.tools.markdown.page import read
from soprag.tools.segmentation.boundary_model import (
    BoundaryModel,
    Logistic,
    Matrix,
    expanded,
    in_context,
    inside,
)
from soprag.tools.segmentation.evidence import Evidence, weigh
from soprag.tools.segmentation.title_lines import title_lines

_FORMS: tuple[Form, ...] = ("original", "flat", "bold", "capitals")
_PLAN = JoinPlan(joins=60, seed=11)  # another seed than that of the measurement
_SINGLE = 3.0  # weight of the lines of a document that is one procedure
_PULL = 3.0  # L2 penalty on the weights of standardised columns
_STEPS, _SMALL = 25, 1e-3  # of Newton's method
_LONGEST = 12_000  # characters of a page of a package
_OTHERS = ("decoys", "library", "packages", "pages")  # they teach what documents look like and choose no margin
_MARGINS = np.arange(-1.0, 3.1, 0.25)
_TORN = 0.015  # largest share of single documents that are torn
_SOURCES = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class JudgedText:
    """The evidence of one text, and which of its title lines begin an independent procedure."""

    corpus: str
    form: Form
    is_single: bool
    evidence: Evidence
    truth: Matrix


Rows = Callable[[JudgedText], Matrix]


def training_texts(data: Path) -> Iterator[JudgedText]:
    """Joins and single documents of every corpus, in every form."""
    for corpus, texts in _corpora(data).items():
        for form in _FORMS:
            written = [rewrite(text, form) for text in texts]
            for joined in joined_files(written, _PLAN):
                yield _judged(corpus, form, joined.markdown, set(joined.starts))
            for text in written:
                yield _judged(corpus, form, text, set())


def fit(texts: Sequence[JudgedText]) -> BoundaryModel:
    """Both regressions, the second on judgements by a first one that did not see the text."""
    halves = [texts[::2], texts[1::2]]
    unseen = {}
    for trained, other in (halves, halves[::-1]):
        half = _regression(trained, _first_rows)
        unseen.update({id(text): half.log_odds(expanded(text.evidence)) for text in other if len(text.truth)})
    first = _regression(texts, _first_rows)
    second = _regression(texts, lambda text: in_context(unseen[id(text)], text.evidence, inside(text.evidence)))
    names = next(text.evidence.names for text in texts if len(text.truth))
    return BoundaryModel(names, first, second, 0.0)


def left_out(texts: Sequence[JudgedText]) -> list[Matrix]:
    """For every text the log-odds by a model that was fitted on the other corpora."""
    models = {
        corpus: fit([text for text in texts if text.corpus != corpus]) for corpus in {text.corpus for text in texts}
    }
    return [models[text.corpus].log_odds(text.evidence) for text in texts]


def check(texts: Sequence[JudgedText], judged: Sequence[Matrix], margin: float) -> list[str]:
    """Boundary F1 on joins and torn single documents, by corpus and form."""
    lines: list[str] = []
    for corpus, form in sorted({(text.corpus, text.form) for text in texts}):
        rows = [(t, row > margin) for t, row in zip(texts, judged, strict=True) if (t.corpus, t.form) == (corpus, form)]
        f1, torn = _figures([text for text, _ in rows], [starts for _, starts in rows])
        lines.append(f"{corpus:<12} {form:<9} F1 {f1:.3f}  torn {torn:.3f}")
    return lines


def main(data: Path, out: Path) -> None:
    """Print the checks on corpora left out, which choose the margin; then fit on everything and write the model."""
    texts = list(training_texts(data))
    corpora = sorted({text.corpus for text in texts})
    judged = left_out(texts)
    margin = _margin(texts, judged)
    checks = check(texts, judged, margin)
    sys.stdout.write("\n".join([f"margin {margin}", *checks]) + "\n")
    fitted = fit(texts)
    record = {
        "about": "Log-odds that a title line begins an independent procedure; see docs/rules.md.",
        "fitted by": "python -m soprag.benchmarks.quality.split_fitting",
        "fitted on": {corpus: sum(1 for t in texts if t.corpus == corpus and t.is_single) for corpus in corpora},
        "left out and checked": checks,
        "names": fitted.names,
        "first": _written(fitted.first),
        "second": _written(fitted.second),
        "margin": margin,
    }
    out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def _corpora(data: Path) -> dict[str, list[str]]:
    corpora: dict[str, list[str]] = {}
    for document in read_corpora(data):
        corpora.setdefault(document.corpus, []).append(document.markdown)
    pages = [page.markdown[:_LONGEST] for page in read_packages("fitted") if page.name.lower().endswith(".md")]
    corpora["packages"] = [page for page in pages if len(re.findall(r"^#", page, re.MULTILINE)) > 2]
    sources = sorted((_SOURCES / "examples" / "sources").rglob("*.md"))
    texts = [path.read_text(encoding="utf-8").split("+++\n")[-1] for path in sources]
    corpora["library"] = [text for text in texts if len(re.findall(r"^# ", text, re.MULTILINE)) == 1]
    corpora["pages"] = [path.read_text(encoding="utf-8") for path in sorted((_SOURCES / "docs").glob("*.md"))]
    return corpora


def _judged(corpus: str, form: Form, markdown: str, starts: set[int]) -> JudgedText:
    """A text with its boundaries: the first title line from each of `starts` on."""
    page = read(markdown)
    titles = title_lines(page)
    truth = np.zeros(len(titles))
    for start in starts:
        index = next((index for index, title in enumerate(titles) if title.line >= start), None)
        if index is not None:
            truth[index] = 1
    return JudgedText(corpus, form, not starts, weigh(page, titles), truth)


def _first_rows(text: JudgedText) -> Matrix:
    return expanded(text.evidence)


def _regression(texts: Sequence[JudgedText], rows: Rows) -> Logistic:
    """Logistic regression by Newton's method on standardised columns, every corpus weighing the same."""
    texts = [text for text in texts if inside(text.evidence).any()]
    masks = [inside(text.evidence) for text in texts]
    values = np.vstack([rows(text)[mask] for text, mask in zip(texts, masks, strict=True)])
    truth = np.concatenate([text.truth[mask] for text, mask in zip(texts, masks, strict=True)])
    weights = _importance(texts, masks)
    mean, scale = values.mean(0), values.std(0) + 1e-6
    table = np.hstack([(values - mean) / scale, np.ones((len(values), 1))])
    penalty = np.eye(table.shape[1]) * _PULL
    penalty[-1, -1] = 0
    solution = np.zeros(table.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(table @ solution, -30, 30)))
        gradient = table.T @ (weights * (chance - truth)) + penalty @ solution
        curvature = (table * (weights * chance * (1 - chance) + 1e-9)[:, None]).T @ table + penalty
        step = np.linalg.solve(curvature, gradient)
        solution = solution - step
        if np.abs(step).max() < _SMALL:
            break
    slopes = solution[:-1] / scale
    return Logistic(slopes, float(solution[-1] - slopes @ mean))


def _importance(texts: Sequence[JudgedText], masks: Sequence[NDArray[np.bool_]]) -> Matrix:
    weights = [
        np.full(int(mask.sum()), _SINGLE if text.is_single else 1.0) for text, mask in zip(texts, masks, strict=True)
    ]
    whole: dict[str, float] = {}
    for text, weight in zip(texts, weights, strict=True):
        whole[text.corpus] = whole.get(text.corpus, 0.0) + float(weight.sum())
    mean = sum(whole.values()) / len(whole)
    return np.concatenate([w * mean / whole[text.corpus] for text, w in zip(texts, weights, strict=True)])


def _margin(texts: Sequence[JudgedText], judged: Sequence[Matrix]) -> float:
    """Of the margins at which few single SOPs are torn, the one with the largest F1; both by models without them."""
    rows = [(text, row) for text, row in zip(texts, judged, strict=True) if text.corpus not in _OTHERS]
    sops = [text for text, _ in rows]
    figures = [(*_figures(sops, [row > margin for _, row in rows]), float(margin)) for margin in _MARGINS]
    allowed = [(f1, margin) for f1, torn, margin in figures if torn <= _TORN]
    return max(allowed)[1] if allowed else float(_MARGINS[-1])


def _figures(texts: Sequence[JudgedText], chosen: Sequence[NDArray[np.bool_]]) -> tuple[float, float]:
    """Boundary F1 on the joins and the share of single documents that are torn."""
    correct = wrong = torn = singles = 0
    for text, starts in zip(texts, chosen, strict=True):
        if text.is_single:
            singles, torn = singles + 1, torn + bool(starts.any())
        else:
            correct += int((starts & (text.truth == 1)).sum())
            wrong += int((starts != (text.truth == 1)).sum())
    return 2 * correct / max(2 * correct + wrong, 1), torn / max(singles, 1)


def _written(regression: Logistic) -> dict[str, object]:
    return {"weights": [round(float(weight), 4) for weight in regression.weights], "bias": round(regression.bias, 4)}


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
