"""Fills question templates with a seeded random choice of template and degree of paraphrasing."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from soprag.tools.rules.questions import phrases as say
from soprag.tools.rules.questions.actions import Instruction
from soprag.tools.rules.questions.clauses import Condition
from soprag.tools.rules.questions.everyday import base_verb, reworded
from soprag.tools.rules.questions.material import ObservableState
from soprag.tools.rules.questions.speakable import raised

Frames = Sequence[str]

_REPORTED = re.compile(r"\b(?:that|as if) \{clause\}")  # nobody says "I can see that I am late"

_KINDS = (
    (re.compile(r"\b(?:do not|don['’]t|never|must not|avoid|not allowed|forbidden)\b", re.IGNORECASE), say.ASKS_AVOID),
    (
        re.compile(r"\b(?:contact|call|notify|inform|tell|ask|escalate|report|phone|page)\b", re.IGNORECASE),
        say.ASKS_WHO,
    ),
    (re.compile(r"\b(?:replace|exchange|swap|renew)\b", re.IGNORECASE), say.ASKS_CHANGE),
    (re.compile(r"\bwait\b.{0,30}\d+\s?(?:s|seconds?|min|minutes?|h|hours?|days?)\b", re.IGNORECASE), say.ASKS_LONG),
    (re.compile(r"\b(?:stop|abort|cancel|continue|proceed|postpone)\b", re.IGNORECASE), say.ASKS_STOP),
)


@dataclass(frozen=True)
class Voice:
    """Chooses frames and words; the same seed always chooses the same."""

    random: Random
    far: bool

    def fill(self, frames: Frames, **parts: str) -> str:
        """One of `frames` with its slots filled; a slot with a capital begins a sentence."""
        if parts.get("clause", "").startswith("I "):
            frames = [frame for frame in frames if not _REPORTED.search(frame)] or frames
        capitals = {name.capitalize(): raised(text) for name, text in parts.items()}
        return self.random.choice(frames).format(**parts, **capitals)

    def say(self, text: str) -> str:
        """`text` in this operator's words."""
        return reworded(text, self.far)

    def acts(self, action: Instruction | None) -> dict[str, str]:
        """The forms of an instruction for `fill`; none without an instruction."""
        if not action:
            return {}
        # "put in and open the cover" would be wrong: of two verbs, neither is changed.
        verb_forms = [base_verb(verb, action.rest) if len(action.verbs) == 1 else (verb, "") for verb in action.verbs]
        rest = f"{verb_forms[-1][1]} {self.say(action.rest)}".strip()
        plain = replace(action, verbs=tuple(verb for verb, _ in verb_forms), rest=rest)
        return {"infinitive": plain.infinitive, "gerund": plain.gerund, "done": plain.done}

    def tells(
        self,
        observation: ObservableState,
        trouble: Frames,
        plain: Frames,
        noun: Frames,
        busy: Instruction | None = None,
    ) -> str:
        """The observation in a template of its kind; templates may also mention the task in progress (`busy`)."""
        frames = (trouble if observation.odd else plain) if observation.clause else noun
        text = self.say(observation.text)
        return self.fill(frames, clause=text, noun=text, **self.acts(busy))

    def asks(self, condition: Condition) -> str:
        """The question asked under a condition, by the kind of its consequence."""
        return self.random.choice(next((asks for kind, asks in _KINDS if kind.search(condition.then)), say.ASKS))

    def shuffled(self, frames: Frames) -> list[str]:
        """`frames` in this operator's order."""
        return self.random.sample(frames, len(frames))
