"""What surrounds a question and stands in no procedure: who, when, since when, how urgent, what else is known.

Every entry is a part of a sentence and never a whole one: a sentence of a question always holds words of its SOP, so
that no two SOPs share a sentence. Entries fit whatever was seen: a restart that did not help fits no earthquake. Hours
and quarters are drawn, not listed.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

_WHO = (
    "my colleague",
    "the night shift",
    "our supervisor",
    "a trainee",
    "the day crew",
    "the duty manager",
    "the technician",
    "the person before me",
)
_PEOPLE_ASK = (
    "my supervisor wants me to",
    "the duty manager has asked me to",
    "my colleague told me to",
    "I was told at handover to",
    "I have been asked to",
)
_WHAT_FOLLOWS = (
    "what is the next step",
    "what do I have to do in that case",
    "do I go on, or do I stop here",
    "can I simply go on",
    "is there anything that I have to do first",
    "what do I do now",
    "what comes next",
    "how do I continue",
    "what am I supposed to do",
)
_TO_DO = (
    "what do I have to do",
    "what has to be done",
    "how do I go on",
)
_WHEN = (
    "during the evening round",
    "right after lunch",
    "shortly before the end of the shift",
    "ten minutes ago",
    "first thing this morning",
    "half an hour ago",
)
_SINCE = ("since this morning", "since the start of my shift", "since last night", "since lunch")
_BESIDES = (
    "and I have no idea why",
    "and nothing else looks unusual",
    "and nobody has changed anything as far as I know",
    "and I have not seen that before",
    "and everything else looks normal",
    "but everything was fine yesterday",
    "and there was no warning before that",
)
_OWN_BESIDES = ("and I have no idea why", "and nobody here knows why", "and I have tried it twice")
_BEFORE = (
    "before the maintenance window closes",
    "before more users complain",
    "before my manager asks for a status",
    "before my shift ends",
    "before I hand over to the next shift",
)
_BEFORE_HOUR = ("before the shift changes at {hour}", "before the next test run at {hour}")
_OF_SPEAKER = re.compile(r"I (?:can't|am|do|don't)\b|My\b")
_HOURS = ("six", "seven", "eight", "nine", "ten", "eleven", "noon", "two", "three", "four")


@dataclass(frozen=True)
class Circumstances:
    """Draws circumstances for the questions of one SOP and level; the same seed always draws the same."""

    random: Random

    def when(self) -> str:
        """When something was seen."""
        return self._time(_WHEN, "at around")

    def since(self) -> str:
        """Since when something is as it is."""
        return self._time(_SINCE, "since around")

    def _time(self, named: Sequence[str], before_hour: str) -> str:
        """One of the named times, or an hour and its quarter."""
        if self.random.random() < 0.6:
            return self.random.choice(named)
        return f"{before_hour} {self.random.randint(1, 23)}:{self.random.choice(('00', '15', '30', '45'))}"

    def who(self) -> str:
        """Who saw it."""
        return self.random.choice(_WHO)

    def asked(self) -> str:
        """Who wants what of the speaker; an infinitive follows."""
        return self.random.choice(_PEOPLE_ASK)

    def follows(self) -> str:
        """How somebody asks what follows from a fact."""
        return self.random.choice(_WHAT_FOLLOWS)

    def to_do(self) -> str:
        """How somebody asks what a fact requires; until when follows."""
        return self.random.choice(_TO_DO)

    def besides(self, told: str) -> str:
        """What else can be said of a trouble that was told, with the word that joins it."""
        return self.random.choice(_OWN_BESIDES if _OF_SPEAKER.match(told) else _BESIDES)

    def before(self) -> str:
        """Until when the speaker needs an answer, as the end of a question."""
        if self.random.random() < 0.4:
            return self.random.choice(_BEFORE_HOUR).format(hour=self.random.choice(_HOURS))
        return self.random.choice(_BEFORE)
