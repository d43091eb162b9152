"""Slides: only their titles are headings, titles that go on are said once, and feet of slides are left out."""

import re
from dataclasses import dataclass
from zipfile import ZipFile

from lxml import etree

from soprag.tools.parsing.repair.headings import norm

_SLIDE = re.compile(r"ppt/slides/slide\d+\.xml$")
_HEADING = re.compile(r"^(#{1,6})\s+(.*)$")
_GOES_ON = re.compile(
    r"\s*(\((continued|cont\.?|cont'd|forts\.?|fortsetzung|suite|continuación|\d+\s*(/|of|von)\s*\d+)\)|\(\d+\))\s*$",
    re.IGNORECASE,
)
_TITLES = frozenset({"title", "ctrTitle"})
_FEET = frozenset({"ftr", "sldNum", "dt"})


@dataclass(frozen=True)
class Slides:
    """The words of all titles, and those of feet, dates and numbers, as `norm` leaves them."""

    titles: frozenset[str]
    feet: frozenset[str]


def read_slides(path: str) -> Slides:
    """What the placeholders of the slides say they are."""
    texts: dict[str, set[str]] = {"title": set(), "foot": set()}
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    with ZipFile(path) as archive:
        for name in filter(_SLIDE.search, archive.namelist()):
            for shape in etree.fromstring(archive.read(name), parser).iter("{*}sp"):
                holder = next(shape.iter("{*}ph"), None)
                kind = "" if holder is None else holder.get("type", "")
                if kind in _TITLES | _FEET:
                    text = norm("".join(run.text or "" for run in shape.iter("{*}t")))
                    texts["title" if kind in _TITLES else "foot"].add(text)
    return Slides(frozenset(texts["title"] - {""}), frozenset(texts["foot"] - texts["title"] - {""}))


def repair_slides(markdown: str, slides: Slides) -> str:
    """Bold lines that were taken for headings are bold again; what goes on stands under its one title."""
    out: list[str] = []
    current = ""
    for line in markdown.split("\n"):
        mark = _HEADING.match(line)
        if norm(line) in slides.feet:
            continue
        if mark and slides.titles and norm(mark[2]) not in slides.titles:
            out.append(f"**{mark[2].replace('**', '').strip()}**")
        elif mark and norm(_GOES_ON.sub("", mark[2])) == current:
            continue
        else:
            current = norm(_GOES_ON.sub("", mark[2])) if mark else current
            out.append(line)
    return "\n".join(out)
