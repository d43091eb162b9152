"""Retrieval of the knowledge graph on questions over several passages: HotpotQA and MuSiQue samples.

The weights of the walk were chosen on the questions with an even number; the figures are those of the odd ones.
"""

import gzip
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from soprag.configs.settings import Settings
from soprag.tools.embedding import Embedder, Vectors
from soprag.tools.errors import UsageError
from soprag.tools.knowledge import community_store
from soprag.tools.knowledge.asking import community_chunks
from soprag.tools.knowledge.chunks import WindowLimits
from soprag.tools.knowledge.communities import Clustering
from soprag.tools.knowledge.library import KnowledgeLibrary
from soprag.tools.knowledge.passages import WalkWeights, asked_texts, rank, seed
from soprag.tools.knowledge.reading import DocumentReader
from soprag.tools.knowledge.records import SourceDocument
from soprag.tools.retriever.index.index import Index
from soprag.tools.sop import Frozen
from soprag.tools.tasks.knowledge import SUMMARISE_COMMUNITY
from soprag.tools.tasks.task import Llm

SETS = ("hotpotqa", "musique")
_WALK = WalkWeights()
SYSTEMS = {
    "BM25": replace(_WALK, hops=0, lexical=1.0),
    "dense": replace(_WALK, hops=0, lexical=0.0),
    "hybrid": replace(_WALK, hops=0),
    "walk, names as written": replace(_WALK, similar=0.0),
    "walk": _WALK,
}


@dataclass(frozen=True)
class HopQuestion:
    """A question with the ids of the documents that hold its answer."""

    text: str
    gold: frozenset[str]


class HopRow(Frozen):
    """One system on one set: recall at 2 and 5, share of questions with all gold passages in 8, processor ms."""

    dataset: str
    system: str
    questions: int
    recall2: float
    recall5: float
    all8: float
    milliseconds: float


async def measure_multihop(
    data: Path, settings: Settings, tools: tuple[Embedder, Llm], note: Callable[[str], None], *, communities: bool
) -> list[HopRow]:
    """Every system on the odd questions of every set; `communities` adds the search of paper 001."""
    rows, chosen = [], settings.knowledge
    for name in SETS:
        documents, questions = read_set(data, name)
        with (
            tempfile.TemporaryDirectory() as folder,
            closing(Index.open(Path(folder), tools[0], settings.index)) as index,
        ):
            library = KnowledgeLibrary.open(index, chosen.cosine_similarity)
            note(f"{name}: {len(documents)} documents")
            reader = DocumentReader(tools[1], WindowLimits(1024, 0))
            for document in documents:
                await library.add_document(document, reader)
            library.merge_names()
            rows += list(_rows(library, name, questions[1::2]))
            if communities:
                await _summarise(library, Clustering(chosen.resolution, chosen.largest), tools[1])
                rows.append(_by_communities(library, name, questions[1::2], chosen.communities))
    return rows


async def _summarise(library: KnowledgeLibrary, how: Clustering, rules: Llm) -> None:
    community_store.recluster(library, how)
    for digest, ask in community_store.summary_asks(library).items():
        text = (await rules.ask(SUMMARISE_COMMUNITY, ask)).text
        community_store.keep_summary(library, digest, text, "rules")


def _by_communities(library: KnowledgeLibrary, name: str, questions: list[HopQuestion], most: int) -> HopRow:
    """The search of paper 001: passages of the nearest communities, ordered by the hybrid score."""
    snapshot = library.snapshot()
    vectors = [library.embed(asked_texts(question.text)) for question in questions]
    ranked: list[list[str]] = []
    began = time.process_time()
    for question, rows in zip(questions, vectors, strict=True):
        inside = set(community_chunks(library, snapshot, question.text, most))
        ordered = [chunk for chunk in _ranked(library, question, rows, SYSTEMS["hybrid"]) if chunk in inside]
        ranked.append([snapshot.chunks[chunk].document for chunk in ordered])
    return _row(name, "communities", questions, ranked, (time.process_time() - began) * 1000 / len(questions))


def _ranked(library: KnowledgeLibrary, question: HopQuestion, vectors: Vectors, weights: WalkWeights) -> list[int]:
    snapshot = library.snapshot()
    seeded = seed(snapshot, question.text, vectors, weights)
    return [chunk for chunk, _ in rank(snapshot, seeded, lambda row: library.text_of(snapshot.chunks[row]), weights)]


def read_set(data: Path, name: str) -> tuple[list[SourceDocument], list[HopQuestion]]:
    """The passages of a set as documents, and its questions in their order."""
    corpus, asked = _load(data / f"{name}_train_corpus.json.gz"), _load(data / f"{name}_train.json.gz")
    pairs = (
        [(title, "".join(text)) for title, text in corpus.items()]
        if isinstance(corpus, dict)
        else [(row["title"], row["text"]) for row in corpus]
    )
    documents = [
        SourceDocument(id=f"{name}-{number:05}", title=title, kind="text", body=text or title, source=name)
        for number, (title, text) in enumerate(pairs)
    ]
    by_pair = {pair: document.id for pair, document in zip(pairs, documents, strict=True)}
    by_title = {title: by_pair[title, text] for title, text in reversed(pairs)}
    return documents, [HopQuestion(row["question"], frozenset(_gold(row, by_pair, by_title))) for row in asked]


def _gold(row: dict[str, Any], by_pair: dict[tuple[str, str], str], by_title: dict[str, str]) -> Iterator[str]:
    for part in row.get("paragraphs", ()):
        if part["is_supporting"]:
            yield by_pair[part["title"], part["paragraph_text"]]
    for title, _ in row.get("supporting_facts", ()):
        if title in by_title:
            yield by_title[title]


def _load(file: Path) -> Any:  # noqa: ANN401 - JSON
    if not file.is_file():
        raise UsageError(f"There is no file {str(file)!r}; --data names a folder with HotpotQA and MuSiQue samples.")
    return json.loads(gzip.decompress(file.read_bytes()))


def _rows(library: KnowledgeLibrary, name: str, questions: list[HopQuestion]) -> Iterator[HopRow]:
    snapshot = library.snapshot()
    vectors = [library.embed(asked_texts(question.text)) for question in questions]
    for system, weights in SYSTEMS.items():
        ranked: list[list[str]] = []
        began = time.process_time()
        for question, rows in zip(questions, vectors, strict=True):
            chunks = _ranked(library, question, rows, weights)
            ranked.append([snapshot.chunks[chunk].document for chunk in chunks[:50]])
        spent = (time.process_time() - began) * 1000 / len(questions)
        yield _row(name, system, questions, ranked, spent)


def _row(dataset: str, system: str, questions: list[HopQuestion], ranked: list[list[str]], spent: float) -> HopRow:
    unique = [list(dict.fromkeys(ids)) for ids in ranked]

    def recall(k: int) -> float:
        return fmean(
            len(question.gold & set(ids[:k])) / len(question.gold)
            for question, ids in zip(questions, unique, strict=True)
        )

    every = fmean(float(question.gold <= set(ids[:8])) for question, ids in zip(questions, unique, strict=True))
    return HopRow(
        dataset=dataset, system=system, questions=len(questions), recall2=recall(2), recall5=recall(5), all8=every,
        milliseconds=spent,
    )  # fmt: skip


def render(rows: list[HopRow]) -> list[str]:
    """A line per row."""
    head = f"{'set':10} {'system':22} {'n':>4} {'R@2':>6} {'R@5':>6} {'all@8':>6} {'CPU ms':>7}"
    lines = [
        f"{row.dataset:10} {row.system:22} {row.questions:4} {row.recall2:6.3f} {row.recall5:6.3f} {row.all8:6.3f} "
        f"{row.milliseconds:7.1f}"
        for row in rows
    ]
    return [head, *lines]
