"""What surrounds a question and stands in no procedure: who, when, since when, how urgent, what looks as always.

Every entry is a part of a sentence and never a whole one: a sentence of a question always holds words of its SOP, so
that no two SOPs share a sentence. Times and names of days are drawn, not listed.
"""

from collections.abc import Iterator, Sequence
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
    "the duty manager asked me to",
    "my colleague told me to",
    "I was told at handover to",
    "I have been asked to",
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_NEXT = (
    "and what comes after that",
    "and what do I have to watch out for",
    "and who has to know about it",
    "or should I wait for somebody senior",
    "and is there anything to do before that",
    "and what do I do if that does not help",
)
_WHAT_FOLLOWS = (
    "what is the next step",
    "what do I have to do in that case",
    "do I go on, or do I have to stop here",
    "may I go on, or does something else come first",
    "does that change what I have to do next",
    "what do I do now",
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
_AS_ALWAYS = (
    "a restart has changed nothing",
    "power and network look fine",
    "no other alarm is active",
    "the screens show nothing else",
    "nobody has changed the configuration today, as far as I know",
    "there was an update last week, but nobody complained then",
    "the log of the last shift says nothing about it",
    "it was fine when the last test was run",
)
_PRESSURE = (
    "the maintenance window closes in an hour",
    "I am alone on the system tonight",
    "users have begun to complain",
    "there is an audit tomorrow morning",
    "I only started here last month",
    "the next test run is planned for ten",
    "my manager wants a status before lunch",
    "the operator who usually does this is on holiday",
    "we have to hand the system over by six",
)
_DEADLINE = ("before the shift change", "tonight", "within the hour", "this evening", "by noon", "right now")


@dataclass(frozen=True)
class Circumstances:
    """Draws circumstances for the questions of one SOP and level; the same seed always draws the same."""

    random: Random

    def when(self) -> str:
        """When something was seen."""
        return self._time(_WHEN, 0.3, "on", "at")

    def since(self) -> str:
        """Since when something is as it is."""
        return self._time(_SINCE, 0.4, "since", "since")

    def _time(self, named: Sequence[str], share: float, before_day: str, before_hour: str) -> str:
        """One of the named times for `share` of the draws, a day for a fifth of them, and else an hour."""
        kind = self.random.random()
        if kind < share:
            return self.random.choice(named)
        if kind < share + 0.2:
            return f"{before_day} {self.random.choice(_DAYS)}"
        return f"{before_hour} {self.random.randint(1, 23)}:{self.random.randint(0, 59):02}"

    def who(self) -> str:
        """Who saw it."""
        return self.random.choice(_WHO)

    def asked(self) -> str:
        """Who wants what of the speaker; an infinitive follows."""
        return self.random.choice(_PEOPLE_ASK)

    def deadline(self) -> str:
        """By when."""
        return self.random.choice(_DEADLINE)

    def further(self) -> str:
        """What else somebody asks about a task."""
        return self.random.choice(_NEXT)

    def follows(self) -> str:
        """How somebody asks what follows from a fact."""
        return self.random.choice(_WHAT_FOLLOWS)

    def ordinary(self) -> Iterator[str]:
        """Clauses on what looks as always, in this SOP's order."""
        return iter(self.random.sample(_AS_ALWAYS, len(_AS_ALWAYS)) * 3)

    def pressure(self) -> Iterator[str]:
        """Clauses on what presses the speaker, in this SOP's order."""
        return iter(self.random.sample(_PRESSURE, len(_PRESSURE)) * 3)
