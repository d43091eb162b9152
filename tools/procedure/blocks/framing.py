"""Frames of site generators: tabs and boxes, whose lines Markdown would read as code or as plain paragraphs.

A tab becomes a bullet that holds its lines, a box becomes a quote, and a box with a numbered list its plain lines below
a heading. Line numbers stay.
"""

import re
from collections.abc import Sequence

from soprag.tools.markdown.fences import is_fence

_FRAME = re.compile(
    r"^(?P<indent> *)(?P<mark>===[!+]?|!!!|\?\?\?\+?)\s+(?P<kind>[a-z][\w -]*?)?\s*(?:\"(?P<title>[^\"]*)\")?\s*$"
)
_KINDS = "danger|warning|caution|attention|important|note|info|tip|hint|success"
# A box in a tag or a template of one line: "<alert type="danger">...</alert>", "{{< warning >}}...{{< /warning >}}".
_TAGGED = re.compile(
    rf"^(?P<indent>\s*)(?:<(?P<tag>[a-z][\w-]*)\s[^>]*\b(?:type|class|kind|severity|style)=[\"'][^\"']*"
    rf"\b(?P<kind>{_KINDS})\b[^>]*>|\{{[{{%][<%]?\s*(?P<name>{_KINDS})\b[^}}]*\}}\}}?)(?P<text>.*?)"
    r"(?:</[\w-]+>|\{[{%][^}]*\}\}?)\s*$",
    re.IGNORECASE,
)
_ORDERED = re.compile(r"^\s*\d{1,3}[.)]\s+\S")
_BODY = 4  # columns


def unframed(rows: Sequence[str]) -> list[str]:
    """The rows with their frames written as plain Markdown."""
    found = list(rows)
    at = 0
    fenced = False
    while at < len(found):
        fenced ^= is_fence(found[at])
        frame = None if fenced else _FRAME.match(found[at])
        if frame and (frame["title"] or frame["mark"][0] != "="):
            _rewrite(found, at, frame)
        elif not fenced and (tagged := _TAGGED.match(found[at])):
            kind = (tagged["kind"] or tagged["name"]).upper()
            found[at] = f"{tagged['indent']}> **{kind}:** {tagged['text']}"
        at += 1
    return found


def is_tab(row: str) -> bool:
    """Whether a source line opens a tab, one of several ways beside each other."""
    found = _FRAME.match(row)
    return found is not None and found["mark"].startswith("===") and bool(found["title"])


def _rewrite(rows: list[str], start: int, frame: re.Match[str]) -> None:
    indent, title = frame["indent"], frame["title"] or ""
    if frame["mark"].startswith("="):
        rows[start] = f"{indent}-   {title}"
        return
    end = _end(rows, start, len(indent) + _BODY)
    ordered = any(_ORDERED.match(row) for row in rows[start + 1 : end])
    if ordered:
        rows[start] = f"{indent}###### {title}" if title else ""
    else:
        kind = (frame["kind"] or "note").split()[0]
        rows[start] = f"{indent}> **{kind.upper()}:** {title}"
    for at in range(start + 1, end):
        body = rows[at][len(indent) + _BODY :]
        rows[at] = f"{indent}{'' if ordered else '> '}{body}".rstrip()


def _end(rows: list[str], start: int, depth: int) -> int:
    """The line behind the last one that is indented as deep as the body of the frame."""
    at = end = start + 1
    while at < len(rows) and (not rows[at].strip() or len(rows[at]) - len(rows[at].lstrip()) >= depth):
        at += 1
        end = at if rows[at - 1].strip() else end
    return end
