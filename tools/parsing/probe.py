"""A first look at a file, before any engine: pages, text, encryption, the size of a picture."""

import logging
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile

from soprag.tools.parsing.engines import DocumentRefused
from soprag.tools.parsing.jobs import ParseLimits, Probe, ProbeJob
from soprag.tools.parsing.kinds import IMAGES

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

logger = logging.getLogger(__name__)

_TEXT_ON_A_PAGE = 16
_SAMPLE = 40


def probe(job: ProbeJob) -> Probe:
    """What the file is like; raises `Refused` when it is encrypted, without pages or too large."""
    if job.kind == "pdf":
        return _pdf(job.path, job.limits)
    if job.kind in IMAGES:
        return _picture(job.path, job.limits)
    if job.kind == "docx":
        return _word(Path(job.path))
    if job.kind == "xlsx":
        _check_cells(job.path, job.limits)
    return Probe()


def _word(path: Path) -> Probe:
    from soprag.tools.parsing.repair.word_lists import separate_lists

    copy = path.with_name(f"prepared{path.suffix}")
    # A file that python-docx cannot open may still be one that the engines can.
    try:
        changed = separate_lists(path, copy)
    except (KeyError, ValueError, AttributeError, SyntaxError) as error:
        logger.info("lists not separated: %s", error)
        changed = False
    return Probe(prepared=str(copy) if changed else "")


def _check_cells(path: str, limits: ParseLimits) -> None:
    """Count the cells that are really there, without building the sheets."""
    total = 0
    with ZipFile(path) as archive:
        for name in archive.namelist():
            if name.startswith("xl/worksheets/") and name.endswith(".xml"):
                with archive.open(name) as part:
                    while chunk := part.read(1 << 20):
                        total += chunk.count(b"<c ")
    if total > limits.cells:
        raise DocumentRefused(
            f"it has {total:,} cells; parsing.max_cells is {limits.cells:,}: split it or raise the limit"
        )


def _pdf(path: str, limits: ParseLimits) -> Probe:
    from pypdfium2 import PdfDocument, PdfiumError

    try:
        document = PdfDocument(path)
    except PdfiumError as error:
        if "password" in str(error).lower():
            raise DocumentRefused("it is encrypted; save it without a password") from error
        raise DocumentRefused("it is damaged or cut off; fetch or export it again") from error
    with document:
        pages = len(document)
        if pages == 0:
            raise DocumentRefused("it has no pages; export it again")
        if pages > limits.pages:
            raise DocumentRefused(
                f"it has {pages:,} pages; parsing.max_pages is {limits.pages:,}: split it or raise the limit"
            )
        step = max(1, pages // _SAMPLE)
        counts = [_characters(document[index]) for index in range(0, pages, step)]
    scanned = sum(count < _TEXT_ON_A_PAGE for count in counts)
    return Probe(
        pages=pages,
        characters=sum(counts) * pages // len(counts),
        scanned_pages=scanned * pages // len(counts),
    )


def _characters(page: "PdfPage") -> int:
    try:
        text = page.get_textpage()
        return int(text.count_chars())
    finally:
        page.close()


def _picture(path: str, limits: ParseLimits) -> Probe:
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(Path(path)) as picture:
            width, height = picture.size
    except (UnidentifiedImageError, OSError, Image.DecompressionBombError) as error:
        raise DocumentRefused(f"the picture cannot be opened ({error})") from error
    if width * height > limits.pixels:
        raise DocumentRefused(
            f"it has {width:,} x {height:,} pixels; parsing.max_pixels is {limits.pixels:,}: make it smaller"
        )
    return Probe(pages=1, scanned_pages=1)
