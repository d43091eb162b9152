"""How somebody tells a state: the thing in one clause, what is the matter with it in another, and what they looked at.

Nobody repeats the sentence of a procedure. A state is told as its finder says it (`found.py`), its thing by its kind
and first, then come who noticed it and when, and the rest follows after a pronoun.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from soprag.tools.rules.questions.circumstances import Circumstances
from soprag.tools.rules.questions.found import as_found, is_event
from soprag.tools.rules.questions.heads import ClauseParts, clause_parts, is_plural, is_thing, plain_object
from soprag.tools.rules.questions.material import ObservableState, QuestionMaterial
from soprag.tools.rules.questions.speakable import raised
from soprag.tools.text.terms import terms

_OWN = re.compile(r"^(?:I|there|my)\b|\b(?:my|me|we|our)\b")
# What does not succeed has many wordings with the same sense, so that none of them has to be quoted.
_UNABLE = re.compile(
    r"^(?:(?P<cannot>cannot|can['’]t)|(?P<able>(?:is|are) (?:unable|not able) to)|(?:is|are) failing to|fails? to|"
    r"(?:has|have) (?:\w+ly )?failed to) (?!be\b)(?P<rest>.+)$"
)
_NOT_DONE = re.compile(r"^cannot be (?P<rest>\w+(?:ed|en|wn|ung?|ade|eld|aid|ound|ut)\b.*)$")
_I_CANNOT = re.compile(r"\bI (?:cannot|am (?:unable|not able) to) (?!be\b)")
_APART = (
    "{who} called me about {thing} {when}: {rest}",
    "{when} {who} asked me to have a look at {thing}: {rest}",
    "{who} reported a problem with {thing} {when}: {rest}",
    "could somebody have a look at {thing} today? {Rest}",
)
_LASTING = (
    "we have had trouble with {thing} {since}: {rest}",
    "something has been wrong with {thing} {since}: {rest}",
    "I need help with {thing}: {since} {rest}",
)
_WHOLE = (
    "{when} {who} noticed that {state}",
    "{when} I noticed that {state}",
    "{who} told me {when} that {state}",
)
_ORDINARY = ("as far as I can see, {state}", "{who} told me {when} that {state}", "by now {state}")
_LOOKED = ("I had a look at {thing} {when}: {rest}", "I have just looked at {thing}, and {rest}")
_CHECKED = (
    "I have already checked {checked} and found nothing unusual",
    "{checked} {look} fine to me",
    "{who} has already looked at {checked} and found nothing",
)
_CHECKS = frozenset(("check", "inspect", "review", "examine", "verify", "monitor", "observe", "read", "test"))


@dataclass(frozen=True)
class Teller:
    """Tells the states of one SOP and level, each time in other circumstances."""

    material: QuestionMaterial
    around: Circumstances

    def told(self, state: ObservableState) -> str:
        """The state as a sentence, or two, without the last full stop; empty where nobody would tell it."""
        found = as_found(state.text, odd=state.odd)
        if not found or _OWN.search(found):
            return raised(_I_CANNOT.sub("I can't ", found))
        clause = clause_parts(found)
        if clause is None:
            return raised(self._said(_WHOLE if state.odd else _ORDINARY, state=found))
        predicate = _predicate(clause)
        rest = f"{clause.pronoun} {predicate}"
        if not_done := _NOT_DONE.match(predicate):
            rest = f"nobody manages to get {'it' if clause.pronoun == 'it' else 'them'} {not_done['rest']}"
        forms = _APART if is_event(predicate) else (*_APART, *_LASTING)
        return raised(self._said(forms if state.odd else _LOOKED, thing=clause.first, rest=rest, Rest=raised(rest)))

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


def _predicate(clause: ClauseParts) -> str:
    """What the clause says of its thing; that it cannot do something in other words."""
    unable = _UNABLE.match(clause.predicate)
    if unable is None:
        return clause.predicate
    one = clause.pronoun == "it"
    if unable["cannot"]:
        return f"{'is' if one else 'are'} not able to {unable['rest']}"
    return f"cannot {unable['rest']}" if unable["able"] else f"{'does' if one else 'do'} not {unable['rest']}"
