"""Units of measurement in prose: which words after a number are a unit, and which are only words."""

import re
from functools import lru_cache

from soprag.tools.units.quantity import is_unit
from soprag.tools.units.reading import kind_of, one_ring, symbol_of

_ENGLISH = frozenset(
    """a an and are as at be by can do for from had has have i if in is it its no not of off on or per so than that the
    then to turn turns up was were will with at cycle cycles count counts point points hand hands link links
    chain rod utc gmt cet are times time step steps dot bit bits byte page t u e k x y z am pm max""".split()  # noqa: SIM905
)
_SHORT = {"degC": "°C", "degF": "°F", "deg": "°", "day": "d", "days": "d", "year": "a", "years": "a", "weeks": "week"}
_NAMELESS = frozenset({"time", "share", "count", "data", "acidity"})
_ABBREVIATED = frozenset({"G", "M", "k"})  # of bytes or of thousands, more often than grams and metres
_LONGEST_NAME = 6  # letters: a longer word alone is a word
_TOKEN = re.compile(r"(\s*)((?:[^\W\d_]|/)[\w/.²³-]*[\w²³]|[^\W\d_])")
_SYMBOL = re.compile(r"[^\W\d_]+[A-Z][^\W\d_]*(?:/\w+)?(?<!s)|[^\W\d_]*/[^\W\d_]+")
_REPEATED = frozenset(("time", "times", "attempt", "attempts", "retry", "retries", "try", "tries"))
_PLAIN = re.compile(r"\s*(?:$|[.,;:)!?|\]](?!\d))|\s+[^\w\s×*·^/%]")
_OF = r"(?:\s+by\s+(?:volume|weight|mass)|\s+of\s+flow|\s*RH\b|\s+relative humidity)?"
UNIT = (
    r"(?:%" + _OF + r"|[°º˚]\s?[CF]\b(?:/(?:min|s|h)\b)?|[℃℉]|degrees?\s+(?:Celsius|Fahrenheit|C|F)\b|deg\s?[CF]\b|"
    r"[°º˚](?![A-Za-z])|vol\s?%|"
    r"/(?:min|s|h)\b|(?:[A-Za-zµμΩ]+(?:\([gaA]\))?[²³]?|[mck]?m[23])(?:[/·*^-][A-Za-zµμΩ]+[²³23]?|\s(?:per)\s[a-z]+)*)"
)


@lru_cache(maxsize=4096)
def unit_of(words: str) -> str | None:
    """The unit that words name, in its short form ("min" for minutes, "°C"); None when they name none."""
    bare = one_ring(words.strip())
    name = symbol_of(bare)
    if not bare or bare in _ENGLISH or (len(bare) > 1 and bare.lower() in _ENGLISH and not name):
        return None
    if bare.startswith("%") or bare.lower().replace(" ", "") in ("vol%", "percent"):
        return "% by volume" if "volume" in bare else "%"
    short = _SHORT.get(name or bare.lower(), name or bare)
    return short if name or short in _SHORT.values() or _parses(bare) or (len(bare) > 2 and kind_of(bare)) else None


def governed_unit(after: str) -> tuple[str, int] | None:
    """The unit behind a number that a limit governs, known or not, and how many characters its words have.

    The unit is empty for a plain number and for things that are counted; None where the words tell of no quantity: a
    duration in several words, a repetition, a number that is part of a name.
    """
    spaced = re.match(rf"\s*(?P<unit>{UNIT}(?:\s[A-Za-z]+[²³23]?/[a-z]+\b)?)", after)
    words = spaced["unit"] if spaced else ""
    while words:
        if (known := unit_of(words)) is not None:
            return known, after.index(words) + len(words)
        words = words.rpartition(" ")[0].removesuffix(" per")
    token = _TOKEN.match(after)
    if token is None:
        return ("", 0) if _PLAIN.match(after) else None
    return _unknown(token[2], after[token.end() :], bool(token[1]), token.end())


def _unknown(token: str, rest: str, spaced: bool, end: int) -> tuple[str, int] | None:
    """A unit that is not known by the look of its symbol; other words are what is counted."""
    counted = re.match(r"\s+[a-z]{3,}s\b", rest)  # "2 USB ports"
    over = token.rpartition("/")
    if (
        _SYMBOL.fullmatch(token)
        and token.lower() not in _ENGLISH
        and not counted
        and (not over[1] or unit_of(over[2]) is not None)
    ):
        return token, end
    lower = token.lower()
    following = [token, *rest.split()[:2]]
    if (
        not spaced
        or re.match(r"[A-Z][a-z]", token)
        or lower in _REPEATED
        or any(is_time(unit_of(word.strip(".,;:)")) or "") for word in following)
    ):
        return None
    return (token, end) if lower not in _ENGLISH and len(token) > _LONGEST_NAME and is_unit(token) else ("", 0)


def quantity_name(unit: str) -> str:
    """What a unit measures, such as "pressure" for bar; empty where units do not tell (shares, counts, durations)."""
    if "volume" in unit:
        return "concentration"
    kind = kind_of(unit)
    return "" if kind in _NAMELESS or unit in _ABBREVIATED else kind


def is_time(unit: str) -> bool:
    """Whether a unit measures durations."""
    return unit in ("d", "a") or kind_of(unit) == "time"


def _parses(unit: str) -> bool:
    """Whether every part of a unit is one; single lower-case letters and English words are not trusted alone."""
    parts = [part for part in re.split(r"[/·*^ ]|per", unit) if part]
    if not parts or len(parts) > 3 or (len(parts) == 1 and len(unit) > _LONGEST_NAME):
        return False
    return all(_known(part) for part in parts)


def _known(part: str) -> bool:
    if symbol_of(part):
        return True
    part = part.replace("²", "").replace("³", "").rstrip("23")
    if not part or part in _ENGLISH or (len(part) > 1 and part.lower() in _ENGLISH):
        return False
    if (part.islower() and len(part) > 4) or (part.isupper() and len(part) > 3):
        return False
    return is_unit(part)
