"""Kills a process that writes the knowledge graph, again and again, and looks at what is left.

    uv run python -m soprag.benchmarks.knowledge_kill --rounds 200

Each round a child adds, changes and removes documents and notes every intent and every success; after a random time
it gets SIGKILL. Then the graph must verify, and hold each document as the last success left it, or as a later intent
would.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import NoReturn

from soprag.benchmarks.kill_index import GONE, Toll
from soprag.benchmarks.synthetic import HashEmbedder
from soprag.configs.settings import load
from soprag.tools.knowledge.chunks import WindowLimits
from soprag.tools.knowledge.library import KnowledgeLibrary
from soprag.tools.knowledge.reading import DocumentReader
from soprag.tools.knowledge.records import SourceDocument
from soprag.tools.knowledge.verify import verify
from soprag.tools.retriever.index.index import Index
from soprag.tools.rules.adapter import RulesLlm

_POOL = 30  # documents


def main() -> None:
    """Kill as often as asked, and say what was lost; exit code 1 when anything was."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        toll = kill_often(Path(scratch), options.rounds, options.seed)
    sys.stdout.write(toll.text() + "\n")
    sys.exit(bool(toll.corrupt or toll.lost))


def kill_often(folder: Path, rounds: int, seed: int = 7) -> Toll:
    """Do the rounds on one graph, which lives through all of them."""
    chance, toll = random.Random(seed), Toll()
    state: dict[int, set[int]] = {}
    for toll.rounds in range(1, rounds + 1):
        journal = folder / "journal"
        journal.write_bytes(b"")
        child = os.fork()
        if not child:
            asyncio.run(_write(folder, journal, random.Random(chance.random())))
        _wait_for_work(journal)
        time.sleep(chance.random() * 0.2)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        toll.operations += _replay(journal, state)
        _inspect(folder, state, toll)
        chance.random()  # the child has drawn one of its own
    return toll


async def _write(folder: Path, journal: Path, chance: random.Random) -> NoReturn:
    """Add, change and remove until killed; a note before and after each."""
    library = opened(folder)
    reader = DocumentReader(RulesLlm(), WindowLimits(256, 32))
    with journal.open("ab", buffering=0) as notes:
        while True:
            number = chance.randrange(_POOL)
            version = GONE if chance.random() < 0.3 else chance.randrange(1, 9)
            notes.write(json.dumps([0, number, version]).encode() + b"\n")
            if version == GONE:
                library.remove([document(number, 0).id])
            else:
                outcome = await library.add_document(document(number, version), reader)
                assert outcome.event != "failed", outcome
                library.merge_names()
            notes.write(json.dumps([1, number, version]).encode() + b"\n")


def document(number: int, version: int) -> SourceDocument:
    """A document that names things of its neighbours."""
    title = f"Note {number} of the plant"
    body = (
        f"# {title}\n\nRevision {version}\n\nThe pump P-{number} feeds the tank T-{number % 5}. "
        f"The tank T-{number % 5} is located in Hall {number % 3}.\n\n"
        f"The Valve {version} isolates the pump P-{number}.\n"
    )
    return SourceDocument(id=f"note-{number:03}", title=title, kind="text", body=body, source="notes")


def opened(folder: Path, dimension: int = 64) -> KnowledgeLibrary:
    """The graph below `folder`, with vectors of `dimension`."""
    return KnowledgeLibrary.open(
        Index.open(folder / "index", HashEmbedder(dimension), load(environment={}).index), 0.85
    )


def _wait_for_work(journal: Path) -> None:
    deadline = time.monotonic() + 30
    while not journal.stat().st_size and time.monotonic() < deadline:
        time.sleep(0.002)


def _replay(journal: Path, state: dict[int, set[int]]) -> int:
    done = 0
    for line in journal.read_bytes().split(b"\n"):
        if not line.endswith(b"]"):  # the last one may be cut off
            continue
        success, number, version = json.loads(line)
        done += success
        state[number] = {version} if success else state.get(number, {GONE}) | {version}
    return done


def _inspect(folder: Path, state: dict[int, set[int]], toll: Toll) -> None:
    library = opened(folder)
    findings = verify(library.database)
    with library.database.reading() as db:
        rows = db.execute("SELECT id, body FROM kg_document").fetchall()
    versions = {int(id[-3:]): int(body.partition("Revision ")[2].partition("\n")[0]) for id, body in rows}
    lost = [number for number, possible in state.items() if versions.get(number, GONE) not in possible]
    for finding in (*findings, *(f"note {number} is not as it was left" for number in lost)):
        sys.stderr.write(f"round {toll.rounds}: {finding}\n")
    toll.corrupt += bool(findings)
    toll.lost += len(lost)
    for number in state:
        state[number] = {versions.get(number, GONE)}
    library.database.close()


if __name__ == "__main__":
    main()
