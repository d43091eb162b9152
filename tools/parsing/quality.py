"""Is what an engine made good enough, or should the next one have a try?"""

import re

from soprag.tools.parsing.document import Extract
from soprag.tools.parsing.jobs import Probe

_SYNTAX = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)|</?[a-z][^>\n]{0,200}>|[|#*_`>\\~-]+", re.IGNORECASE)
_UNREADABLE = re.compile(r"\ufffd|\(cid:\d+\)|[\ue000-\uf8ff]")
_NUMBERED = re.compile(r"^( *)(\d{1,3})[.)] ", re.MULTILINE)
_LEAST_SHARE = 0.5
_MOST_UNREADABLE = 0.02
_MOST_DAMAGE = 0.03  # of the printed words; sound results have less than half of it
_FEW_STEPS = 8


def find_defect(extract: Extract, probe: Probe) -> str:
    """Why this result should be left for another engine; empty when it is good."""
    letters = count_letters(extract.markdown)
    if not letters:
        return "no text"
    unreadable = len(_UNREADABLE.findall(extract.markdown))
    if unreadable > _MOST_UNREADABLE * letters:
        return f"{unreadable} unreadable characters"
    if probe.characters and letters < _LEAST_SHARE * probe.characters:
        return f"only {letters:,} of about {probe.characters:,} characters"
    if probe.pages and probe.scanned_pages > probe.pages / 2 and letters < probe.pages * 20:
        return "hardly any text on its pages"
    if extract.damage and extract.damage.share > _MOST_DAMAGE:
        return extract.damage.describe()
    return _disorder(extract.markdown)


def rank(extract: Extract) -> tuple[float, int]:
    """How good a result is that has a defect: less damage first, then more text; higher is better."""
    return (-extract.damage.share if extract.damage else 0.0), count_letters(extract.markdown)


def count_letters(markdown: str) -> int:
    """Characters of the text that a reader would see, without spaces and Markdown signs."""
    return len("".join(_SYNTAX.sub(lambda match: match[1] or "", markdown).split()))


def _disorder(markdown: str) -> str:
    """Steps that run backwards are the mark of mixed-up columns."""
    last: dict[int, int] = {}
    backwards = total = 0
    for match in _NUMBERED.finditer(markdown):
        indent, number = len(match[1]), int(match[2])
        backwards += 1 < number < last.get(indent, 0)
        total += 1
        last[indent] = number
    return f"{backwards} of {total} steps out of order" if total >= _FEW_STEPS and backwards > total / 3 else ""
