"""Where the words of a step send the reader: typed targets of jumps, stops, and documents to go on with."""

import re
from dataclasses import dataclass
from typing import Literal

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
    r"(?:,?\s+(?:at\s+)?(?:step|line)\s+(?P<title_step>\d+))?"
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
_FROM = re.compile(r"\b(?:re[a-z]+|again|start|continue)\s+\(?from\s+" + _STEPS, re.IGNORECASE)
_BARE = re.compile(r"^\W*(?:see\s+)?(?:" + _STEPS + r")\W*$", re.IGNORECASE)
_BARE_SECTION = re.compile(r"^\W*(?:see\s+)?" + _SECTION + r"\W*$", re.IGNORECASE)
_SKIP = re.compile(
    r"\bskip\s+(?:(?P<rest>(?:the\s+)?(?:remaining|rest of the|following|other)\s+(?:steps|lines|items|"
    r"section|procedure))|"
    r"(?P<this>this\s+(?:step|line|item|section)|it\b)|"
    r"(?:(?:steps?|lines?|items?)\s+|(?=(?-i:[A-Z])\d))(?P<first>[A-Z]?\d+)(?:\s*(?:-|–|to|and|through)\s*(?P<last>\d+))?)|"
    r"(?P<passive>(?:the\s+)?(?:remaining|rest of the|following|other)\s+(?:steps|lines|items|section|procedure))\s+"
    r"(?:should|can|may|must|need to) be (?:skipped|omitted|left out)\b",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"\b(?:repeat|redo|re-run|rerun|restart|start)\s+(?:the|this)\s+(?:whole\s+|entire\s+)?"
    r"(?:test|procedure|process|steps|sequence|section|transfer)\b(?:\s+again)?"
    r"|\bstart (?:again|over)\b(?!\s+(?:at|from|with)\s+(?:step|line|\(?\d))",
    re.IGNORECASE,
)
_ONWARD = re.compile(
    r"\b(?:continue|carry on|go on|proceed|passed|pass|ok|in order|no action|nothing to do|none|record|accept(?:ed)?|"
    r"correct|normal|nothing)\b"
    r"(?:\s+(?:with|to)\s+(?:the\s+)?[\w -]+)?\W*$|^\W*next(?:\s+[a-z]+)?\W*$",
    re.IGNORECASE,
)
_STOP = re.compile(
    r"\b(?:(?:[Ss]top|STOP)(?:\s+(?:here|work(?:ing)?|immediately|everything|the\s+(?:test|procedure|process|work|run|job|transfer|"
    r"restart|operation|start-?up|task|activity|exercise|installation|experiment))\b|(?=\s*[.,;:]|\s*$|\s+and\b))|"
    r"[Aa]bandon\b|[Aa]bort\b|[Dd]o not (?:continue|proceed|restart|reset|start|go on|return it|try again)\b"
    r"(?!\s+(?:\w+\s+){0,3}?(?:more than|again|until|before|unless|without|longer|while|to the next)\b)|"
    r"[Dd]iscontinue the\b|(?:[Pp]rocedure|[Ww]ork|[Tt]est|[Jj]ob|[Tt]ask|[Oo]peration) "
    r"(?:is|shall be|must be|has to be) (?:then |to be )?(?:terminated|aborted|stopped|abandoned|discontinued)\b"
    r"(?!\s+until)|[Ee]nd (?:of )?(?:the |this )?(?:procedure|work|test|job)\b|"
    r"nothing (?:else |more |further )?to do\b|[Tt]he procedure (?:ends|is (?:finished|complete))|"
    r"[Tt]erminate the (?:procedure|process|run)|[Ll]eave (?:the |it |them |the unit |the room\b)?[\w ]{0,20}\boff\b|"
    r"no further action|[Dd]o nothing (?:further|more|else)\b|(?:[Tt]he |[Tt]his )?[\w -]{2,30} ends here\b|"
    r"[Ee]nds? here\b|"
    r"[Tt]his (?:ends|completes|concludes) (?:the\b|part\b|section\b)|is then (?:finished|over|complete)\b|"
    r"(?:[Cc]ancel|[Pp]ostpone|[Rr]eschedule|[Tt]erminate) (?:the|this) (?:job|work|run|transfer|visit|inspection)\b|"
    r"[Ww]ithdraw the permit\b|(?:alert|alarm)(?: \w+){0,3} (?:can|may|should) (?:safely )?be ignored|"
    r"[Ii]gnore (?:the|this) (?:alert|alarm)|(?:alert|alarm) is not relevant|"
    r"[Hh]and over(?=\s*[.;]?\s*$)|[Hh]and (?:it|them|this|the [\w ]{1,30}?) over\b|[Gg]o no further\b|"
    r"[Dd]o not return (?:the |it |this )?[\w -]{0,20}to service\b)"
)
_HANDOVER = re.compile(
    r"\b(?:call|contact|escalate|hand over|page|dial|get help)\b",
    re.I,
)
# "Stop, close the cock and search" goes on; "stop and call the lead" does not.
_GOES_ON = re.compile(r"\s*,\s+\w+|\s+and\s+(?!wait\b)\w+", re.IGNORECASE)
_CALLS = re.compile(
    r"\b(?:call|contact|report|inform|notify|postpone|reschedule|escalate|hand over|page|dial|follow|use|abandon|alert|"
    r"discard|leave|evacuate|ask|replan|close out)\b",
    re.IGNORECASE,
)
_HEAD = re.compile(r"(?:^|[,;:.)]|\b(?:and|then|or|must|please|immediately|should))\s*$", re.IGNORECASE)
# Nouns that end the work themselves: "the work is stopped", "that is the end of the job".
_STOPPED = re.compile(r"(?:procedure|work|test|job|task|operation|alert|alarm|end of)\b", re.IGNORECASE)
# Before a word of stopping that orders nothing: "you may abort the run", "the abort button".
_UNORDERED = re.compile(
    r"\b(?:(?:allowed|able|option|permitted|how|used|wish|want) to|(?:you|who|they|it) (?:may|can)|"
    r"the|an?|its?|your|their)\s+$",
    re.IGNORECASE,
)
# Nothing is done with what is rejected.
_REJECTS = re.compile(
    r"^\W*(?:do not use (?:it|them|the [\w-]+)\W*$|the [\w -]{2,25} (?:may|must|shall) not be used\W*$|"
    r"agree another (?:time|date)\b|stop(?: the [\w-]+)? at once\W*$|"
    r"reject\b(?! button)|refuse\b|no (?:further )?(?!warning|reading)\w+ing\W*$|"
    r"(?:send|turn) (?:the |it\b|them\b)[\w ]{0,30}?\baway\b)",
    re.IGNORECASE,
)
_FINISHED = re.compile(
    r"^\W*(?:(?:you are|all|then) )?(?:finished|done)\b|"
    r"^\W*the (?:job|work|test|check|procedure|task) is (?:then )?(?:finished|done|complete|over)\b",
    re.IGNORECASE,
)
# A sentence that says nothing but that the work is over: "This procedure ends here.", "End of the weekly run."
_WORK = (
    r"(?:procedure|instruction|sop|job|work|task|card|sheet|routine|run|round|visit|changeover|check|exercise|drill)"
)
_OVER = re.compile(
    rf"^\W*(?:(?:this|the|your)\s+)?(?:[\w-]+\s+){{0,2}}?{_WORK}\s+"
    r"(?:ends|(?:is|are) (?:now |then )?(?:finished|completed?|over|done|closed))(?: here)?\W*$|"
    rf"^\W*end of (?:the |this )?(?:[\w-]+\s+){{0,3}}{_WORK}\W*$|^\W*(?:all )?(?:end|finish(?:ed)?|done|exit)\W*$",
    re.IGNORECASE,
)
# "Add a comment and close it", "release the batch, end": the last words say that this was all.
_CLOSES = re.compile(
    r"(?:[,;]\s*(?:and\s+)?|\s[–—-]\s|\band\s+)(?:(?:the )?end|done|finish(?:ed)?|close(?: it)?|"
    r"you (?:are|have) (?:done|finished)|stop reading)\W*$|"
    r"\bleave (?:this|the) (?:instruction|procedure|sheet|card|site|building)(?:\W*$|\s+and\b)|"
    r"^\W*close (?:it|(?:the|this) (?:call|alarm|change))\W*$|"
    r"\bclose (?:the|this) (?:ticket|case|incident|alert|card|call|alarm|fault)\W*$",
    re.IGNORECASE,
)
_NO_MORE = re.compile(
    r"\bno (?:further|more) action\b|\b(?:nothing|no) more (?:needs|has|is) to be done\b|\bthat['’]s it\W*$",
    re.IGNORECASE,
)
_ESCALATE = re.compile(r"^\W*(?:escalate|hand over)\b", re.IGNORECASE)
# "Stop the pump and call the lead", "do not enter and call the fire service": what was to be done is not done.
_STOP_THEN_CALL = re.compile(
    r"^\W*stop\s+(?:the|all|both)\s+\w+.*\b(?:call|contact|inform|notify|dial)\b|"
    r"^\W*(?:do not|don't)\s+[\w' ]{2,40}?(?:\s*[;,.]\s*(?:and\s+|but\s+)?|\s+(?:and|but)\s+)"
    r"(?:immediately\s+)?(?:call|contact|inform|notify|report|dial|alert|ring|phone|telephone|fetch)\b",
    re.IGNORECASE | re.DOTALL,
)
# "Close the plug and call the lead": what was made safe is left to somebody else.
_MADE_SAFE = re.compile(
    r"^\W*(?:stop|close|shut|leave|tag|lock|isolate|open|press|trip|turn|switch|park|reject|refuse|abort|cancel|blank|"
    r"quarantine|withdraw|mark|attach|hang|terminate|step back|get out|keep|take (?:it|the [\w ]{2,25}) out of)\b"
    r"[^.;]{2,90}?(?:,\s+(?:and\s+|then\s+)?|[;.]\s+|\s+and\s+(?:then\s+)?)"
    r"(?:at once |immediately )?(?:call|ring|phone|telephone|contact|inform|notify|tell|alert|fetch|ask|"
    r"report (?:to|(?-i:[A-Z]{2,}))|hand over|go back to the (?:person|lead|supervisor)|"
    r"(?:leave|hand|pass) (?:it|this|them|the [\w ]{1,20}?) (?:over )?(?:to|for|with))\b[^.;:,]*"
    r"(?:;\s*do not [^.;]*|:\s[^.;]*)?\W*$|"
    r"^\W*(?:call|ring|inform|tell|notify|report)\b[^.;]{2,60}\band (?:keep|leave)\b[^.;]*\W*$",
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
    found = _BARE_SECTION.match(text)
    return Exit(_target(found), "") if found else None


def exit_of(text: str, conditional: bool = False, repeated: bool = False) -> Exit | None:
    """How `text` leaves the order of steps, None when it goes on to the next one as usual."""
    if says_done(text):
        return Exit(Target("end", words=text.strip()), "")
    stop = _stop(text)
    jump = jump_of(text)
    if stop and not (jump and jump.target.kind != "document"):
        return Exit(Target("end", words=stop[0]), _acts(text, stop))
    return jump or (_supposed_exit(text, repeated) if conditional else None)


def _supposed_exit(text: str, repeated: bool) -> Exit | None:
    """How the consequence of a condition leaves it: handed over, finished, or by another document."""
    if _STOP_THEN_CALL.match(text) or (repeated and _HANDOVER.search(text)) or _ESCALATE.match(text):
        return Exit(Target("end", words=text), text)
    finished = _FINISHED.match(text) or _REJECTS.match(text)
    if finished:
        return Exit(Target("end", words=text), text if text[finished.end() :].strip(" ,.;") else "")
    if ends_by_word(text):
        return Exit(Target("end", words=text), text)
    document = _DOCUMENT.search(text) or _CARD.search(text) or _GUIDE.match(text) or _BOOK.match(text)
    if document and not re.search(r"\band (?:raise|note|record|continue|return)\b", text):
        return Exit(Target("document", words=document[0]), text)
    return None


def _stop(text: str) -> re.Match[str] | None:
    """The words that stop the procedure: a verb at the head of a clause, not a name such as "E-stop"."""
    for found in _STOP.finditer(text):
        if _UNORDERED.search(text[: found.start()]) and not _STOPPED.match(found[0]):
            continue
        if found[0].lower().startswith("leave") and not _HANDOVER.search(text):
            continue
        if found[0].lower() == "stop" and _GOES_ON.match(text, found.end()) and not _CALLS.search(text):
            continue
        if found[0].lower() != "stop" or _HEAD.search(text[: found.start()]):
            return found
    return None


def ends_by_word(text: str) -> bool:
    """Whether words say of themselves that nothing follows ("Reject the load", "... and close the ticket")."""
    return bool(_REJECTS.match(text) or _CLOSES.search(text) or _MADE_SAFE.match(text) or _NO_MORE.search(text))


def says_done(text: str) -> bool:
    """Whether a sentence says nothing but that the work is over ("This procedure ends here.", "Done.")."""
    return bool(_OVER.match(text))


def onward(text: str) -> bool:
    """Whether a consequence only says that the procedure goes on ("continue", "passed", "go to the next step")."""
    return bool(_ONWARD.search(text))


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
    referred = _REFERRED.search(text) or _FROM.search(text)
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
    if before.endswith(
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


_BEGINS = ("start", "begin", "restart")
_DONE_THERE = ("perform", "execute", "carry out", "work through")
_COMES_BACK = re.compile(
    r"[^.;]{0,40}?\b(?:and|then)\s+(?:then\s+)?(?:return here|come back|return to this|continue (?:here|with the next)|"
    r"go on here|resume here|carry on here)\b",
    re.IGNORECASE,
)


def _skipped(found: re.Match[str]) -> Target:
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
