"""Small files for tests, made on the spot; Word files and archives come from `benchmarks.quality.hostile_files`."""

from io import BytesIO


def pdf(text: str) -> bytes:
    """A PDF with one printed line for each line of the text."""
    from reportlab.pdfgen.canvas import Canvas

    out = BytesIO()
    canvas = Canvas(out)
    for number, line in enumerate(text.splitlines()):
        if number and number % 36 == 0:
            canvas.showPage()
        canvas.drawString(72, 760 - 20 * (number % 36), line)
    canvas.save()
    return out.getvalue()
