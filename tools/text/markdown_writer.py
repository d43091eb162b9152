"""Pieces of Markdown that messages share: a warning as a quotation, and lines of an SOP as a link."""

from soprag.tools.text.sanitize import one_line, sanitize


def quoted_warning(label: str, text: str) -> str:
    """A warning as a quotation behind `label`, which may be empty."""
    words = f"**{one_line(label)}:** {sanitize(text)}" if label else sanitize(text)
    return "\n".join(f"> {line}".rstrip() for line in f"⚠ {words}".split("\n"))


def source_link(title: str, lines: tuple[int, int], page: str = "") -> str:
    """The citation of lines, linked to them where the SOP has a page; without a title the lines alone."""
    first, last = lines
    which = f"line {first}" if first == last else f"lines {first}-{last}"
    words = f"{one_line(title)}, {which}" if title else which
    return f"[{words}]({page}#L{first})" if page else words
