"""Items of Word lists as deep as the file says, also where each depth is a list of its own, which parsers read flat."""

import re
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from soprag.tools.parsing.repair.headings import norm

_ITEM = re.compile(r"^( *)((?:[-*+]|\(?\w{1,4}[.)])\s+)(?=\S)")
_INDENT = "    "
_KEY = 60

Depths = dict[str, int]  # the words an item begins with → how deep it stands, 0: outermost


def read_depths(path: str) -> Depths:
    """The depth of every list paragraph; words that stand at several depths say nothing."""
    from docx.oxml import parse_xml
    from docx.oxml.ns import qn

    try:
        with ZipFile(Path(path)) as archive:
            body = parse_xml(archive.read("word/document.xml"))
    except (KeyError, BadZipFile, SyntaxError):  # the engine has found its own way to read it
        return {}
    by_text: dict[str, set[int]] = {}
    for paragraph in body.iter(qn("w:p")):
        level = paragraph.find(f"{qn('w:pPr')}/{qn('w:numPr')}/{qn('w:ilvl')}")
        letters = norm("".join(text.text or "" for text in paragraph.iter(qn("w:t"))))[:_KEY]
        if level is not None and letters:
            by_text.setdefault(letters, set()).add(int(level.get(qn("w:val"))))
    return {letters: depths.pop() for letters, depths in by_text.items() if len(depths) == 1}


def indent_items(markdown: str, depths: Depths) -> str:
    """Items that stand flat below one that is less deep are indented; blank lines and the words stay."""
    if not any(depths.values()):
        return markdown
    out: list[str] = []
    above: list[int] = []
    for line in markdown.split("\n"):
        item = _ITEM.match(line)
        if item is None:
            above = above if not line.strip() or line.startswith(" ") else []
            out.append(line)
            continue
        level = depths.get(norm(line[item.end() :])[:_KEY])
        if level is not None:
            above = [*(depth for depth in above if depth < level), level]
        flat = level is not None and not item[1] and len(above) > 1
        out.append(_INDENT * (len(above) - 1) + line if flat else line)
    return "\n".join(out)
