"""The headings of a document as a tree, and what each of them tells about where a procedure begins."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from tools.rules.inline import plain, section_number
from tools.rules.markdown import Block, Page
from tools.rules.remarks import kind_of
from tools.rules.wording import directs

Role = Literal["opening", "inner", "back", "named"]

# Sections that open a procedure, sections inside it, and sections after it. Any other heading is a name.
_OPENING = re.compile(
    r"(?:purpose|objectives?|aims?|goal|meaning|overview|summary|introduction|scope|description|background|"
    r"about(?: this .*)?|"
    r"symptoms?|trigger\w*|alarms?|when to (?:use|do).*|applicab\w+|applies to|zweck|ziel|geltungsbereich|objet|"
    r"objetivo|alcance|"
    r"scopo|doel|目的|概要|适用范围|general|context|problem(?: statement| description)?|indications?|error diagnosis)"
)
_INNER = re.compile(
    r"(?:impact|severity|(?:initial |error |full )?diagnos\w+|mitigations?|resolutions?|remediation|"
    r"procedures?(?: steps?)?|"
    r"procedural steps|(?:tutorial |detailed |main |work )?steps?(?: to .*)?|instructions?|actions?|method|execution|"
    r"(?:immediate|corrective|operator|follow-?up|initial|first) (?:actions?|response|steps|measures)|"
    r"troubleshooting(?: .*)?|"
    r"pre-?conditions?|pre-?requisites?|requirements?|post-?conditions?|verification|validation|checks?|rollback|"
    r"recovery|"
    r"escalations?|contingency|safety(?: .*)?|warnings?|cautions?|hazards?(?: .*)?|precautions?|ppe|"
    r"(?:personal )?protective.*|"
    r"tools?(?: .*)?|materials?(?: .*)?|equipment(?: .*)?|parts(?: .*)?|spares?|preparations?|"
    r"before (?:you )?(?:start|begin\w*)|"
    r"after (?:the )?(?:work|job)|(?:return|restore) to (?:service|normal.*)|completion|close-?out|handover|"
    r"responsibilit\w+|"
    r"roles?(?: .*)?|definitions?|abbreviations|terms|limits?(?: .*)?|acceptance(?: .*)?|results?|examples?|notes?|"
    r"causes?|"
    r"(?:possible |root |probable )?causes?|investigation|additional (?:information|notes|resources)|cleanup|"
    r"monitoring|"
    r"durchführung|vorgehen|ablauf|maßnahmen|sicherheit|voraussetzungen|procédure|étapes|procedimiento|pasos|手順|步骤|"
    r"(?:step|phase|stage|part|schritt|étape|paso)\s+\w{1,4}\b.*)"
)
_BACK = re.compile(
    r"(?:append(?:ix|ices)|annex(?:es)?|attachments?|anhang|annexe|revision\w*(?: .*)?|change (?:log|history|record).*|"
    r"document (?:control|history).*|version history|references?(?: .*)?|related (?:documents?|procedures?|links?|"
    r".*)|see also|"
    r"glossary|bibliography|distribution(?: list)?|contacts?(?: .*)?|records?(?: .*)?|forms?|further (?:reading|"
    r"information)|"
    r"approvals?|sign-?off|contributors?|contact personnel)\b.*"
)
_NUMBERED = re.compile(
    r"^(?:(?:section|chapter|kapitel)\s+)?(?:\d{1,3}(?:\.\d{1,3})*|[A-Z]|[IVX]{1,4})[.):]?\s+(?=\S)|^\W+"
)
# Document numbers, as in "SOP-12 Start of P-101" or "Procedure 3: Draining"
_CODE = re.compile(
    r"^\W*(?:(?:SOP|WI|EOP|AOP|NOP|OP|MOP|SWI|JHA|PRO|PROC|TP|MP)[\s_-]*[\w.-]{0,12}\d[\w.-]*|"
    r"(?i:procedure|runbook|playbook|checklist|work instruction|alarm response|verfahren|procédure|procedimiento)\s+"
    r"(?:no\.?\s*)?(?:[A-Z]|\d{1,3}|[A-Z]{1,5}[-_]?\d+)\b)(?:\s*[:.–—-]|\s|$)"
)
_FORM_LEAD = re.compile(
    r"(?:applies to|alarms?|ppe|frequency|duration|time|trigger|purpose|scope|who|when|tools?|equipment|location|owner|"
    r"responsible|persons?|permit|risk|hazards?|precondition\w*|prerequisites?|symptoms?|materials?|document no\.?|"
    r"asset|"
    r"safety|interval|role|priority|required)\b"
)


@dataclass
class Title:
    """A heading with the headings under it; `end` is the last line of all that stands under it."""

    text: str
    level: int
    start: int
    end: int
    blocks: tuple[Block, ...]  # everything under it, sub-headings too
    under: list["Title"] = field(default_factory=list)

    @property
    def role(self) -> Role:
        """What the heading is for in a procedure; `named` when it names something of its own."""
        words = _NUMBERED.sub("", self.text).strip().rstrip(":.").casefold()
        for role, known in (("back", _BACK), ("opening", _OPENING), ("inner", _INNER)):
            if known.fullmatch(words):
                return role  # type: ignore[return-value]  # the three names above are roles
        return "named"

    @property
    def coded(self) -> bool:
        """Does it carry a document number, as in `SOP-12 Start of P-101`?"""
        return bool(_CODE.match(self.text))

    @property
    def number(self) -> tuple[int, ...]:
        """Its decimal number; empty when it has none."""
        return section_number(self.text)

    def orders(self, language: str) -> int:
        """How many blocks under it tell somebody to do something."""
        told = sum(1 for b in self.blocks if b.kind in ("item", "paragraph") and directs(b.text, language))
        return told + sum(1 for block in self.blocks if block.rows and _orders_in(block, language))

    @property
    def forms(self) -> int:
        """How many different parts of a procedure's form it has: sections (Purpose, Steps) and leads (Applies to:)."""
        roles = {
            title.text.casefold() for title in self.walk() if title is not self and title.role in ("opening", "inner")
        }
        leads = {lead for block in self.blocks for lead in _leads(block)}
        return len(roles | leads)

    @property
    def formed(self) -> bool:
        """Has it sub-headings that are parts of a procedure's form, such as Purpose or Mitigation?"""
        return any(title.role in ("opening", "inner") for title in self.under)

    @property
    def warns(self) -> bool:
        """Does a warning of its own stand under it?"""
        return any(kind_of(block.source) not in (None, "note") for block in self.blocks)

    @property
    def restarts(self) -> bool:
        """Do its steps begin to count anew, at 1, a) or its own section number followed by .1?"""
        labels = [block.label for block in self.blocks if block.kind == "item" and block.label]
        own = ".".join(map(str, self.number))
        return bool(labels) and labels[0].lower().strip("()") in ("1", "a", "step 1", "①", "1.1", f"{own}.1")

    def walk(self) -> Iterator["Title"]:
        """It and every heading below it."""
        waiting = [self]
        while waiting:
            title = waiting.pop()
            yield title
            waiting += reversed(title.under)


def outline(page: Page) -> list[Title]:
    """The highest headings of `page`, each with those below it; a bold line counts as a heading where there is none."""
    heads = _headings(page)
    titles = _placed(page, heads)
    roots: list[Title] = []
    above: list[Title] = []
    for title in titles:
        while above and above[-1].level >= title.level:
            above.pop()
        (above[-1].under if above else roots).append(title)
        above.append(title)
    return roots


def adopt(titles: list[Title]) -> list[Title]:
    """Siblings of one level regrouped: a named heading takes the Purpose, Steps, References ... that follow it.

    A parser that prints all headings at one level leaves a procedure's sections beside its title.
    """
    grouped: list[Title] = []
    for title in titles:
        if grouped and title.role != "named" and not (title.under and grouped[-1].formed):
            parent = grouped[-1]
            merged = [*parent.under, title]
            grouped[-1] = Title(
                parent.text, parent.level, parent.start, title.end, parent.blocks + title.blocks, merged
            )
        else:
            grouped.append(title)
    return grouped


def _headings(page: Page) -> list[Block]:
    if page.headings:
        return list(page.headings)
    return [b for b in page.blocks if b.kind == "paragraph" and (b.bold or _CODE.match(b.text)) and _stands_alone(b)]


def _stands_alone(block: Block) -> bool:
    return not block.quoted and not block.depth and len(block.text) <= 100 and kind_of(block.source) is None


def _placed(page: Page, heads: list[Block]) -> list[Title]:
    """Each heading with its last line and its blocks, found from the back in one pass."""
    ends = [len(page.lines)] * len(heads)
    waiting: list[int] = []
    for place, head in enumerate(heads):
        while waiting and heads[waiting[-1]].level >= head.level:
            ends[waiting.pop()] = head.lines.start - 1
        waiting.append(place)
    starts = [block.lines.start for block in page.blocks]
    return [_title(page, starts, head, end) for head, end in zip(heads, ends, strict=True)]


def _title(page: Page, starts: list[int], head: Block, end: int) -> Title:
    from bisect import bisect_right

    first, past = bisect_right(starts, head.lines.start), bisect_right(starts, end)
    return Title(head.text, head.level or 7, head.lines.start, end, page.blocks[first:past])


def _leads(block: Block) -> Iterator[str]:
    """The bold words before a colon, and the first cells of a table: `**Applies to:** pump P-101`."""
    words = [plain(found) for found in re.findall(r"(?:\*\*|__)([^*_\n]{2,40}?):?(?:\*\*|__)", block.source)]
    words += [row[0] for row in block.rows if row] + list(block.rows[0] if block.rows else ())
    for word in words:
        found = _FORM_LEAD.match(word.casefold())
        if found:
            yield found[0]


def _orders_in(block: Block, language: str) -> bool:
    return any(directs(cell, language) for row in block.rows for cell in row if len(cell.split()) > 3)
