"""Warnings as documents write them: boxes, admonitions, bold words, inside a line, and prohibitions on their own."""

import re

from soprag.tools.procedure.wording.verbs import directs

_KIND = r"(?:danger|warning|caution|attention|hazard|achtung|warnung|vorsicht|gefahr)"
_NAMED = rf"(?:important |general )?{_KIND}s?"
_COUNT = r" (?:no\. ?|#)?\d{1,2}"  # of several: "CAUTION #2:"
_MARKED = re.compile(
    rf"^[\W_]*(?P<kind>{_NAMED}|important(?: note)?|safety(?: note)?|note|notice)\b"
    rf"(?:{_COUNT}(?=\W))?(?P<mark>\s*[:!.\]–—-]|\s*\*\*|\s|$)",
    re.IGNORECASE,
)
_SHOUTED = re.compile(r"(?P<kind>\b(?:DANGER|WARNING|CAUTION)\b[!:]?|\(!\)(?=\s))")
_REMARK = re.compile(
    r"(?:[.;,?!(–—]|\s-)\s*(?P<words>(?:caution|warning|danger)\s*(?:[,:;!–—]|\s-)\s+[^.;!)]+[.;!)]?)", re.IGNORECASE
)
_OBLIGES = re.compile(
    r"\b(?:must|never|do not|don'?t|shall|not allowed|forbidden|prohibited|only\b.*\bmay|may only|may not|"
    r"mandatory|at most|no (?:\w+ ){1,3}(?:may|must|can)|(?:is|are) required to|"
    r"(?:needs?|has|have|ought) to be|should be|data loss|irreversible|cannot be (?:undone|reversed|reduced|restored)|"
    r"no more than|should not|be careful|avoid|make sure|always)\b",
    re.IGNORECASE,
)
_NOBODY = (
    r"(?:nobody|no one|no person|no-one)\s+(?:may|must|goes (?:near|under|in|into|between|behind)|"
    r"(?!(?:is|was|has|knows|needs|goes)\b)[a-z]+s)"
)
_PROHIBITION = re.compile(
    r"^\W*(?:never|do not|don'?t|under no circumstances|it is (?:forbidden|prohibited)|"
    rf"{_NOBODY})\b",
    re.IGNORECASE,
)
_STOPS = re.compile(r"^\W*STOP\W*[.!]\W*")  # "STOP! No person enters the chamber while rock is held between the jaws."
# What is worn or locked, and what is dangerous for whom, in a sentence of its own.
_GUARDS = re.compile(
    r"^\W*danger (?:for|of|to)\b|\b(?:extreme|great|utmost) (?:caution|care)\b|"
    r"\b(?:(?:hearing|eye|face|respiratory|fall) protection|lock-?out)\b[^.]*"
    r"\b(?:required|mandatory|must|applies|obligatory)\b",
    re.IGNORECASE,
)
_SHOUTS = re.compile(r"^\W*!{2}")
_FEWEST_SHOUTED = 6  # words in capitals that are a warning and no heading
_CLASS = re.compile(
    r"<\w+[^>]*(?:class=[\"'][^\"']*\b(?:danger|warn(?:ing)?|caution|hazard|alert|important|admonition)\b|"
    r"style=[\"'][^\"']*\bborder[^\"';]*\bred\b)",
    re.IGNORECASE,
)
_SIGN = re.compile(r"^[\W_]*?[\u26a0\u2620\u2622\u2623\u26a1\u26d4\U0001f6d1]")
# "Explosion hazard. Zone 1 ...", "Infection risk. Flasks may hold ..."
_HAZARD = re.compile(r"^[\W_]*(?:[A-Z][\w-]*\s){1,2}(?:hazard|risk|danger)s?[*_]*\s*[.!:–—-][*_]*\s+(?:\S+\s+){3}")
_ABSOLUTE = re.compile(
    rf"(?:^|[.!:]\s+)(?:never|under no circumstances|{_NOBODY})\b",
    re.IGNORECASE,
)
_BARE = re.compile(
    rf"^[\W_]*(?:{_NAMED}|important|important note|note|notice|tip|hint|info)(?:{_COUNT})?[\W_]*$",
    re.IGNORECASE,
)


def warns(raw: str, boxed: bool, background: bool = False) -> bool:
    """Whether a line of text opens a warning; `raw` is plain text, `boxed` says that it stands in a box or a quote."""
    found = _MARKED.match(raw)
    if _SIGN.match(raw) or _HAZARD.match(raw):
        return True
    if not found:
        return False
    kind = found["kind"]
    punctuated = bool(found["mark"].strip()) or boxed or kind.isupper()
    if kind.lower().startswith(("note", "notice", "safety", "important")) and not re.search(_KIND, kind, re.IGNORECASE):
        return punctuated and bool(_OBLIGES.search(raw[found.end() :])) and not background
    return punctuated and (not background or boxed or kind.isupper())


def labelled(raw: str) -> bool:
    """Whether a text opens with any such label, obliging or not."""
    found = _MARKED.match(raw)
    return bool(found and (found["mark"].strip() in (":", "!", "**") or found["kind"].isupper()))


def titled(raw: str) -> bool:
    """Whether a text is a danger, warning or caution by its label with a mark behind it, and more than the label."""
    found = _MARKED.match(raw)
    if _SIGN.match(raw):
        return True
    return bool(found and found["mark"].strip() in (":", "!") and warns(raw, boxed=False) and not bare(raw))


def bare(raw: str) -> bool:
    """Whether a text is only the label of a box whose words follow below."""
    return bool(_BARE.match(raw))


def bare_note(raw: str) -> bool:
    """Whether the bare label is that of a note, which may order, oblige or only tell something."""
    return bool(
        re.match(r"^[\W_]*(?:important\W*)?(?:note|notice|important|tip|hint|info)?[\W_]*$", raw, re.IGNORECASE)
    )


def bare_important(raw: str) -> bool:
    """Whether the bare label says that its words matter: they are a warning unless they only order something."""
    return bool(re.match(r"^[\W_]*important\b", raw, re.IGNORECASE))


def obliges(raw: str) -> bool:
    """Whether words forbid, limit or oblige."""
    return bool(_OBLIGES.search(raw))


def prohibits(raw: str) -> bool:
    """Whether a text that stands on its own forbids something, is shouted, or says how people are protected."""
    shouted = raw.isupper() and len(raw.split()) >= _FEWEST_SHOUTED and bool(_OBLIGES.search(raw) or "!" in raw)
    return bool(_PROHIBITION.match(raw) or _GUARDS.search(raw) or _SHOUTS.match(raw)) or shouted


def stops_or_prohibits(raw: str) -> bool:
    """Whether a text that stands on its own forbids something, or stops the reader before he goes on."""
    return prohibits(raw) or stops_first(raw)


def stops_first(raw: str) -> bool:
    """Whether a text stops the reader and only tells something then ("STOP! No person enters the chamber ...")."""
    stopped = _STOPS.match(raw)
    return bool(stopped and not directs(raw[stopped.end() :]))


def forbids_always(raw: str) -> bool:
    """Whether a sentence of a text forbids something at any time ("Never slacken a bolt", "Nobody works alone")."""
    return bool(_ABSOLUTE.search(raw))


def boxed_html(raw: str) -> bool:
    """Whether raw HTML opens a box of warnings."""
    return bool(_CLASS.search(raw))


def remark(text: str) -> str:
    """The words of a caution in lower case in the middle of a text ("..., caution, hot surface"), or nothing."""
    found = _REMARK.search(text)
    return found["words"].rstrip(" )") if found else ""


def inline(text: str) -> int:
    """Where a warning begins inside a text; -1 without one."""
    found = _SHOUTED.search(text)
    return found.start() if found and text[found.end() :].strip() else -1
