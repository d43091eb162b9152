"""Candidates for the four spoken levels: material put into frames, in everyday words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TypeVar

from tools.rules.questions import phrases as say
from tools.rules.questions.clauses import Action, Condition, lowered, raised
from tools.rules.questions.material import Material, Seen
from tools.rules.questions.everyday import base_verb, reworded

T = TypeVar("T")

_WHO = re.compile(r"\b(?:contact|call|notify|inform|tell|ask|escalate|report|phone|page|alert)\b", re.IGNORECASE)
_LONG = re.compile(r"\b\d+\s?(?:s|sec|seconds?|min|minutes?|h|hours?|days?)\b", re.IGNORECASE)
_AVOID = re.compile(r"\b(?:do not|don't|never|must not|avoid|not allowed|forbidden)\b", re.IGNORECASE)
_STOP = re.compile(r"\b(?:stop|abort|cancel|leave|continue|proceed|postpone|wait)\b", re.IGNORECASE)
_VALUE = re.compile(r"\b(?:set|adjust|increase|decrease|reduce|raise|lower)\b.*\d", re.IGNORECASE)
_CHANGE = re.compile(r"\b(?:replace|exchange|change|swap|renew)\b", re.IGNORECASE)
_KINDS = (
    (_AVOID, say.ASKS_AVOID),
    (_WHO, say.ASKS_WHO),
    (_CHANGE, say.ASKS_CHANGE),
    (_VALUE, say.ASKS_VALUE),
    (_LONG, say.ASKS_LONG),
    (_STOP, say.ASKS_STOP),
)


@dataclass(frozen=True)
class Candidate:
    """A question that may be asked, with the printed words that answer it."""

    text: str
    evidence: str


@dataclass(frozen=True)
class Voice:
    """One operator: which frames this one prefers, and how far the words stray from the procedure's."""

    random: Random

    def pick(self, frames: Sequence[T]) -> T:
        """One of `frames`."""
        return frames[self.random.randrange(len(frames))]

    def fill(self, frames: Sequence[str], **parts: str) -> str:
        """One of `frames` with its slots filled; a slot with a capital begins a sentence."""
        capitals = {name.capitalize(): raised(text) for name, text in parts.items()}
        return self.pick(frames).format(**parts, **capitals)

    def acts(self, action: Action) -> dict[str, str]:
        """The forms of an instruction, in everyday words."""
        said = [base_verb(verb) for verb in action.verbs]
        last = said[-1][1]
        plain = replace(action, verbs=tuple(verb for verb, _ in said), rest=f"{last} {reworded(action.rest)}".strip())
        return {"infinitive": plain.infinitive, "gerund": plain.gerund, "done": plain.done}


def direct(material: Material, voice: Voice) -> Iterator[Candidate]:
    """How do I ...: the goal, an instruction in its situation, what to do about a symptom."""
    for goal in material.goals:
        yield Candidate(voice.fill(say.DIRECT, **voice.acts(goal)), goal.evidence)
    held = {one.evidence: one for one in material.conditions}
    for action in _weightiest(material, material.actions):
        own = held.get(action.evidence)
        parts = voice.acts(action)
        if own and own.word != "unless":
            yield Candidate(voice.fill(say.DIRECT_WHEN, clause=reworded(lowered(own.clause)), **parts), action.evidence)
        elif material.symptoms and material.symptoms[0].clause and len(material.symptoms[0].text.split()) < 14:
            clause = reworded(material.symptoms[0].text)
            yield Candidate(voice.fill(say.DIRECT_WHEN, clause=clause, **parts), action.evidence)
        else:
            yield Candidate(voice.fill(say.DIRECT, **parts), action.evidence)
    for seen in material.symptoms:
        frames = say.DIRECT_SEEN if seen.clause else say.DIRECT_NOUN
        yield Candidate(voice.fill(frames, clause=reworded(seen.text), noun=reworded(seen.text)), seen.evidence)
    for before, action in zip(material.actions, material.actions[1:], strict=False):
        yield Candidate(voice.fill(say.ORDERED, **voice.acts(action)), before.evidence)


def symptom(material: Material, voice: Voice) -> Iterator[Candidate]:
    """What is seen, heard or reported, without the name of the trouble."""
    for seen in _observed(material):
        frames = say.SYMPTOM if seen.clause else say.SYMPTOM_NOUN
        text = reworded(seen.text)
        yield Candidate(voice.fill(frames, clause=text, noun=text), seen.evidence)
    for action in _weightiest(material, material.actions):
        yield Candidate(voice.fill(say.SYMPTOM_STUCK, **voice.acts(action)), action.evidence)


def scenario(material: Material, voice: Voice) -> Iterator[Candidate]:
    """A situation with its circumstances, what was done so far, and what is needed now."""
    observed = _observed(material)
    for place, action in enumerate(material.actions[1:], 1):
        before = material.actions[place - 1]
        parts = [voice.pick(say.OPENERS)]
        if observed:
            seen = observed[(place - 1) % len(observed)]
            frames = say.SITUATION if seen.clause else say.SITUATION_NOUN
            parts.append(voice.fill(frames, clause=reworded(seen.text), noun=reworded(seen.text)))
        parts.append(voice.fill(say.PROGRESS, **voice.acts(before)))
        parts.append(voice.fill(say.NEEDS, **voice.acts(action)))
        yield Candidate(" ".join(parts), action.evidence)
    for held in material.conditions:
        text = voice.fill(say.CONDITIONAL[1:3], clause=reworded(lowered(held.clause)), ask=_ask(held, voice))
        yield Candidate(f"{voice.pick(say.OPENERS)} {text}", held.evidence)
    for seen in observed:
        frames = say.SYMPTOM[3:5] if seen.clause else say.SYMPTOM_NOUN
        text = reworded(seen.text)
        yield Candidate(f"{voice.pick(say.OPENERS)} {voice.fill(frames, clause=text, noun=text)}", seen.evidence)


def conditional(material: Material, voice: Voice) -> Iterator[Candidate]:
    """What to do under a condition, told from what is done otherwise."""
    asked = [one for one in material.conditions if one.word != "unless"]
    for place, held in enumerate(asked):
        other = asked[(place + 1) % len(asked)]
        parts = {"clause": reworded(lowered(held.clause)), "ask": _ask(held, voice)}
        if other is not held and len(other.clause.split()) < 14:
            text = voice.fill(say.CONDITIONAL_PAIR, other=reworded(lowered(other.clause)), **parts)
        else:
            text = voice.fill(say.CONDITIONAL, **parts)
        yield Candidate(text, held.evidence)
    for held in asked:
        parts = {"clause": reworded(lowered(held.clause)), "ask": _ask(held, voice)}
        yield Candidate(voice.fill(say.CONDITIONAL, **parts), held.evidence)
    for seen in material.symptoms:
        if seen.clause:
            yield Candidate(voice.fill(say.CONDITIONAL_STATE, clause=reworded(seen.text)), seen.evidence)
    for before, action in zip(material.actions, material.actions[1:], strict=False):
        yield Candidate(voice.fill(say.CONDITIONAL_ACTION, **voice.acts(action)), before.evidence)


def _observed(material: Material) -> list[Seen]:
    """Symptoms; after them conditions, which somebody at the equipment sees come true."""
    seen = [one for one in material.symptoms]
    seen += [Seen(lowered(one.clause), one.evidence) for one in material.conditions if one.word != "unless"]
    first_words = ("i ", "we ")
    return [one for one in seen if not one.text.lower().startswith(first_words)] or seen


def _weightiest(material: Material, actions: Sequence[Action]) -> list[Action]:
    return sorted(actions, key=lambda action: -material.weight(f"{' '.join(action.verbs)} {action.rest}"))


def _ask(held: Condition, voice: Voice) -> str:
    for pattern, asks in _KINDS:
        if pattern.search(held.then):
            return voice.pick(asks)
    return voice.pick(say.ASKS)
