"""Candidates for the four spoken levels: material put into frames, in everyday words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from tools.questions.words import stems
from tools.rules.questions import phrases as say
from tools.rules.questions.clauses import Action, Condition, raised
from tools.rules.questions.everyday import base_verb, reworded
from tools.rules.questions.material import Material, Seen

Frames = Sequence[str]

_KINDS = (
    (re.compile(r"\b(?:do not|don['’]t|never|must not|avoid|not allowed|forbidden)\b", re.IGNORECASE), say.ASKS_AVOID),
    (
        re.compile(r"\b(?:contact|call|notify|inform|tell|ask|escalate|report|phone|page)\b", re.IGNORECASE),
        say.ASKS_WHO,
    ),
    (re.compile(r"\b(?:replace|exchange|swap|renew)\b", re.IGNORECASE), say.ASKS_CHANGE),
    (re.compile(r"\b(?:set|adjust|increase|decrease|reduce|raise|lower)\b.*\d", re.IGNORECASE), say.ASKS_VALUE),
    (
        re.compile(r"\b(?:wait|within|for|after) .{0,20}\d+\s?(?:s|seconds?|min|minutes?|h|hours?|days?)\b"),
        say.ASKS_LONG,
    ),
    (re.compile(r"\b(?:stop|abort|cancel|continue|proceed|postpone)\b", re.IGNORECASE), say.ASKS_STOP),
)


@dataclass(frozen=True)
class Candidate:
    """A question that may be asked, with the printed words that answer it."""

    text: str
    evidence: str


@dataclass(frozen=True)
class Voice:
    """One operator, who always chooses the same frames."""

    random: Random
    far: bool  # how far the words stray from the procedure's

    def fill(self, frames: Frames, **parts: str) -> str:
        """One of `frames` with its slots filled; a slot with a capital begins a sentence."""
        capitals = {name.capitalize(): raised(text) for name, text in parts.items()}
        return self.random.choice(frames).format(**parts, **capitals)

    def say(self, text: str) -> str:
        """`text` in this operator's words."""
        return reworded(text, self.far)

    def acts(self, action: Action) -> dict[str, str]:
        """The forms of an instruction, in everyday words."""
        # "put in and open the cover" would be wrong: of two verbs, neither is changed.
        said = [base_verb(verb, action.rest) if len(action.verbs) == 1 else (verb, "") for verb in action.verbs]
        rest = f"{said[-1][1]} {self.say(action.rest)}".strip()
        plain = replace(action, verbs=tuple(verb for verb, _ in said), rest=rest)
        return {"infinitive": plain.infinitive, "gerund": plain.gerund, "done": plain.done}

    def tells(self, seen: Seen, trouble: Frames, plain: Frames, noun: Frames, busy: Action | None = None) -> str:
        """What was seen, put into a frame of its kind; the frames may also tell what the operator is busy with."""
        frames = (trouble if seen.odd else plain) if seen.clause else noun
        text = self.say(seen.text)
        return self.fill(frames, clause=text, noun=text, **(self.acts(busy) if busy else {}))

    def asks(self, held: Condition) -> str:
        """What one wants to know under a condition, by the kind of its answer."""
        return self.random.choice(next((asks for kind, asks in _KINDS if kind.search(held.then)), say.ASKS))


def direct(material: Material, voice: Voice) -> Iterator[Candidate]:
    """How do I ...: the goal, an instruction in its situation, what to do about a symptom."""
    for goal in material.goals:
        yield Candidate(voice.fill(say.DIRECT, **voice.acts(goal)), goal.evidence)
    situations = {one.evidence: one.clause for one in material.conditions if one.word != "unless"}
    trouble = next((one.text for one in material.symptoms if one.clause and len(one.text.split()) < 14), "")
    for action in _weightiest(material, material.actions):
        clause = voice.say(situations.get(action.evidence, trouble))
        frames = say.DIRECT_WHEN if clause else say.DIRECT
        yield Candidate(voice.fill(frames, clause=clause, **voice.acts(action)), action.evidence)
    for seen in material.symptoms:
        yield Candidate(voice.tells(seen, say.DIRECT_SEEN, say.DIRECT_SEEN, say.DIRECT_NOUN), seen.evidence)
    for before, action in zip(material.actions, material.actions[1:], strict=False):
        yield Candidate(voice.fill(say.ORDERED, **voice.acts(action)), before.evidence)


def symptom(material: Material, voice: Voice) -> Iterator[Candidate]:
    """What is seen, heard or reported, and what was meant to be done."""
    for seen in material.symptoms:
        yield Candidate(voice.tells(seen, say.SYMPTOM, say.SYMPTOM, say.SYMPTOM_NOUN), seen.evidence)
    for held in _observable(material):
        seen = Seen(held.clause, held.evidence, held.place)
        busy = material.near(held.place, held.evidence)
        if busy:
            yield Candidate(voice.tells(seen, say.NOTICED, say.NOTICED_PLAIN, say.NOTICED, busy), seen.evidence)
        else:
            yield Candidate(voice.tells(seen, say.SYMPTOM, say.SYMPTOM_PLAIN, say.SYMPTOM_NOUN), seen.evidence)
    for action in _weightiest(material, [*material.actions, *material.goals]):
        yield Candidate(voice.fill(say.SYMPTOM_STUCK, **voice.acts(action)), action.evidence)
    for fact in material.facts:
        yield Candidate(voice.fill(say.SYMPTOM_PLAIN, clause=voice.say(fact.text)), fact.evidence)


def scenario(material: Material, voice: Voice) -> Iterator[Candidate]:
    """Circumstances, a situation, and what is needed now."""
    opener = list(say.OPENERS)
    voice.random.shuffle(opener)
    for place, held in enumerate(_observable(material)):
        busy = material.near(held.place, held.evidence)
        odd = Seen(held.clause, "", 0).odd
        frames = (say.BUSY if odd else say.BUSY_PLAIN) if busy else say.SITUATION
        told = voice.fill(frames, clause=voice.say(held.clause), **(voice.acts(busy) if busy else {}))
        yield Candidate(f"{opener[place % len(opener)]} {told} {raised(voice.asks(held))}?", held.evidence)
    for place, action in enumerate(_weightiest(material, material.actions)):
        seen = material.symptoms[place % len(material.symptoms)] if material.symptoms else None
        told = voice.tells(seen, say.SITUATION, say.SITUATION, say.SITUATION_NOUN) if seen else ""
        before = material.near(action.place, action.evidence)
        if before and not told:
            told = voice.fill(say.PROGRESS, **voice.acts(before))
        need = voice.fill(say.NEEDS, **voice.acts(action))
        yield Candidate(" ".join(f"{opener[place % len(opener)]} {told} {need}".split()), action.evidence)
    for place, seen in enumerate([*material.symptoms, *material.facts]):
        told = voice.tells(seen, say.SYMPTOM, say.HEARD, say.SYMPTOM_NOUN)
        yield Candidate(f"{opener[place % len(opener)]} {told}", seen.evidence)
    for place, goal in enumerate(material.goals):
        yield Candidate(f"{opener[place % len(opener)]} {voice.fill(say.NEEDS, **voice.acts(goal))}", goal.evidence)


def conditional(material: Material, voice: Voice) -> Iterator[Candidate]:
    """What to do under a condition."""
    for held in material.conditions:
        if held.word == "unless":
            continue
        parts = {"clause": voice.say(held.clause), "ask": voice.asks(held)}
        busy = material.near(held.place, held.evidence)
        if len(stems(held.clause)) > 2 or not busy:
            yield Candidate(voice.fill(say.CONDITIONAL, **parts), held.evidence)
        if busy:
            yield Candidate(voice.fill(say.CONDITIONAL_BUSY, **parts, **voice.acts(busy)), held.evidence)
    for seen in material.symptoms:
        busy = material.near(seen.place, seen.evidence)
        if seen.clause and busy:
            parts = {"clause": voice.say(seen.text), **voice.acts(busy)}
            yield Candidate(voice.fill(say.CONDITIONAL_STATE, **parts), busy.evidence)
    for before, action in zip(material.actions, material.actions[1:], strict=False):
        parts = {f"other_{name}": text for name, text in voice.acts(before).items()} | voice.acts(action)
        yield Candidate(voice.fill(say.CONDITIONAL_ORDER, **parts), action.evidence)
    for fact in [*material.symptoms, *material.facts]:
        if fact.clause:
            yield Candidate(voice.fill(say.CONDITIONAL_FACT, clause=voice.say(fact.text)), fact.evidence)


def _observable(material: Material) -> list[Condition]:
    """Conditions that somebody at the equipment sees come true, trouble first."""
    seen = [
        one for one in material.conditions if one.word in ("if", "when", "whenever", "in case", "in the event that")
    ]
    return sorted(seen, key=lambda one: not Seen(one.clause, "", 0).odd)


def _weightiest(material: Material, actions: Sequence[Action]) -> list[Action]:
    return sorted(actions, key=lambda action: -material.weight(f"{' '.join(action.verbs)} {action.rest}"))
