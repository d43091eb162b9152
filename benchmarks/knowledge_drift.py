"""How many summaries one more document puts out of date, on the MuSiQue passages.

    uv run python -m soprag.benchmarks.knowledge_drift --data DIR

DIR holds the MuSiQue sample and the triples that GPT-3.5 extracted from its passages (from the HippoRAG repository).
Facts by rule make a sparse graph, the triples a dense one. For each document drawn, the communities of all others are
made, the document is added, and the communities that then have no summary are counted.
"""

import argparse
import asyncio
import gzip
import json
import random
import sys
from pathlib import Path
from statistics import fmean

from soprag.benchmarks.quality.multihop import read_set
from soprag.tools.knowledge.chunks import WindowLimits
from soprag.tools.knowledge.communities import Clustering, Community, LinkedFact, cluster, cluster_again
from soprag.tools.knowledge.community_store import SMALLEST
from soprag.tools.knowledge.reading import DocumentReader
from soprag.tools.rules.adapter import RulesLlm

_HOW = Clustering(resolution=1.0, largest=40)
Facts = list[LinkedFact]


def main() -> None:
    """Print a line for each graph."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--documents", type=int, default=20, help="documents that are drawn for each graph")
    parser.add_argument("--graph", choices=("rules", "triples"), action="append", help="only this graph")
    options = parser.parse_args()
    for name in options.graph or ("rules", "triples"):
        documents = asyncio.run(by_rule(options.data)) if name == "rules" else recorded(options.data)
        shares = invalidated(documents, options.documents)
        fresh = invalidated(documents, 2, anew=True)
        over = sum(share > 0.1 for share in shares)
        sys.stdout.write(
            f"{name}: {sum(map(len, documents))} facts; one document puts {fmean(shares):.1%} of the summaries out of "
            f"date on average, {max(shares):.1%} at most, more than 10 % in {over} of {len(shares)}; "
            f"clustering from scratch {fmean(fresh):.1%}\n"
        )


async def by_rule(data: Path) -> list[Facts]:
    """The facts of each passage by rule."""
    documents, _ = read_set(data, "musique")
    reader = DocumentReader(RulesLlm(), WindowLimits(1024, 0))
    read = [await reader.read(document) for document in documents]
    return [
        [
            _linked((fact.subject.text, fact.relation, fact.object.text), f"{entry.document.id}:{fact.first}")
            for fact in entry.facts
        ]
        for entry in read
    ]


def recorded(data: Path) -> list[Facts]:
    """The recorded triples of each passage."""
    file = next(data.glob("openie_musique*.json.gz"))
    passages = json.loads(gzip.decompress(file.read_bytes()))["docs"]
    return [
        [_linked(tuple(map(str, triple)), str(number)) for triple in passage["extracted_triples"] if len(triple) == 3]
        for number, passage in enumerate(passages)
    ]


def invalidated(documents: list[Facts], most: int, *, anew: bool = False) -> list[float]:
    """For `most` documents with facts, drawn by a fixed seed: the share of communities whose summary is not there."""
    chance = random.Random(5)
    chosen = [number for number, facts in enumerate(documents) if facts]
    shares = []
    for number in chance.sample(chosen, min(most, len(chosen))):
        others = [fact for other, facts in enumerate(documents) if other != number for fact in facts]
        before = cluster(others, _HOW)
        every = [*others, *documents[number]]
        shares.append(_share(before, cluster(every, _HOW) if anew else cluster_again(every, before, _HOW)))
    return shares


def _share(before: list[Community], after: list[Community]) -> float:
    present = {entry.digest for entry in before}
    large = [entry for entry in after if len(entry.members) >= SMALLEST]
    return sum(entry.digest not in present for entry in large) / max(len(large), 1)


def _linked(triple: tuple[str, ...], where: str) -> LinkedFact:
    subject, relation, target = triple
    return LinkedFact(subject, target, f"{where}\t{subject}\t{relation}\t{target}")


if __name__ == "__main__":
    main()
