"""Which printed lines of a PDF are headings, and of which level: by their size and weight against the running text."""

import html
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from soprag.tools.parsing.layout import PrintedLine
from soprag.tools.parsing.repair.numbered import numbered_titles

_LARGER = 1.08
_CHAPTER = 3  # pages that a head which names the chapter stands on at least
_TITLE = 1.3  # times the running text: the size of a section's title
_SAME_SIZE = 0.04
_LONGEST = 160
_MOST_BOLD = 0.3
_REAL = 3
_NUMBER = re.compile(r"^(?:section\s+|part\s+)?(\d{1,2}(?:\.\d{1,2}){0,4})[.)]?\s+\S", re.IGNORECASE)
_NOTICE = re.compile(
    r"^\W*(danger|warning|caution|notice|note|attention|important|gefahr|warnung|achtung|vorsicht|hinweis)\b",
    re.IGNORECASE,
)
_SENTENCE_END = (".", ";", ",", ":")
_NEXT_OF_NOTICE = 2.2  # in sizes of the print; text may be set with double space
_SENTENCE = re.compile(r"[.!?][\"')*_]*$")
_TARGET = re.compile(r"\]\((?:[^()\s]|\([^()\s]*\))*\)")
_ADDRESS = re.compile(r"https?://|www\.\w|\w@\w+\.\w")
_LEADERS = re.compile(r"(?:\.\s?){4,}")
_COUNTED = re.compile(r"^(\d{1,2})[.)]\s+\S")
_ROW = 3  # so many numbered lines right below each other are a list, however they are set
_LABEL = re.compile(r"^(\d{1,2}(\.\d{1,2})*[.)]?|[A-Z]\.?|[IVX]+\.)$")


Key = TypeVar("Key", bound=Hashable)


def norm(text: str) -> str:
    """Letters and digits only, without where links go: how a line of the page is found again in the Markdown."""
    text = _TARGET.sub("]", text) if "](" in text else text
    text = html.unescape(text) if "&" in text else text
    return "".join(filter(str.isalnum, text.casefold()))


def has_address(text: str) -> bool:
    """Whether the line says where something is found on the web or by mail; headings do not."""
    return _ADDRESS.search(text) is not None


@dataclass(frozen=True)
class PrintedHeading:
    """A heading as printed, and the position of its first line among all lines.

    A doubtful one is a bold line in the face of the running text: a heading only when the parser thinks so too.
    """

    text: str
    level: int
    index: int
    lines: int = 1
    doubtful: bool = False


@dataclass(frozen=True)
class Typeface:
    """The running text of a document, against which headings stand out."""

    size: float
    bold: bool
    face: str = ""

    @staticmethod
    def of(lines: list[PrintedLine]) -> "Typeface":
        """The face in which most letters are set."""
        letters: Counter[tuple[float, bool, str]] = Counter()
        for line in lines:
            letters[line.size, line.bold, line.face] += len(line.text)
        (size, bold, face), _ = letters.most_common(1)[0]
        return Typeface(size, bold, face)

    def stands_out(self, line: PrintedLine) -> bool:
        """Whether a line is larger than the running text, or bold where that is not."""
        return line.size > self.size * _LARGER or (
            line.bold and not self.bold and line.size > self.size * (1 - _SAME_SIZE)
        )


def running_heads(lines: list[PrintedLine]) -> set[int]:
    """Positions of page heads and feet: the same words, digits apart, at the same height on most pages."""
    pages = len({line.page for line in lines})
    if pages < 2:
        return set()
    least = max(2, 0.5 * pages)
    places = _pages_by(_place, lines)
    # Heads that name the chapter change with it; all of them stand at one height and in one face.
    heights = _pages_by(_height, (line for line in lines if len(places[_place(line)]) >= _CHAPTER))
    last, body = max(line.page for line in lines), Typeface.of(lines)

    def is_running(line: PrintedLine) -> bool:
        pages_with = places[_place(line)]
        large = line.size > _TITLE * body.size
        if len(pages_with) < least:
            return not large and len(pages_with) >= _CHAPTER and len(heights[_height(line)]) >= least
        # The title of a long section stands at the top of its own pages only, and larger than the text.
        return not large or {1, last} <= pages_with

    return {index for index, line in enumerate(lines) if is_running(line)}


def _pages_by(key: Callable[[PrintedLine], Key], lines: Iterable[PrintedLine]) -> dict[Key, set[int]]:
    pages: dict[Key, set[int]] = {}
    for line in lines:
        pages.setdefault(key(line), set()).add(line.page)
    return pages


def _height(line: PrintedLine) -> tuple[int, float, bool, str]:
    return round(line.top / 4), line.size, line.bold, line.face


def _place(line: PrintedLine) -> tuple[int, str]:
    return round(line.top / 4), re.sub(r"\d+", "0", line.text)


def notices(lines: list[PrintedLine]) -> list[list[int]]:
    """Positions of the lines of each notice in bold: from its signal word to the end of its sentence."""
    groups: list[list[int]] = []
    for index, line in enumerate(lines):
        above = groups[-1] if groups and groups[-1][-1] == index - 1 else None
        if line.bold and _NOTICE.match(line.text):
            groups.append([index])
        elif above and _same_notice(lines[above[-1]], line):
            above.append(index)
    return groups


def _same_notice(above: PrintedLine, below: PrintedLine) -> bool:
    same = (above.size, above.bold, above.face, above.page) == (below.size, below.bold, below.face, below.page)
    close = 0 < below.top - above.top < _NEXT_OF_NOTICE * above.size
    return same and close and not (_SENTENCE.search(above.text) or _NUMBER.match(below.text))


def find_headings(lines: list[PrintedLine]) -> list[PrintedHeading]:
    """The headings in order; none when the pages do not set them apart."""
    running = running_heads(lines)
    body_lines = [line for index, line in enumerate(lines) if index not in running]
    if not body_lines:
        return []
    body = Typeface.of(body_lines)
    if sum(line.bold for line in body_lines) > _MOST_BOLD * len(body_lines):
        body = Typeface(body.size, bold=True, face=body.face)
    groups = _groups(lines, running | {index for notice in notices(lines) for index in notice}, body)
    groups = [group for group in groups if group[0] not in _counted_rows(lines, groups)]
    crowded = _crowded(lines)
    accepted = [group for group in groups if _is_heading([lines[index] for index in group], body, crowded & set(group))]
    kept_at = [index for index in range(len(lines)) if index not in running]
    plain = numbered_titles(lines, kept_at, {index for group in accepted for index in group})
    accepted = sorted([*accepted, *([index] for index in plain)])
    return _levelled(lines, accepted, _labels(lines, accepted, body))


def _labels(lines: list[PrintedLine], groups: list[list[int]], body: Typeface) -> set[int]:
    """Bold words in the face of the running text are labels among steps, where real headings are set larger."""
    larger = sum(lines[group[0]].size > body.size * _LARGER for group in groups)

    def is_label(first: PrintedLine) -> bool:
        return first.size <= body.size * _LARGER and first.face == body.face and not _NUMBER.match(first.text)

    return {group[0] for group in groups if is_label(lines[group[0]])} if larger >= _REAL else set()


def _counted_rows(lines: list[PrintedLine], groups: list[list[int]]) -> set[int]:
    """First lines of the groups that count on, 1. 2. 3., with no text between them: a list."""
    rows: list[list[int]] = []
    counts = {group[0]: int(label[1]) for group in groups if (label := _COUNTED.match(lines[group[0]].text))}
    for above, below in pairwise([[-1], *groups]):
        number = counts.get(below[0], 0)
        goes_on = rows and rows[-1] and below[0] == above[-1] + 1 and number == counts.get(above[0], 0) + 1
        if goes_on and number > 1:
            rows[-1].append(below[0])
        else:
            rows.append([below[0]] if number else [])
    return {index for row in rows if len(row) >= _ROW for index in row}


def _groups(lines: list[PrintedLine], apart: set[int], body: Typeface) -> list[list[int]]:
    """Lines of one face right below each other are one heading."""
    groups: list[list[int]] = []
    for index, line in enumerate(lines):
        if index in apart or not body.stands_out(line):
            continue
        if groups and groups[-1][-1] == index - 1 and _goes_on(lines[index - 1], line):
            groups[-1].append(index)
        else:
            groups.append([index])
    return groups


def _goes_on(above: PrintedLine, below: PrintedLine) -> bool:
    same = abs(above.size - below.size) <= 0.6 and above.bold == below.bold and above.page == below.page
    close = 0 < below.top - above.top < 1.6 * max(above.size, below.size)
    return same and close and not _NUMBER.match(below.text) and not _NOTICE.match(below.text)


def _crowded(lines: list[PrintedLine]) -> set[int]:
    """Lines that share their height with another one: cells of a table, or columns."""
    crowded: set[int] = set()
    places: dict[int, list[int]] = {}
    for index, line in enumerate(lines):
        places.setdefault(line.page, []).append(index)
    for page in places.values():
        order = sorted(page, key=lambda index: lines[index].top)
        for above, below in pairwise(order):
            if lines[below].top - lines[above].top < 0.5 * min(lines[above].size, lines[below].size):
                crowded |= {above, below}
    return crowded


def _is_heading(group: list[PrintedLine], body: Typeface, crowded: set[int]) -> bool:
    text = " ".join(line.text for line in group)
    pieces = group[0].pieces
    apart = len(pieces) > 1 and not (len(pieces) == 2 and _LABEL.match(pieces[0].text))
    excluded = apart or has_address(text) or _LEADERS.search(text)
    if excluded or len(text) > _LONGEST or len(group) > 4 or sum(map(str.isalpha, text)) < 2:
        return False
    if group[0].size > body.size * _LARGER:
        return not (len(text) > 90 and text.endswith("."))
    return not (crowded or _NOTICE.match(text) or text.endswith(_SENTENCE_END))


def _levelled(lines: list[PrintedLine], groups: list[list[int]], doubtful: set[int]) -> list[PrintedHeading]:
    """Larger is higher; within one face the decimal number decides."""
    faces = sorted({_face(lines[group[0]]) for group in groups}, reverse=True)
    ranks = {face: rank for rank, same in enumerate(_merged(faces), 1) for face in same}
    texts = [" ".join(lines[index].text for index in group) for group in groups]
    depths: dict[int, int] = {}
    for group, text in zip(groups, texts, strict=True):
        if depth := _depth(text):
            rank = ranks[_face(lines[group[0]])]
            depths[rank] = min(depths.get(rank, depth), depth)
    headings = []
    for group, text in zip(groups, texts, strict=True):
        rank, depth = ranks[_face(lines[group[0]])], _depth(text)
        deeper = depth - depths[rank] if depth else 0
        headings.append(PrintedHeading(text, min(rank + deeper, 6), group[0], len(group), group[0] in doubtful))
    return headings


def _face(line: PrintedLine) -> tuple[float, bool]:
    return line.size, line.bold


def _merged(faces: list[tuple[float, bool]]) -> list[list[tuple[float, bool]]]:
    """Faces of nearly one size are one level, unless only one of them is bold."""
    merged: list[list[tuple[float, bool]]] = []
    for face in faces:
        if merged and merged[-1][0][0] - face[0] <= max(0.5, _SAME_SIZE * face[0]) and merged[-1][0][1] == face[1]:
            merged[-1].append(face)
        else:
            merged.append([face])
    return merged


def _depth(text: str) -> int:
    match = _NUMBER.match(text)
    return match[1].rstrip(".").count(".") + 1 if match else 0
