"""PDFs that readers damage: type printed twice, ligatures without letters, titles at the top of two pages.

Each comes with the words and headings that a person sees, so that what a reader makes of it can be counted.
"""

import io
from collections.abc import Callable
from dataclasses import dataclass

_STEPS = (
    "Close the discharge valve V-12 and tag it.",
    "Operating pressure must stay below 5 bar during isolation.",
    "Notify the shift supervisor and continue the operation.",
)
_PHASES = {
    "PREPARATION": ("Keep the contact list of the night shift.", "Test the backups of the control server every month."),
    "IDENTIFICATION": (
        "Ask who noticed the alarm first and when.",
        "Compare the alarm list with the list of last week.",
        "Look for accounts that nobody of the shift knows.",
        "Write down the time of every finding.",
    ),
    "CONTAINMENT": ("Unplug the network cable of the station.", "Do not switch the station off."),
}
_TITLE = "SOP-7 Start of pump P-101"
_SECTION = "When the pump trips"


@dataclass(frozen=True)
class DamagedFile:
    """A PDF, what it says line by line, and which of its lines are headings."""

    name: str
    make: Callable[[], bytes]
    lines: tuple[str, ...]
    headings: tuple[str, ...]


def overprinted(shift: float) -> bytes:
    """Every letter drawn twice, the second time `shift` points to the right: the bold type of old programs."""
    from reportlab.pdfbase.pdfmetrics import stringWidth
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out)
    for size, y, text in _page():
        canvas.setFont("Helvetica", size)
        x = 72.0
        for letter in text:
            canvas.drawString(x, y, letter)
            canvas.drawString(x + shift, y, letter)
            x += stringWidth(letter, "Helvetica", size)
    canvas.save()
    return out.getvalue()


def without_ligature(glyph: str) -> bytes:
    """Every "ti" drawn as one sign that has the glyph name `glyph` and no letters."""
    shown = [(size, y, text.encode().replace(b"ti", b"\x80")) for size, y, text in _page()]
    content = b"BT\n" + b"".join(b"/F1 %d Tf 1 0 0 1 72 %d Tm (%s) Tj\n" % (s, y, t) for s, y, t in shown) + b"ET"
    widths = b" ".join([b"600"] * 224)
    encoding = b"<</Type/Encoding/BaseEncoding/WinAnsiEncoding/Differences[128/%s]>>" % glyph.encode()
    return _pdf(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>\nstream\n%s\nendstream" % (len(content), content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Courier/FirstChar 32/LastChar 255/Widths[%s]/Encoding %s>>"
        % (widths, encoding),
    )


def titles_on_two_pages() -> bytes:
    """Phases with their title at the top of each of their pages, as slides that were printed have it."""
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out)
    for title, steps in _PHASES.items():
        for start in range(0, len(steps), 2):
            canvas.setFont("Helvetica-Bold", 20)
            canvas.drawString(72, 780, title)
            canvas.setFont("Helvetica", 11)
            for row, step in enumerate(steps[start : start + 2]):
                canvas.drawString(72, 700 - 30 * row, f"\u2022 {step}")
            canvas.showPage()
    canvas.save()
    return out.getvalue()


def _page() -> list[tuple[int, int, str]]:
    """Size, height on the page and text of every line."""
    steps = [(10, 700 - 16 * number, f"{number}. {step}") for number, step in enumerate(_STEPS, 1)]
    return [(16, 780, _TITLE), (13, 740, _SECTION), *steps]


def _pdf(*objects: bytes) -> bytes:
    out, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    trailer = b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(out))
    return out + head + table + trailer


_LINES = tuple(text for _, _, text in _page())
_PHASE_LINES = tuple(line for title, steps in _PHASES.items() for line in (title, *steps))
DAMAGED: tuple[DamagedFile, ...] = (
    DamagedFile("overprinted-0.3pt.pdf", lambda: overprinted(0.3), _LINES, (_TITLE, _SECTION)),
    DamagedFile("overprinted-1pt.pdf", lambda: overprinted(1.0), _LINES, (_TITLE, _SECTION)),
    DamagedFile("ligature-named.pdf", lambda: without_ligature("t_i"), _LINES, (_TITLE, _SECTION)),
    DamagedFile("ligature-unnamed.pdf", lambda: without_ligature("g123"), _LINES, (_TITLE, _SECTION)),
    DamagedFile("titles-on-two-pages.pdf", titles_on_two_pages, _PHASE_LINES, tuple(_PHASES)),
)
