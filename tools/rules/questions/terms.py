"""Search phrases: two to six telling words of an SOP, as somebody in a hurry types them."""

import re
from collections.abc import Iterator
from itertools import pairwise

from tools.questions.words import SMALL, spaced, stems, words
from tools.rules.questions.material import Material
from tools.sop import digest

_TOKEN = re.compile(r"[^\W_][\w-]*(?:['’]\w+)?|\d+")
_EMPTY_WORDS = """
additional document eop following following general guide how information instruction instructions introduction manual mop
must new note operating overview page please procedure procedures revision runbook section should sop standard step steps
two three four five six ten use used using version via may work checklist minute minutes second seconds hour hours day days
time times open close closed set check make sure first next last also yes case need needed required
"""
_EMPTY = frozenset(_EMPTY_WORDS.split())


def phrases(material: Material) -> Iterator[str]:
    """Search phrases, best first: the words of the title, then with telling words of the text, then parts."""
    title = _title_words(material)
    taken = set(stems(" ".join(title)))
    pairs = [pair for pair in _pairs(material) if not set(stems(" ".join(pair))) & taken]
    singles = [word for word in _singles(material) if not set(stems(word)) & taken]
    name = material.title.strip()
    if len(name.split()) == 1 and len(title) > 1 and int(digest(name)[:2], 16) % 2:
        yield from (f"{name} {' '.join(extra)}" for extra in [*pairs[:2], *((word,) for word in singles[:2])])
    if len(title) >= 3:
        yield _joined(title[:6])
    for pair in pairs[:4]:
        yield _joined([*title[:4], *pair])
    for word in singles[:6]:
        yield _joined([*title[:4], word])
    for heading in material.headings:
        named = _telling(heading)
        if 2 <= len(named) <= 4 and named != title:
            yield _joined([*title[:2], *named])
    for first, second in pairwise(singles):
        yield _joined([*title[:1], first, second])


def _title_words(material: Material) -> list[str]:
    """The telling words of the title; the parts of a run-together name are taken apart unless the text has them whole."""
    said = {word for one in material.sentences for word in words(one.text)}
    whole: list[str] = []
    for part in _telling(spaced(material.title)):
        if whole and (whole[-1] + part).casefold() in said:
            whole[-1] += part
        else:
            whole.append(part)
    return whole


def _telling(text: str) -> list[str]:
    return [word for word in _TOKEN.findall(text.replace("_", " ")) if word.casefold() not in SMALL | _EMPTY]


def _joined(parts: list[str]) -> str:
    unique: list[str] = []
    for word in parts:
        if not any(stems(word) == stems(other) for other in unique):
            unique.append(word)
    return " ".join(_plain_case(word) for word in unique[:6])


def _plain_case(word: str) -> str:
    return word if any(letter.isupper() or letter.isdigit() for letter in word[1:]) else word.lower()


def _pairs(material: Material) -> list[tuple[str, str]]:
    """Two telling words that stand together at least twice, the most frequent first."""
    counts: dict[tuple[str, str], int] = {}
    for said in material.sentences:
        tokens = said.text.split()
        for first, second in pairwise(tokens):
            if _is_term(first) and _is_term(second.rstrip(".,;:")):
                pair = (_plain_case(first), _plain_case(second.rstrip(".,;:")))
                counts[pair] = counts.get(pair, 0) + 1
    often = sorted(counts, key=lambda pair: -counts[pair] * 10 - material.weight(" ".join(pair)))
    return [pair for pair in often if counts[pair] > 1]


def _singles(material: Material) -> list[str]:
    seen: dict[str, str] = {}
    for said in material.sentences:
        for token in said.text.split():
            word = token.strip(".,;:!?\"'")
            if _is_term(word):
                seen.setdefault("".join(stems(word)), word)
    return sorted(seen.values(), key=lambda word: -material.weight(word))


def _is_term(word: str) -> bool:
    shaped = re.fullmatch(r"[A-Z]?[a-z]{2,}(?:-[a-z]+)*|[A-Z]{2,6}s?", word)
    return bool(shaped) and word.lower() not in SMALL | _EMPTY
