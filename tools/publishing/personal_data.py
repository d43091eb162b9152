"""Personal data in procedures and questions: found by form, counted, and masked where that is asked for.

Found are e-mail addresses, phone numbers in international form or behind a word such as `Phone:`, and names behind a
word such as `Contact:` or `Author:`. A name elsewhere in a sentence is not found.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Literal

PersonalKind = Literal["e-mail", "phone", "name"]

_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}(?![\w-])")
_LOGIN = re.compile(r"\b(?:ssh|scp|sftp|rsync|git)\b[^\n]*$")  # what follows on the line is an account on a host
_NUMBER = r"(?:\(\d{1,5}\)[ ./-]?)?\d(?:[ ./-]{0,2}\(?\d\)?){5,13}"
_PHONE = re.compile(
    rf"(?<![\w+.])(?:\+{_NUMBER})"
    rf"|(?i:\b(?:phone|telephone|tel|mobile|cell|fax|pager|call)\b[*_]*[.:]{{1,2}}[*_ ]*)(?P<number>\+?{_NUMBER})"
    r"|(?<![\w.-])(?:\(\d{3}\) ?|\d{3}-)\d{3}-\d{4}(?![\w-])"
)
_PERSON = re.compile(
    r"(?m)(?:\b|^)(?i:contact(?: person)?|author|owner|prepared by|written by|approved by|reviewed by|point of contact|"
    r"attn|attention|name)[*_]{0,2}:[*_]{0,2}[ \t]*"
    r"(?P<name>(?:(?i:mr|mrs|ms|dr|prof)\.? )?[A-Z][a-zà-ÿ'’-]+(?: [A-Z]\.)?(?: (?:van|von|de|der|da|di|la))*"
    r" [A-ZÀ-Ý][\wà-ÿ'’-]+)(?=[ \t]*(?:[,;(<|*_.]|$|\n))"
)
_JOBS = re.compile(
    r"(?i)\b(?:team|manager|engineer|operator|supervisor|department|office|officer|desk|centre|center|control|room|person|"
    r"lead|leader|technician|shift|duty|service|support|group|committee|director|safety|security|head|coordinator|staff)s?\b"
)


def find_personal(text: str) -> Iterator[tuple[PersonalKind, int, int]]:
    """The kind and the range of characters of each piece of personal data, in order and without overlap."""
    pieces: list[tuple[int, int, PersonalKind]] = [
        (*match.span(), "e-mail")
        for match in _MAIL.finditer(text)
        if not _LOGIN.search(text[: match.start()], text.rfind("\n", 0, match.start()) + 1)
    ]
    for match in _PHONE.finditer(text):
        pieces.append((*match.span("number" if match["number"] else 0), "phone"))
    pieces += [(*match.span("name"), "name") for match in _PERSON.finditer(text) if not _JOBS.search(match["name"])]
    end = 0
    for start, stop, kind in sorted(pieces):
        if start >= end:
            yield kind, start, stop
            end = stop


def count_personal(text: str) -> Counter[PersonalKind]:
    """How many pieces of each kind a text holds."""
    return Counter(kind for kind, _, _ in find_personal(text))


def mask_personal(text: str, context: str = "") -> str:
    """The text with each piece replaced by its kind in brackets, such as `[e-mail]`.

    What is found in `context`, the procedure around the text, is masked here too: a name stands behind `Contact:` once.
    """
    known = {whole[start:stop]: kind for whole in (context, text) for kind, start, stop in find_personal(whole)}
    if not known:
        return text
    values = "|".join(re.escape(value) for value in sorted(known, key=len, reverse=True))
    return re.sub(rf"(?<!\w)(?:{values})(?!\w)", lambda match: f"[{known[match[0]]}]", text)
