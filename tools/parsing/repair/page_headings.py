"""The headings a page prints, applied to the Markdown a parser made of it."""

import re
from collections import Counter, deque
from collections.abc import Container, Iterable

from soprag.tools.parsing.layout import PrintedLine
from soprag.tools.parsing.repair.headings import PrintedHeading, Typeface, has_address, norm

_MARK = re.compile(r"^(#{1,6})\s+(.*)$", re.DOTALL)
_FACE = re.compile(r"^(\*\*|__|\*|_)(.*)\1$")
_LABELLED = re.compile(r"^(\d{1,3}(\.\d{1,3})*[.)]|[a-z][.)])\s", re.IGNORECASE)
_BEFORE = re.compile(r"[.;:!?)*_`]\s*$")
_DEMOTED = "\0"
_SHORTEST = 6
_CUSTOM = 5  # so many bold lines are a habit of the author, not an accident


def apply_headings(blocks: list[str], headings: list[PrintedHeading], lines: list[PrintedLine]) -> list[str]:
    """Promote, split off and re-level; take the mark from what is printed like the running text."""
    if not headings:
        return blocks
    doubtful = {norm(heading.text): heading.level for heading in headings if heading.doubtful}
    doubtful = doubtful if len(doubtful) >= _CUSTOM else {}
    headings = [heading for heading in headings if not heading.doubtful]
    levels: dict[str, deque[int]] = {}
    for heading in headings:
        levels.setdefault(norm(heading.text), deque()).append(heading.level)
    parts = _parted([part for block in blocks for part in _split_rows(block, levels)], headings)
    printed = "".join(norm(line.text) for line in lines)
    fragments = {norm(lines[heading.index + row].text) for heading in headings for row in range(heading.lines)}
    body = Typeface.of(lines)
    out: list[str] = []
    for part in parts:
        letters, mark = norm(part), _MARK.match(part)
        if letters in levels and not part.startswith(("|", "```")):
            level = levels[letters].popleft() if len(levels[letters]) > 1 else levels[letters][0]
            out.append(f"{'#' * level} {_bare(part)}")
        elif mark and letters in doubtful:
            out.append(f"{'#' * doubtful[letters]} {_bare(part)}")
        elif mark and letters in printed and letters not in fragments and not _stands_out(letters, lines, body):
            # Printed like the running text, or a notice in bold: no heading, whatever the parser thought.
            out.append(_DEMOTED + mark[2])
        else:
            out.append(part)
    return _join_demoted(out)


def _parted(parts: list[str], headings: list[PrintedHeading]) -> list[str]:
    """With headings that ran into other text split off."""
    missing = Counter(norm(heading.text) for heading in headings)
    missing.subtract(norm(part) for part in parts)
    for heading in headings:
        letters = norm(heading.text)
        if missing[letters] > 0 and len(letters) >= _SHORTEST:
            parts = _split_off(parts, heading.text)
    return parts


def _stands_out(letters: str, lines: Iterable[PrintedLine], body: Typeface) -> bool:
    """Whether a heading that the page analysis left out is at least printed larger."""
    return any(
        line.size > 1.08 * body.size and norm(line.text) == letters and not has_address(line.text) for line in lines
    )


def _split_rows(block: str, levels: Container[str]) -> list[str]:
    """A heading on a row of its own inside a block becomes a block."""
    rows = block.split("\n")
    if len(rows) == 1 or block.startswith(("|", "```", "<")):
        return [block]
    parts: list[str] = [""]
    for row in rows:
        if norm(row) in levels:
            parts += [row, ""]
        else:
            parts[-1] = f"{parts[-1]}\n{row}" if parts[-1] else row
    return [part for part in parts if part.strip()]


def _split_off(parts: list[str], heading: str) -> list[str]:
    """The first block in which the heading ran into other text, cut at its ends."""
    tokens = [re.escape(word) for word in re.findall(r"\w+", heading)]
    pattern = re.compile(r"(?<!\w)[*_]{0,3}" + r"[\W_]{1,4}".join(tokens) + r"[*_)\]]{0,3}(?!\w)", re.IGNORECASE)
    for index, part in enumerate(parts):
        text = _bare(part) if (mark := _MARK.match(part)) else part
        match = None if part.startswith(("|", "```")) else pattern.search(text)
        if match is None or (mark and match.start()):
            continue
        before, after = text[: match.start()].strip(), text[match.end() :].strip()
        begins = not before or _BEFORE.search(before)
        ends = not after or after[0].isupper() or after[0].isdigit() or after[0] in "*-#|_"
        if begins and ends and (before or after):
            cut = [before, match[0], after]
            return [*parts[:index], *(piece for piece in cut if piece), *parts[index + 1 :]]
    return parts


def _bare(block: str) -> str:
    mark = _MARK.match(block)
    text = (mark[2] if mark else block).strip()
    face = _FACE.match(text)
    return " ".join((face[2] if face else text).replace("**", "").split())


def _join_demoted(blocks: list[str]) -> list[str]:
    """Lines of one notice that were taken for headings one by one are one paragraph again."""
    out: list[str] = []
    for block in blocks:
        if block.startswith(_DEMOTED) and out and _goes_on(out[-1], block.removeprefix(_DEMOTED)):
            out[-1] = f"{out[-1]} {block.removeprefix(_DEMOTED)}"
        else:
            out.append(block)
    return [block.removeprefix(_DEMOTED) for block in out]


def _goes_on(above: str, text: str) -> bool:
    whole = above.rstrip(" *_").endswith((".", ":", "!", "?")) or above.startswith(("#", "|", "```", "!["))
    begins = text[:1].isupper() and not above.startswith(_DEMOTED)
    return not (whole or begins or _LABELLED.match(text))
