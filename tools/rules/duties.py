"""Binds steps to tools by their verb: e-mail, call, ticket, log entry, timer; other steps are done by hand."""

import re
from collections.abc import Iterator

from soprag.tools.markdown.inline import plain
from soprag.tools.tasks.flow import ArgumentTemplate, BindAnswer, BindAsk, Duty, StepToBind
from soprag.tools.text.sentences import sentences

_WHOM = r"(?P<who>(?:the\s+)?[^,.;:\n]{2,80}?)"
_ENDS = (
    r"(?=\s+(?:at|on|by|via|about|of|that|to|with|and|if|when|before|after|immediately|for|using|in)\b|[,.;:()\n]|$)"
)
_LETTER = r"e-?mail|send an? e-?mail to|send (?:a )?(?:mail|message) to|notify|inform|advise"
_VOICE = r"call|tell|phone|telephone|ring|radio|contact|alert|page|summon"
_PLACES = r"in|into|on|onto|to|out|off|the (?:room|area|site|building|hall)"
_WAIT = r"wait|allow|let .{1,60} (?:stand|settle|run|cool|circulate)|leave"
_PATTERNS = {
    "email": rf"(?:{_LETTER})\s+{_WHOM}{_ENDS}",
    "call": rf"(?:{_VOICE})\s+(?!out\b|up\b|the function){_WHOM}{_ENDS}",
    "ticket": r"(?:open|raise|create|file|submit|log|issue|start|fill (?:in|out))\s+(?:an?|the)?\s*"
    r"(?:new\s+|[A-Z]\w+\s+)?(?:[\w-]+\s+)?"
    r"(?:ticket|work order|incident|support case|case|service request|defect report|job card)\b",
    "note": rf"(?:log|write down|hand over)\b(?! (?:{_PLACES})\b)"
    r"|(?:record|note|document|enter)\b.{0,80}\b(?:log ?book|log|shift (?:book|report)|handover|register)\b",
    "timer": rf"(?:{_WAIT})\b.{{0,80}}?\b(?P<n>\d+(?:[.,]\d+)?)\s*(?:(?:to|-|–)\s*(?P<m>\d+(?:[.,]\d+)?)\s*)?"
    r"(?P<unit>s|sec|seconds?|min|minutes?|h|hours?|days?)\b",
}
_TOOLS = {
    tool: re.compile(rf"^\W*(?:then\s+|and\s+|immediately\s+|please\s+)?(?:{pattern})", re.IGNORECASE)
    for tool, pattern in _PATTERNS.items()
}
_NEXT = re.compile(
    rf";|:\s|\s\|\s|\s\d\.\s|,?\s+(?:and|then)\s+(?=(?:then\s+)?(?:{_LETTER}|{_VOICE}|{_WAIT}|open|raise|file|log|enter)\s)",
    re.IGNORECASE,
)
_UNDER = re.compile(
    r"^\W*(?:if|when|in case|should|otherwise|after|before|once)\b[^,]{1,160},\s*(?:then\s+)?", re.IGNORECASE
)
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+\w")
_PHONE = re.compile(
    r"(?:(?:ext(?:ension)?\.?|tel\.?|channel|phone|dial|number|on)\s*:?\s*)(\+?[\d][\d ()/-]{1,18}\d|\d{1,4})\b", re.I
)
_MINUTES = {"s": 1 / 60, "m": 1, "h": 60, "d": 1440}
_ORDER = re.compile(r"^\W*(?:note that|this|these|the|it|there|see|refer to)\b", re.IGNORECASE)


def bind(ask: BindAsk) -> BindAnswer:
    """The steps that a tool carries out or that only tell something."""
    offered = {tool.name for tool in ask.tools}
    duties = [_duty(step, offered) for step in ask.steps]
    return BindAnswer(duties=[duty for duty in duties if duty.kind != "human"])


def _duty(step: StepToBind, offered: set[str]) -> Duty:
    for clause in _clauses(plain(step.text)):
        for tool, pattern in _TOOLS.items():
            match = pattern.match(clause)
            if match and tool in offered:
                return Duty(node=step.node, kind="tool", tool=tool, arguments=_templates(tool, match, clause))
    if step.ways > 1:
        return Duty(node=step.node, kind="decision")
    return Duty(node=step.node, kind="info" if _ORDER.match(step.text) else "human")


def _clauses(text: str) -> Iterator[str]:
    """The instructions of a step in order, without their conditions."""
    for sentence in sentences(text):
        for clause in _NEXT.split(sentence):
            yield _UNDER.sub("", clause.strip())


def _templates(tool: str, match: re.Match[str], clause: str) -> list[ArgumentTemplate]:
    return [ArgumentTemplate(name=name, value=value) for name, value in _arguments(tool, match, clause).items()]


def _arguments(tool: str, match: re.Match[str], clause: str) -> dict[str, str]:
    groups = match.groupdict()
    recipient = (groups.get("who") or "").strip().replace("$", "$$")
    if tool == "email":
        address = _ADDRESS.search(clause)
        body = "$text\n\nReadings: $readings"
        return {"to": address[0] if address else recipient, "subject": "$title: step $step", "body": body}
    if tool == "call":
        number = _PHONE.search(clause)
        return {
            "who": recipient,
            "number": number[1].strip() if number else "",
            "message": "$text\nReadings: $readings",
        }
    if tool == "ticket":
        return {"title": "$title: step $step", "description": "$text\n\nReadings: $readings"}
    if tool == "timer":
        longest = (groups.get("m") or groups["n"] or "1").replace(",", ".")
        return {"minutes": f"{float(longest) * _MINUTES[(groups['unit'] or 'm')[0].lower()]:g}", "label": "$text"}
    return {"title": "$title: step $step", "text": "$text\n\nReadings: $readings"}
