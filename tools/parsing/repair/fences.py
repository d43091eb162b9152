"""Steps that a parser took for program text: lists in code fences become lists again."""

import re
from collections.abc import Callable

_FENCE = re.compile(r"^```(\w*)\s*$")
_LABEL = re.compile(
    r"^(\s*)((?:step\s+)?\(?(?:\d{1,3}(?:\.\d{1,3})*|[a-zA-Z]|[ivx]{1,5})[.)]|\d+(?:\.\d+)+)\s+(?=\S)", re.IGNORECASE
)
_BULLET = re.compile(r"^(\s*)([\u2022\u25cf\u25aa\u25e6\u2023\u00b7\uf0b7\uf0a7\u2013\u2014-])\s+(?=\S)")
_NOTICE = re.compile(r"^\s*\W{0,3}(danger|warning|caution|note|notice|attention|important)\b\s*[:!]", re.IGNORECASE)
_PROSE = 6.0


def open_fences(markdown: str, stands_alone: Callable[[str], bool]) -> str:
    """Fences that hold steps, headings, table rows or sentences are opened; program text stays.

    `stands_alone` says of a line that it is a heading or a row of a table, to which no other line is joined.
    """
    out: list[str] = []
    inside: list[str] | None = None
    opening = ""
    for line in markdown.split("\n"):
        fence = _FENCE.match(line)
        if inside is None and fence and fence[1] in ("", "txt", "text"):
            inside, opening = [], line
        elif inside is not None and fence:
            out += _opened(inside, stands_alone) if _is_text(inside, stands_alone) else [opening, *inside, line]
            inside = None
        elif inside is not None:
            inside.append(line)
        else:
            out.append(line)
    return "\n".join([*out, *([opening, *inside] if inside is not None else [])])


def _is_text(lines: list[str], stands_alone: Callable[[str], bool]) -> bool:
    written = [line for line in lines if line.strip()]
    if any(_LABEL.match(line) or _BULLET.match(line) or _NOTICE.match(line) or stands_alone(line) for line in written):
        return True
    return not written or sum(len(line.split()) for line in written) / len(written) > _PROSE


def _opened(lines: list[str], stands_alone: Callable[[str], bool]) -> list[str]:
    """Blocks again: wrapped lines are joined, items indented as deep as their labels stood."""
    blocks: list[str] = [""]
    indents: list[int] = []
    fresh = True
    for line in lines:
        label = _LABEL.match(line) or _BULLET.match(line)
        if not line.strip():
            fresh = True
        elif label:
            blocks.append(_item(line, label, indents))
            fresh = False
        elif fresh or stands_alone(line) or _NOTICE.match(line) or stands_alone(blocks[-1]):
            # Text after a blank line that stands as deep as the item's own text still belongs to it.
            deep = len(line) - len(line.lstrip()) if indents else 0
            blocks.append(" " * min(deep, 3) + line.strip() if deep > min(indents, default=0) else line.strip())
            fresh = False
        else:
            blocks[-1] = f"{blocks[-1]} {line.strip()}"
    return [part for block in blocks for part in (block, "")]


def _item(line: str, label: re.Match[str], indents: list[int]) -> str:
    """The item with its label as printed; a bullet becomes the sign Markdown knows."""
    column = len(label[1])
    while indents and column < indents[-1] - 1:
        indents.pop()
    if not indents or column > indents[-1] + 1:
        indents.append(column)
    sign = "-" if label.re is _BULLET else label[2]
    return "   " * (len(indents) - 1) + f"{sign} {line[label.end() :].strip()}"
