"""A blind reading of generated questions: shuffled among those of people, without their origin.

`python -m soprag.benchmarks.quality.blind_reading draw OUT DIR FILE [DIR FILE ...]` takes benchmark folders with
questions of people, and for each the questions that `soprag measure questions --real DIR --keep FILE` wrote. It draws
twelve of each level and origin and writes `OUT/sheet.jsonl` for the reader and `OUT/key.jsonl` with the origins. The
reader writes `OUT/answers.tsv`, a line for each question: its number, and 1 or 0 for natural, right level and
answerable. `... blind_reading score OUT` counts them by origin and level.
"""

import json
import sys
from collections import defaultdict
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

PER_LEVEL = 12
SEED = 20
JUDGED = ("natural", "level", "answerable")


@dataclass(frozen=True)
class ReadQuestion:
    """A question with its SOP and its origin, `people` or `generated`."""

    text: str
    level: str
    sop: Sop
    origin: str

    def row(self, number: int) -> dict[str, object]:
        """What the reader sees: the question, the level it claims, and the SOP's title and nearest passage."""
        stems = set(terms(self.text, SMALL))
        nearest = max(passages(self.sop), key=lambda passage: len(stems & set(terms(passage))))
        return {"n": number, "level": self.level, "text": self.text, "sop": self.sop.id, "passage": nearest}


def draw(out: Path, pairs: Sequence[tuple[Path, Path]], seed: int = SEED) -> None:
    """Write the sheet and the key for `PER_LEVEL` questions of each level and origin, as many of each corpus."""
    random = Random(seed)
    corpora = [_questions(folder, file) for folder, file in pairs]
    drawn = [
        question
        for origin in ("people", "generated")
        for level in LEVELS
        for questions in corpora
        for question in random.sample(
            [each for each in questions if (each.origin, each.level) == (origin, level)], PER_LEVEL // len(corpora)
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
    for origin in ("people", "generated"):
        for level in LEVELS:
            rows = judged[origin, level]
            yield f"{origin:<10} {level:<12} {len(rows):>4} " + " ".join(
                f"{sum(column):>10}" for column in zip(*rows, strict=True)
            )


def _questions(folder: Path, file: Path) -> list[ReadQuestion]:
    benchmark = read_benchmark(folder)
    sops = {sop.id: sop for sop in benchmark.corpus}
    real = [
        ReadQuestion(query.text, query.level, sops[next(iter(query.relevant))], "people") for query in benchmark.queries
    ]
    rows = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    generated = [
        ReadQuestion(row["text"], row["metadata"]["level"], sops[row["metadata"]["sop"]], "generated") for row in rows
    ]
    return [*real, *generated]


def _write(file: Path, rows: Sequence[dict[str, object]]) -> None:
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def main(arguments: Sequence[str]) -> None:
    """Draw or score, as the module's text says."""
    action, *names = arguments or [""]
    folders = [Path(name) for name in names]
    if action == "score" and len(folders) == 1:
        sys.stdout.write("\n".join(score(folders[0])) + "\n")
    elif action == "draw" and len(folders) > 2 and len(folders) % 2 == 1:
        draw(folders[0], list(zip(folders[1::2], folders[2::2], strict=True)))
    else:
        raise UsageError("Give `score OUT`, or `draw OUT` and pairs of a benchmark folder and a file of questions.")


if __name__ == "__main__":
    main(sys.argv[1:])
