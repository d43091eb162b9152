"""Tables with their rows, and images by their captions, from the Markdown of a document (paper 002)."""

import re
from collections.abc import Iterator, Sequence

from soprag.tools.knowledge.records import ArtefactDraft
from soprag.tools.markdown.inline import plain

_IMAGE = re.compile(r"!\[([^\]\n]*)\]\(([^)\s]+)[^)\n]*\)")
_RULE = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$")
_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$")
_CAPTION = re.compile(r"^\s*(?:\*\*|_)?(?:figure|fig\.|table|abbildung|tabelle)\s*\d*", re.IGNORECASE)


def artefacts_of(body: str) -> Iterator[ArtefactDraft]:
    """The tables, rows and images of a document, in order; a row has a property for each column."""
    lines = body.split("\n")
    heading, number = "", 0
    while number < len(lines):
        line = lines[number]
        heading = match[1] if (match := _HEADING.match(line)) else heading
        yield from _images(lines, number)
        if _cells(line) and number + 1 < len(lines) and _RULE.match(lines[number + 1]):
            end = number + 2
            while end < len(lines) and _cells(lines[end]):
                end += 1
            yield from _table(lines, number, end, heading)
            number = end
        else:
            number += 1


def _table(lines: Sequence[str], start: int, end: int, heading: str) -> Iterator[ArtefactDraft]:
    columns = _cells(lines[start])
    path = f"table:{start + 1}"
    name = _title(lines, start, heading) or f"Table on line {start + 1}"
    summary = f"{name}: {', '.join(columns)}; {end - start - 2} rows"
    yield ArtefactDraft(kind="table", path=path, name=name, text=summary, first=start + 1, last=end)
    for row in range(start + 2, end):
        properties = dict(zip(columns, _cells(lines[row]), strict=False))
        first = next((value for value in properties.values() if value), "")
        yield ArtefactDraft(
            kind="row", path=f"{path}/{row + 1}", parent=path, name=first or f"row {row + 1}",
            properties={column: value for column, value in properties.items() if column}, text=lines[row].strip(),
            first=row + 1, last=row + 1,
        )  # fmt: skip


def _images(lines: Sequence[str], number: int) -> Iterator[ArtefactDraft]:
    for position, match in enumerate(_IMAGE.finditer(lines[number])):
        after = lines[number + 1].strip() if number + 1 < len(lines) else ""
        caption = " ".join(part for part in (match[1].strip(), plain(after) if _CAPTION.match(after) else "") if part)
        suffix = match[2].rpartition(".")[2][:5] if "." in match[2] else ""
        yield ArtefactDraft(
            kind="image", path=f"image:{number + 1}:{position}", name=caption or match[2],
            properties={"file": match[2], "format": suffix}, text=caption, first=number + 1, last=number + 1,
        )  # fmt: skip


def _title(lines: Sequence[str], start: int, heading: str) -> str:
    """The caption line above a table, else the heading it stands under."""
    above = next((lines[row].strip() for row in range(start - 1, max(start - 3, -1), -1) if lines[row].strip()), "")
    return plain(above) if _CAPTION.match(above) else heading


def _cells(line: str) -> list[str]:
    if line.count("|") < 2 and not line.strip().startswith("|"):
        return []
    return [plain(cell.strip()) for cell in line.strip().strip("|").split("|")]
