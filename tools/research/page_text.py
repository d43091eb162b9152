"""Tells the content of a page from its furniture and from text that is addressed to a language model."""

import re

from soprag.tools.markdown.page import read
from soprag.tools.sop import Span

_FOOT = 12  # words of a last paragraph that may be the foot of the page
_LINK = re.compile(r"\]\(")
_ENDS = re.compile(r"[.!?:;)\]]\W*$")

# Prompt injection: text addressed to a language model; such lines are dropped.
_TO_MACHINES = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|prompts?|rules|above|previous)\b|"
    r"\b(?:system prompt|language model|you are (?:now )?an? (?:ai|assistant)|as an ai|jailbreak|chatgpt)\b",
    re.IGNORECASE,
)
_FURNITURE = re.compile(
    r"\b(?:cookies?|privacy policy|terms of (?:use|service)|all rights reserved|sign (?:in|up) (?:for|to)|subscribe|"
    r"newsletter|add to cart|share (?:this|on)|click here|read more|skip to)\b",
    re.IGNORECASE,
)


def addresses_machine(text: str) -> bool:
    """Whether the text gives orders to a language model."""
    return bool(_TO_MACHINES.search(text))


def is_furniture(text: str) -> bool:
    """Whether the text belongs to the page around its content: cookies, newsletters, sign-in."""
    return bool(_FURNITURE.search(text))


def content(markdown: str) -> Span:
    """The lines of a web page from its title on, without a foot: a last paragraph of links, or of words in no sentence.

    Above a title of the first level stand the ways to other pages and notices of the site.
    """
    page = read(markdown)
    start = next((heading.lines.start for heading in page.headings if heading.level == 1), 1)
    last = page.blocks[-1] if page.blocks else None
    foot = last is not None and last.kind == "paragraph" and last.lines.start > start and _is_foot(last.source)
    return Span(start=start, end=max(start, last.lines.start - 1) if last and foot else max(start, len(page.lines)))


def _is_foot(paragraph: str) -> bool:
    """Whether a last paragraph is the foot of a page."""
    few = len(paragraph.split()) <= _FOOT
    return paragraph.lstrip().startswith("©") or (few and bool(_LINK.search(paragraph) or not _ENDS.search(paragraph)))
