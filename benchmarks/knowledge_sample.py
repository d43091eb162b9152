"""Draws facts to be read by hand, the same ones for the same seed and data.

    uv run python -m soprag.benchmarks.knowledge_sample --sops DIR --sops DIR --passages DIR --facts 200

`--sops` names a benchmark folder (corpus.jsonl) or a folder of Markdown files, `--passages` the HotpotQA and MuSiQue
samples. As many facts are drawn from each folder and set as from the others; one that has too few gives all it has. A
fact is right when its quote says the relation of these two names and both are whole names; what is vague or cut off is
wrong.
"""

import argparse
import asyncio
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from soprag.benchmarks.quality.multihop import SETS, read_set
from soprag.tools.knowledge.chunks import WindowLimits
from soprag.tools.knowledge.quotes import quoted
from soprag.tools.knowledge.reading import DocumentReader
from soprag.tools.knowledge.records import FactDraft, ReadDocument, SourceDocument
from soprag.tools.retriever.index.extraction import Extractor
from soprag.tools.retriever.index.loaders import read_benchmark, read_text
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.sop import Sop

_LONGEST = 2_000_000  # characters of a file
_RULES = RulesLlm()
_READER = DocumentReader(_RULES, WindowLimits(1024, 0))


def main() -> None:
    """Print the facts that were drawn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sops", type=Path, action="append", default=[])
    parser.add_argument("--passages", type=Path)
    parser.add_argument("--facts", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    groups = [asyncio.run(_of_sops(folder)) for folder in options.sops]
    groups += [asyncio.run(_of_passages(options.passages, name)) for name in SETS if options.passages]
    for number, row in enumerate(drawn(groups, options.facts, random.Random(options.seed)), 1):
        sys.stdout.write(f"{number}\t{row}\n")


def drawn(groups: Sequence[Sequence[str]], most: int, chance: random.Random) -> Iterator[str]:
    """At most `most` rows, as evenly from the groups as their sizes allow."""
    left = most
    for number, group in enumerate(sorted(groups, key=len)):
        share = min(len(group), left // (len(groups) - number))
        yield from chance.sample(group, share)
        left -= share


async def _of_sops(folder: Path) -> list[str]:
    extractor = Extractor(_RULES)
    sops = read_benchmark(folder) if (folder / "corpus.jsonl").is_file() else list(_files(folder))
    rows: list[str] = []
    for sop in sops:
        document = SourceDocument(id=sop.id, title=sop.title, kind="sop", body=sop.body)
        rows += _rows(_READER.read_sop(document, sop, await extractor.extract(sop), [(1, sop.body.count("\n") + 1)]))
    return rows


def _files(folder: Path) -> Iterator[Sop]:
    for file in sorted(folder.rglob("*.md")):
        yield read_text(file.read_bytes(), file.relative_to(folder).as_posix(), _LONGEST)


async def _of_passages(data: Path, name: str) -> list[str]:
    documents, _ = read_set(data, name)
    return [row for document in documents for row in _rows(await _READER.read(document))]


def _rows(entry: ReadDocument) -> list[str]:
    lines = entry.document.body.split("\n")
    return [_row(entry.document.id, fact, quoted(lines, fact.first, fact.last)) for fact in entry.facts]


def _row(id: str, fact: FactDraft, quote: str) -> str:
    spaced = " ".join(quote.split())
    return f"{fact.subject.text} —{fact.relation}→ {fact.object.text}\t{id}:{fact.first}\t{spaced}"


if __name__ == "__main__":
    main()
