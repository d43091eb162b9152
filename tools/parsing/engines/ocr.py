"""rapidocr: scans to text without a download; headings, steps and tables come from where the words stand."""

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from soprag.tools.parsing.document import Extract
from soprag.tools.parsing.engines.ocr_lines import Box, printed_lines
from soprag.tools.parsing.jobs import ParseJob, TellPages
from soprag.tools.parsing.repair import EngineDraft, repair
from soprag.tools.parsing.repair.running_text import write_lines

if TYPE_CHECKING:
    from PIL.Image import Image

_DPI = 200
_POINTS = 72 / _DPI
_DOUBTFUL = 0.85  # a longer line with a lower score is read again in halves
_LONG = 15  # heights of the line
_INK = 128
_EDGE = 0.15  # of the line may be cut off at each end to find its middle
# A capital is easily taken for the small letter of the same shape.
_SIGNAL = re.compile(r"^(\W*)(danger|warning|caution|notice|attention)(?=\s*[:!])", re.IGNORECASE)


def parse(job: ParseJob, tell: TellPages) -> Extract:
    """The words of every page, top to bottom, set right as those of a PDF with text are."""
    from importlib.metadata import version

    from rapidocr import RapidOCR

    from soprag.tools.parsing.engines.pages import draw_pages

    read = RapidOCR(params={"Global.log_level": "error"})
    pages = []
    for picture in draw_pages(job, _DPI):
        pages.append([read_again(read, picture, box) for box in _read_page(read, picture)])
        tell(len(pages))
    lines = printed_lines(pages)
    draft = EngineDraft("\n\n".join(write_lines(lines)), kind=job.kind, lines=lines)
    extract = repair(draft, version=f"rapidocr {version('rapidocr')}", pages=len(pages), limits=job.limits)
    warning = "read from pictures of its pages; check numbers and set points against the original"
    return extract.model_copy(update={"warnings": (*extract.warnings, warning)})


def _read_page(read: Any, picture: "Image") -> list[Box]:  # noqa: ANN401
    # Said each time: the reader remembers what it was last asked to do.
    return read_boxes(read(picture, use_det=True, use_cls=True, use_rec=True))


def read_boxes(result: Any) -> list[Box]:  # noqa: ANN401 (rapidocr has no types)
    """What was recognised on one page."""
    if result.boxes is None or result.txts is None:
        return []
    boxes = []
    for corners, text, score in zip(result.boxes.tolist(), result.txts, result.scores, strict=True):
        tops = sorted(corner[1] * _POINTS for corner in corners)
        sides = [corner[0] * _POINTS for corner in corners]
        height = (tops[2] + tops[3] - tops[0] - tops[1]) / 2
        if text.strip():
            boxes.append(Box(min(sides), max(sides), tops[0], height, _signal(text.strip()), float(score)))
    return boxes


def read_again(read: Any, picture: "Image", box: Box) -> Box:  # noqa: ANN401
    """A long line that was not made out, once more in two halves: the recognition squeezes long lines."""
    if box.score >= _DOUBTFUL or box.x1 - box.x0 < _LONG * box.height:
        return box
    edges = (box.x0, box.top, box.x1, box.top + box.height)
    line = picture.crop(tuple(round(edge / _POINTS) for edge in edges))  # type: ignore[arg-type]
    halves = [_read_line(read, half) for half in _halves(line)]
    if not halves or min(score for _, score in halves) <= box.score:
        return box
    return replace(box, text=" ".join(text for text, _ in halves), score=min(score for _, score in halves))


def _halves(line: "Image") -> "list[Image]":
    """The picture of a line cut in the widest blank near its middle; none when there is no blank."""
    import numpy as np

    blank = np.asarray(line.convert("L")).min(axis=0) > _INK
    inner = range(int(_EDGE * line.width), int((1 - _EDGE) * line.width))
    ends = [x for x in inner if blank[x] and not blank[x + 1]]
    runs = [(x - next((back for back in range(x, -1, -1) if not blank[back]), 0), x) for x in ends]
    if not runs:
        return []
    widest = max(width for width, _ in runs)
    cut_at = min((x - width // 2 for width, x in runs if width > widest / 2), key=lambda x: abs(x - line.width / 2))
    return [line.crop((0, 0, cut_at, line.height)), line.crop((cut_at, 0, line.width, line.height))]


def _read_line(read: Any, line: "Image") -> tuple[str, float]:  # noqa: ANN401
    recognised = read(line, use_det=False, use_cls=False, use_rec=True)
    return (recognised.txts[0].strip(), float(recognised.scores[0])) if recognised.txts else ("", 0.0)


def _signal(text: str) -> str:
    """A signal word that is mostly in capitals is in capitals."""
    match = _SIGNAL.match(text)
    if match is None or sum(letter.isupper() for letter in match[2]) * 2 <= len(match[2]):
        return text
    return f"{match[1]}{match[2].upper()}{text[match.end() :]}"
