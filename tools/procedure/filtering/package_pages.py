"""Evidence that a document is a page of a software package: a README, a licence text or a change log.

Such pages give instructions and commands like procedures do. What tells them apart is the genre: headings such as
Installation and License, legal terms, program text and badges.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from soprag.tools.markdown.page import MarkdownPage

_HEADING = re.compile(
    r"^\W*(?:install(?:ation|ing)?\b.*|(?:basic |quick |example )?usage\b.*|quick ?start.*|getting started.*|"
    r"licen[sc](?:e|ing)\b.*|contribut(?:e|ing|ions?|ors?)\b.*|credits?|authors?|maintainers?|acknowledge?ments?|"
    r"citations?|citing.*|badges?|(?:key |main )?features.*|api\b.*|documentation|docs|develop(?:ment|ing).*|"
    r"examples?|demos?|support|sponsors?.*|community|change ?log.*|release notes.*|requirements|dependencies|"
    r"supported (?:versions|platforms|python).*|security(?: policy)?|benchmarks?|performance|roadmap|links|"
    r"copyright.*|downloads?|compatibility|alternatives|motivation|why\b.*|faq|(?:running (?:the )?)?tests?|testing|"
    r"bugs?(?: reports?)?|(?:getting )?help|packaging)\W*$|"
    # a release with its date, and not the number of a section
    r"^\W*(?:(?:version|release) )?v?\d+(?:\.\d+)+\w*\]?\s*(?:[-–—:,]\s*)?"
    r"\(?(?:\d{4}-\d\d|unreleased\b|[A-Z][a-z]{2,8} \d)",
    re.IGNORECASE,
)
_LEGAL = re.compile(
    r"\b(?:licen[sc](?:e[ds]?|ing|ors?|ees?)|warrant(?:y|ies)|copyright\w*|hereby|herein|thereof|liab(?:le|ility)|"
    r"redistribut\w+|sublicen\w+|merchantab\w+|infring\w+|patents?|derivative works?|royalt\w+|pursuant|"
    r"notwithstanding|indemni\w+|trademarks?|free software|public domain)\b",
    re.IGNORECASE,
)
_PROGRAM = re.compile(
    r"^\s*(?:(?:from [\w.]+ )?import [\w.{*]|def \w+\(|class \w+[(:]|async def|@\w+|const |let |var |function |"
    r"return\b|print\(|>>> |#include|use \w+::|"
    r"for \w+ in .*:$|if .*:$|with .* as \w+:|assert |[\w.\[\]'\"]+\s*=\s*[^=]|"
    r"[\w.]+\(.*\)\s*$|[{}\])]+,?;?$)"
)
_INSTALL = re.compile(
    r"\b(?:pip3?|pipx|uv|poetry|conda|mamba|npm|yarn|pnpm|cargo|go|gem|brew) (?:install|add|get|i)\b|"
    r"\bPyPI\b|\bpython setup\.py\b",
    re.IGNORECASE,
)
_BADGE = re.compile(r"\[!\[|shields\.io|\.\. image::|\bbadge\b", re.IGNORECASE)
# References of change logs: issues, changes, vulnerabilities, authors with their address, releases.
_CHANGE = re.compile(
    r"(?<!\w)#\d{2,6}\b|\b(?:bpo|gh|issue|bug|pr)[-\s]?#?\d{2,7}\b|\bCVE-\d{4}-\d+|<\S+@\S+\.\w+>|"
    r"\b(?:released? (?:on|date)|release candidate|backport\w*)\b|"
    r"^\W*(?:version |release |v)\d+(?:\.\d+)+\b|^\W*\d+(?:\.\d+)+\s*(?:[-–—:,]\s*)?\(?\d{4}-\d\d",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True)
class PackagePage:
    """Counts of what is typical of the pages of a software package."""

    headings: tuple[str, ...]  # such as Installation, License, "1.4.2 (2024-05-01)"
    legal: tuple[str, ...]  # legal terms, one entry per occurrence
    program_lines: int  # lines of program text in code blocks; shell commands are not counted
    installs: int  # installations by a package manager
    badges: int
    changes: int  # references to issues, releases and authors, as in change logs


def package_page(page: MarkdownPage, prose: str, source: str) -> PackagePage:
    """The counts for `page`, with the plain words `prose` and the Markdown `source` of its text."""
    return PackagePage(
        headings=tuple(heading.text for heading in page.headings if _HEADING.match(heading.text)),
        legal=tuple(_LEGAL.findall(prose)),
        program_lines=sum(1 for line in _code_lines(page) if _PROGRAM.match(line)),
        installs=len(_INSTALL.findall(source)),
        badges=len(_BADGE.findall(source)),
        changes=len(_CHANGE.findall(source)),
    )


def _code_lines(page: MarkdownPage) -> Iterable[str]:
    return (line for block in page.blocks if block.kind == "code" for line in block.text.splitlines())
