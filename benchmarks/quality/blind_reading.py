"""A blind reading of generated questions: shuffled among those of people, without their origin.

`python -m soprag.benchmarks.quality.blind_reading draw OUT SEED DIR FILE [DIR FILE ...]` takes benchmark folders with
questions of people, and for each the questions that `soprag measure questions --real DIR --keep FILE` wrote. A folder
may occur more than once, with the questions of several editions; the folder that a file lies in names its edition. Of
each level 12 questions of every edition and 6 of people are drawn. `OUT/sheet.jsonl` is for the reader and
`OUT/key.jsonl` has the origins. The reader writes `OUT/answers.tsv`, a line for each question: its number, and 1 or 0
for natural, right level and answerable. `... blind_reading score OUT` counts them by origin and level.
"""

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from soprag.tools.errors import UsageError
from soprag.tools.evaluation.retrieval.benchmark import read_benchmark
from soprag.tools.questions.corpus import passages
from soprag.tools.sop import LEVELS, Sop
from soprag.tools.text.stop_words import SMALL
from soprag.tools.text.terms import terms

PER_LEVEL, OF_PEOPLE = 12, 6
PEOPLE = "people"
JUDGED = ("natural", "level", "answerable")


@dataclass(frozen=True)
class ReadQuestion:
    """A question with its SOP and its origin: `people`, or an edition."""

    text: str
    level: str
    sop: Sop
    origin: str

    def row(self, number: int) -> dict[str, object]:
        """What the reader sees: the question, the level it claims, and the SOP's title and nearest passage."""
        stems = set(terms(self.text, SMALL))
        nearest = max(passages(self.sop), key=lambda passage: len(stems & set(terms(passage))))
        return {"n": number, "level": self.level, "text": self.text, "sop": self.sop.id, "passage": nearest}


def draw(out: Path, seed: int, pairs: Sequence[tuple[Path, Path]]) -> None:
    """Write the sheet and the key for some questions of each level and origin, as many of each corpus."""
    random = Random(seed)
    folders = list(dict.fromkeys(folder for folder, _ in pairs))
    pools = [_of_people(folder) for folder in folders] + [_generated(folder, file) for folder, file in pairs]
    shares = Counter(pool[0].origin for pool in pools)
    drawn = [
        question
        for level in LEVELS
        for pool in pools
        for question in random.sample(
            [each for each in pool if each.level == level],
            (OF_PEOPLE if pool[0].origin == PEOPLE else PER_LEVEL) // shares[pool[0].origin],
        )
    ]
    random.shuffle(drawn)
    out.mkdir(parents=True, exist_ok=True)
    _write(out / "sheet.jsonl", [question.row(number) for number, question in enumerate(drawn, 1)])
    _write(
        out / "key.jsonl",
        [{"n": number, "level": each.level, "origin": each.origin} for number, each in enumerate(drawn, 1)],
    )


def score(out: Path) -> Iterator[str]:
    """For each origin and level how many questions were judged natural, of the right level and answerable."""
    key = {row["n"]: row for row in map(json.loads, (out / "key.jsonl").read_text().splitlines())}
    answers = [list(map(int, line.split())) for line in (out / "answers.tsv").read_text().splitlines() if line.strip()]
    if sorted(answer[0] for answer in answers) != sorted(key):
        raise UsageError(f"{out / 'answers.tsv'} must have one line for each of the {len(key)} questions of the sheet.")
    judged: dict[tuple[str, str], list[list[int]]] = defaultdict(list)
    for number, *verdicts in answers:
        judged[key[number]["origin"], key[number]["level"]].append(verdicts)
    yield f"{'origin':<10} {'level':<12} {'of':>4} " + " ".join(f"{name:>10}" for name in JUDGED)
    for origin in sorted({origin for origin, _ in judged}):
        for level in LEVELS:
            rows = judged[origin, level]
            yield f"{origin:<10} {level:<12} {len(rows):>4} " + " ".join(
                f"{sum(column):>10}" for column in zip(*rows, strict=True)
            )


def _of_people(folder: Path) -> list[ReadQuestion]:
    benchmark = read_benchmark(folder)
    sops = {sop.id: sop for sop in benchmark.corpus}
    return [
        ReadQuestion(query.text, query.level, sops[next(iter(query.relevant))], PEOPLE) for query in benchmark.queries
    ]


def _generated(folder: Path, file: Path) -> list[ReadQuestion]:
    sops = {sop.id: sop for sop in read_benchmark(folder).corpus}
    rows = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return [
        ReadQuestion(row["text"], row["metadata"]["level"], sops[row["metadata"]["sop"]], file.parent.name)
        for row in rows
    ]


def _write(file: Path, rows: Sequence[dict[str, object]]) -> None:
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def main(arguments: Sequence[str]) -> None:
    """Draw or score, as the module's text says."""
    action, *names = arguments or [""]
    if action == "score" and len(names) == 1:
        sys.stdout.write("\n".join(score(Path(names[0]))) + "\n")
    elif action == "draw" and len(names) > 3 and len(names) % 2 == 0 and names[1].isdigit():
        folders = [Path(name) for name in names[2:]]
        draw(Path(names[0]), int(names[1]), list(zip(folders[::2], folders[1::2], strict=True)))
    else:
        raise UsageError("Give `score OUT`, or `draw OUT SEED` and pairs of a benchmark folder and a file.")


if __name__ == "__main__":
    main(sys.argv[1:])
