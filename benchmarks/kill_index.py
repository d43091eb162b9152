"""Kills a process that writes an index, again and again, and looks at what is left.

    uv run python -m soprag.benchmarks.kill_index --rounds 1000
    uv run python -m soprag.benchmarks.kill_index --rounds 200 --writers 2 --readers 4 --index postgresql://...

Each round a child adds, updates and removes SOPs and notes every intent and every success; after a random time it gets
SIGKILL. Then the index must open, verify, answer, and hold each SOP as the last success left it, or as a later intent
would have. With `--writers 2` two children write at once and die together. With `--readers 4` four more search
meanwhile: the vectors that they keep in memory by following the change log must be those of the SOPs in the same
snapshot, none missing and none twice.
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
from collections.abc import AsyncIterator, Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from soprag.benchmarks.synthetic import HashEmbedder, Plant
from soprag.configs.settings import load
from soprag.tools.retriever.index.index import Extraction, Index
from soprag.tools.sop import Sop, Views
from soprag.tools.text.terms import terms

PLANT = Plant(vocabulary=300, steps=5)
EMBEDDER = HashEmbedder(64)
GONE = -1
POOL = 40  # SOPs per writer


@dataclass(frozen=True)
class Scene:
    """Where the index is, the folder of the journals, and how many processes work on it at once."""

    place: str | Path
    folder: Path
    writers: int = 1
    readers: int = 0


@dataclass
class Toll:
    """What was found in all rounds."""

    rounds: int = 0
    operations: int = 0
    corrupt: int = 0
    lost: int = 0
    searches: int = 0
    astray: int = 0

    def text(self) -> str:
        """One line."""
        found = (
            f"{self.rounds} kills, {self.operations} operations committed: "
            f"{self.corrupt} corrupt indexes, {self.lost} lost SOPs"
        )
        read = f"; {self.searches} searches of readers, {self.astray} with an SOP too few, too many or twice"
        return found + (read if self.searches else "")


def main() -> None:
    """Kill as often as asked, and say what was lost; exit code 1 when anything was."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--writers", type=int, default=1)
    parser.add_argument("--readers", type=int, default=0)
    parser.add_argument("--index", help="a new place, such as postgresql://...?schema=new; without it a folder")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        scene = Scene(options.index or folder / "index", folder, options.writers, options.readers)
        toll = kill_often(scene, options.rounds, options.seed)
    sys.stdout.write(toll.text() + "\n")
    sys.exit(bool(toll.corrupt or toll.lost or toll.astray))


def kill_often(scene: Scene, rounds: int, seed: int = 7) -> Toll:
    """Do the rounds on one index, which lives through all of them."""
    chance, toll = random.Random(seed), Toll()
    state: dict[int, set[int]] = {}
    for toll.rounds in range(1, rounds + 1):
        journals = [scene.folder / f"journal-{writer}" for writer in range(scene.writers)]
        seen = [scene.folder / f"seen-{reader}" for reader in range(scene.readers)]
        for journal in (*journals, *seen):
            journal.write_bytes(b"")
        index = _opened(scene.place)  # so that the tables are there
        index.close()
        children = [_start(_write(scene.place, one, n, chance.random())) for n, one in enumerate(journals)]
        children += [_start(_read(scene.place, one)) for one in seen]
        _await(b"[1" if toll.rounds % 2 else b"[", journals)  # a success, or an intent
        _await(b".", seen)
        time.sleep(chance.random() * 0.25 * len(children))  # they share the processor
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        toll.operations += sum(_replay(journal, state) for journal in journals)
        for one in seen:
            toll.searches += (noted := one.read_bytes()).count(b".")
            toll.astray += noted.count(b"!")
        _inspect(scene.place, state, toll)
    return toll


def _await(sign: bytes, notes: list[Path]) -> None:
    deadline = time.monotonic() + 30
    while any(sign not in note.read_bytes() for note in notes) and time.monotonic() < deadline:
        time.sleep(0.002)


def _start(work: Coroutine[None, None, NoReturn]) -> int:
    child = os.fork()
    if child:
        work.close()
        return child
    asyncio.run(work)
    os._exit(0)


async def _read(place: str | Path, seen: Path) -> NoReturn:
    """Search until killed; a sign for each search: right or not."""
    index, vector = _opened(place), EMBEDDER.embed(["pump"])[0]
    with seen.open("ab", buffering=0) as notes:
        while True:
            with index.database.reading() as db:
                ids = sorted(id for (id,) in db.execute("SELECT id FROM sop"))
                found = sorted(id for id, _ in index.nearest(vector, 10_000)) if ids else []
            notes.write(b"." if ids == found else b"!")


async def _write(place: str | Path, journal: Path, writer: int, seed: float) -> NoReturn:
    """Add, update and remove until killed; a note before and after each."""
    index, chance = _opened(place), random.Random(seed)
    with journal.open("ab", buffering=0) as notes:
        while True:
            numbers = chance.sample(range(writer * POOL, (writer + 1) * POOL), chance.randint(1, 4))
            version = GONE if chance.random() < 0.3 else chance.randrange(1, 9)
            for number in numbers:
                notes.write(json.dumps([0, number, version]).encode() + b"\n")
            async for number in _do(index, numbers, version):
                notes.write(json.dumps([1, number, version]).encode() + b"\n")


async def _do(index: Index, numbers: list[int], version: int) -> AsyncIterator[int]:
    if version == GONE:
        for number in numbers:
            index.remove([_id(number)])
            yield number
        return

    async def views(sop: Sop) -> Views:
        return PLANT.write(int(sop.id[-6:]), version)[1]

    sops = [PLANT.write(number, version)[0] for number in numbers]
    async for outcome in index.add(sops, Extraction("1", views)):
        assert outcome.event != "failed", outcome
        yield int(outcome.sop[-6:])


def _replay(journal: Path, state: dict[int, set[int]]) -> int:
    """Every version an SOP may now have; gives the number of successes."""
    done = 0
    for success, number, version in _notes(journal):
        done += success
        if success:
            state[number] = {version}
        else:
            state.setdefault(number, {GONE}).add(version)
    return done


def _notes(journal: Path) -> Iterator[tuple[int, int, int]]:
    for line in journal.read_bytes().split(b"\n"):
        if line.endswith(b"]"):  # the last one may be cut off
            success, number, version = json.loads(line)
            yield success, number, version


def _inspect(place: str | Path, state: dict[int, set[int]], toll: Toll) -> None:
    index = _opened(place)
    findings = index.verify()
    versions_by_number = {int(line.id[-6:]): _version(index.sop(line.id)) for line in index.listing()}
    for number in versions_by_number:
        title = PLANT.write(number)[0].title
        answers = index.nearest(EMBEDDER.embed([title])[0], 5), index.full_text(terms(title), 5)
        findings += [] if all(answers) else [f"no answer for {title!r}"]
        break
    lost = [number for number, versions in state.items() if versions_by_number.get(number, GONE) not in versions]
    for finding in (*findings, *(f"{_id(number)} is not as it was left" for number in lost)):
        sys.stderr.write(f"round {toll.rounds}: {finding}\n")
    toll.corrupt += bool(findings)
    toll.lost += len(lost)
    for number in state:  # what it was is settled now
        state[number] = {versions_by_number.get(number, GONE)}
    index.close()


def _version(sop: Sop) -> int:
    return int(sop.body.rsplit("Revision ", 1)[1].rstrip("."))


def _id(number: int) -> str:
    return f"sop-{number:06}"


def _opened(place: str | Path) -> Index:
    return Index.open(place, EMBEDDER, load(environment={}).index)


if __name__ == "__main__":
    main()
