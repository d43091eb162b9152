"""Word files whose lists share a number id: each stretch of list paragraphs gets its own and counts on as in Word.

MinerU's Word parser joins all paragraphs of one id into one list, also across headings: steps would move to another
section.
"""

from pathlib import Path
from typing import Any

_LEVELS = 9


def separate_lists(source: Path, target: Path) -> bool:
    """Write the repaired copy; False when there is nothing to repair."""
    import docx
    from docx.oxml.ns import qn

    document = docx.Document(str(source))
    try:
        numbering = document.part.numbering_part.element
    except (KeyError, NotImplementedError):
        return False
    return _Separator(document, numbering, qn).run(target)


class _Separator:
    """One document on its way: how far each list has counted, and the list that is open."""

    def __init__(self, document: Any, numbering: Any, qn: Any) -> None:  # noqa: ANN401 (python-docx has no types)
        self.document, self.numbering, self.qn = document, numbering, qn
        numbers = {element.get(qn("w:numId")): element for element in numbering.findall(qn("w:num"))}
        abstract = {key: element.find(qn("w:abstractNumId")) for key, element in numbers.items()}
        self.families = {key: element.get(qn("w:val")) for key, element in abstract.items() if element is not None}
        self.styles = {
            element.get(qn("w:styleId")): element for element in document.styles.element.findall(qn("w:style"))
        }
        self.numbers = numbers
        self.counts: dict[str, list[int]] = {}
        self.seen: set[str] = set()
        self.begun: set[tuple[str, int]] = set()
        self.open: tuple[str, str] | None = None

    def run(self, target: Path) -> bool:
        """Walk the body once and save when a list was separated."""
        changed = False
        for block in self.document.element.body:
            if block.tag == self.qn("w:p"):
                changed |= self._paragraph(block)
            elif block.tag == self.qn("w:tbl"):
                self.open = None
        if changed:
            self.document.save(str(target))
        return changed

    def _paragraph(self, block: Any) -> bool:  # noqa: ANN401
        if not "".join(text.text or "" for text in block.iter(self.qn("w:t"))).strip():
            return False
        number, level = self._number(block)
        if number is None or number not in self.families:
            self.open = None
            return False
        counts = self._counts(number, level)
        counts[level] += 1
        counts[level + 1 :] = [0] * (_LEVELS - level - 1)
        if self._style(block).lower().startswith(("heading", "title")):
            self.open = None
            return False
        if self.open is None or self.open[0] != number:
            again = number in self.seen
            self.seen.add(number)
            self.open = (number, self._new(number, counts, level) if again else number)
        if self.open[1] == number:
            return False
        properties = block.get_or_add_pPr().get_or_add_numPr()
        properties.get_or_add_ilvl().val = level
        properties.get_or_add_numId().val = int(self.open[1])
        return True

    def _counts(self, number: str, level: int) -> list[int]:
        """How far the family of this list has counted; a list with a start of its own at this level begins there."""
        counts = self.counts.setdefault(self.families[number], [0] * _LEVELS)
        if (number, level) not in self.begun:
            self.begun.add((number, level))
            for override in self.numbers[number].findall(self.qn("w:lvlOverride")):
                start = override.find(self.qn("w:startOverride"))
                if start is not None and override.get(self.qn("w:ilvl")) == str(level):
                    counts[level] = int(start.get(self.qn("w:val")) or 1) - 1
        return counts

    def _new(self, number: str, counts: list[int], level: int) -> str:
        fresh = self.numbering.add_num(int(self.families[number]))
        for depth in range(_LEVELS):
            start = counts[depth] if depth <= level and counts[depth] else 1
            fresh.add_lvlOverride(ilvl=depth).add_startOverride(start)
        return str(fresh.numId)

    def _style(self, block: Any) -> str:  # noqa: ANN401
        style = block.find(self.qn("w:pPr") + "/" + self.qn("w:pStyle"))
        return "" if style is None else str(style.get(self.qn("w:val")))

    def _number(self, block: Any) -> tuple[str | None, int]:  # noqa: ANN401
        """The number id and level of a paragraph, its own or that of its style or the styles below that."""
        holder, style = block, self._style(block)
        for _ in range(_LEVELS):
            numbering = holder.find(self.qn("w:pPr") + "/" + self.qn("w:numPr"))
            if numbering is not None:
                number, level = numbering.find(self.qn("w:numId")), numbering.find(self.qn("w:ilvl"))
                value = None if number is None else number.get(self.qn("w:val"))
                depth = 0 if level is None else int(level.get(self.qn("w:val")))
                return (None if value == "0" else value), min(depth, _LEVELS - 1)
            if style not in self.styles:
                break
            holder = self.styles[style]
            base = holder.find(self.qn("w:basedOn"))
            style = "" if base is None else str(base.get(self.qn("w:val")))
        return None, 0
