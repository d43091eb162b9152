"""Pictures of the pages of a PDF, and pictures that came as such, for engines that read pictures."""

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

from soprag.tools.parsing.document import Extract, Image
from soprag.tools.parsing.engines import DocumentRefused
from soprag.tools.parsing.jobs import ParseJob, RenderJob, TellPages

if TYPE_CHECKING:
    from PIL.Image import Image as Picture


def draw_pages(job: ParseJob | RenderJob, dpi: int) -> "Iterator[Picture]":
    """The pages in order, in RGB, each within the limit of pixels."""
    if job.kind == "pdf":
        yield from _pdf(job, dpi)
        return
    from PIL import Image as Pillow
    from PIL import ImageOps, ImageSequence

    with Pillow.open(job.path) as file:
        if file.width * file.height > job.limits.pixels:
            raise DocumentRefused(f"the picture has more than {job.limits.pixels:,} pixels (parsing.max_pixels)")
        for frame in ImageSequence.Iterator(file):
            yield ImageOps.exif_transpose(frame).convert("RGB")


def render(job: RenderJob, tell: TellPages) -> Extract:
    """The pages as PNG files."""
    images = []
    for number, page in enumerate(draw_pages(job, job.dpi), 1):
        out = io.BytesIO()
        page.save(out, "PNG")
        images.append(Image(name=f"page-{number}.png", media_type="image/png", data=out.getvalue()))
        tell(number)
    return Extract(markdown="", version="1", pages=len(images), images=tuple(images))


def _pdf(job: ParseJob | RenderJob, dpi: int) -> "Iterator[Picture]":
    from pypdfium2 import PdfDocument

    with PdfDocument(job.path) as document:
        for page in document:
            width, height = page.get_size()
            if width * height * (dpi / 72) ** 2 > job.limits.pixels:
                raise DocumentRefused(
                    f"a page has more than {job.limits.pixels:,} pixels at {dpi} dpi (parsing.max_pixels)"
                )
            yield page.render(scale=dpi / 72).to_pil().convert("RGB")
            page.close()
