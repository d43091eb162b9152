"""How somebody tells a state: the thing in one clause, what is the matter with it in another, and what else they saw.

Nobody repeats the sentence of a procedure. A state keeps its words, but its thing is named by its kind and first, then
come who noticed it and when, and the rest follows after a pronoun.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from soprag.tools.rules.questions.circumstances import Circumstances
from soprag.tools.rules.questions.heads import ClauseParts, clause_parts, is_plural, is_thing, plain_object
from soprag.tools.rules.questions.material import ObservableState, QuestionMaterial
from soprag.tools.rules.questions.speakable import raised
from soprag.tools.text.terms import terms

_OWN = re.compile(r"\b(?:I|my|me|we|our)\b")
# What does not succeed has many wordings with the same sense, so that none of them has to be quoted.
_UNABLE = re.compile(
    r"^(?:cannot|(?:is|are) (?:unable|not able|failing) to|fails? to|(?:has|have) (?:\w+ly )?failed to) "
    r"(?!be\b)(?P<rest>.+)$"
)
_NOT_DONE = re.compile(r"^cannot be (?P<rest>\w+(?:ed|en|wn|ung?|ade|eld|aid|ound|ut)\b.*)$")
_I_CANNOT = re.compile(r"\bI (?:cannot|can['’]t|am (?:unable|not able) to) (?!be\b)")
_APART = (
    "{who} called me about {thing} {when}: {rest}",
    "{when} {who} asked me to have a look at {thing}: {rest}",
    "{who} reported a problem with {thing} {when}: {rest}",
    "we have had a problem with {thing} {since}: {rest}",
    "{since} something has been wrong with {thing}: {rest}",
    "I need help with {thing}: {since} {rest}",
)
_WHOLE = (
    "{when} {who} noticed that {state}",
    "{when} I noticed that {state}",
    "{who} told me {when} that {state}",
)
_ORDINARY = ("as far as I can see, {state}", "{who} told me {when} that {state}", "I have seen {when} that {state}")
_LOOKED = (
    "I had a look at {thing} {when}: {rest}",
    "{when} I looked at {thing} again: {rest}",
    "{who} looked at {thing} {when}: {rest}",
)
_CHECKED = (
    "I have checked {checked} and found nothing unusual",
    "{checked} {look} fine to me",
    "{who} has already looked at {checked} and found nothing",
)
_UNKNOWN = re.compile(r"(?:an?|some|any|one|another) ", re.IGNORECASE)  # before what nobody has looked at yet
_CHECKS = frozenset(("check", "inspect", "review", "examine", "verify", "monitor", "observe", "read", "test"))
_BRIEF = 9  # words of a second state that is only mentioned


@dataclass(frozen=True)
class Teller:
    """Tells the states of one SOP and level, each time in other circumstances."""

    material: QuestionMaterial
    around: Circumstances

    def told(self, state: ObservableState) -> str:
        """The state as a sentence without its full stop."""
        if _OWN.search(state.text):
            return raised(_I_CANNOT.sub("I do not manage to ", state.text))
        clause = clause_parts(state.text)
        if clause is None or (not state.odd and _UNKNOWN.match(clause.thing)):
            return raised(self._said(_WHOLE if state.odd else _ORDINARY, state=state.text))
        predicate, rest = _predicate(clause), f"{clause.pronoun} {_predicate(clause)}"
        if not_done := _NOT_DONE.match(predicate):
            rest = f"nobody manages to get {'it' if clause.pronoun == 'it' else 'them'} {not_done['rest']}"
        return raised(self._said(_APART if state.odd else _LOOKED, thing=clause.thing, rest=rest))

    def besides(self, state: ObservableState, others: Sequence[ObservableState]) -> str:
        """What else was seen: that of the other states that stands farthest from `state`; empty without one."""
        far = [other for other in others if self._is_another(other, state)]
        return max(far, key=lambda other: abs(other.position - state.position)).text if far else ""

    def checked(self, state: ObservableState) -> str:
        """What was looked at in vain: what the SOP has checked farthest from `state`; empty where it names nothing."""
        stems = set(terms(state.text))
        things = [
            (abs(action.position - state.position), thing)
            for action in self.material.actions
            if set(action.verbs) & _CHECKS
            and is_thing(thing := plain_object(action.rest))
            and not stems & set(terms(thing))
        ]
        if not things:
            return ""
        thing = max(things)[1]
        return self._said(_CHECKED, checked=thing, look="look" if is_plural(thing) else "looks")

    def _said(self, forms: Sequence[str], **parts: str) -> str:
        form = self.around.random.choice(forms)
        return form.format(who=self.around.who(), when=self.around.when(), since=self.around.since(), **parts)

    def _is_another(self, other: ObservableState, state: ObservableState) -> bool:
        brief = len(other.text.split()) <= _BRIEF and not _OWN.search(other.text)
        return brief and other.position != state.position and not set(terms(other.text)) & set(terms(state.text))


def _predicate(clause: ClauseParts) -> str:
    """What the clause says of its thing; that it cannot do something in other words."""
    unable = _UNABLE.match(clause.predicate)
    does = "does" if clause.pronoun == "it" else "do"
    return f"{does} not manage to {unable['rest']}" if unable else clause.predicate
