"""Extracts the speakable sentences of an SOP's Markdown, each with its printed source text as evidence."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from soprag.tools.markdown.page import MarkdownBlock, MarkdownPage
from soprag.tools.rules.questions.speech import Naming, spoken
from soprag.tools.text.sentences import sentences
from soprag.tools.text.words import squeezed

_PROSE = re.compile(r"[A-Z][a-z]+(?: [\w(),'’&–-]+){3,}[.:]?")
_LABEL = re.compile(r"^(?:[*_]{0,2}(?:\d+[.)]|[a-z]\)|[-*•]|\[[ xX]?\])[*_]{0,2}\s+)+")
# Headings of sections about the document itself; no questions are made from them.
_ABOUT_DOCUMENT = re.compile(
    r"revision|version|contributors?\b|authors?\b|history|change log|references?\b|contacts?\b|related|see also|"
    r"glossary|abbreviation|acronym|"
    r"approval|sign-?off|document control|distribution|further reading|additional resources|external|^source|"
    r"table of contents|links?$|example output|definitions?$|default definition|training record",
    re.IGNORECASE,
)
_TO_AUTHORS = re.compile(r"\bcontributors?\b|\basterisks?\b|\bthis template\b|\blast modified\b", re.IGNORECASE)
# Headings of sections that list things instead of instructions.
_THINGS = re.compile(
    r"tools?\b|materials?\b|equipment (?:data|list|needed|required)|\bppe\b|protective equipment|spare|parts?\b|"
    r"suppl(?:y|ies)|"
    r"parameters?$|devices?$|required items|you need|quantities|data$|index|limits?$|settings$|responsibilit|roles?\b",
    re.IGNORECASE,
)
_TROUBLE = re.compile(
    r"symptom|meaning|impact|problem|alert|alarm|fault|failure|error|indication|detect|signs?\b|overview|causes?\b|"
    r"descri|background|introduction",
    re.IGNORECASE,
)
_CODE = re.compile(r"^[A-Z]\w*[-_]?[A-Z]*\d[\w-]*(?:[:\s–-]+|$)")  # the code an alarm is listed under
_TOLD = re.compile(r"alarm|alert|fault|error|symptom|message|indication|problem|observation|finding", re.IGNORECASE)
_WHY = re.compile(r"cause|reason|meaning|why", re.IGNORECASE)
_DO = re.compile(
    r"action|response|remedy|what to do|\bdo\b|steps?\b|task|check|instruction|activity|measure|then|if not|correct|"
    r"method|procedure|how\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class SpokenSentence:
    """A sentence, spoken and printed; its section is on symptoms (`trouble`) or holds instructions (`orders`)."""

    text: str
    evidence: str
    position: int
    section: str
    trouble: bool
    orders: bool


@dataclass(frozen=True)
class AlarmRow:
    """A row of an alarm table: indication, cause and remedy; a missing column is empty."""

    indication: str
    cause: str
    remedy: str
    evidence: str
    position: int
    section: str


@dataclass
class SentenceReader:
    """Reads a page from top to bottom; `position` counts the sentences."""

    page: MarkdownPage
    naming: Naming
    position: int = 0
    section: str = ""

    def read(self) -> tuple[list[SpokenSentence], list[AlarmRow]]:
        """All sentences and alarm rows, in the order of the text; those about the document itself are left out."""
        sentences: list[SpokenSentence] = []
        rows: list[AlarmRow] = []
        for block in self.page.blocks:
            if block.kind == "heading":
                self.section = block.text
                sentences += self._sentences(block.source, orders=True)
            elif _ABOUT_DOCUMENT.search(self.section):
                continue
            elif block.kind in ("paragraph", "item"):
                sentences += self._sentences(block.source, orders=not _THINGS.search(self.section))
            elif block.kind == "code" and not block.source:
                sentences += self._indented(block)
            elif block.kind == "table":
                rows += self._alarms(block)
                sentences += self._cells(block)
        return sentences, rows

    @cached_property
    def _flat(self) -> str:
        return squeezed("\n".join(self.page.lines))

    def _sentences(self, source: str, orders: bool, evidence: str = "") -> Iterator[SpokenSentence]:
        trouble = bool(_TROUBLE.search(self.section)) or not self.section
        for part in sentences(source, ".!?"):
            text = self.naming.hide(spoken(_LABEL.sub("", part)))
            printed = evidence or self._printed(part)
            if text and printed and not _TO_AUTHORS.search(text):
                self.position += 1
                yield SpokenSentence(text, printed, self.position, self.section, trouble, orders)

    def _indented(self, block: MarkdownBlock) -> Iterator[SpokenSentence]:
        """Prose that a converter indented and that therefore parses as code."""
        for line in block.text.splitlines():
            if _PROSE.fullmatch(line.strip()):
                yield from self._sentences(line, orders=not _THINGS.search(self.section))

    def _printed(self, part: str) -> str:
        """`part` as printed in the body; for a part of several lines that is not verbatim there, its longest line."""
        lines = [part.strip(), *sorted((line.strip() for line in part.splitlines()), key=len, reverse=True)]
        return next((line for line in lines if len(line) > 8 and squeezed(line) in self._flat), "")

    def _cells(self, block: MarkdownBlock) -> Iterator[SpokenSentence]:
        if not block.rows:
            return
        head = block.rows[0]
        acting = [bool(_DO.search(name)) for name in head]
        single = len(head) == 1
        for row, evidence in self._rows(block, block.rows if single else block.rows[1:]):
            for column, cell in enumerate(row):
                orders = single or (column < len(acting) and acting[column])
                if orders or (cell.endswith(".") and not any(acting)):
                    yield from self._sentences(cell, orders=True, evidence="" if single else evidence)

    def _alarms(self, block: MarkdownBlock) -> Iterator[AlarmRow]:
        head = block.rows[0] if block.rows else ()
        indication = next((column for column, name in enumerate(head) if _TOLD.search(name)), -1)
        why = next((column for column, name in enumerate(head) if _WHY.search(name)), -1)
        do = next(
            (column for column, name in enumerate(head) if _DO.search(name) and column not in (indication, why)), -1
        )
        if indication < 0 or (why < 0 and do < 0):
            return
        for row, evidence in self._rows(block, block.rows[1:]):
            printed = [
                _CODE.sub("", spoken(row[column])) if 0 <= column < len(row) else "" for column in (indication, why, do)
            ]
            cells = [self.naming.hide(cell) for cell in printed]
            if evidence:
                self.position += 1
                yield AlarmRow(cells[0], cells[1], cells[2], evidence, self.position, self.section)

    def _rows(self, block: MarkdownBlock, rows: Iterable[tuple[str, ...]]) -> Iterator[tuple[tuple[str, ...], str]]:
        """Each row with the line of the page it was read from."""
        lines = self.page.lines[block.lines.start - 1 : block.lines.end]
        for row in rows:
            cell_tokens = max(row, key=len).split()[:6]
            line = next((line for line in lines if all(word in line for word in cell_tokens)), "")
            yield row, line.strip()
