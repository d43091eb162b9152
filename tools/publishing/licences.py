"""Under which licence a document says that it stands: SPDX ids where it names one, its own words otherwise.

Looked at are what the collector found (a link of the page, the library's own licence), the front matter, SPDX tags, the
first and last lines of the text, and LICENSE files among the documents, which hold for their folder and those below it.
A licence that a procedure mentions in its middle is not its own.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

from soprag.tools.sop import Document, Frozen

NOT_STATED = "not stated"

_HEAD, _FOOT = 12, 15  # lines with text
_LICENCE_FILE = re.compile(r"(?i)(?:licen[cs]e|copying|unlicense)(?:[.-](?:md|txt|rst|html))*")
_FRONT_MATTER = re.compile(r"\A---\n(.*?)\n(?:---|\.\.\.)\s*\n", re.DOTALL)
_FIELD = re.compile(r"(?im)^(?:licen[cs]e|rights)\s*:\s*[\"']?([^\"'\n]+)")
_TAG = re.compile(r"SPDX-License-Identifier:\s*([\w.+-]+(?:\s+(?:AND|OR|WITH)\s+[\w.+-]+)*)")
_CREATIVE = re.compile(
    r"(?i)creativecommons\.org/licenses/(by(?:-nc)?(?:-nd|-sa)?)/(\d\.\d)"
    r"|\bCC[ -](BY(?:-NC)?(?:-ND|-SA)?)[ -]v?(\d\.\d)\b"
)
_CREATIVE_WORDS = re.compile(
    r"(?i)creative commons attribution((?:[ -]+(?:non-?commercial|no-?derivatives|no-?derivs|share-?alike))*)"
    r"(?:\s+(?:international|generic|unported))?(?:\s+licen[cs]e)?,?\s+(?:version\s+)?(\d\.\d)"
)
_NAMES: tuple[tuple[str, str], ...] = (
    (r"creativecommons\.org/publicdomain/zero|\bCC0\b", "CC0-1.0"),
    (r"Apache(?: Software)? Licen[cs]e,? (?:Version |v)?2(?:\.0)?|apache\.org/licenses/LICENSE-2", "Apache-2.0"),
    (r"\b(?:the )?MIT Licen[cs]e|Permission is hereby granted, free of charge", "MIT"),
    (r"Mozilla Public Licen[cs]e,? (?:Version |v)?2", "MPL-2.0"),
    (r"GNU Affero General Public Licen[cs]e\D{0,30}3", "AGPL-3.0-only"),
    (r"GNU Lesser General Public Licen[cs]e\D{0,30}3", "LGPL-3.0-only"),
    (r"GNU General Public Licen[cs]e\D{0,30}3|\bGPL ?v3", "GPL-3.0-only"),
    (r"GNU General Public Licen[cs]e\D{0,30}2|\bGPL ?v2", "GPL-2.0-only"),
    (r"GNU Free Documentation Licen[cs]e\D{0,30}1\.3", "GFDL-1.3-only"),
    (r"BSD[ -]3[ -]Clause|Redistributions? of source code must retain[\s\S]{0,800}Neither the name", "BSD-3-Clause"),
    (r"BSD[ -]2[ -]Clause", "BSD-2-Clause"),
    (r"Open Government Licen[cs]e v?3\.0", "OGL-UK-3.0"),
    (r"\b(?:in|into|to) the public domain\b|\bwork of the (?:U\.?S\.?|United States) government\b", "public domain"),
    (r"\ball rights reserved\b", "all rights reserved"),
)
_ANYWHERE = re.compile(
    r"(?i)licen[cs]|copyright|©|\(c\)|public domain|rights reserved|creativecommons|\bcc[ -]by|\bcc0\b"
)
_CLAUSES = (("non", "NC"), ("no-?deriv", "ND"), ("share", "SA"))


class StatedLicence(Frozen):
    """A licence and where it is stated; `not stated` with an empty place where none is."""

    licence: str
    place: str = ""


def licence_of(document: Document, markdown: str, files: Iterable[tuple[str, str]]) -> StatedLicence:
    """The licence of a document.

    `files` are the locations and licences of the LICENSE files among the documents (`licence_files`); the nearest of
    those above the document holds.
    """
    found = document.provenance.licence
    if found:
        return StatedLicence(licence=named_licence(found) or found, place="the source")
    for place, text in _places(markdown):
        licence = named_licence(text)
        if licence:
            return StatedLicence(licence=licence, place=place)
    above = [(location, licence) for location, licence in files if _covers(location, document.provenance.location)]
    if above:
        location, licence = max(above, key=lambda file: len(PurePosixPath(file[0]).parts))
        return StatedLicence(licence=licence, place=location)
    return StatedLicence(licence=NOT_STATED)


def licence_files(texts: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """(location, licence) of the LICENSE files among documents, which are given as (location, text)."""
    files = ((location, text) for location, text in texts if _LICENCE_FILE.fullmatch(PurePosixPath(location).name))
    named = ((location, named_licence(text)) for location, text in files)
    return [(location, licence) for location, licence in named if licence]


def named_licence(text: str) -> str:
    """The licence that a text names, as an SPDX id where it has one; empty when none is recognised."""
    tag = _TAG.search(text)
    expression = _canonical(tag[1] if tag else text.strip())
    if expression:
        return expression
    creative = _CREATIVE.search(text)
    if creative:
        kind, version = (creative[1], creative[2]) if creative[1] else (creative[3], creative[4])
        return f"CC-{kind.upper()}-{version}"
    words = _CREATIVE_WORDS.search(text)
    if words:
        clauses = "".join(f"-{sign}" for clause, sign in _CLAUSES if re.search(clause, words[1], re.IGNORECASE))
        return f"CC-BY{clauses}-{words[2]}"
    return next((name for pattern, name in _NAMES if re.search(pattern, text, re.IGNORECASE)), "")


def _canonical(text: str) -> str:
    try:
        return str(canonicalize_license_expression(text)) if text and len(text.split()) <= 7 else ""
    except InvalidLicenseExpression:
        return ""


def _places(markdown: str) -> Iterator[tuple[str, str]]:
    """Where a document states its own licence, the most explicit place first."""
    matter = _FRONT_MATTER.match(markdown)
    field = _FIELD.search(matter[1]) if matter else None
    if field:
        yield "front matter", field[1].strip()
    tag = _TAG.search(markdown)
    if tag:
        yield "SPDX tag", tag[0]
    lines = [line for line in markdown.splitlines() if line.strip()]
    for place, part in (("header", lines[:_HEAD]), ("footer", lines[-_FOOT:])):
        yield place, "\n".join(line for line in part if _ANYWHERE.search(line))


def _covers(file: str, location: str) -> bool:
    return PurePosixPath(location).is_relative_to(PurePosixPath(file).parent)
