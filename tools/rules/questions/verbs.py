"""English verb forms: replace, replacing, replaced, replaces."""

import re

_IRREGULAR_FORMS = """
be been, become become, begin begun, bend bent, bind bound, bite bitten, bleed bled, blow blown, break broken,
bring brought, build built, burn burnt, buy bought, catch caught, choose chosen, come come, cut cut, dig dug, do
done, draw drawn, drive driven, eat eaten, fall fallen, feed fed, feel felt, find found, fly flown, forget
forgotten, freeze frozen, get got, give given, go gone, grind ground, hang hung, have had, hear heard, hide
hidden, hit hit, hold held, keep kept, know known, lay laid, lead led, leave left, let let, lift lifted, lose
lost, make made, mean meant, meet met, override overridden, pay paid, put put, quit quit, read read, redo
redone, reset reset, rewrite rewritten, ride ridden, ring rung, rise risen, run run, say said, see seen, seek
sought, sell sold, send sent, set set, shake shaken, shine shone, show shown, shut shut, sink sunk, sit sat,
slide slid, speak spoken, spin spun, split split, spray sprayed, spread spread, stand stood, stick stuck, strike
struck, sweep swept, swing swung, take taken, teach taught, tear torn, tell told, think thought, throw thrown,
undo undone, undergo undergone, understand understood, wake woken, wear worn, weld welded, wind wound, withdraw
withdrawn, write written, ssh ssh'd
"""
_PARTICIPLES = dict(pair.split() for pair in _IRREGULAR_FORMS.replace("\n", " ").split(", "))
# Stressed on their last syllable, so that its consonant doubles: submitting, but visiting.
_STRESSED = {"submit", "admit", "permit", "commit", "omit", "refer", "transfer", "occur", "control", "begin", "refit"}
_STRESSED |= {"unplug", "reset", "unzip", "rerun", "abut", "expel", "propel", "repel", "format", "rewrap", "recap"}
_SYLLABLE = re.compile(r"[^aeiouy]*[aeiouy][^aeiouwxy]")


def participle(verb: str) -> str:
    """The past participle: replaced, shut, taken."""
    if verb in _PARTICIPLES:
        return str(_PARTICIPLES[verb]).strip()
    prefix, _, root = verb.rpartition("-")
    if prefix:
        return f"{prefix}-{participle(root)}"
    if verb.endswith("e"):
        return verb + "d"
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ied"
    return (_doubled(verb) if _doubles(verb) else verb) + ("ked" if verb.endswith("ic") else "ed")


def gerund(verb: str) -> str:
    """The -ing form: replacing, shutting, tying."""
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and verb != "be":
        return verb[:-1] + "ing"
    return (_doubled(verb) if _doubles(verb) else verb) + ("king" if verb.endswith("ic") else "ing")


def third(verb: str) -> str:
    """The form after he, she or it: replaces, passes, tries."""
    if verb in ("be", "have"):
        return {"be": "is", "have": "has"}[verb]
    if re.search(r"(?:s|x|z|ch|sh|o)$", verb):
        return verb + "es"
    return verb[:-1] + "ies" if re.search(r"[^aeiou]y$", verb) else verb + "s"


def _doubles(verb: str) -> bool:
    return verb in _STRESSED or bool(_SYLLABLE.fullmatch(verb))


def _doubled(verb: str) -> str:
    return verb + verb[-1]
