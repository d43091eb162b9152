"""How much a parser damaged a PDF: its Markdown counted against the printed lines."""

import re
from collections import Counter
from statistics import mean

from soprag.tools.parsing.document import Damage
from soprag.tools.parsing.layout import PrintedLine
from soprag.tools.parsing.repair.damaged_words import undoubled
from soprag.tools.parsing.repair.headings import PrintedHeading, find_headings, norm, running_heads
from soprag.tools.parsing.repair.missing_headings import continued_lines
from soprag.tools.parsing.repair.wording import markdown_words, printed_words, shingles, words_of
from soprag.tools.parsing.signs import UNREADABLE

_RUN = 6  # words of a line by which its repetition is noticed
_HEADING = re.compile(r"^#{1,6}\s+(.*)$", re.MULTILINE)
_LEFT_OVER = re.compile(r"</?(?:u|strong|em|b|i|span|font)\b[^>\n]{0,100}>|(?<!\\)\*{4,}", re.IGNORECASE)
_UNREADABLE = re.compile(rf"\w*(?:{UNREADABLE}|\(cid:\d+\)|[\ue000-\uf8ff])\w*")
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_TABLE = re.compile(r"^\s*\|.*$", re.MULTILINE)


def measure_damage(markdown: str, lines: list[PrintedLine]) -> Damage:
    """What the pages print and the Markdown lacks, and what the Markdown has and no page prints."""
    running = running_heads(lines)
    headings = find_headings(lines)
    left_out = running | continued_lines(headings, running)
    text = [line for index, line in enumerate(lines) if index not in left_out]
    words = markdown_words(markdown)
    known = frozenset(words)
    printed = printed_words(text, known)
    have = {word for line in lines for word in words_of(line.text)} | set(printed)
    return Damage(
        printed=len(printed),
        lost=(Counter(printed) - Counter(words)).total(),
        garbled=sum(_is_garbled(word, have) for word in words),
        unreadable=len(_UNREADABLE.findall(markdown)),
        repeated=_repeated(markdown, text, known),
        headings=_lost_headings(markdown, headings),
        marks=len(_LEFT_OVER.findall(_FENCE.sub("", markdown))),
    )


def _is_garbled(word: str, printed: set[str]) -> bool:
    """Whether no page prints the word, also not in two parts or as part of a longer one."""
    if word in printed or word.isdigit():
        return False
    halves = any(word[:cut] in printed and word[cut:] in printed for cut in range(1, len(word)))
    return not halves or bool(undoubled(word))


def _repeated(markdown: str, text: list[PrintedLine], known: frozenset[str]) -> int:
    """Runs of words that the text has more often than the pages, in lines; cells of tables are not counted."""
    words = markdown_words(_TABLE.sub("", markdown))
    printed = Counter(shingles(printed_words(text, known), _RUN))
    have = Counter(shingles(words, _RUN))
    again = sum(count - printed[run] for run, count in have.items() if count > printed[run] > 0)

    runs = [count for line in text if (count := len(words_of(line.text)) - _RUN + 1) > 0]
    return round(again / mean(runs)) if runs else 0


def _lost_headings(markdown: str, headings: list[PrintedHeading]) -> int:
    """Printed titles that no heading of the Markdown has, whole or line by line."""
    have = [norm(title) for title in _HEADING.findall(markdown)]
    together = "".join(have)
    titles = {norm(heading.text) for heading in headings if not heading.doubtful}
    return sum(title not in have and title not in together for title in titles)
