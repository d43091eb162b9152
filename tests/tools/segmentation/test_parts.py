"""Whether parts stand alone: what goes on over a boundary, siblings, and how much evidence a document needs."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from soprag.benchmarks.quality import split_fitting
from soprag.benchmarks.quality.boundary_networks import Cases
from soprag.benchmarks.quality.boundary_regression import BoundaryFit, JudgedText, regression
from soprag.benchmarks.quality.splitting import JoinPlan, join
from soprag.tools.markdown.page import read
from soprag.tools.segmentation.boundary_model import fitted
from soprag.tools.segmentation.evidence import Evidence, weigh
from soprag.tools.segmentation.independent import boundaries
from soprag.tools.segmentation.parts import COLUMNS, PartReader
from soprag.tools.segmentation.title_lines import title_lines
from soprag.tools.tasks.benchmark import MarkdownAsk

PUMP = (
    "## Replacing the pump seal\n\n## Overview\n\nThe pump seal drips.\n\n"
    "## Steps\n\n1. Stop the pump.\n2. Press the seal onto the shaft of the pump.\n"
)
BADGE = (
    "## Issuing a visitor badge\n\n## Overview\n\nThe badge opens the front door.\n\n"
    "## Steps\n\n1. Print the badge.\n2. Hand the visitor the badge.\n"
)


def evidence(text: str) -> Evidence:
    page = read(text)
    return weigh(page, title_lines(page))


def columns(text: str, chosen: list[int]) -> list[dict[str, float]]:
    read_ = evidence(text)
    rows = PartReader(read_.sections).rows(chosen, np.zeros(len(read_.rows)))
    return [dict(zip(COLUMNS, row, strict=True)) for row in rows.tolist()]


def test_a_title_goes_on_within_a_document_and_not_in_the_next_one() -> None:
    between, within = columns(join([PUMP, BADGE]).markdown, [3])[0], columns(PUMP, [2])[0]
    assert (between["title goes on"], between["like"]) == (0, pytest.approx(0, abs=0.25))
    assert within["title goes on"] > between["title goes on"]
    assert (between["title is own"] >= 0.5, between["skeleton"], between["steps in both"]) == (True, 1, 1)
    assert (within["form title"], between["form title"]) == (1, 0)


def test_a_heading_whose_siblings_stay_is_seen_and_one_whose_siblings_all_begin_is_not() -> None:
    text = "".join(f"## Playbook: {word}\n\nDo the {word} work.\n\n### Note\n\nText.\n\n" for word in "abcd")
    assert columns(text, [6])[0]["alike stay"] == 1
    assert columns(text, [2, 4, 6])[0]["alike stay"] == 0


def test_a_title_that_goes_on_with_a_series_is_seen_and_a_new_series_is_not() -> None:
    text = "".join(f"## {title}\n\nDo the {word} work.\n\n" for title, word in (("Part A: x", "p"), ("Part B: y", "q")))
    assert columns(text, [1])[0]["counted on"] == 1
    assert columns(text.replace("Part B", "Part A"), [1])[0]["counted on"] == 0
    assert columns(text.replace("Part B", "Step B"), [1])[0]["counted on"] == 0


def test_a_part_that_tells_nobody_to_do_anything_is_seen_as_such() -> None:
    lens = "## Lenses\n\nThe aperture of the lens is 0.4.\n\n## Sizes\n\nIt is 30 mm long.\n"
    told, silent = columns(join([PUMP, BADGE]).markdown, [3])[0], columns(join([PUMP, lens]).markdown, [3])[0]
    assert silent["fewer orders"] == silent["rarer orders"] == 0
    assert told["fewer orders"] > 0.3
    assert told["rarer orders"] > 0.5


def test_a_new_topic_is_likely_where_the_words_change_and_not_within_one_text() -> None:
    found = evidence(join([PUMP * 3, BADGE * 3]).markdown)
    chances = found.rows[:, found.names.index("new topic softly")]
    assert chances[9] > 0.9
    assert max(chances[1:9]) < 0.5


def test_a_document_needs_more_evidence_than_one_boundary_at_the_limit() -> None:
    joined = evidence(join([PUMP * 3, BADGE * 3]).markdown)
    even = replace(fitted(), proposed=-9.0, prior=0.0)
    found = boundaries(joined, even)
    assert found
    assert boundaries(joined, replace(even, prior=1000.0)) == []


def test_the_fit_tells_the_parts_of_a_corpus_that_it_did_not_see() -> None:
    other = [text.replace("pump", "valve").replace("badge", "permit") for text in (PUMP, BADGE)]

    def judged(corpus: str, texts: list[str]) -> JudgedText:
        joined = join(texts)
        page = read(joined.markdown)
        titles = title_lines(page)
        truth = np.array([float(title.line in joined.starts) for title in titles])
        return JudgedText(corpus, "flat", len(texts) == 1, weigh(page, titles), truth)

    texts = [judged(name, part) for name in "abc" for part in ([PUMP, BADGE, *other], other, [PUMP], [BADGE])]
    model = BoundaryFit(texts).model(without=0)
    assert boundaries(texts[0].evidence, model) == [3, 6, 9]
    assert boundaries(texts[2].evidence, model) == []


def test_every_corpus_weighs_the_same_in_a_regression() -> None:
    rows = np.array([[0.0], [1.0]])
    many, few = Cases("many", np.tile(rows, (50, 1)), np.tile([0.0, 1.0], 50), 1.0), Cases("few", rows, np.ones(2), 1.0)
    assert regression([many, few], 0.01).log_odds(np.array([[0.0]]))[0] == pytest.approx(0, abs=0.3)


def test_a_corpus_left_out_is_split_by_what_the_others_teach(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [PUMP, BADGE, PUMP.replace("pump", "valve"), BADGE.replace("badge", "permit")]
    monkeypatch.setattr(split_fitting, "_corpora", lambda _data: dict.fromkeys("abc", texts))
    monkeypatch.setattr(split_fitting, "_PLAN", JoinPlan(joins=6, seed=1))
    splitter = split_fitting.splitters_without(Path())["a"]
    joined = join([PUMP, BADGE])
    parts = splitter(MarkdownAsk(name="joined.md", markdown=joined.markdown)).parts
    assert [part.start for part in parts] == [1, *joined.starts]
    assert len(splitter(MarkdownAsk(name="pump.md", markdown=PUMP)).parts) == 1
