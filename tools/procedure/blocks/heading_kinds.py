"""The role of a heading: it opens a procedure, is a section inside one, closes it, or is the title of a topic."""

import re
from typing import Literal

from soprag.tools.markdown.inline import section_number
from soprag.tools.procedure.wording.lexicon import is_instruction

Role = Literal["opening", "inner", "back", "named"]

_OPENING = re.compile(
    r"(?:purpose|objectives?|aims?|goal|meaning|overview|summary|introduction|scope|description|background|"
    r"about(?: this .*)?|purpose and scope|symptoms?|trigger\w*|alarms?|when to (?:use|do).*|applicab\w+|"
    r"applies to|zweck|ziel|geltungsbereich|objet|objetivo|alcance|scopo|doel|目的|概要|适用范围|general|context|"
    r"problem(?: statement| description)?|indications?|error diagnosis|document control)"
)
_INNER = re.compile(
    r"(?:impact|severity|(?:initial |error |full )?diagnos\w+|mitigations?|resolutions?|remediation|"
    r"procedures?(?: steps?)?|procedural steps|(?:tutorial |detailed |main |work )?steps?(?: to .*)?|"
    r"instructions?|actions?|method|execution|(?:immediate|corrective|operator|follow-?up|initial|"
    r"first) (?:actions?|response|steps|measures)|troubleshooting(?: (?:guide|steps|tips|pointers))?|"
    r"pre-?conditions?|pre-?requisites?|requirements?|post-?conditions?|verification|validation|checks?|rollback|"
    r"recovery|escalations?|contingency|safety(?: (?:first|notes?|information|instructions|precautions|measures|"
    r"requirements|rules|warnings?))?|warnings?|cautions?|hazards?(?: .*)?|precautions?|ppe|"
    r"(?:personal )?protective.*|tools?(?: .*)?|materials?(?: .*)?|equipment(?: (?:and|needed|required|list).*)?|"
    r"parts(?: (?:and|needed|required|list).*)?|spares?|preparations?|before (?:you )?(?:start|begin\w*)|"
    r"after (?:the )?(?:work|job)|(?:return|restore) to (?:service|normal.*)|completion|close-?out|handover|"
    r"responsibilit\w+|roles?(?: and responsibilities)?|definitions?|abbreviations|terms|limits?(?: (?:and|"
    r"of) .*)?|acceptance(?: .*)?|results?|examples?|notes?|(?:possible |root |probable )?causes?|investigation|"
    r"additional (?:information|notes|resources)|cleanup|monitoring|durchführung|vorgehen|ablauf|maßnahmen|"
    r"sicherheit|voraussetzungen|procédure|étapes|procedimiento|pasos|手順|步骤|(?:step|phase|stage|part|schritt|"
    r"étape|paso)\s+\w{1,4}\b.*)"
)
_BACK = re.compile(
    r"(?:find out more|learn more|more information|contact us|"
    r"append(?:ix|ices)|annex(?:es)?|attachments?|anhang|annexe|revision\w*(?: .*)?|change (?:log|history|"
    r"record).*|changes|editions?|document history|version history|references?(?: .*)?|see also|"
    r"related (?:documents?|procedures?|links?|.*)|glossary|bibliography|distribution(?: list)?|contacts?(?: .*)?|"
    r"records?(?: .*)?|forms?|further (?:reading|information)|approvals?|sign-?off|contributors?|"
    r"contact personnel|(?:legal )?notices?|(?:table of )?contents|copyright|disclaimers?)\b.*|"
    r".*\b(?:records?|register|log ?sheets?|index|codes|signals)"
)
_ORDINAL = re.compile(
    r"(?:(?:section|chapter|part|kapitel|teil|chapitre)\s+)?(?:\d{1,3}(?:\.\d{1,3})*|[A-Z]|[IVX]{1,4})"
    r"(?:[.):]\s+|\s*[–—-]\s+|\s+)(?=\S)",
    re.IGNORECASE,
)
# Document numbers, as in "SOP-12 Start of P-101"
_DOCUMENT = re.compile(
    r"\W*(?:SOP|WI|EOP|AOP|NOP|OP|MOP|SWI|JHA|PRO|PROC|TP|MP)[\s_-]*[\w.-]{0,12}\d[\w.-]*(?:\s*[:.–—-]|\s|$)"
)
_COUNTED = re.compile(
    r"\W*(?:section|chapter|part|procedure|runbook|playbook|checklist|work instruction|card|kapitel|teil|verfahren|"
    r"chapitre|procédure|procedimiento)\s+(?:no\.?\s*)?(?:[A-Z]|\d{1,3}|[IVX]{1,4}|[A-Z]{1,5}[-_]?\d+)\s*(?:[:.–—-]|$)",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(r"\b[A-Z]{1,6}(?:-[A-Z]{0,4}\d+[A-Z]?)+\b|\b[A-Z]{1,4}\d{2,5}\b")
_TASK = re.compile(
    r"\b(?:\w+-?(?:up|down)|replacement|exchange|swap|change-?over|change|removal|installation|inspections?|test|testing|"
    r"checks?|verification|calibration|cleaning|isolation|restoration|recovery|reset|restart|response|transfer|release|"
    r"return|loading|unloading|boarding|refuelling|walk(?:-?round|-?through|-?down)?|service|servicing|maintenance|disposal|"
    r"treatment|evacuation|shut-?off|override|dosing|sampling|draining|filling|purging|commissioning|handover|"
    r"procedure|shutdown|startup|emergency|failure|fault|alarm|trip|leak|fire|outage)\b|"
    r"^\w{2,}ing\b(?! and\b)",
    re.IGNORECASE,
)


def role(heading: str) -> Role:
    """The role of `heading` in a procedure; `named` when it is the title of a topic."""
    title = name(heading).rstrip(":.").casefold()
    if _BACK.fullmatch(title):
        return "back"
    if _OPENING.fullmatch(title):
        return "opening"
    return "inner" if _INNER.fullmatch(title) else "named"


def name(heading: str) -> str:
    """`heading` without its chapter number: `Chapter 3 - Chocks` and `3. Chocks` are both `Chocks`."""
    match = _ORDINAL.match(heading)
    title = heading[match.end() :] if match and (match[0][0].isdigit() or len(match[0].strip()) > 1) else heading
    return title.strip() or heading


def ordinal(heading: str) -> bool:
    """Whether `heading` begins with a counted unit: `Chapter 3 - ...`, `Part 2: ...`."""
    return bool(_COUNTED.match(heading))


def numbered_document(heading: str) -> bool:
    """Whether `heading` begins with a document number, as in `SOP-12 Start of P-101`."""
    return bool(_DOCUMENT.match(heading))


def identified(heading: str) -> bool:
    """Whether `heading` contains the code of an asset or an alarm, as in `CDU-F01 Flow Low`."""
    return bool(_IDENTIFIER.search(heading))


def names_task(heading: str) -> bool:
    """Whether `heading` names a task: `Pump Replacement`, `Replacing the Pump`, `Replace the Pump`."""
    title = name(heading)
    return bool(_TASK.search(title)) or (" " in title and is_instruction(title))


def number(heading: str) -> tuple[int, ...]:
    """The decimal number `heading` begins with; empty when there is none."""
    return section_number(heading)
