"""rapidocr: scans to text without a download; headings, steps and tables come from where the words stand."""

import re
from typing import Any

from tools.parsing.document import Extract
from tools.parsing.engines.ocr_lines import Box, printed_lines
from tools.parsing.jobs import ParseJob, TellPages
from tools.parsing.repair import Draft, repair
from tools.parsing.repair.flow import write_lines

_DPI = 200
_POINTS = 72 / _DPI
# A capital is easily taken for the small letter of the same shape.
_SIGNAL = re.compile(r"^(\W*)(danger|warning|caution|notice|attention)(?=\s*[:!])", re.IGNORECASE)


def parse(job: ParseJob, tell: TellPages) -> Extract:
    """The words of every page, top to bottom, set right as those of a PDF with text are."""
    from importlib.metadata import version

    from rapidocr import RapidOCR

    from tools.parsing.engines.pages import draw_pages

    read = RapidOCR(params={"Global.log_level": "error"})
    pages = []
    for picture in draw_pages(job, _DPI):
        pages.append(read_boxes(read(picture)))
        tell(len(pages))
    lines = printed_lines(pages)
    draft = Draft("\n\n".join(write_lines(lines)), kind=job.kind, lines=lines)
    extract = repair(draft, version=f"rapidocr {version('rapidocr')}", pages=len(pages), limits=job.limits)
    warning = "read from pictures of its pages; check numbers and set points against the original"
    return extract.model_copy(update={"warnings": (*extract.warnings, warning)})


def read_boxes(result: Any) -> list[Box]:  # noqa: ANN401 (rapidocr has no types)
    """What was recognised on one page."""
    if result.boxes is None or result.txts is None:
        return []
    found = []
    for corners, text, score in zip(result.boxes.tolist(), result.txts, result.scores, strict=True):
        tops = sorted(corner[1] * _POINTS for corner in corners)
        sides = [corner[0] * _POINTS for corner in corners]
        height = (tops[2] + tops[3] - tops[0] - tops[1]) / 2
        if text.strip():
            found.append(Box(min(sides), max(sides), tops[0], height, _signal(text.strip()), float(score)))
    return found


def _signal(text: str) -> str:
    """A signal word that is mostly in capitals is in capitals."""
    found = _SIGNAL.match(text)
    if found is None or sum(letter.isupper() for letter in found[2]) * 2 <= len(found[2]):
        return text
    return f"{found[1]}{found[2].upper()}{text[found.end() :]}"
