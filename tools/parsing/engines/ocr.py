"""rapidocr: scans to lines of text without a download; headings come from numbering, steps from printed numbers."""

from dataclasses import dataclass
from typing import Any

from tools.parsing.document import Extract
from tools.parsing.jobs import ParseJob
from tools.parsing.repair import Draft, repair

_DPI = 200
_LARGER = 1.35


@dataclass(frozen=True)
class Line:
    """One recognised piece of text; lengths in pixels of the page picture."""

    left: float
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
        found.append(Line(min(point[0] for point in box), tops[0], height, text.strip()))
    return _joined(found)


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
        merged.append(Line(row[0].left, row[0].top, max(one.height for one in row), " ".join(one.text for one in row)))
    return merged


def _markdown(lines: list[Line]) -> str:
    heights = sorted(line.height for line in lines)
    body = heights[len(heights) // 2] if heights else 0.0
    return "\n\n".join(("## " if line.height > _LARGER * body else "") + line.text for line in lines if line.text)
