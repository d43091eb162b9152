"""Reference parsers for comparison; they run in this process, only on generated files."""

import os
import shutil
import subprocess
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from soprag.tools.parsing.engines import office, pdf_text
from soprag.tools.parsing.jobs import ParseJob, ParseLimits

_LIMITS = ParseLimits(memory=0, seconds=0, pages=10_000, pixels=10**9, cells=10**9, characters=10**9)


PdfReader = Callable[[Path], str]


def others() -> dict[str, Callable[[Path], str]]:
    """The readers by name; pandoc only where it is installed."""
    readers: dict[str, Callable[[Path], str]] = {
        "mineru": _mineru,
        "pdfplumber": _pdfplumber,
        "pypdfium2": _pdfium,
        "plain": _plain,
    }
    return {**readers, "pandoc": _pandoc} if shutil.which("pandoc") else readers


def pdf_readers() -> dict[str, PdfReader]:
    """The readers of PDFs by name; markitdown only where it is installed (`uv pip install 'markitdown[pdf]'`)."""
    readers: dict[str, PdfReader] = {"mineru": _mineru, "pdfplumber": _pdfplumber}
    return {**readers, "markitdown": _markitdown} if find_spec("markitdown") else readers


def _markitdown(path: Path) -> str:
    from markitdown import MarkItDown

    return str(MarkItDown().convert(str(path)).text_content)


def _mineru(path: Path) -> str:
    """MinerU's flash tier as it comes, without our repairs."""
    os.environ.setdefault("MINERU_MODEL_SOURCE", "local")
    os.environ.setdefault("MINERU_LOG_LEVEL", "ERROR")
    from mineru.parser import parse

    return str(parse(path, tier="flash").markdown())


def _pdfplumber(path: Path) -> str:
    job = ParseJob(kind="pdf", path=str(path), engine="pdfplumber", limits=_LIMITS)
    return pdf_text.parse(job, lambda _: None).markdown


def _plain(path: Path) -> str:
    kind = path.suffix.removeprefix(".")
    job = ParseJob.model_validate({"kind": kind, "path": str(path), "engine": "office", "limits": _LIMITS})
    return office.parse(job).markdown


def _pdfium(path: Path) -> str:
    from pypdfium2 import PdfDocument

    with PdfDocument(path) as document:
        return "\n\n".join(str(page.get_textpage().get_text_range()).replace("\r", "") for page in document)


def _pandoc(path: Path) -> str:
    command = ["pandoc", "--wrap=none", "-t", "gfm", str(path)]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout
