"""rapidocr: scans to lines of text without a download; headings come from numbering, steps from printed numbers."""

from dataclasses import dataclass
from typing import Any

from tools.parsing.document import Extract
from tools.parsing.jobs import ParseJob
from tools.parsing.repair import Draft, repair

_DPI = 200
_LARGER = 1.2
_COLUMN = 15  # pieces; a shorter column is more likely one of a table
_MOST_ACROSS = 0.05


@dataclass(frozen=True)
class Line:
    """One recognised piece of text; lengths in pixels of the page picture."""

    left: float
    right: float
    top: float
    height: float
    text: str


def parse(job: ParseJob) -> Extract:
    """The words of every page, top to bottom."""
    from importlib.metadata import version

    from rapidocr import RapidOCR

    from tools.parsing.engines.pages import draw_pages

    read = RapidOCR(params={"Global.log_level": "error"})
    pages = [_markdown(_lines(read(picture))) for picture in draw_pages(job, _DPI)]
    draft = Draft("\n\n".join(pages), kind=job.kind)
    extract = repair(draft, version=f"rapidocr {version('rapidocr')}", pages=len(pages), limits=job.limits)
    warning = "read from pictures of its pages; check numbers and set points against the original"
    return extract.model_copy(update={"warnings": (*extract.warnings, warning)})


def _lines(result: Any) -> list[Line]:  # noqa: ANN401 (rapidocr has no types)
    if result.boxes is None or result.txts is None:
        return []
    found = []
    for box, text in zip(result.boxes.tolist(), result.txts, strict=True):
        tops = sorted(point[1] for point in box)
        height = (tops[2] + tops[3] - tops[0] - tops[1]) / 2
        sides = [point[0] for point in box]
        found.append(Line(min(sides), max(sides), tops[0], height, text.strip()))
    return [line for column in _columns(found) for line in _joined(column)]


def _columns(pieces: list[Line]) -> list[list[Line]]:
    """What crosses the gutter, then the left column, then the right one; all together when there is no gutter."""
    width = max((piece.right for piece in pieces), default=0.0)
    best: tuple[float, list[list[Line]]] = (0.0, [pieces])
    for percent in range(35, 66):
        gutter = width * percent / 100
        left = [piece for piece in pieces if piece.right < gutter]
        right = [piece for piece in pieces if piece.left > gutter]
        across = [piece for piece in pieces if piece.left <= gutter <= piece.right]
        if min(len(left), len(right)) < _COLUMN or len(across) > _MOST_ACROSS * len(pieces):
            continue
        room = min(piece.left for piece in right) - max(piece.right for piece in left)
        if room > best[0]:
            best = room, [across, left, right]
    return best[1]


def _joined(pieces: list[Line]) -> list[Line]:
    """Pieces at one height are one line; a number and its step are often found apart."""
    lines: list[list[Line]] = []
    for piece in sorted(pieces, key=lambda one: one.top):
        row = lines[-1] if lines else None
        if row and abs(row[0].top - piece.top) < 0.5 * min(row[0].height, piece.height):
            row.append(piece)
        else:
            lines.append([piece])
    merged = []
    for row in lines:
        row.sort(key=lambda one: one.left)
        merged.append(
            Line(
                row[0].left,
                row[-1].right,
                row[0].top,
                max(one.height for one in row),
                " ".join(one.text for one in row),
            )
        )
    return merged


def _markdown(lines: list[Line]) -> str:
    heights = sorted(line.height for line in lines)
    body = heights[len(heights) // 2] if heights else 0.0
    return "\n\n".join(("## " if line.height > _LARGER * body else "") + line.text for line in lines if line.text)
