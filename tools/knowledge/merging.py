"""When two names denote the same thing: the rule of paper 001, made safe for plants.

The paper merges two names whose vectors have a cosine of at least 0.9 and whose texts differ by at most five edits.
That merges P-101 with P-102 and `high pressure alarm` with `low pressure alarm`. Here both names must also be of one
kind and have the same identifiers and numbers, and each word of the one must be a spelling, an inflection or an
abbreviation of a word of the other: then nothing is left that could distinguish them, as a direction or negation does.
Names that are plainly abbreviated (`abbreviations.py`) need no vectors.

The relation looks at the two names alone, so that the graph does not depend on the order of documents.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from soprag.tools.embedding import Vectors
from soprag.tools.knowledge.abbreviations import abbreviates, is_skeleton
from soprag.tools.knowledge.name_tokens import Name, read_name
from soprag.tools.knowledge.records import UNKNOWN_KINDS, NameRef
from soprag.tools.text.stop_words import ARTICLES_AND_AUXILIARIES

PAPER_COSINE, PAPER_EDITS = 0.9, 5
_SHORTEST_PREFIX = 3  # letters of an abbreviation
_LONG = 6  # letters of a word that may be spelt in two ways
_FRENCH = re.compile(r"([bcdgt])re?$")  # centre and center, whose stems are centr and center
_VOWELS = re.compile(r"[aeiouy]")
_TAGGED_KINDS = frozenset({"asset", "other", "name"})
_TAG = re.compile(
    r"(?:(?!(?:of|for|in|on|to|from|at|and|or)\b)[A-Za-z][\w/-]*\s){0,4}([A-Z]{1,5}[- ]?\d{1,5}[A-Z]?(?:-\d{1,4})*)$"
)
_SIGNS = re.compile(r"[\W_]+")
_DOUBLE = re.compile(r"(.)\1")
_CUT = "-"  # in a key, in place of the second letter of a word without a vowel
_CONSONANTS = "bcdfghjklmnpqrstvwxz"


@dataclass(frozen=True)
class Merging:
    """The least cosine of the vectors of two names, and the function that embeds a text."""

    cosine: float
    meaning: Callable[[str], Vectors]

    def same(self, name: NameRef, candidate: NameRef) -> bool:
        """Whether two names denote the same thing."""
        if not comparable(name, candidate):
            return False
        if not needs_meaning(name, candidate):
            return True
        return float(self.meaning(name.text) @ self.meaning(candidate.text)) >= self.cosine


def comparable(name: NameRef, candidate: NameRef) -> bool:
    """Whether kind, identifiers and words of two names leave nothing that distinguishes them."""
    kinds = {name.kind, candidate.kind}
    if _same_tag(name, candidate):
        return True
    if "step" in kinds or (len(kinds) > 1 and not kinds & UNKNOWN_KINDS):
        return False
    if _abbreviated(name, candidate):
        return True
    read, target = read_name(name.text), read_name(candidate.text)
    return read.codes == target.codes and _same_codes(name.text, candidate.text) and _aligned(read, target)


def needs_meaning(name: NameRef, candidate: NameRef) -> bool:
    """Whether two comparable names differ in more than case, articles, plurals, plain abbreviations and a tag."""
    written = "".join(_singular(name.text)), "".join(_singular(candidate.text))
    return written[0] != written[1] and not _same_tag(name, candidate) and not _abbreviated(name, candidate)


def blocking_key(text: str) -> str:
    """What a name is stored under: identifiers, and of each word the first letter and next consonant."""
    tag, codes, heads = _blocks(text)
    return f"tag {tag}" if tag else _joined(codes, heads)


def blocking_keys(text: str) -> list[str]:
    """The keys that all names are stored under that may be merged with this one.

    A word without a vowel may lack any letter of the one it stands for, so its second letter says nothing: it is stored
    without one, and is looked for under all.
    """
    tag, codes, heads = _blocks(text)
    if tag:
        return [f"tag {tag}"]
    keys = {_joined(codes, heads): None}
    for position, head in enumerate(heads):
        before, after = heads[:position], heads[position + 1 :]
        seconds = _CONSONANTS if head.endswith(_CUT) else _CUT
        keys |= {_joined(codes, [*before, head[0] + second, *after]): None for second in seconds}
    return list(keys)


def by_paper(cosine: float, name: str, candidate: str) -> bool:
    """The rule of paper 001 alone (appendix: cosine 0.9, edit distance 5), for comparison."""
    return cosine >= PAPER_COSINE and edit_distance(name.casefold(), candidate.casefold()) <= PAPER_EDITS


def edit_distance(text: str, target: str) -> int:
    """Levenshtein distance in characters."""
    row = list(range(len(target) + 1))
    for i, sign in enumerate(text, 1):
        before, row[0] = row[0], i
        for j, aim in enumerate(target, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (sign != aim))
    return row[-1]


def _same_tag(name: NameRef, candidate: NameRef) -> bool:
    """Whether the one is a tag and the other the same tag after what it denotes: `V-7`, `suction valve V-7`."""
    if not {name.kind, candidate.kind} <= _TAGGED_KINDS or "asset" not in {name.kind, candidate.kind}:
        return False
    tags = _tag(name.text), _tag(candidate.text)
    bare = {_SIGNS.sub("", name.text).casefold(), _SIGNS.sub("", candidate.text).casefold()}
    return tags[0] == tags[1] != "" and tags[0] in bare


def _tag(text: str) -> str:
    """The equipment tag that a name ends with, without signs; empty for a name without one."""
    match = _TAG.match(text)
    return _SIGNS.sub("", match[1]).casefold() if match else ""


def _same_codes(text: str, candidate: str) -> bool:
    """Whether the words with a digit are equal apart from signs: AHU-1 is AHU1, and is not IS-AHU1."""
    squashed = [_SIGNS.sub("", entry).casefold() for entry in (text, candidate)]
    coded = [
        sorted(_SIGNS.sub("", word).casefold() for word in entry.split() if any(map(str.isdigit, word)))
        for entry in (text, candidate)
    ]
    return coded[0] == coded[1] or squashed[0] == squashed[1]


def _singular(text: str) -> list[str]:
    words = _SIGNS.sub(" ", text.casefold()).split()
    return [word.removesuffix("s") for word in words if word not in ARTICLES_AND_AUXILIARIES]


def _aligned(name: Name, candidate: Name) -> bool:
    """Whether the words pair up in order, or in any order where a comma or `of` turns them round."""
    words, targets = ([word for word in entry.tokens if word != "of"] for entry in (name, candidate))
    if len(words) != len(targets):
        return False
    turned = any("," in entry.text or " of " in entry.text for entry in (name, candidate))
    if not turned:
        return all(_variants(*sorted(pair, key=len)) for pair in zip(words, targets, strict=True))
    ordered = zip(sorted(words), sorted(targets), strict=True)
    return all(_variants(*sorted(pair, key=len)) for pair in ordered)


@lru_cache(1 << 14)
def _variants(short: str, long: str) -> bool:
    """Whether two stems are one word: spelt in another way, or the one an abbreviation of the other."""
    if _spelling(short) == _spelling(long):
        return True
    if any(sign.isdigit() for sign in short + long) or short[0] != long[0]:
        return False
    if len(short) >= _LONG and (long in (f"{short}is", f"{short}iz") or _inserted(short, long)):
        return True
    stump = short.rstrip("e")
    if len(stump) >= _SHORTEST_PREFIX and long.startswith(stump) and len(long) - len(stump) >= _SHORTEST_PREFIX:
        return True
    skeleton = len(short) >= 2 and not _VOWELS.search(short) and len(long) >= 5
    return skeleton and short[-1] == long.rstrip("aeiouy")[-1:] and _within(short, long)


def _abbreviated(name: NameRef, candidate: NameRef) -> bool:
    return abbreviates(name.text, candidate.text) or abbreviates(candidate.text, name.text)


def _blocks(text: str) -> tuple[str, tuple[str, ...], list[str]]:
    """The tag of a name, else empty; its identifiers; and the head of each of its words."""
    read = read_name(text)
    cut = {word.casefold() for word in text.split() if is_skeleton(word)}
    words = [word for word in read.tokens if word not in (*read.codes, "of")]
    return _tag(text), read.codes, [word[0] + _CUT if word in cut else _head(word) for word in words]


def _joined(codes: Sequence[str], heads: Sequence[str]) -> str:
    return " ".join([*codes, "|", *sorted(heads)])


def _head(word: str) -> str:
    return word[0] + _VOWELS.sub("", word[1:])[:1]


def _inserted(short: str, long: str) -> bool:
    """Whether one inserted letter makes the longer word; a substituted one makes another word (nitrate, nitrite)."""
    return len(long) - len(short) == 1 and any(long[:at] + long[at + 1 :] == short for at in range(1, len(long)))


def _within(short: str, long: str) -> bool:
    signs = iter(long)
    return all(sign in signs for sign in short)


def _spelling(word: str) -> str:
    """British and American spellings, and doubled letters, as one."""
    plain = word.replace("z", "s").replace("our", "or").replace("ae", "e").replace("ph", "f")
    plain = _FRENCH.sub(r"\1er", plain)
    return _DOUBLE.sub(r"\1", plain)
