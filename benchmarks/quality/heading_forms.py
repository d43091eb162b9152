"""The same document with its headings written in another form, as parsers and authors write them."""

from collections.abc import Callable, Sequence
from typing import Literal

from soprag.tools.markdown.inline import plain
from soprag.tools.markdown.tokens import parse, without_matter

Form = Literal["original", "flat", "bold", "setext", "capitals", "banner"]
FORMS: tuple[Form, ...] = ("original", "flat", "bold", "setext", "capitals", "banner")


def rewrite(markdown: str, form: Form) -> str:
    """`markdown` with every heading in `form`; nothing else is changed.

    `flat` puts all headings at level 2; `bold` makes each a bold line; `setext` underlines them with `=` (level 1) or
    `-`; `capitals` prints them as lines of capital letters, whose spelling is lost; `banner` puts each between two
    lines of `=`.
    """
    if form == "original":
        return markdown
    lines = markdown.split("\n")
    written: list[str] = []
    line = 0
    for first, past, level in _headings(markdown):
        written += [*lines[line:first], *_WRITERS[form](" ".join(lines[first:past]), level)]
        line = past
    return "\n".join([*written, *lines[line:]])


def _headings(markdown: str) -> Sequence[tuple[int, int, int]]:
    """First line, line after the last one, and level of every heading outside lists and quotes; lines from 0."""
    tokens = parse(without_matter(markdown)[0])
    opened = (token for token in tokens if token.type == "heading_open" and token.level == 0 and token.map)
    return [(token.map[0], token.map[1], int(token.tag[1])) for token in opened if token.map]


def _words(source: str) -> str:
    """The words of a heading without its marks and its emphasis."""
    return plain(source.strip().lstrip("#").rstrip("#=-").strip())


def _flat(source: str, _level: int) -> list[str]:
    return [f"## {_words(source)}"]


def _bold(source: str, _level: int) -> list[str]:
    return [f"**{words}**" if (words := _words(source)) else ""]


def _setext(source: str, level: int) -> list[str]:
    return ["", words, ("=" if level == 1 else "-") * max(len(words), 3)] if (words := _words(source)) else [""]


def _capitals(source: str, _level: int) -> list[str]:
    return ["", _words(source).upper(), ""]


def _banner(source: str, _level: int) -> list[str]:
    rule = "=" * max(len(words := _words(source)), 3)
    return ["", rule, words, rule, ""] if words else [""]


_WRITERS: dict[Form, Callable[[str, int], list[str]]] = {
    "flat": _flat,
    "bold": _bold,
    "setext": _setext,
    "capitals": _capitals,
    "banner": _banner,
}
