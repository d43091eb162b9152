"""Whether two names could be those of one person, for rules that want a second pair of eyes.

A name that is typed is a claim and proves nothing. So the comparison errs on the side of "the same person": case,
width, spaces, hidden characters and letters that look alike (Unicode TR39 confusables, such as Cyrillic and Latin `a`)
make no difference.
"""

from collections.abc import Iterable
from functools import cache
from unicodedata import normalize

from soprag.tools.text.sanitize import one_line


def same_person(first: str, second: str) -> bool:
    """Whether the names are equal, or so alike that a reader could take one for the other."""
    return not _keys(first).isdisjoint(_keys(second))


def count_people(names: Iterable[str]) -> int:
    """How many different people the names stand for; empty names are nobody."""
    people: list[str] = []
    for name in names:
        if one_line(name) and not any(same_person(name, person) for person in people):
            people.append(name)
    return len(people)


def _keys(name: str) -> set[str]:
    """Spellings under which a name is compared.

    The skeleton is taken before and after the case is folded: Cyrillic capital `В` looks like a Latin letter, small `в`
    does not, and `I` looks like `l` only as a capital.
    """
    plain = normalize("NFKC", one_line(name))
    return {_skeleton(plain.casefold()), _skeleton(_skeleton(plain).casefold())}


def _skeleton(text: str) -> str:
    """The text with every character replaced by the prototype of those that look like it (TR39, section 4)."""
    prototypes = _prototypes()
    return "".join(prototypes.get(character, character) for character in normalize("NFD", text))


@cache
def _prototypes() -> dict[str, str]:
    """Character -> what it is confusable with; read late, for the table takes 0.1 s to load.

    The table lists pairs in both directions: a character with one partner is replaced by it, one with several is the
    prototype of its partners. Where both have only each other, the lower code point is taken for both.
    """
    from confusable_homoglyphs.confusables import confusables_data as table

    prototypes = {}
    for character, partners in table.items():
        partner = one_line(partners[0]["c"])
        if len(character) != 1 or len(partners) != 1:
            continue
        mutual = len(partner) == 1 and len(table.get(partner, ())) == 1
        prototypes[character] = min(character, partner) if mutual else partner
    return prototypes
