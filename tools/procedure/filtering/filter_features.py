"""Evidence for and against a document being a procedure, counted on its structure and its wording."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from soprag.tools.markdown.inline import LabelledLine, labelled, plain
from soprag.tools.markdown.page import MarkdownBlock, MarkdownPage, read
from soprag.tools.procedure.blocks.heading_kinds import names_task, role
from soprag.tools.procedure.filtering.package_pages import PackagePage, package_page
from soprag.tools.procedure.wording.instructions import conditional, directs, passive_act, points
from soprag.tools.procedure.wording.lexicon import announces
from soprag.tools.procedure.wording.safety_labels import kind_of
from soprag.tools.procedure.wording.verbs import opens_with_verb
from soprag.tools.text.language import detect
from soprag.tools.text.sentences import WITH_COLONS, sentences

_PROMPT = re.compile(
    r"^\s*(?:[\w().~@/\[\] :-]{0,40}[#$%>]\s+\w|(?:sudo|cd|ssh|kubectl|oc|curl|systemctl|docker)\s+\S)", re.MULTILINE
)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?|januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|"
    r"juillet|août|septembre|octobre|novembre|décembre)"
)
_DATE = re.compile(
    rf"\b(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}|\d{{1,2}}(?:st|nd|rd|th|\.)? (?:of )?{_MONTH}\b|"
    rf"{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?\b|{_MONTH},? \d{{4}}|\d{{4}}年\d{{1,2}}月)",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"\b(?:[01]?\d|2[0-3])[:h][0-5]\d\b(?!\.\d)")
_VERSION = re.compile(r"\bv?\d+\.\d+\.\d+(?![\d.]*[/:])\b")
_PAST = re.compile(
    r"\b(?:was|were|had|did|began|became|took|went|told|gave|got|met|saw|fell|rose|stood|ran|"
    r"wurden?|war|waren|hatten?|a été|ont été|était|étaient|fue|fueron|estaba|è stato|sono stati|foi|foram|werd)\b|"
    r"\b(?:we|i|they|he|she|who|team|engineers?|operators?|users?|committee|customers?|staff|report)\s+"
    r"(?:\w+ly |then |also )?\w{3,}ed\b|"
    r"^\W*(?:[\w.]+ ){0,4}(?<!\ba )(?<!\ban )(?<!\bthe )"
    r"(?:added|removed|fixed|updated|changed|improved|agreed|discussed|reported|noted|resolved|"
    r"restarted|received|confirmed|approved|attended|presented|decided|introduced|released|upgraded|deprecated)\b",
    re.IGNORECASE,
)
_WE = re.compile(
    r"\b(?:we|our|ours|us|we're|we've|we'll|wir|unser\w*|nous|notre|nos|nosotros|nuestr\w+)\b", re.IGNORECASE
)
# A checklist line: "Fuel selector ........ BOTH"
_REPLY = re.compile(r"([A-Z][\w /()-]{2,60}?)\s*(?:\.{4,}|…{2,}|(?:\. ){4,})\s*([A-Z][A-Z0-9%°/ -]{1,40})\b")
_ADDRESS = re.compile(r"https?://\S+")
_LINK = re.compile(r"https?://\S+|\]\([^)]{1,500}\)")
_REPORTS = re.compile(
    r"\b(?:time ?line|root cause|lessons? learn\w*|post-?mortem|key events|review actions?|time to (?:repair|resolve)|"
    r"attend(?:ees|ance)|present|apologies|absent|agenda|minutes|action items?|any other business|next meeting|"
    r"decisions?|release notes?|what'?s (?:new|changed)|new features?|bug ?fix\w*|improvements|breaking changes|"
    r"change ?log|deprecat\w+|highlights|news|announcement\w*|findings|conclusions?|recommendations|executive summary|"
    r"abstract|discussion|methodology|skills|qualifications|experience|goals|motivations?|pain points|persona|"
    r"job (?:title|description)|key responsibilities|daily tasks|benefits|pricing|price|cost|offer|vendors?|"
    r"comparison|budget|schedule|roster|inventory|register|capacity|specifications?|features?|architecture|"
    r"components?|terminology|what is|why|faq|frequently asked|index|contents|people|welcome|events|dates? for|"
    r"in brief|detected|declared|identified|repaired|resolved|"
    r"unfallbericht|protokoll|teilnehmer|ordre du jour|compte rendu|acta|asistentes|verbale|zeitlicher ablauf)\b",
    re.IGNORECASE,
)
_REPORT_TITLES = re.compile(
    r"\b(?:incident (?:on|report|of)|report|post-?mortem|minutes|meeting|newsletter|news|change ?logs?|release notes?|"
    r"announc\w+|notice|update to|upgrade of|persona|overview|introduction to|what is|why|comparison|proposal|"
    r"quotation|price list|register|inventory|roster|schedule|specifications?|data ?sheet|brochure|index|"
    r"table of contents|glossary|faq|case study|white ?paper|blog|note about|roadmap|architecture|concepts?|reference|"
    r"api|history|agenda|capacity plan|survey|memo(?:randum)?|job description|budget|policy statement|bericht|"
    r"protokoll|rapport|"
    r"informe)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class SentenceCounts:
    """The sentences, steps and table cells of a document, sorted by what they express."""

    sentences: int
    orders: tuple[str, ...]  # instructions
    steps: tuple[str, ...]  # numbered items that are instructions
    conditionals: tuple[str, ...]  # "if ..., do ..."
    pointers: tuple[str, ...]  # sentences that only send the reader elsewhere
    past: tuple[str, ...]  # sentences about past events
    ours: tuple[str, ...]  # sentences with "we" or "our"


@dataclass(frozen=True)
class Headed:
    """The headings, and bold words used as headings, that indicate a procedure or a report."""

    title: str
    acting: tuple[str, ...]  # such as Procedure, Mitigation, "Restart the pump"
    reporting: tuple[str, ...]  # such as Timeline, Attendees, Release notes

    @property
    def titled_report(self) -> bool:
        """Whether the title names a kind of document that is not a procedure."""
        return bool(_REPORT_TITLES.search(self.title))


@dataclass(frozen=True)
class Counted:
    """Counts that need no sentence analysis."""

    word_count: int
    commands: int  # code that somebody is to run
    warnings: int
    dates: int
    versions: int
    links: int


@dataclass(frozen=True)
class FilterFeatures:
    """All evidence on one document."""

    wording: SentenceCounts
    headed: Headed
    counted: Counted
    package: PackagePage


def extract_features(name: str, markdown: str) -> FilterFeatures:
    """The evidence in the document `name`."""
    page = read(markdown)
    texts = [block for block in page.blocks if block.kind in ("paragraph", "item", "table", "html")]
    language = detect("\n".join(block.text for block in texts))
    prose = _ADDRESS.sub(" ", "\n".join(block.text for block in [*texts, *page.headings]))
    return FilterFeatures(
        _said(texts, language),
        _headed(page, texts, name),
        _counted(page, texts, prose, language),
        package_page(page, prose, markdown),
    )


def _said(texts: list[MarkdownBlock], language: str) -> SentenceCounts:
    statements = [sentence for block in texts for sentence in _sentences(block)]
    replies = [f"{item} ... {reply}" for block in texts for item, reply in _REPLY.findall(block.text)]
    pointers = [sentence for sentence in statements if points(sentence)]
    orders = [sentence for sentence in statements if directs(sentence, language) and not points(sentence)]
    orders += [part for block in texts if block.label for part in _sentences(block) if _is_listed_act(part, language)]
    steps = [block.text for block in texts if block.label and _is_step(block.text, language)]
    steps += [cell.rest for block in texts for cell in _numbered_cells(block) if directs(cell.rest, language)]
    narrative = [s for s in statements if _PAST.search(s) and not directs(s, language) and not conditional(s, language)]
    return SentenceCounts(
        sentences=len(statements) + len(replies),
        orders=(*orders, *replies),
        steps=(*steps, *replies),
        conditionals=tuple(sentence for sentence in orders if conditional(sentence, language)),
        pointers=tuple(pointers),
        past=tuple(narrative),
        ours=tuple(sentence for sentence in statements if _WE.search(sentence)),
    )


def _is_step(item: str, language: str) -> bool:
    parts = sentences(item, WITH_COLONS)
    return any(directs(part, language) for part in parts) or any(_is_listed_act(part, language) for part in parts)


def _is_listed_act(sentence: str, language: str) -> bool:
    """Whether words that give no order elsewhere do so in a list: "Press start", "The dish is weighed"."""
    return not directs(sentence, language) and (passive_act(sentence) or opens_with_verb(sentence))


def _headed(page: MarkdownPage, texts: list[MarkdownBlock], name: str) -> Headed:
    lone = [block for block in texts if block.kind == "paragraph" and block.bold and not kind_of(block.source)]
    top = min(page.headings or lone, key=lambda heading: heading.level, default=None)
    title = top.text if top else re.sub(r"[-_]", " ", name.rsplit(".", 1)[0])
    heads = [block.text for block in [*page.headings, *lone] if block.text != title]
    acting = (head for head in heads if announces(head) == "acts" and _is_task(head))
    leads = (lead for lead in [*heads, *_leads(texts)] if _REPORTS.search(lead) and announces(lead) != "acts")
    return Headed(title, tuple(acting), tuple(leads))


def _counted(page: MarkdownPage, texts: list[MarkdownBlock], prose: str, language: str) -> Counted:
    source = "\n".join(block.source or block.text for block in texts)
    return Counted(
        word_count=len(re.findall(r"\w+", prose)),
        commands=_commands(page, language),
        warnings=sum(1 for block in texts if kind_of(block.source)),
        dates=len(_DATE.findall(prose)) + len(_CLOCK.findall(prose)),
        versions=len(_VERSION.findall(prose)),
        links=len(_LINK.findall(source)),
    )


def _sentences(block: MarkdownBlock) -> list[str]:
    if block.rows:
        cells = (cell for row in block.rows for cell in row if len(cell.split()) > 3)
        unnumbered = (entry.rest if (entry := labelled(cell)) else cell for cell in cells)
        return [sentence for cell in unnumbered for sentence in sentences(cell, WITH_COLONS)]
    return sentences(block.text, WITH_COLONS)


def _numbered_cells(block: MarkdownBlock) -> Iterator[LabelledLine]:
    """Cells such as `2. Dilute 1:10`, and the cells beside a number of their own column."""
    for row in block.rows:
        for column, cell in enumerate(row):
            entry = labelled(cell)
            if entry and entry.label and entry.rest:
                yield entry
            elif column and row[column - 1].strip("().").isdigit() and len(cell.split()) > 2:
                yield LabelledLine(row[column - 1], cell)


def _is_task(heading: str) -> bool:
    return role(heading) == "inner" or (role(heading) == "named" and names_task(heading))


def _leads(blocks: list[MarkdownBlock]) -> Iterator[str]:
    """The bold words that open a paragraph or item and act as its heading."""
    for block in blocks:
        match = re.match(r"\s*(?:\*\*|__)([^*_\n]{2,60})(?:\*\*|__)", block.source)
        if match:
            yield plain(match[1])


def _commands(page: MarkdownPage, language: str) -> int:
    count = 0
    before = ""
    for block in page.blocks:
        if block.kind == "code":
            last = (sentences(before, WITH_COLONS) or [""])[-1]
            count += bool(_PROMPT.search(block.text)) or directs(last, language)
        before = block.text
    return count
