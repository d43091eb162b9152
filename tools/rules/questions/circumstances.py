"""What surrounds a question and stands in no procedure: who, when, since when, how urgent, what looks as always.

Every entry is a part of a sentence and never a whole one: a sentence of a question always holds words of its SOP, so
that no two SOPs share a sentence. Times and names of days are drawn, not listed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

_WHO = (
    "my colleague",
    "the night shift",
    "our supervisor",
    "the person on call before me",
    "a trainee",
    "the day crew",
    "the duty manager",
    "the technician",
)
_PEOPLE_ASK = (
    "my supervisor wants me to",
    "the duty manager asked me on the phone to",
    "my colleague suggests to",
    "I was told at handover to",
    "the customer presses me to",
    "the team lead in the chat says I should",
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_DOUBTS = (
    "or is that the wrong idea here",
    "or would you leave it alone",
    "and what could go wrong",
    "and who ought to know about it",
    "or do I wait for somebody senior",
    "and is it mine to do at all",
    "or is there a quicker way",
)
_WHAT_FOLLOWS = (
    "may I go on as if nothing had happened, or does something else come first",
    "what follows from that for me",
    "what do I have to do about it, if anything",
    "do I have to stop here, or is there another way on",
    "does anything have to happen before I go on, and what",
    "which way do I go from here",
)
_WHEN = (
    "during the evening round",
    "right after lunch",
    "shortly before the end of my shift",
    "in the middle of a busy night",
    "ten minutes ago",
    "on my first look this morning",
    "during the weekly walk-through",
)
_AS_ALWAYS = (
    "everything around it looks ordinary to me",
    "nobody admits to having touched anything",
    "the logbook of the previous shift says nothing about it",
    "the person who knows all about it is on holiday",
    "it was different at handover",
    "no one here remembers seeing that before",
    "people have begun to complain",
    "a restart has changed nothing",
)
_PRESSURE = (
    "a maintenance slot ends in an hour",
    "I am alone here tonight",
    "half of the crew is ill",
    "the phone keeps ringing",
    "there is an audit tomorrow",
    "I only started here last month",
    "the weekend is near",
)
_DEADLINE = ("before the shift change", "tonight", "within the hour", "this evening", "by noon", "at once")


@dataclass(frozen=True)
class Circumstances:
    """Draws circumstances for the questions of one SOP and level; the same seed always draws the same."""

    random: Random

    def when(self) -> str:
        """At what time something was seen, such as `at twenty past four`."""
        kind = self.random.random()
        if kind < 0.3:
            return self.random.choice(_WHEN)
        if kind < 0.6:
            return f"on {self.random.choice(_DAYS)}"
        return f"at {self.random.randint(1, 23)}:{self.random.randint(1, 59):02}"

    def who(self) -> str:
        """Who saw it."""
        return self.random.choice(_WHO)

    def asked(self) -> str:
        """Who wants what of the speaker; an infinitive follows."""
        return self.random.choice(_PEOPLE_ASK)

    def deadline(self) -> str:
        """By when."""
        return self.random.choice(_DEADLINE)

    def doubt(self) -> str:
        """How a request ends."""
        return self.random.choice(_DOUBTS)

    def follows(self) -> str:
        """How somebody asks what follows from a fact."""
        return self.random.choice(_WHAT_FOLLOWS)

    def ordinary(self) -> Iterator[str]:
        """Clauses on what looks as always, in this SOP's order."""
        return iter(self.random.sample(_AS_ALWAYS, len(_AS_ALWAYS)) * 3)

    def pressure(self) -> Iterator[str]:
        """Clauses on what presses the speaker, in this SOP's order."""
        return iter(self.random.sample(_PRESSURE, len(_PRESSURE)) * 3)
