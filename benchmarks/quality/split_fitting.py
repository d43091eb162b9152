"""Fits the model of the boundaries between independent procedures, with a check on every corpus that was left out.

`python -m soprag.benchmarks.quality.split_fitting DATA OUT.json [MORE ...]` joins the SOPs and decoys below DATA, the
example library, the pages of one half of the installed packages, the pages in docs/ and some documents of each corpus
below MORE, each in the forms of `heading_forms`. Coefficients and their provenance are written to OUT.json; texts are
not kept. Every corpus counts alike, and a single document counts three times, because a torn procedure costs more than
two that stay together. Corpora are left out by folds, so that a check stands for a corpus and others that are not seen.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from soprag.benchmarks.quality.boundary_regression import PROPOSED, BoundaryFit, JudgedText
from soprag.benchmarks.quality.corpora import read_corpora
from soprag.benchmarks.quality.heading_forms import Form, rewrite
from soprag.benchmarks.quality.package_documents import read_packages
from soprag.benchmarks.quality.splitting import JoinPlan, Splitter, joined_files
from soprag.tools.markdown.page import read
from soprag.tools.rules.split import split
from soprag.tools.segmentation.boundary_model import BoundaryModel, Logistic, Matrix, fitted
from soprag.tools.segmentation.evidence import weigh
from soprag.tools.segmentation.independent import boundaries
from soprag.tools.segmentation.title_lines import title_lines

_FORMS: tuple[Form, ...] = ("original", "flat", "bold", "capitals", "banner")
_PLAN = JoinPlan(joins=45, seed=11)  # another seed than that of the measurement
_LONGEST = 12_000  # characters of a page of a package
_OTHERS = ("decoys", "library", "packages", "pages")  # they teach what documents look like and choose no prior
_PRIORS = (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
_TORN = 0.011  # largest share of the SOPs of a corpus that are torn: one of 96
_SOME = 24  # documents of a corpus below MORE, none of more words than the next number
_WORDS = 2500
_SOME_PLAN = JoinPlan(joins=20, seed=11)
_SHARE = 0.5  # what such a corpus counts, because nobody has read whether each of its documents is one procedure
_SOURCES = Path(__file__).resolve().parents[2]

Chosen = list[list[int]]  # of every text the title lines at which parts begin


def training_texts(data: Path, more: Sequence[Path] = ()) -> Iterator[JudgedText]:
    """Joins and single documents of every corpus, in every form."""
    for corpora, plan, share in ((_corpora(data), _PLAN, 1.0), (_some(more), _SOME_PLAN, _SHARE)):
        for corpus, texts in corpora.items():
            for form in _FORMS:
                written = [rewrite(text, form) for text in texts]
                for joined in joined_files(written, plan):
                    yield replace(_judged(corpus, form, joined.markdown, set(joined.starts)), share=share)
                for text in written:
                    yield replace(_judged(corpus, form, text, set()), share=share)


def models_without(fit: BoundaryFit) -> dict[str, BoundaryModel]:
    """For each corpus the model that was fitted without its fold; prior 0."""
    models = {fold: fit.model(fold) for fold in sorted(set(fit.folds.values()))}
    return {corpus: models[fold] for corpus, fold in fit.folds.items()}


def splitters_without(data: Path, more: Sequence[Path] = ()) -> dict[str, Splitter]:
    """For every corpus of SOPs the splitter whose model was fitted without its fold."""
    models = models_without(BoundaryFit(list(training_texts(data, more))))
    prior = fitted().prior
    return {name: partial(split, model=replace(m, prior=prior)) for name, m in models.items() if name not in _OTHERS}


def judge(texts: Sequence[JudgedText], models: Mapping[str, BoundaryModel], prior: float) -> Chosen:
    """The boundaries of every text by the model that did not see its corpus."""
    return [boundaries(text.evidence, replace(models[text.corpus], prior=prior)) for text in texts]


def check(texts: Sequence[JudgedText], chosen: Chosen) -> list[str]:
    """Boundary F1 on joins and torn single documents, by corpus and form."""
    lines: list[str] = []
    for corpus, form in sorted({(text.corpus, text.form) for text in texts}):
        rows = [(t, row) for t, row in zip(texts, chosen, strict=True) if (t.corpus, t.form) == (corpus, form)]
        f1, torn = _figures(rows)
        lines.append(f"{corpus:<12} {form:<9} F1 {f1:.3f}  torn {torn:.3f}")
    return lines


def main(data: Path, out: Path, *more: Path) -> None:
    """Print the checks on corpora left out, which choose the prior; then fit on everything and write the model."""
    fit = BoundaryFit(list(training_texts(data, more)))
    texts = fit.texts
    corpora = sorted({text.corpus for text in texts})
    models = models_without(fit)
    prior = choose_prior(texts, models)
    checks = check(texts, judge(texts, models, prior))
    sys.stdout.write("\n".join([f"prior {prior}", *checks]) + "\n")
    model = fit.model()
    record = {
        "about": "Log-odds that a title line begins an independent procedure; see docs/rules.md.",
        "fitted by": "python -m soprag.benchmarks.quality.split_fitting",
        "fitted on": {corpus: sum(1 for t in texts if t.corpus == corpus and t.is_single) for corpus in corpora},
        "left out and checked": checks,
        "names": model.names,
        "first": {name: _rounded(values) for name, values in vars(model.first).items()},
        "second": _written(model.second),
        "parts": _written(model.parts),
        "proposed": PROPOSED,
        "prior": prior,
    }
    out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def choose_prior(texts: Sequence[JudgedText], models: Mapping[str, BoundaryModel]) -> float:
    """The lowest prior at which few SOPs of each corpus that counts in full are torn, by models that did not see it."""
    sops = [text for text in texts if text.corpus not in _OTHERS and text.share == 1]
    for prior in _PRIORS:
        rows = list(zip(sops, judge(sops, models, prior), strict=True))
        torn = [_figures([row for row in rows if row[0].corpus == corpus])[1] for corpus in {t.corpus for t in sops}]
        if max(torn, default=0.0) <= _TORN:
            return prior
    return _PRIORS[-1]


def _some(folders: Sequence[Path]) -> dict[str, list[str]]:
    """Some documents of every corpus below `folders`, in the order of their names."""
    corpora: dict[str, list[str]] = {}
    for document in (document for folder in folders for document in read_corpora(folder)):
        texts = corpora.setdefault(document.corpus, [])
        if len(texts) < _SOME and len(document.markdown.split()) <= _WORDS:
            texts.append(document.markdown)
    return corpora


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


def _figures(rows: Sequence[tuple[JudgedText, list[int]]]) -> tuple[float, float]:
    """Boundary F1 on the joins and the share of single documents that are torn."""
    correct = wrong = torn = singles = 0
    for text, starts in rows:
        true = set(np.flatnonzero(text.truth).tolist())
        if text.is_single:
            singles, torn = singles + 1, torn + bool(starts)
        else:
            correct, wrong = correct + len(true & set(starts)), wrong + len(true ^ set(starts))
    return 2 * correct / max(2 * correct + wrong, 1), torn / max(singles, 1)


def _written(regression: Logistic) -> dict[str, object]:
    return {"weights": [round(float(weight), 4) for weight in regression.weights], "bias": round(regression.bias, 4)}


def _rounded(values: Matrix) -> object:
    return np.round(values, 3).tolist()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
