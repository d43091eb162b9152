"""Recognises safety remarks (danger, warning, caution, note) and their kind by label, directive or symbol."""

import re

from soprag.tools.sop import WarningKind

_WORDS: dict[WarningKind, str] = {
    "danger": "danger|hazard|gefahr|peligro|pericolo|perigo|gevaar|lebensgefahr|危险|危険|опасно",
    "warning": "warning|important safety information|safety warning|safety|warnung|achtung|avertissement|advertencia|"
    "avvertenza|aviso|waarschuwing|varning|ostrzeżenie|警告|предупреждение",
    "caution": "caution|attention|important|beware|vorsicht|wichtig|prudence|precaución|atención|attenzione|"
    "importante|voorzichtig|let op|uwaga|注意|внимание|осторожно",
    "note": "note|notes|notice|nota bene|n\\.b\\.|nb|tip|hint|info|remark|hinweis|remarque|nota|opmerking|"
    "備考|备注|примечание",
}
_KINDS = {word.replace("\\", ""): kind for kind, labels in _WORDS.items() for word in labels.split("|")}
_ANY = "|".join(sorted((word for labels in _WORDS.values() for word in labels.split("|")), key=len, reverse=True))
_SIGN = r"(?:[\u26a0\u2622\u2623\u26a1\u2620\u26d4\U0001f6d1\u2757\u2755\u203c\u2139\U0001f4a1]\ufe0f?\s*)"
_EDGE = r"[\s>*_#\[\]()!.:|`\-–—]*"

# "Safety officer:" names a person, and warns of nothing.
_ROLE = r"(?:officer|manager|engineer|lead|team|representative|coordinator|advis[eo]r|delegate|department)s?\b"

# Such as "WARNING: ...", "**Caution** - ...", "> **NOTE:** ...", "[!WARNING]", "!!! danger", ".. note::", ":::tip"
_LABEL = re.compile(
    rf"^(?P<open>[\s>#*_\[(]*(?:\[!|!!!\+?\s*|\?\?\?\+?\s*|\.\.\s+|:::+\s*\{{?|\{{)?{_SIGN}?[*_\[(]*)"
    rf"(?P<word>{_ANY})(?!\s+{_ROLE})"
    r"(?P<close>\s*(?:\d{1,2}|(?:\(?[^:*\n.]{1,40}\)?)(?=[*_]{0,3}\s*[:：]))?\s*[*_)\]}]*\s*(?:::?|：|[!–—]|-(?=\s)|(?=[*_\]\n]|$))[*_)\]]*)",
    re.IGNORECASE,
)
_DIRECTIVE = re.compile(rf"^\s*(?:!!!\+?|\?\?\?\+?|:::+|\.\.)\s*\{{?(?P<word>{_ANY})\b\}}?(?:::)?.*", re.IGNORECASE)
_SIGNED = re.compile(rf"^[\s>*_]*{_SIGN}")
_NOTE_THAT = re.compile(r"^[\s>*_]*(?:please |also |but )?(?:note that|be aware that|beware)\b", re.IGNORECASE)
_INSIDE = re.compile(
    rf"(?:(?<=[.;:!?)]\s)|(?<=\n))\s*(?:(?P<mark>\*\*|__)(?P<bold>(?i:{_ANY}))\b[^*_\n]{{0,20}}?(?P=mark)|"
    r"(?P<loud>DANGER|WARNING|CAUTION|ATTENTION|NOTE|NOTICE|IMPORTANT)\s*[:!]\s*\w)"
)
_MAYBE = re.compile(r"\*\*|__|[A-Z]{4}")
_ALONE = re.compile(rf"^{_EDGE}{_SIGN}?{_EDGE}(?P<word>{_ANY}){_EDGE}$", re.IGNORECASE)
_LOUD = re.compile(r"[A-Z]|[^\x00-\x7f]")
_SHOUTED = re.compile(r"^[\s>*_]*(?P<word>DANGER|WARNING|CAUTION|ATTENTION|NOTE|NOTICE|IMPORTANT)\b(?=[\s*_])")


def missing_label(kind: WarningKind, text: str) -> str:
    """The kind in capitals, where the remark does not begin with it itself."""
    return "" if kind_of(text) == kind else kind.upper()


def kind_of(text: str) -> WarningKind | None:
    """The kind of the remark that `text` (Markdown) begins with; None when it begins with no remark."""
    match = _DIRECTIVE.match(text) or _SHOUTED.match(text) or _LABEL.match(text)
    if (match and _LOUD.match(match["word"])) or (match and match.re is _DIRECTIVE):
        return _KINDS[match["word"].lower()]
    if _SIGNED.match(text):
        return "warning"
    return "note" if _NOTE_THAT.match(text) else None


def is_label_alone(text: str) -> bool:
    """Whether `text` is only the label of a remark, whose content is then the next block."""
    lines = text.strip().split("\n")
    if len(lines) != 1:
        return False
    alone = _ALONE.match(lines[0])
    directive = _DIRECTIVE.match(lines[0])
    return bool(alone and (_LOUD.match(alone["word"]) or directive)) or bool(directive and not _says(lines[0]))


def _says(line: str) -> bool:
    """Whether a directive has content on its line after the double colon (`.. note:: Like this.`)."""
    return bool(re.search(r"::\s*\S", line)) and line.lstrip().startswith("..")


def inside(text: str) -> tuple[WarningKind, int] | None:
    """A remark that begins in the middle of `text`: its kind and where it begins; None when there is none."""
    if not _MAYBE.search(text):
        return None
    match = _INSIDE.search(text)
    if not match:
        return None
    return _KINDS[(match["bold"] or match["loud"]).lower()], match.start(1) if match["mark"] else match.start("loud")


def unlabelled(text: str) -> str:
    """A remark in plain text without its label."""
    match = _LABEL.match(text) or _SHOUTED.match(text)
    return text[match.end() :].lstrip(" :-–—!") if match else text
