from typing import Any

import numpy as np
import pytest

from soprag.tools.evaluation.retrieval import open_baselines, read_benchmark
from soprag.tools.evaluation.retrieval.baselines import matching, reciprocal, standardised
from soprag.tools.evaluation.retrieval.signals import PASSAGE, passages
from soprag.tools.sop import Sop, Span
from soprag.tools.text.terms import terms, with_pairs

NAMES = ["bm25", "bm25-pairs", "dense", "dense-passages", "hybrid-rrf", "hybrid", "hybrid-pairs", "hybrid-passages"]


def sop(name: str, title: str, body: str) -> Sop:
    return Sop(id=name, title=title, text=body, document=name, span=Span(start=1, end=1))


def test_identifiers_are_found_whole_and_by_their_parts() -> None:
    assert terms("KubeAPIDown on disk_full_2") == [
        "kube",
        "api",
        "down",
        "kubeapidown",
        "disk",
        "full",
        "2",
        "diskfull2",
    ]
    assert terms("the pumps are restarting") == ["pump", "restart"]
    assert with_pairs(["a", "b", "c"]) == ["a", "b", "c", "a_b", "b_c"]


def test_a_passage_loses_no_word_and_is_never_too_long() -> None:
    body = "\n".join(["one two three"] * 70 + [" ".join(f"w{n}" for n in range(350))] + ["", "end"])
    cut = passages(body)
    assert " ".join(cut).split() == body.split()
    assert max(len(passage.split()) for passage in cut) <= PASSAGE
    assert passages("") == [""]


@pytest.mark.parametrize("name", NAMES)
def test_every_baseline_finds_the_obvious(name: str, folder: Any, embedder: Any) -> None:
    benchmark = read_benchmark(folder.path)
    system = next(one for one in open_baselines(embedder) if one.name == name)
    seconds = system.index(benchmark.corpus)
    assert sum(seconds.values()) > 0
    for query in benchmark.queries:
        found = system.rank(query.text, 3)
        assert found.hits[0][0] in query.relevant
        assert len(found.hits) <= 3
        assert found.seconds["fuse"] >= 0


def test_the_title_counts_and_a_passage_deep_inside_is_found(embedder: Any) -> None:
    filler = "\n".join(["routine words of no interest"] * 200)
    corpus = [sop("a", "Chiller", filler), sop("b", "Boiler", f"{filler}\nbleed the compressor\n{filler}")]
    for system in open_baselines(embedder):
        system.index(corpus)
        assert system.rank("chiller", 1).hits[0][0] == "a"
        if system.name != "dense":
            assert system.rank("compressor to bleed", 1).hits[0][0] == "b"


def test_baselines_share_what_they_are_made_of_and_each_is_charged_for_it(folder: Any, embedder: Any) -> None:
    corpus = read_benchmark(folder.path).corpus
    calls: list[int] = []

    class Counting:
        name = "counting"

        def embed(self, texts: list[str]) -> Any:
            calls.append(len(texts))
            return embedder.embed(texts)

    seconds = {system.name: system.index(corpus) for system in open_baselines(Counting())}
    assert len(calls) == 2  # whole SOPs and passages
    assert seconds["hybrid"]["embed"] == seconds["dense-passages"]["embed"]


def test_another_corpus_takes_the_place_of_the_first(embedder: Any) -> None:
    system = open_baselines(embedder)[0]
    system.index([sop("a", "Pump", "restart it")])
    system.index([sop("b", "Fan", "clean it")])
    assert system.rank("pump fan", 5).hits[0][0] == "b"
    assert system.rank("pump", 5).hits == ()


@pytest.mark.parametrize("question", ["", "   ", "the of and", "\x00\x07", "zzzz qqqq", "ポンプ", "pump " * 10_000])
def test_odd_questions_give_an_answer_and_no_fault(question: str, folder: Any, embedder: Any) -> None:
    corpus = read_benchmark(folder.path).corpus
    for system in open_baselines(embedder):
        system.index(corpus)
        assert all(np.isfinite(score) for _, score in system.rank(question, 10).hits)


def test_a_corpus_without_words_is_indexed(embedder: Any) -> None:
    for system in open_baselines(embedder):
        system.index([sop("a", "", ""), sop("b", "the", "and of")])
        system.rank("pump", 5)


def test_fusions_do_what_they_say() -> None:
    one, two = np.array([3.0, 2.0, 1.0]), np.array([0.0, 5.0, 5.0])
    assert np.allclose(reciprocal([one, two]), [1 / 61 + 1 / 63, 1 / 62 + 1 / 61, 1 / 63 + 1 / 61])
    assert np.allclose(standardised([one]), np.array([1, 0, -1]) / np.std([1, 2, 3]))
    assert np.array_equal(standardised([np.zeros(3)]), np.zeros(3))
    assert matching([two])[0] == -np.inf
