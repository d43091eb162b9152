"""A parsing corpus with ground truth: the example sources rendered to every format by several producers.

It needs the development tools (`examples`, reportlab, python-pptx ...); LibreOffice and pandoc add producers when they
are installed.
"""

import io
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from soprag.benchmarks.quality.parsing_truth import Truth, continued, read_truth, top_items

if TYPE_CHECKING:
    from soprag.examples.rendering.source import Source

PER_DOMAIN = 3
SCANS = 2
_SCAN_DPI = 200
_TIMEOUT = 300
_NUMBERED = "90"  # the abstract numbering of ordered lists in `soprag.examples.rendering.word`


@dataclass(frozen=True)
class ParsingCase:
    """One generated file and what it says."""

    path: Path
    format: str
    producer: str
    truth: Truth


def build_corpus(folder: Path, per_domain: int = PER_DOMAIN) -> list[ParsingCase]:
    """Write the files below `folder`; the sources with most steps of every domain are taken."""
    from soprag.examples.build_library import SOURCES
    from soprag.examples.rendering.source import load_sources

    chosen: list[Source] = []
    sources = load_sources(SOURCES)
    for domain in sorted({source.domain for source in sources}):
        truths = {source: read_truth(source.blocks) for source in sources if source.domain == domain}
        chosen += sorted(truths, key=lambda source: -len(truths[source].steps))[:per_domain]
    cases = [case for source in chosen for case in _rendered(source, folder)]
    cases += [_one_number_id(case, folder) for case in cases if case.format == "docx"]
    cases += _pandoc([case for case in cases if case.producer == "python-docx"], chosen, folder)
    cases += _libreoffice([case for case in cases if case.producer in ("python-docx", "pandoc")], folder)
    pages = [case for case in cases if case.producer == "reportlab"][:SCANS]
    return sorted([*cases, *(_scan(case, folder) for case in pages)], key=lambda case: str(case.path))


def build_pdfs(folder: Path, count: int) -> list[Path]:
    """So many of the sources as PDF, those with most steps; for measuring time."""
    from soprag.examples.build_library import SOURCES
    from soprag.examples.rendering.pdf import render_pdf
    from soprag.examples.rendering.source import load_sources

    sources = sorted(load_sources(SOURCES), key=lambda source: -len(read_truth(source.blocks).steps))
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{source.slug}.pdf" for source in sources[:count]]
    for path, source in zip(paths, sources, strict=False):
        path.write_bytes(render_pdf(source))
    return paths


def producers() -> dict[str, bool]:
    """The optional programs that write files, and whether they are here."""
    return {name: shutil.which(name) is not None for name in ("soffice", "pandoc")}


def _rendered(source: "Source", folder: Path) -> Iterator[ParsingCase]:
    from soprag.examples.rendering.pdf import render_pdf
    from soprag.examples.rendering.sheets import render_xlsx
    from soprag.examples.rendering.slides import render_pptx
    from soprag.examples.rendering.webpage import render_html
    from soprag.examples.rendering.word import render_docx

    # Page heads and feet are what a parser must take out again.
    about = source.about.model_copy(update={"header": source.about.header or "Plant manual"})
    source = replace(source, about=about)
    truth = read_truth(source.blocks)
    writers = {
        ("pdf", "reportlab"): render_pdf,
        ("docx", "python-docx"): render_docx,
        ("pptx", "python-pptx"): render_pptx,
        ("xlsx", "openpyxl"): render_xlsx,
        ("html", "intranet"): render_html,
    }
    for (suffix, producer), write in writers.items():
        try:
            data = write(source)
        except (AssertionError, ValueError):  # not every source fits on slides
            continue
        expected = read_truth(top_items(source.blocks)) if suffix == "xlsx" else truth
        yield _written(
            folder, f"{source.slug}.{producer}.{suffix}", data, ParsingCase(folder, suffix, producer, expected)
        )


def _one_number_id(case: ParsingCase, folder: Path) -> ParsingCase:
    """The Word file with one numbering id for all lists, so that each list continues the previous one."""
    import docx
    from docx.oxml.ns import qn

    document = docx.Document(str(case.path))
    numbers = document.part.numbering_part.element.findall(qn("w:num"))
    ordered = {
        number.numId: number for number in numbers if number.find(qn("w:abstractNumId")).get(qn("w:val")) == _NUMBERED
    }
    first = next(iter(ordered), None)
    for override in ordered[first].findall(qn("w:lvlOverride")) if first is not None else ():
        ordered[first].remove(override)
    for number in document.element.body.iter(qn("w:numId")):
        if int(number.get(qn("w:val"))) in ordered:
            number.set(qn("w:val"), str(first))
    path = folder / case.path.name.replace(".python-docx.", ".one-id.")
    document.save(str(path))
    return replace(case, path=path, producer="one number id", truth=continued(case.truth))


def _written(folder: Path, name: str, data: bytes, case: ParsingCase) -> ParsingCase:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_bytes(data)
    return replace(case, path=path)


def _pandoc(cases: list[ParsingCase], sources: "list[Source]", folder: Path) -> Iterator[ParsingCase]:
    program = shutil.which("pandoc")
    if program is None:
        return
    truths = {case.path.name.split(".")[0]: case.truth for case in cases}
    for source in sources:
        path = folder / f"{source.slug}.pandoc.docx"
        subprocess.run(
            [program, "-f", "gfm", "-t", "docx", "-o", str(path)],
            input=source.body,
            text=True,
            check=True,
            timeout=_TIMEOUT,
        )
        yield ParsingCase(path, "docx", "pandoc", truths[source.slug])


def _libreoffice(cases: list[ParsingCase], folder: Path) -> Iterator[ParsingCase]:
    """PDF and ODT from the Word files: from python-docx with ruled tables, from pandoc with tables without lines."""
    program = shutil.which("soffice")
    if program is None:
        return
    for suffix in ("pdf", "odt"):
        out = folder / "libreoffice"
        profile = f"-env:UserInstallation=file://{folder / 'profile'}"
        files = [str(case.path) for case in cases]
        command = [program, profile, "--headless", "--convert-to", suffix, "--outdir", str(out), *files]
        subprocess.run(command, check=True, capture_output=True, timeout=_TIMEOUT)
        for case in cases:
            path = out / case.path.with_suffix(f".{suffix}").name
            if path.exists():
                yield ParsingCase(path, suffix, f"libreoffice/{case.producer}", case.truth)


def _scan(case: ParsingCase, folder: Path) -> ParsingCase:
    """The same pages as pictures in a PDF."""
    from pypdfium2 import PdfDocument
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out)
    with PdfDocument(case.path) as document:
        for page in document:
            size = page.get_size()
            canvas.setPageSize(size)
            picture = page.render(scale=_SCAN_DPI / 72).to_pil().convert("L")
            canvas.drawImage(ImageReader(picture), 0, 0, *size)
            canvas.showPage()
    canvas.save()
    name = case.path.name.replace(".reportlab.", ".scan.")
    return _written(folder, name, out.getvalue(), replace(case, format="scan", producer="reportlab"))
