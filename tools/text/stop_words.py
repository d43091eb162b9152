"""Stop words: one list per use, built on each other."""

from functools import cache

# Words that say nothing about a procedure. Negations, numbers and directions (not, above, off) are no stop words.
_STOP = """
a about all also am an and any are as at be because been being both but by can could did do does doing during
each either else for from further had has have having he her here hers him his how however i if in into is it
its itself just let ll may me might more most much must my need needs of on or other our ours own per please
rather re s same shall she should since so some such still t than that the their them then there these they
this those though through thus to too us use used using ve very via want was we were what when where whether
which while who whom whose why will with within would yet you your yours
"""
_DIRECTIONS = """
above after again against before below between down few get gets got no nor not now off once one only onto out over
to under until up upon without
"""
_CONTRACTIONS = """
aren't can't cannot couldn't didn't doesn't don't hadn't hasn't haven't how's i'd i'll i'm i've isn't it's let's
shouldn't that's theirs there's they're wasn't we'd we'll we're we've weren't what's won't wouldn't you'd you'll you're
you've
"""
_CONNECTIVES = "a an and are as at by for from how in into is it its of on or the to up with after before when not"
_AUXILIARIES = "is are was were be been being has have had"

STOP = frozenset(_STOP.split())  # of full-text search
SMALL = STOP | frozenset((_DIRECTIONS + _CONTRACTIONS).split())  # function words of English
CONNECTIVES = frozenset(_CONNECTIVES.split())  # of titles
ARTICLES_AND_AUXILIARIES = frozenset(("a an the " + _AUXILIARIES).split())  # of names

_LISTS = {
    "da": "DANISH", "de": "GERMAN", "es": "SPANISH", "fr": "FRENCH", "it": "ITALIAN", "ko": "KOREAN", "nl": "DUTCH",
    "no": "NORWEGIAN", "pt": "PORTUGUESE", "ru": "RUSSIAN", "sv": "SWEDISH", "tr": "TURKISH", "zh": "CHINESE",
}  # fmt: skip


@cache
def stop_words(language: str) -> frozenset[str]:
    """The function words of a language (ISO 639-1); empty for a language without a list."""
    if language == "en":
        return SMALL
    if language not in _LISTS:
        return frozenset()
    from bm25s import stopwords

    return frozenset(getattr(stopwords, f"STOPWORDS_{_LISTS[language]}"))


@cache
def broad() -> frozenset[str]:
    """The longer English list of bm25s, which the lexical baselines use."""
    from bm25s.stopwords import STOPWORDS_EN_PLUS

    return frozenset(STOPWORDS_EN_PLUS)
