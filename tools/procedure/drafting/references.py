"""Cross-references: the other procedures that a step refers to, by link, number or title."""

import re

from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.wording.verbs import directs

_LINK = re.compile(r"(?<!!)\[(?P<text>[^\[\]]*)\]\((?P<to>[^()\s]+(?:\([^()]*\))?[^()\s]*)(?:\s+\"[^\"]*\")?\)")
_USED = re.compile(r"(?<!!)\[(?P<text>[^\[\]]+)\]\[(?P<name>[^\[\]]*)\]")
_DEFINED = re.compile(r"^\s{0,3}\[(?P<name>[^\[\]]+)\]:\s*(?P<to>\S+)", re.MULTILINE)
_DOCUMENT = re.compile(
    r"^(?!#|mailto:|tel:)(?:(?![a-z]+://).+|https?://.*\.(?:md|rst|adoc|pdf|docx?|odt))(?:#.*)?$", re.IGNORECASE
)
_PICTURE = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|mp4|zip|tar|gz|ya?ml|json|py|sh)(?:$|[?#])", re.IGNORECASE)
_ABOUT = re.compile(
    r"\b(?:SOP|EOP|MOP|runbook|playbook|procedure|checklist|work instruction|workflow|guide)\b", re.IGNORECASE
)
_VAGUE = re.compile(r"^(?:here|this|link|this (?:page|link|document|procedure)|see|docs?|page)$", re.IGNORECASE)
_NUMBERED = re.compile(
    r"\b((?:SOP|EOP|MOP|AOP|NOP|ARP|WI|PRO|PROC|OP|QP|DOC|RB|ERP|QRH|LOTO)(?:[-_ ][A-Z]{1,8})*[-_ ]?\d[\w.-]*\w|"
    r"(?<=see )[A-Z]{2,}(?:-[A-Z]{1,8})*-\d{1,5}|(?<=per )[A-Z]{2,}(?:-[A-Z]{1,8})*-\d{1,5})"
)
_NAMED = re.compile(
    r"\b(?i:see|refer(?:ring)? to|follow(?:ing)?|according to|in accordance with|as described in|described in|"
    r"consult|use|"
    r"complete|carry out|perform|execute|per|steps in|"
    r"instructions in)\s+(?:the\s+)?(?:steps in\s+)?(?:the\s+)?(?:instructions (?:in|for)\s+)?(?:the\s+)?"
    r"(?:[\"“*_]{1,2}(?P<quoted>[A-Z][^\"”*_\n]{3,80})[\"”*_]{1,2}|(?P<hyphened>[A-Z]\w+(?:-[A-Z]\w+){2,}))",
)
_IS_NAMED = re.compile(
    r"^\W*(?:procedure|SOP|runbook|checklist|work instruction|workflow|page|section of|for|if|,|\.|$)", re.IGNORECASE
)

_POINTS = re.compile(
    r"^\W*(?:see(?!\s+(?:if|whether|that|how|what|which)\b)|refer to|for (?:more|further|details)|"
    r"more (?:information|details) on|for [^,]{3,60}, (?:please )?(?:see|refer to|consult))\b"
    r"(?!.*\band\s+(?:then\s+)?(?:apply|check|do|follow|make|open|replace|restart|run|set|take|use)\b)",
    re.IGNORECASE,
)
_ONLY_LINKS = re.compile(
    r"^\s*(?:[-*+]|\d{1,3}[.)])?\s*(?:!?\[[^\[\]]*\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\]]*\])[\s,;.]*)+$"
)


def points_elsewhere(text: str) -> bool:
    """Whether words only point to something else ("See the manual", "For more details, refer to ...")."""
    return bool(_POINTS.match(text))


def only_links(row: str) -> bool:
    """Whether a source line holds links and no other words, but for the mark of a list item."""
    return bool(_ONLY_LINKS.match(row))


def lists_links(items: list[Block], rows: list[str]) -> bool:
    """Whether items are links to things, and not to what is done one after the other."""
    links = all(only_links(rows[item.lines[0] - 1]) and not item.children for item in items)
    return links and not any(directs(item.text) for item in items)


def definitions(body: str) -> dict[str, str]:
    """The link definitions (`[name]: address`) of a whole body."""
    return {match["name"].lower(): match["to"] for match in _DEFINED.finditer(body)}


def references(text: str, links: dict[str, str]) -> list[str]:
    """Titles or numbers of other procedures that the Markdown `text` refers to, without duplicates."""
    names: list[str] = []
    pairs = [(match["text"], match["to"]) for match in _LINK.finditer(text)] if "](" in text else []
    if "][" in text:
        pairs += [(use["text"], links.get((use["name"] or use["text"]).lower(), "#")) for use in _USED.finditer(text)]
    for title, address in pairs:
        if _is_procedure(title, address):
            names.append(_title(title, address))
    rest = _LINK.sub(" ", text)
    names += [match[1] for match in _NUMBERED.finditer(rest)]
    for match in _NAMED.finditer(rest):
        if match["hyphened"] or _IS_NAMED.match(rest[match.end() : match.end() + 40]):
            names.append(match["quoted"] or match["hyphened"])
    return list(dict.fromkeys(" ".join(name.split()) for name in names))


def _is_procedure(title: str, address: str) -> bool:
    if _PICTURE.search(address) or address.startswith("#"):
        return False
    return bool(_DOCUMENT.match(address) or _ABOUT.search(title))


def _title(title: str, address: str) -> str:
    label = title.strip("`*_ ")
    if label and not _VAGUE.match(label):
        return label
    stem = address.partition("#")[0].rstrip("/").rpartition("/")[2]
    return re.sub(r"\.\w{2,4}$", "", stem) or address
