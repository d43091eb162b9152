"""Splits a document into its atomic procedures: independent ones by evidence, then collections. See docs/rules.md."""

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from soprag.tools.markdown.inline import plain
from soprag.tools.markdown.page import MarkdownBlock, MarkdownPage, read
from soprag.tools.procedure.blocks import heading_kinds
from soprag.tools.procedure.filtering.heading_tree import Title, adopt, outline
from soprag.tools.procedure.spans import complete
from soprag.tools.procedure.wording.safety_labels import kind_of
from soprag.tools.procedure.wording.verbs import opens_with_verb
from soprag.tools.segmentation.boundary_model import BoundaryModel
from soprag.tools.segmentation.independent import independent_starts
from soprag.tools.segmentation.series import series_starts
from soprag.tools.segmentation.title_lines import TitleLine, first_line, title_lines
from soprag.tools.segmentation.titles import best_title, opening_titles, recurs
from soprag.tools.tasks.benchmark import MarkdownAsk, Preamble, SopPart, Split
from soprag.tools.text.language import detect

_CONTAINER = re.compile(
    r"\b(?:manual|procedures|handbook|sops|runbooks|playbooks|checklists|cards|instructions|collection|compendium|"
    r"routines|handbuch|verfahren|anweisungen|manuel|procédures|procedimientos|manuale|手册|要領)\b",
    re.IGNORECASE,
)
_FOR_ALL = re.compile(
    r"\b(?:(?:appl(?:y|ies)|valid|common|rules|requirements|warnings|terms) (?:to|for|in) (?:all|both|every|each)\b|"
    r"for (?:all|both|every|each(?: of)?) (?:the )?(?:following )?"
    r"(?:procedures?|sections?|tasks?|services?|cards?|chapters?)|"
    r"(?:procedures|sections|cards|tasks) (?:in|of) this (?:document|manual|handbook|collection|set)|"
    r"(?:holds|contains|collects|has) (?:all |the |all the |several )?(?:procedures|methods|playbooks|checklists)\b)",
    re.IGNORECASE,
)
_FOR_ALL_TITLE = re.compile(
    r"\b(?:general|safety|warnings?|precautions?|definitions?|terms|common|read this first|rules|about)\b",
    re.IGNORECASE,
)
_PART = re.compile(r"\W*(?:part|teil|partie|parte)\b", re.IGNORECASE)  # of one thing, unlike a chapter or a card
_LABEL = re.compile(r"([A-Z][\w ]{2,30}):\s+\S")
_DEEPEST = 4  # levels of headings that are searched for procedures
_ENOUGH = 3  # evidence that a title collects procedures, see `_collects`
_FEWEST_ORDERS = 2
_COVERED = 0.5  # share of the words of a title that come again after the section that it opens
_MOST = 0.6  # share of the instructions that the procedures of a collection must hold


@dataclass(frozen=True)
class _Head:
    """Where a procedure begins, the last line it may reach, and its title."""

    title: str
    start: int
    end: int


def split(ask: MarkdownAsk, model: BoundaryModel | None = None) -> Split:
    """The atomic procedures of one document, each line in exactly one of them or in the shared preamble.

    `model` judges where independent ones begin; by default the one that ships.
    """
    page = read(ask.markdown)
    titles = outline(page, detect(ask.markdown))
    heads, shared = _heads(page, titles, model)
    if len(heads) < 2:
        return Split(parts=[SopPart(title=_title(page, titles, ask.name), start=1, end=len(page.lines))])
    parts = [SopPart(title=head.title or "Untitled", start=head.start, end=head.end) for head in heads]
    return complete(Split(parts=parts, shared=shared), page.lines)


def _heads(page: MarkdownPage, titles: list[Title], model: BoundaryModel | None) -> tuple[list[_Head], list[Preamble]]:
    """The procedures in order, fewer than two when the document is one, and what all of them share."""
    coded = [title for root in titles for title in root.walk() if heading_kinds.numbered_document(title.text)]
    numbered = len({title.text for title in coded}) > 1 and len({title.level for title in coded}) == 1
    starts = [] if numbered else independent_starts(page, model) or series_starts(page)
    if starts:
        return [head for span in _spans(page, starts) for head in _inside(page, titles, span)], []
    chosen = coded if numbered else _collected(page, titles)
    shared = [Preamble(start=title.start, end=title.end) for title in _between(titles, chosen)]
    return [_head(page, title) for title in chosen], shared


def _spans(page: MarkdownPage, starts: list[TitleLine]) -> list[_Head]:
    """The independent procedures, each with the banners above its title; the first one begins with the text."""
    titles = title_lines(page)
    begins = sorted({1, *(opening_titles(page, titles, start)[0].begin for start in starts)})
    ends = [begin - 1 for begin in begins[1:]] + [len(page.lines)]
    return [_Head(best_title(page, titles, begin, end), begin, end) for begin, end in zip(begins, ends, strict=True)]


def _inside(page: MarkdownPage, titles: list[Title], span: _Head) -> list[_Head]:
    """The procedures of a collection that stands among independent documents, from its first line; else `span`."""
    within = [root for root in titles if span.start <= root.start <= span.end]
    procedures = [title for title in _collected(page, within) if title.start <= span.end]
    if len(procedures) < 2:
        return [span]
    first, *others = (_head(page, title) for title in procedures)
    return [replace(first, start=span.start), *others]


def _head(page: MarkdownPage, title: Title) -> _Head:
    return _Head(heading_kinds.name(title.text), first_line(page.lines, title.start), title.end)


def _title(page: MarkdownPage, titles: list[Title], name: str) -> str:
    """The title of a document that is one procedure, else a title from its file name."""
    groups = [title for title in adopt(titles) if title.blocks]
    top = groups[0] if groups else None
    covers = top and (len(groups) == 1 or recurs(page, top.text, groups[1].start + 1, len(page.lines)) >= _COVERED)
    if top and covers and top.level == 1 and top.role == "named" and not heading_kinds.number(top.text):
        return top.text
    first = next((block for block in page.blocks if block.kind in ("paragraph", "heading")), None)
    if first and (first.bold or (first.kind == "heading" and len(titles) == 1)) and _names(first):
        return first.text
    stem = re.sub(r"[_\s]+|(?<=\w)-(?=\w)", " ", name.rsplit(".", 1)[0]).strip()
    return stem or (top.text if top else "") or "Untitled"


def _names(block: MarkdownBlock) -> bool:
    is_named = heading_kinds.role(block.text) == "named" and not heading_kinds.number(block.text)
    return is_named and kind_of(block.source) is None


def _collected(page: MarkdownPage, titles: list[Title]) -> list[Title]:
    """The procedures of a document that collects several; empty when it is one procedure."""
    groups = [group for group in adopt(titles) if group.blocks]
    collector = groups[0] if len(groups) == 1 else _around(page, groups)
    return _nested(page, collector) if collector else []


def _around(page: MarkdownPage, groups: list[Title]) -> Title | None:
    """An artificial title above all `groups`, for a document whose chapters are top-level headings."""
    if not groups:
        return None
    blocks = tuple(block for group in groups for block in group.blocks)
    return Title("", 0, groups[0].start, groups[-1].end, groups[0].language, blocks, groups)


def _nested(page: MarkdownPage, collector: Title, depth: int = 1) -> list[Title]:
    """The procedures under a collection title such as a manual's; empty when the title is one procedure itself."""
    groups = adopt(collector.children)
    procedures = [group for group in groups if _is_procedure(group)]
    if len(procedures) > 1 and _collects(page, collector, procedures) >= _ENOUGH:
        kin = [group for group in groups if _is_procedure(group) or _kin(group, procedures)]
        share = sum(title.orders for title in kin) / max(collector.orders, 1)
        return kin if share >= _MOST else []
    if depth == _DEEPEST:
        return []
    return [head for group in groups for head in _nested(page, group, depth + 1)]


def _collects(page: MarkdownPage, collector: Title, procedures: list[Title]) -> int:
    """Points of evidence that `collector` is a collection of `procedures` and not a procedure itself."""
    introduction = "\n".join(page.lines[collector.start - 1 : procedures[0].start - 1])
    tasks = all(_names_task(procedure.text) for procedure in procedures)
    named = [group for group in adopt(collector.children) if group.role == "named"]
    formed = any(procedure.formed for procedure in procedures)
    inner_sections = [
        t
        for t in collector.children
        if t.start > procedures[0].start and heading_kinds.role(t.text) == "inner" and t.role != "named"
    ]
    return (
        2 * bool(_FOR_ALL.search(introduction))
        + bool(_CONTAINER.search(collector.text))
        + 2 * (sum(1 for procedure in procedures if procedure.forms > 1) > len(procedures) / 2)
        + _alike(procedures)
        + 3 * _opened_alike(page, procedures)
        - 2 * all(_PART.match(procedure.text) for procedure in procedures)
        + tasks * (3 if not collector.text and set(map(id, named)) <= set(map(id, procedures)) else 1)
        - 2 * (formed and bool(inner_sections) and any(section.children for section in collector.children))
    )


def _opened_alike(page: MarkdownPage, procedures: list[Title]) -> bool:
    """Whether every procedure opens with the same part of a form (Scope: ...) and numbers its steps anew."""
    labels: set[str] = set()
    for procedure in procedures:
        opening = next((line for line in page.lines[procedure.start : procedure.end] if line.strip()), "")
        label = _LABEL.match(plain(opening))
        labels.add(label[1].casefold() if label and heading_kinds.role(label[1]) == "opening" else "")
    return len(labels) == 1 and "" not in labels and all(procedure.restarts for procedure in procedures)


def _names_task(text: str) -> bool:
    words = heading_kinds.name(text)
    return heading_kinds.names_task(text) or (" " in words and opens_with_verb(words))


def _kin(title: Title, procedures: list[Title]) -> bool:
    """Whether `title` follows the pattern of its sibling procedures although it lacks their evidence."""
    if title.role != "named" or not title.orders or _FOR_ALL_TITLE.search(title.text):
        return False
    if all(heading_kinds.ordinal(procedure.text) for procedure in procedures):
        return heading_kinds.ordinal(title.text)
    counted = all(heading_kinds.number(procedure.text) for procedure in procedures)
    return (
        bool(heading_kinds.number(title.text)) and heading_kinds.names_task(title.text)
        if counted
        else _alike([procedures[0], title])
    )


def _alike(titles: list[Title]) -> bool:
    """Whether the titles share a pattern: all with a code, all counted as chapters, or differing in few words."""
    texts = [heading_kinds.name(title.text) for title in titles]
    if all(heading_kinds.identified(text) for text in texts) or all(
        heading_kinds.ordinal(title.text) for title in titles
    ):
        return True
    word_sets = [set(re.findall(r"\w{2,}", text.casefold())) for text in texts]
    return all(len(a & b) >= max(2, len(a | b) // 2) for a, b in pairwise(word_sets))


def _is_procedure(title: Title) -> bool:
    """Whether the section under `title` is a procedure of its own."""
    if title.role != "named" or _FOR_ALL_TITLE.search(title.text):
        return False
    self_contained = title.restarts or title.forms > 0 or heading_kinds.identified(title.text)
    return self_contained and title.orders >= _FEWEST_ORDERS


def _between(titles: list[Title], heads: list[Title]) -> list[Title]:
    """Sections between the procedures that apply to all of them, such as General safety."""
    if not heads:
        return []
    taken = {head.start for head in heads}
    beside = [title for root in titles for title in root.walk() if title.level == heads[0].level]
    return [t for t in beside if t.start not in taken and t.start > heads[0].start and _FOR_ALL.search(t.text)]
