"""Where the words of a step send the reader: typed targets of jumps, stops, and documents to go on with."""

import re
from dataclasses import dataclass
from typing import Literal

from soprag.tools.procedure.wording.endings import closing_words, opening_words, says_done, stop_in, supposed_end

TargetKind = Literal["step", "section", "anchor", "title", "next", "start", "after", "end", "document", "case"]
_N = r"(?:no\.?\s*|#)?\(?(?P<{0}>\d{{1,3}}(?:\.(?:\d{{1,3}}|[a-z]\b))*[a-z]?|[a-z])\b\)?"
_STEPS = (
    r"(?:the\s+)?(?:steps?|lines?|items?|points?|no\.)\s+" + _N.format("step")
    + r"(?P<rest>(?:\s*(?:-|–|,|to|through|and)\s*(?:steps?\s+)?\d[\w.]*)*)"
    + r"(?:\s+(?:of|in|under)\s+(?P<within>[^.,;:]+))?"
)  # fmt: skip
_SECTION = (
    r"(?:the\s+)?(?:section|chapter|part|phase|stage|appendix|card|case|option|procedure|sheet|annex)\s+"
    r"[\"“]?(?P<section>(?-i:(?:[A-Z]{1,5}-)+[A-Z]*\d+|[A-Z]{1,3}\d+)|\d+(?:\.\d+)*|(?-i:[A-Z])\b)"
    r"(?:,?\s+(?P<section_step>(?:case|fault|row|item|step|line)\s+(?:\d{1,3}|[A-Za-z])\b))?"
)
_TITLE = (
    r"(?:the\s+)?(?:(?:section|part|sheet|slide|page|chapter|card|table)\s+)?[\"“](?P<title>[^\"”“]{3,80})[\"”]"
    r"(?:,?\s+(?:(?:at|from|with)\s+)?(?:step|line)\s+(?P<title_step>\d+))?"
)
_SHEET = (
    r"(?:the\s+)?(?:sheet|section|part|chapter|procedure|card)\s+(?P<sheet>(?-i:[A-Z])[\w-]+(?:\s+[A-Za-z][\w-]+){1,7})"
)
_ANCHOR = r"(?P<linked>[^.;:]{0,80}?)\(#(?P<anchor>[\w.-]+)\)"
_NAMED = r"(?:the\s+)?(?P<named>(?-i:[A-Z])[\w /&'-]{3,60}?)\s+(?:section|procedure|part|steps)\b"
_NEAR = (
    r"(?P<next>(?:with\s+)?(?:the\s+)?next (?:step|section|line|item|part|slide|sheet|page|one)|"
    r"(?:the\s+)?following (?:section|step)s?)"
)
_START = r"(?P<start>(?:the\s+)?(?:beginning|start|first step)|over|all over)"
_TO = (
    r"(?:go(?:ing)?|return|begin|proceed|jump|move|skip|advance|back|continue|restart|start|start again|begin again|"
    r"resume|"
    r"repeat|redo|carry on|carry out|work through|perform|execute|follow|go on|switch|revert)"
)
_JUMP = re.compile(
    rf"\b(?P<verb>{_TO})(?:n?ed|n?ing|s)?(?P<between>(?::|\s+(?:back|on|ahead|directly|straight|again|over|forward|immediately|"
    rf"through|to|at|from|with|in|as|the|steps|above|described|instructions|procedure|described in|under|:))*)\s+"
    rf"(?:{_STEPS}|{_SECTION}|{_TITLE}|{_ANCHOR}|{_SHEET}|{_NAMED}|{_NEAR}|{_START})",
    re.IGNORECASE,
)
_BACK = re.compile(r"\bback to\s+" + _STEPS, re.IGNORECASE)
_DEEP = re.compile(
    r"\b(?P<verb>go|return|continue|proceed|start|restart|repeat|resume|back|skip|jump)\s+(?:(?:back|on|again|to|at|with|from)\s+)*"
    r"(?:no\.?\s*)?(?P<step>(?-i:[A-Z])\d{1,2}\b(?!-)|(?-i:[a-z])(?=\))|\d{1,2}(?:(?:\.\d{1,3}){1,3}\b(?!\s*(?:%|°|"
    r"(?!(?:in|for|and|or|of|when|if|once|again|as|until|with|on|at)\b)[a-zA-Z]))|(?=\s*(?:[.,;)]+\s|[.,;)]*$))))",
    re.IGNORECASE,
)
_SPAN = re.compile(r"\b(?:repeat|redo)\s+(?P<step>\d{1,2})\s*(?:-|–|to|and)\s*\d{1,2}\b", re.IGNORECASE)
_AS_IN = re.compile(rf"\bas (?:described )?(?:in|under)\s+(?:{_SECTION}|{_TITLE}|{_ANCHOR})", re.IGNORECASE)
# "consult the checklist below (Step 4)": the bracket names what is done.
_REFERRED = re.compile(
    r"\b(?:consult|use|follow|apply|go to|return to|continue with|proceed with)\b[^.;()]{3,80}\("
    r"(?:see\s+)?" + _STEPS + r"\)",
    re.IGNORECASE,
)
# As in "relight (from step 6)" and in "start again from line 3".
_FROM = re.compile(
    r"\b(?:re[a-z]+(?:\s+(?:the|this|it)\b(?:\s+\w+){0,2}?)?|"
    r"(?:try |start |begin )?(?:again|over|once more)|start|continue)\s+\(?from\s+" + _STEPS,
    re.IGNORECASE,
)
_BARE = re.compile(r"^\W*(?:see\s+)?(?:" + _STEPS + r")\W*$", re.IGNORECASE)
_BARE_SECTION = re.compile(r"^\W*(?:see\s+)?" + _SECTION + r"\W*$", re.IGNORECASE)
# "[Clean up](#clean-up)" alone, or behind what is done before.
_LINK = r"[^.,;:()]{0,60}?\(#(?P<anchor>[\w.-]+)\)\W*$"
_BARE_ANCHOR = re.compile(r"^\W*(?:(?:then|see|go to)\s+)?" + _LINK, re.IGNORECASE)
_THEN_ANCHOR = re.compile(r"(?:,\s+|\s)(?:and\s+)?(?:then|afterwards)\s+" + _LINK, re.IGNORECASE)
_SKIP = re.compile(
    r"\b(?:skip|leave out|omit|pass over|miss out)\s+(?:"
    r"(?P<ahead>the next\s+(?:(?P<count>two|three|four|[2-9])\s+)?(?:steps?|lines?|items?|bullets?|points?|boxe?s?))\b|"
    r"(?P<rest>(?:the\s+)?(?:remaining|rest of the|following|other)\s+(?:steps|lines|items|"
    r"section|procedure)|(?:the|this)\s+(?:whole\s+)?(?:section|part|chapter|phase)\b(?!\s+[A-Z\d\"“]))|"
    r"(?P<this>this\s+(?:step|line|item)|it\b)|"
    r"(?:(?:steps?|lines?|items?)\s+|(?=(?-i:[A-Z])\d)|(?=\d{1,2}\W*(?:$|[,.;])))(?P<first>[A-Z]?\d+)(?:\s*(?:-|–|to|and|through)\s*(?P<last>\d+))?)|"
    r"(?P<passive>(?:the\s+)?(?:remaining|rest of the|following|other)\s+(?:steps|lines|items|section|procedure))\s+"
    r"(?:should|can|may|must|need to) be (?:skipped|omitted|left out)\b",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"\b(?:repeat|redo|re-run|rerun|restart|(?:start|begin)(?=[^,.;]+\bagain\b))\s+(?:the|this)\s+(?:whole\s+|entire\s+)?"
    r"(?:test|procedure|process|steps|sequence|section|transfer|list|checklist|round)\b(?:\s+again)?"
    r"(?!\s+(?:at|from|with)\s+(?:step|line|\(?\d))"
    r"|\b(?:again|anew|afresh|back)\s+(?:at|from|to)\s+the\s+(?:top|first (?:box|line|point|bullet|item|row))\b"
    r"|\bstart (?:again|over)\b(?!\s+(?:at|from|with)\s+(?:step|line|\(?\d))",
    re.IGNORECASE,
)
_DOCUMENT = re.compile(
    r"\b(?:use|follow|start|go to|see|continue with|proceed (?:with|to|as in)|switch to|change over to|switch over to|"
    r"handle (?:it )?(?:by|under|as in)|refer to|perform|execute|run|according to)\b[^.;,]{0,40}?"
    r"\(?(?P<document>\b[A-Z]{2,}-[A-Z0-9]*[A-Z][A-Z0-9]*-?(?:-[A-Z0-9]+)*\d[\w-]*|"
    r"\b(?:SOP|EOP|AOP|MOP|WI|OP|ERP|PROC|DOC|MAN|QRH)-\d[\w-]*)",
)
_GUIDE = re.compile(
    r"^\W*(?:please\s+)?(?:proceed to|go to|switch to|continue with)\s+"
    r"(?!(?:the\s+)?(?:following|next|below|above|remaining|same)\b)(?:the\s+)?(?:[\w-]+\s+){0,3}"
    r"(?:instructions?|procedures?|page|guide|runbook|SOP)\b",
    re.IGNORECASE,
)
_BOOK = re.compile(
    r"^\W*(?:please\s+)?(?:see|look (?:it )?up in|follow|use|refer to|consult)\s+(?:the\s+)?(?:[\w'’-]+\s+){0,3}"
    r"(?:manual|book|handbook|service instructions?)\b",
    re.IGNORECASE,
)
_CARD = re.compile(r"\bfollow (?:card|procedure|sheet|plan)\s+[A-Z]?\d+", re.IGNORECASE)


@dataclass(frozen=True)
class Target:
    """Where a jump leads: a step by its label, a section by number, title or anchor, or a word such as "next"."""

    kind: TargetKind
    name: str = ""
    step: str = ""
    words: str = ""


@dataclass(frozen=True)
class Exit:
    """How an act leaves its line: a jump or a stop, with the words before it that are acts of their own."""

    target: Target
    before: str
    repeats: bool = False
    calls: bool = False  # a section is done there, and the order of steps goes on here


def named_section(text: str) -> Exit | None:
    """The jump to the section that words name and nothing else ("section 2"), as an outcome does."""
    found = _BARE_SECTION.match(text) or _BARE_ANCHOR.match(text)
    return Exit(_target(found), "") if found else None


def exit_of(text: str, conditional: bool = False, repeated: bool = False) -> Exit | None:
    """How `text` leaves the order of steps, None when it goes on to the next one as usual."""
    if says_done(text):
        return Exit(Target("end", words=text.strip()), "")
    closing = closing_words(text)
    if closing:
        return Exit(Target("end", words=text[closing.end() :]), text[: closing.start()])
    opening = opening_words(text)
    if opening:
        return Exit(Target("end", words=opening), text)
    stop = stop_in(text)
    jump = jump_of(text)
    if stop and not (jump and jump.target.kind != "document"):
        return Exit(Target("end", words=stop[0]), _acts(text, stop))
    return jump or (_supposed_exit(text, repeated) if conditional else None)


def _supposed_exit(text: str, repeated: bool) -> Exit | None:
    """How the consequence of a condition leaves it: handed over, finished, or by another document."""
    before = supposed_end(text, repeated)
    if before is not None:
        return Exit(Target("end", words=text), before)
    document = _DOCUMENT.search(text) or _CARD.search(text) or _GUIDE.match(text) or _BOOK.match(text)
    if document and not re.search(r"\band (?:raise|note|record|continue|return)\b", text):
        return Exit(Target("document", words=document[0]), text)
    return None


def jump_of(text: str) -> Exit | None:
    """The jump that a clause makes, None without one."""
    skip = _SKIP.search(text)
    if skip:
        return Exit(_skipped(skip), text[: skip.start()])
    found = _first_jump(text) or _BACK.search(text)
    if found:
        verb = (found.groupdict().get("verb") or "").lower()
        repeats = verb in ("repeat", "redo", *_DONE_THERE)
        target = _target(found)
        there = target.kind in ("section", "title", "anchor") and not target.step
        calls = there and (repeats or bool(_COMES_BACK.match(text, found.end())))
        return Exit(target, text[: found.start()], repeats or calls, calls)
    again = _AGAIN.search(text)
    if again:
        before = text[: again.start()]
        opens = again[0].lower().startswith(("repeat", "redo")) and not bare_words(before)
        return Exit(Target("start", words=again[0]), before, opens)
    return _bare_jump(text)


def _bare_jump(text: str) -> Exit | None:
    """A jump that names its step by the number alone, or in a bracket."""
    deep = _DEEP.search(text)
    if deep:
        return Exit(_target(deep), text[: deep.start()], deep["verb"].lower().startswith("repeat"))
    span = _SPAN.search(text)
    if span:
        return Exit(_target(span), text[: span.start()], True)
    referred = _REFERRED.search(text) or _FROM.search(text) or _THEN_ANCHOR.search(text)
    if referred:
        return Exit(_target(referred), text[: referred.start()])
    bare = _BARE.match(text)
    return Exit(_target(bare), "") if bare else None


def _first_jump(text: str) -> re.Match[str] | None:
    """The first jump that counts; a denied one may hold it ("switch it off and go to section 4")."""
    found = _JUMP.search(text)
    while found and _denied(text, found):
        found = _JUMP.search(text, found.start() + 1)
    return found


def standing_reference(text: str) -> Target | None:
    """The section that "as in Part 3" names, None without such words."""
    found = _AS_IN.search(text)
    return _target(found) if found else None


def _denied(text: str, found: re.Match[str]) -> bool:
    before = text[: found.start()].rstrip().lower()
    if not _MUST.search(before) and before.endswith(
        ("not", "never", "before", "without", "before you", "by", "until", "prior to", "don't", "after", "to")
    ):
        return True
    if re.search(r"\b[A-Z]{2,}(?:-[A-Z0-9]+)*-\d+", found[0]) or re.match(r"\s+of [A-Z]{2,}\S*\d", text[found.end() :]):
        return True
    verb, groups = found["verb"].lower(), found.groupdict()
    if groups.get("linked") is not None and verb in ("start", "switch", "move"):
        return True
    if groups.get("start") is not None:
        over = groups["start"].lower().endswith("over")
        return verb not in _BEGINS and (over or verb not in ("go", "return", "back", "jump", "proceed"))
    if groups.get("named") is not None:
        return verb in ("switch", "start", "move", "continue", "execute", "perform", "back", "restart", "revert")
    there = groups.get("step") or groups.get("anchor") or (verb in _DONE_THERE and groups.get("section"))
    return verb in ("switch", "follow", "start", *_DONE_THERE) and not there


_MUST = re.compile(r"(?<!not )(?<!n't )\b(?:have|has|need|needs) to$")  # "and you have to begin with section 4"
_BEGINS = ("start", "begin", "restart")
_DONE_THERE = ("perform", "execute", "carry out", "work through")
_COMES_BACK = re.compile(
    r"[^.;]{0,40}?\b(?:and|then)\s+(?:then\s+)?(?:return here|come back|return to this|continue (?:here|with the next)|"
    r"go on here|resume here|carry on here)\b",
    re.IGNORECASE,
)


_COUNTS = {"two": 2, "three": 3, "four": 4}


def _skipped(found: re.Match[str]) -> Target:
    if found["ahead"]:
        return Target("after", f"+{_COUNTS.get(found['count'] or '', found['count'] or 1)}", words=found[0])
    if found["rest"] or found["passive"]:
        return Target("after", "section", words=found[0])
    if found["this"]:
        return Target("next", words=found[0])
    return Target("after", found["last"] or found["first"], words=found[0])


def _target(found: re.Match[str]) -> Target:
    groups = {name: value for name, value in found.groupdict().items() if value}
    words = found[0]
    if "title" in groups:
        return Target("title", groups["title"], groups.get("title_step", ""), words)
    if "step" in groups:
        return Target("step", groups.get("within", ""), groups["step"].lower(), words)
    for kind in ("section", "anchor"):
        if kind in groups:
            return Target(kind, groups[kind], groups.get("section_step", ""), words)
    if "named" in groups or "sheet" in groups:
        return Target("title", groups.get("named") or groups["sheet"], words=words)
    return Target("next" if "next" in groups else "start", words=words)


_LEFT_OVER = re.compile(r"^\W*(?:and|then|please|immediately|also|the|this|,)*\W*$", re.IGNORECASE)


def _acts(text: str, stop: re.Match[str]) -> str:
    """The words beside a stop that are acts; empty when the stop is all there is, or only names a document to use."""
    rest = (text[: stop.start()] + " " + text[stop.end() :]).strip(" ,.;:")
    rest = re.sub(r"^(?:and|then)\s+|\s+(?:and|then)$", "", rest)
    document = _DOCUMENT.search(rest)
    if document and document.start() <= 4:
        return ""
    return "" if _LEFT_OVER.match(rest) else text


def bare_words(before: str) -> str:
    """What stands before a jump without the joining words at its end."""
    return re.sub(
        r"[\s,;:]+(?:(?:and|then|but only once|once)[\s,]*)*$", "", before.strip(), flags=re.IGNORECASE
    ).strip(" ,;:.")
