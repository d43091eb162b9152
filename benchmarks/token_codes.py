"""What the codes of token vectors cost in answers: one, two and eight bits on the same corpora and questions.

    uv run python -m soprag.benchmarks.token_codes ../shared/data/runbooks ../shared/data/observatory
    uv run python -m soprag.benchmarks.token_codes ../shared/data/runbooks --bits 2 1

Eight bits, with which every rank is that of float32, are one reference, and two bits, the default, another. Printed for
each number of bits: kB per SOP, MRR, and how many questions are refused: a corpus's own, those of the other corpora,
and those off the topic. Below it for each reference: the change of MRR and of the share of own questions refused, with
paired 95 % intervals, and how often the first hit and its best step are others.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from soprag.apps import process

process.prepare()  # before numpy computes: one thread for BLAS

from soprag.apps.compose.index import extraction  # noqa: E402
from soprag.benchmarks.quality.abstention import OFF_TOPIC  # noqa: E402
from soprag.configs.settings import load  # noqa: E402
from soprag.tools.embedding import Tokens  # noqa: E402
from soprag.tools.embedding.minilm import MiniLm  # noqa: E402
from soprag.tools.evaluation.retrieval.benchmark import Benchmark, read_benchmark  # noqa: E402
from soprag.tools.evaluation.retrieval.significance import bootstrap  # noqa: E402
from soprag.tools.retriever.index.index import Index  # noqa: E402
from soprag.tools.retriever.index.sqlite_store import FILE  # noqa: E402
from soprag.tools.retriever.query.results import RankedHit, Ranking  # noqa: E402
from soprag.tools.retriever.query.retriever import Retriever  # noqa: E402
from soprag.tools.rules.adapter import RulesLlm  # noqa: E402

BITS = (8, 2, 1)
HITS, DRAWS = 100, 10_000


@dataclass
class Remembered(MiniLm):
    """MiniLM that reads every text once."""

    known: dict[str, Tokens] = field(default_factory=dict)

    def tokens(self, texts: list[str]) -> list[Tokens]:
        """As MiniLM does."""
        new = [text for text in dict.fromkeys(texts) if text not in self.known]
        self.known |= dict(zip(new, super().tokens(new), strict=True)) if new else {}
        return [self.known[text] for text in texts]


@dataclass(frozen=True)
class Answers:
    """What the index of one corpus answers: to its own questions, and how many of each kind it refuses."""

    kilobytes: float
    own: list[Ranking]
    refused: tuple[int, ...]

    def reciprocal_ranks(self, benchmark: Benchmark) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
        """1 / rank of the first right SOP for every question; 0 where none is among the hits."""
        ranks = [
            next((1 / place for place, hit in enumerate(ranking.hits, 1) if hit.sop in query.relevant), 0.0)
            for ranking, query in zip(self.own, benchmark.queries, strict=True)
        ]
        return np.array(ranks)


def main() -> None:
    """Measure all corpora named; one is enough, then no question is of another."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("benchmarks", nargs="+", help="folders of benchmarks")
    parser.add_argument(
        "--bits", type=int, nargs="+", choices=BITS, default=BITS, help="bits a number, references first"
    )
    options = parser.parse_args()
    benchmarks, model = [read_benchmark(Path(name)) for name in options.benchmarks], Remembered()
    for benchmark in benchmarks:
        others = [query.text for other in benchmarks if other is not benchmark for query in other.queries]
        known: dict[int, Answers] = {}
        for bits in options.bits:
            known[bits] = answers(benchmark, others, model, bits)
            report = [row(benchmark, bits, known[bits], len(others))]
            report += [change(benchmark, less, known[less], known[bits]) for less in known if less != bits]
            sys.stdout.write("\n".join(report) + "\n")
            sys.stdout.flush()


def answers(benchmark: Benchmark, others: Sequence[str], model: MiniLm, bits: int) -> Answers:
    """Index the corpus with `bits` bits a number of a token and ask everything."""
    settings, llm = load(environment={}), RulesLlm()
    with tempfile.TemporaryDirectory() as folder:
        index = Index.open(Path(folder), model, settings.index.model_copy(update={"token_bits": bits}))

        async def fill() -> None:
            async for outcome in index.add(benchmark.corpus, extraction(settings, llm)):
                assert outcome.event == "added", outcome

        asyncio.run(fill())
        retriever = Retriever.open(index, llm, settings.retriever)
        own = [retriever.find(query.text, HITS) for query in benchmark.queries]
        refused = tuple(sum(retriever.find(text, 1).abstained for text in texts) for texts in (others, OFF_TOPIC))
        index.close()
        size = (Path(folder) / FILE).stat().st_size / 1000 / len(benchmark.corpus)
    return Answers(size, own, (sum(ranking.abstained for ranking in own), *refused))


def row(benchmark: Benchmark, bits: int, coded: Answers, others: int) -> str:
    """The line of one number of bits."""
    totals = (len(coded.own), others, len(OFF_TOPIC))
    refused = " / ".join(f"{count} of {total}" for count, total in zip(coded.refused, totals, strict=True))
    mean = coded.reciprocal_ranks(benchmark).mean()
    return f"{benchmark.name:<14}{bits} bits {coded.kilobytes:7.1f} kB  MRR {mean:.4f}  refused {refused}"


def change(benchmark: Benchmark, bits: int, reference: Answers, coded: Answers) -> str:
    """The line below it: what is otherwise than with `bits` bits."""
    ranks = coded.reciprocal_ranks(benchmark) - reference.reciprocal_ranks(benchmark)
    pairs = list(zip(reference.own, coded.own, strict=True))
    refused = np.array([float(b.abstained) - float(a.abstained) for a, b in pairs])
    firsts = [(a.hits[0], b.hits[0]) for a, b in pairs]
    same = [(a, b) for a, b in firsts if a.sop == b.sop]
    steps = sum(_step(a) != _step(b) for a, b in same) / max(len(same), 1)
    return (
        f"  against {bits} bits: MRR {_interval(benchmark, ranks)}, refused {_interval(benchmark, refused)}, "
        f"first hit another {1 - len(same) / len(firsts):.3f}, else its step another {steps:.3f}"
    )


def _interval(benchmark: Benchmark, values: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> str:
    known = bootstrap(values, benchmark.groups, DRAWS, 0)
    return f"{known.mean:+.4f} [{known.low:+.4f}, {known.high:+.4f}]"


def _step(hit: RankedHit) -> str:
    return hit.step.text if hit.step else ""


if __name__ == "__main__":
    main()
