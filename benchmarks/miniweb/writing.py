"""Writes the documents of the mini web: procedures, and what looks like them but is none."""

import random
import re
from dataclasses import dataclass
from typing import Literal

from soprag.benchmarks.miniweb.texts import Decoy, Equipment, Job, Topic, decoys, references

Style = Literal["numbered", "letters", "table", "prose", "checklist"]
STYLES: tuple[Style, ...] = ("numbered", "letters", "table", "prose", "checklist")
SOUNDS = re.findall(
    r"\w+", "ar bel cor dun el fal gor hal in jor kel lim mor nor os pel quin ros sel tor ul ver wen yor zel"
)


@dataclass(frozen=True)
class Text:
    """One document as Markdown, before it has a format."""

    title: str
    body: str

    @property
    def slug(self) -> str:
        """Its title as part of an address."""
        return "-".join("".join(sign if sign.isalnum() else " " for sign in self.title.lower()).split())


@dataclass(frozen=True)
class Unit:
    """One machine in one plant, with its limits."""

    kind: Equipment
    number: int
    turn: int  # which of its parts are spoken of

    @property
    def name(self) -> str:
        """Such as `feed water pump P-204`."""
        return f"{self.kind.name} {self.kind.tag}-{self.number}"

    def words(self, topic: Topic) -> dict[str, str]:
        """What the sentences are filled with."""
        parts = [self.kind.parts[(self.turn + offset) % len(self.kind.parts)] for offset in range(3)]
        low = 2 + self.number % 37
        return {
            "unit": self.name,
            "a": parts[0],
            "b": parts[1],
            "c": parts[2],
            "gauge": self.kind.gauge,
            "medium": self.kind.medium,
            "low": str(low),
            "high": str(low + 5 + self.number % 11),
            "scale": self.kind.unit,
            "place": topic.place,
        }


@dataclass(frozen=True)
class Writer:
    """One hand: everything it writes follows from its chance."""

    chance: random.Random
    topic: Topic

    def name(self) -> str:
        """An invented word for a company or a town."""
        return "".join(self.chance.sample(SOUNDS, self.chance.randint(2, 3))).capitalize()

    def unit(self, kind: Equipment) -> Unit:
        """A machine of this kind."""
        return Unit(kind, self.chance.randint(101, 989), self.chance.randrange(len(kind.parts)))

    def procedure(self, job: Job, unit: Unit, company: str, hand: int | None = None) -> Text:
        """A procedure; the same `hand` for two machines makes near-twins: same steps, same form, other machine."""
        chance = random.Random(self.chance.random() if hand is None else hand)
        values = unit.words(self.topic)
        title = _capital(chance.choice(job.titles).format(**values))
        most = len(job.steps)
        picked = sorted(chance.sample(range(most), chance.randint(max(7, most - 4), most)))
        steps = [job.steps[index].format(**values) for index in picked]
        code = f"{company[:3].upper()}-{unit.kind.tag}-{self.chance.randint(10, 99)}"
        parts = [f"# {title}", *_subtitle(chance, self.topic.place), _control(chance, code, self.chance, company)]
        parts += [f"## Purpose\n\n{job.aim.format(**values)}"]
        parts += [
            f"## Before you begin\n\n{job.need.format(**values)}",
            f"> **WARNING:** {job.warning.format(**values)}",
        ]
        parts += [f"## {chance.choice(('Steps', 'Procedure', 'Instructions', 'Sequence of work'))}"]
        parts += [_steps(chance.choice(STYLES), steps)]
        if chance.random() < 0.6:
            parts += [_limits(values)]
        if chance.random() < 0.5:
            parts += [f"## Records\n\nKeep the signed sheet of {unit.name} for {chance.randint(2, 9)} years."]
        return Text(title, "\n\n".join(parts) + "\n")

    def decoy(self, genre: str) -> Text:
        """Something on the topic that is no procedure."""
        return self._fill(decoys()[genre])

    def reference(self, genre: str) -> Text:
        """Something a special engine finds: an article, a paper, a patent, a question, a picture's page."""
        return self._fill(references()[genre])

    def _fill(self, form: Decoy) -> Text:
        chance, unit = self.chance, self.unit(self.chance.choice(self.topic.equipment))
        second = unit.kind if form.genre in references() else chance.choice(self.topic.equipment)
        values = unit.words(self.topic) | {
            "other": second.name,
            "company": self.name(),
            "town": self.name(),
            "n": str(chance.randint(2, 9)),
            "m": str(chance.randint(20, 300)),
            "year": str(chance.randint(1998, 2025)),
        }
        title = _capital(form.title.format(**values))
        return Text(title, f"# {title}\n\n{form.body.format(**values).strip()}\n")


def _subtitle(chance: random.Random, plant: str) -> list[str]:
    forms = ("Standard operating procedure, {}", "SOP of the {}", "Work instruction - {}", "Operating instruction, {}")
    return [chance.choice((forms[0], *forms)).format(plant)]


def _control(chance: random.Random, code: str, rng: random.Random, company: str) -> str:
    owner = chance.choice(("Operations", "Maintenance", "Shift manager", "Reliability", "Training"))
    day = f"{rng.randint(1, 28)} {rng.choice(('March', 'June', 'October', 'December'))} {rng.randint(2014, 2025)}"
    row = f"| {code} | {rng.randint(1, 9)} | {day} | {owner}, {company} |"
    return f"| Document | Revision | Valid from | Owner |\n|---|---|---|---|\n{row}"


def _limits(values: dict[str, str]) -> str:
    head = "## Limits\n\n| Reading | Low | High | Unit |\n|---|---|---|---|\n"
    return head + "| {gauge} | {low} | {high} | {scale} |".format(**values)


def _steps(style: Style, steps: list[str]) -> str:
    match style:
        case "numbered":
            return "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1))
        case "letters":
            return "\n\n".join(f"{chr(96 + number)}) {step}" for number, step in enumerate(steps, 1))
        case "table":
            rows = "\n".join(f"| {number} | {step} |  |" for number, step in enumerate(steps, 1))
            return f"| Step | Action | Done |\n|---|---|---|\n{rows}"
        case "prose":
            return "\n\n".join(f"**Step {number}.** {step}" for number, step in enumerate(steps, 1))
        case "checklist":
            return "\n".join(f"- [ ] {step}" for step in steps)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
