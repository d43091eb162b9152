"""Where one procedure of a document ends and the next begins: decided on its headings."""

import re

from tools.llm.tasks.benchmark import MarkdownAsk, Part, Preamble, Split
from tools.rules.inline import plain
from tools.rules.language import detect
from tools.rules.markdown import Page, read
from tools.rules.spans import complete
from tools.rules.titles import Title, adopt, outline

_CONTAINER = re.compile(
    r"\b(?:manual|procedures|handbook|sops|runbooks|playbooks|checklists|instructions|collection|compendium|routines|"
    r"handbuch|verfahren|anweisungen|manuel|procédures|procedimientos|manuale|手册|要領)\b",
    re.IGNORECASE,
)
_FOR_ALL = re.compile(r"\b(?:general|safety|warnings?|precautions?|definitions?|terms|common)\b", re.IGNORECASE)
# Comments, anchors and directives just above a heading were written for what follows.
_LEFTOVER = re.compile(r"\s*(?:$|<!--.*-->\s*$|<a\b[^>]*>\s*(?:</a>)?\s*$|\.\. .*|\[//\]:.*|\{#[^}]*\}\s*$)")
_DEEPEST = 4  # levels of headings that are searched for procedures
_TOP_POINTS, _INNER_POINTS = 1, 4  # see `_points`


def split(ask: MarkdownAsk) -> Split:
    """The atomic procedures of one document, each line in exactly one of them or in the shared preamble."""
    page = read(ask.markdown)
    titles = outline(page)
    heads = _heads(titles, detect(ask.markdown))
    if len(heads) < 2:
        name = titles[0].text if titles else ask.name.rsplit(".", 1)[0]
        return Split(parts=[Part(title=name or "Untitled", start=1, end=len(page.lines))])
    parts = [Part(title=head.text or "Untitled", start=_begin(page, head), end=head.end) for head in heads]
    shared = [Preamble(start=title.start, end=title.end) for title in _between(titles, heads)]
    return complete(Split(parts=parts, shared=shared), page.lines)


def _heads(titles: list[Title], language: str) -> list[Title]:
    """The titles that each begin a procedure, in order; fewer than two when the document is one procedure."""
    coded = [title for root in titles for title in root.walk() if title.coded]
    if len({title.text for title in coded}) > 1 and len({title.level for title in coded}) == 1:
        return coded
    groups = adopt(titles)
    points = _TOP_POINTS if _separate(groups) else _INNER_POINTS
    found = [group for group in groups if group.role == "named" and _points(group, language) >= points]
    if len(found) > 1:
        return [head for group in found for head in (_nested(group, language) or [group])]
    return [head for group in groups for head in _nested(group, language)]


def _nested(title: Title, language: str, depth: int = 1) -> list[Title]:
    """The procedures under a title that only collects them, like a manual's; empty when it is one procedure itself."""
    groups = adopt(title.under)
    extra = bool(_CONTAINER.search(title.text))
    found = [g for g in groups if g.role == "named" and _shaped(g) and _points(g, language) + extra >= _INNER_POINTS]
    if len(found) > 1:
        return found
    return [head for group in groups for head in _nested(group, language, depth + 1)] if depth < _DEEPEST else []


def _separate(groups: list[Title]) -> bool:
    """Are several highest headings separate documents, rather than the numbered chapters of one?"""
    numbers = [group.number for group in groups if group.number]
    return len(numbers) < 2 or len(set(numbers)) < len(numbers)


def _shaped(title: Title) -> bool:
    return title.coded or title.forms > 1


def _points(title: Title, language: str) -> int:
    """How much a title and what stands under it look like a procedure of its own."""
    points = 2 * title.coded + 2 * (title.forms > 1) + title.restarts + title.warns
    orders = title.orders(language)
    return points + (orders > 0) + (orders > 2)


def _begin(page: Page, head: Title) -> int:
    """The first line that belongs to `head`: its own, or that of the comments and anchors just above it."""
    begin = line = head.start
    while line > 1 and _LEFTOVER.match(page.lines[line - 2]):
        line -= 1
        if page.lines[line - 1].strip():
            begin = line
    return begin


def _between(titles: list[Title], heads: list[Title]) -> list[Title]:
    """Sections beside the procedures that concern all of them, such as General safety."""
    level = heads[0].level
    taken = {head.start for head in heads}
    return [
        t
        for root in titles
        for t in root.walk()
        if t.level == level and t.start not in taken and _FOR_ALL.search(plain(t.text))
    ]
