"""Search phrases: two to six telling words of an SOP, as somebody in a hurry types them."""

import re
from collections.abc import Iterator

from tools.questions.words import SMALL, stems
from tools.rules.questions.material import Material

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
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
    title = _telling(_split_names(material.title))
    pairs = [pair for pair in _pairs(material) if not set(stems(" ".join(pair))) & set(stems(" ".join(title)))]
    singles = [word for word in _singles(material) if not set(stems(word)) & set(stems(" ".join(title)))]
    if len(title) >= 3:
        yield _joined(title[:6])
    for pair in pairs[:4]:
        yield _joined([*title[:4], *pair])
    for word in singles[:6]:
        yield _joined([*title[:4], word])
    for heading in material.headings:
        words = _telling(_split_names(heading))
        if 2 <= len(words) <= 4 and words != title:
            yield _joined([*title[:2], *words])
    for first, second in zip(singles, singles[1:], strict=False):
        yield _joined([*title[:1], first, second])


def _split_names(text: str) -> str:
    return _HUMP.sub(" ", text) if " " not in text.strip() else text


def _telling(text: str) -> list[str]:
    words = [word for word in _TOKEN.findall(text.replace("_", " ")) if word.casefold() not in SMALL | _EMPTY]
    return [word for word in words if not word.isdigit() or len(words) < 3]


def _joined(words: list[str]) -> str:
    unique: list[str] = []
    for word in words:
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
        for first, second in zip(tokens, tokens[1:], strict=False):
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
