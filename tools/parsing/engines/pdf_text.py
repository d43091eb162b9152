"""pdfplumber: the text layer of a PDF, its ruled tables, and headings by their size; needs no model and no MinerU."""

from collections import Counter
from typing import Any

from soprag.tools.parsing.document import Extract
from soprag.tools.parsing.jobs import ParseJob, TellPages
from soprag.tools.parsing.repair import EngineDraft, repair

_LARGER = 1.12
_OVERPRINTED = 1.0  # points between two prints of one letter
_LONGEST_HEADING = 120


def parse(job: ParseJob, tell: TellPages) -> Extract:
    """Lines in reading order; running heads that most pages share are left out by the repairs."""
    import pdfplumber

    with pdfplumber.open(job.path) as document:
        pages = []
        for page in document.pages:
            pages.append(_read(page.dedupe_chars(tolerance=_OVERPRINTED)))
            tell(len(pages))
    size = _body_size(pages)
    markdown = "\n\n".join(_markdown(page, size) for page in _without_running_heads(pages))
    draft = EngineDraft.beside(markdown, "pdf", job.path, tell)
    return repair(draft, version=f"pdfplumber {pdfplumber.__version__}", pages=len(pages), limits=job.limits)


Piece = tuple[float, float, str]  # top, font size (0: a table), text


def _read(page: Any) -> list[Piece]:  # noqa: ANN401 (pdfplumber has no types)
    tables = page.find_tables()
    boxes = [table.bbox for table in tables]
    pieces: list[Piece] = [(table.bbox[1], 0.0, _table(table.extract())) for table in tables]
    outside = page.filter(lambda element: not any(_inside(element, box) for box in boxes))
    for line in outside.extract_text_lines(return_chars=True, x_tolerance_ratio=0.2):
        sizes = Counter(round(char["size"], 1) for char in line["chars"])
        pieces.append((line["top"], sizes.most_common(1)[0][0], line["text"].strip()))
    page.close()
    return sorted(pieces, key=lambda piece: piece[0])


def _inside(thing: dict[str, Any], box: tuple[float, float, float, float]) -> bool:
    x, y = (thing["x0"] + thing["x1"]) / 2, (thing["top"] + thing["bottom"]) / 2
    return bool(box[0] <= x <= box[2] and box[1] <= y <= box[3])


def _table(rows: list[list[str | None]]) -> str:
    cells = [[" ".join((cell or "").split()).replace("|", "\\|") for cell in row] for row in rows]
    if not cells:
        return ""
    lines = ["| " + " | ".join(row) + " |" for row in cells]
    return "\n".join([lines[0], "|" + " --- |" * len(cells[0]), *lines[1:]])


def _body_size(pages: list[list[Piece]]) -> float:
    sizes: Counter[float] = Counter()
    for page in pages:
        for _, size, text in page:
            sizes[size] += len(text) if size else 0
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _without_running_heads(pages: list[list[Piece]]) -> list[list[Piece]]:
    if len(pages) < 3:
        return pages
    ends = Counter(_shape(piece[2]) for page in pages for piece in {*page[:2], *page[-2:]} if piece[1])
    running = {shape for shape, count in ends.items() if count > len(pages) / 2}
    return [
        [piece for index, piece in enumerate(page) if _shape(piece[2]) not in running or 2 <= index < len(page) - 2]
        for page in pages
    ]


def _shape(text: str) -> str:
    return "".join("0" if letter.isdigit() else letter for letter in text)


def _markdown(page: list[Piece], body: float) -> str:
    lines = []
    for _, size, text in page:
        heading = size > body * _LARGER and len(text) <= _LONGEST_HEADING
        lines.append(f"## {text}" if heading else text)
    return "\n\n".join(line for line in lines if line)
