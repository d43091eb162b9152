"""Named entity recognition by pattern: the names in a text with their kind and attributes."""

import re
from collections.abc import Iterator
from functools import cache

from soprag.tools.markdown.inline import plain
from soprag.tools.procedure.wording.lexicon import AMBIGUOUS, IMPERATIVES
from soprag.tools.procedure.wording.safety_labels import kind_of
from soprag.tools.rules.nouns import BEFORE_NAMES, EQUIPMENT, FORMS, QUANTITIES, ROLES, UNITS, VAGUE
from soprag.tools.sop import EntityKind

_CODE = re.compile(r"`([^`\n]{2,90})`")
_FAILING = (
    "Down|Failed|Failing|Failure|Failures|Error|Errors|High|Low|Missing|Exceeded|Degraded|Critical|Warning|Full|"
    "Unavailable|"
    "Unhealthy|Absent|Stuck|Expired|Expiring|Flapping|Firing|Lost|Stopped|Slow|NotReady|Alarm|Alert|Fault|Trip|"
    "Overheat\\w*|"
    "Unreachable|Timeout|Leak|Detected|Drops?|Dropped|Mismatch|Burn|Lag|Crashed|Crashing|Outdated|Limit|Saturat\\w+"
)
_CAMEL = re.compile(r"\b(?:[A-Z][a-z0-9]+(?:[A-Z]+[a-z0-9]*)+|[a-z]+(?:[A-Z][a-z0-9]+)+|[A-Z]{2,}[a-z]+[A-Z]\w*)\b")
_ALARM_NAME = re.compile(rf"^(?=\w*[a-z])[A-Za-z]\w*(?:{_FAILING})\w*$")
_ALARM_CODE = re.compile(
    r"\b(?i:alarms?|alerts?|faults?|errors?|trips?|events?|status|warnings?)\s+(?i:codes?\s+|numbers?\s+|no\.?\s*|"
    r"id\s+)?#?"
    r"((?:[A-Z]{1,6}[-_ ]?\d{1,6}[A-Z]?|\d{2,6}|0x[0-9A-Fa-f]+)(?![\w%.]*[%°]))|"
    r"(?<![\w-])((?:[A-Z]+-)*(?:ALARM|ALM|ERR|FLT|FAULT|AL)[-_]?\d{2,5})\b"
)
_TAG = re.compile(r"\b([A-Z]{1,6}(?:-[A-Z]{1,4})?[- ]?\d{1,5}[A-Z]?(?:[-/.]\d{1,4}[A-Z]?)*)\b")
_NOT_A_TAG = re.compile(
    r"^(?:I|A|UTC|GMT|IPV|HTTP|SHA|MD|ISO|RFC|CVE|SOP|STEP|TABLE|FIG|NOTE|SECTION|PAGE|REV|VERSION|"
    r"V(?!-)|TLS|OCP)[- ]?\d",
    re.IGNORECASE,
)
_PAPER = re.compile(r"^(?:[A-Z]{2,5}-)?(?:SOP|EOP|MOP|AOP|NOP|WI|DOC|PROC|QP|OPS|FM|GOM|MAN|FORM|WO)-\d")  # documents
_VALUE = (
    rf"(?:(?:above|below|over|under|greater than|less than|more than|fewer than|at least|at most|up to|exceed(?:s|"
    rf"ing)?|between|from|"
    rf"within|around|about|approximately|minimum|maximum|max\.?|min\.?|not? more than|[<>≤≥=~±]=?|\\>|"
    rf"\\<)\s*)*[-+]?\d[\d.,]*\s*(?:{UNITS})?"
    rf"(?:\s*(?:-|–|to|and|±|/|\.\.)\s*[-+]?\d[\d.,]*\s*(?:{UNITS})?)?"
)
_MEASURED = re.compile(
    r"\s*[:(=]?\s*(?:(?:is|are|was|stays|remains|rises|drops|falls|reaches|of|set|to|should|must|be|not|has|in|"
    r"range|the|a)\s+){0,5}"
    rf"({_VALUE})",
    re.IGNORECASE,
)
_TAGGED = re.compile(r" ([A-Z]{0,4}-?\d{1,4}[A-Z]?|[A-Z])(?![\w%°.-]*\w)")
_WORD = re.compile(r"[A-Za-z][\w/&'-]*")
_SETTING = re.compile(
    r"(?<![\w`])(--[a-z][\w-]+|[A-Za-z][\w.]*_[\w.]*\w|[A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:\s*[=:]\s*[\"']?([\w./%-]{1,40}))?"
)
_FILE = re.compile(r"\.(?:py|sh|ya?ml|md|json|txt|log|conf|cfg|ini|xml|html?|csv|pdf)$")
_ACRONYM = re.compile(r"\b((?:[A-Z][\w/-]*\s+(?:(?:and|of|for|the|to)\s+)?){1,6})\(([A-Z][A-Za-z0-9/-]{1,9})\)")
_DIGIT = re.compile(r"\d")
_LONE_ACRONYM = re.compile(r"(?<![\w-])[A-Z]{2,}[A-Z0-9]*(?![\w-])")
_HYPHENED = re.compile(r"\b[a-z][a-z0-9]+(?:-[a-z0-9]+){1,5}\b(?=[^\w-]|$)")
_CHANNEL = re.compile(r"(?<![\w&\\])\\?(#[a-z][\w-]{3,40})")
PROMPT = re.compile(r"^\s*(?:\[\w+@[^\]]*\]\s*)?(?:\$|#|>|ccs>|PS [^>]*>)\s+(?=\S)")
PROGRAM = re.compile(r"^(?:sudo\s+)?[a-z][\w./-]{1,30}(?:\s+[\w./:${}<>=@,'\"-]+)+$")
_PLACED = re.compile(
    r"\s*(?:(?:is|are|was)\s+)?(?:located|installed|mounted|found|situated|stored|kept)\s+((?:in|on|at|next to|"
    r"behind|under|above|inside|near)\s+[^.,;:()\n]{3,50})"
)

Mention = tuple[str, EntityKind, dict[str, str]]


def mentions(text: str) -> Iterator[Mention]:
    """Every name in a piece of Markdown, with its kind and attributes."""
    yield from coded_in(text)
    yield from named_in(plain(text))


def coded_in(text: str) -> Iterator[Mention]:
    """The names between backticks in a piece of Markdown."""
    for code in _CODE.findall(text) if "`" in text else ():
        yield _coded(code.strip())


def named_in(text: str) -> Iterator[Mention]:
    """The names in plain text."""
    yield from _identifiers(text)
    yield from _things(text)


def _coded(code: str) -> Mention:
    stripped = PROMPT.sub("", code)
    if stripped != code or (" " in stripped and PROGRAM.match(stripped)):
        return stripped, "command", {}
    if _ALARM_NAME.match(stripped) and _CAMEL.match(stripped):
        return stripped, "alarm", {}
    if _SETTING.fullmatch(stripped) and not _FILE.search(stripped):
        name, _, value = stripped.partition("=")
        return name, "parameter", {"value": value} if value else {}
    return stripped, "other", {}


def _identifiers(text: str) -> Iterator[Mention]:
    # Testing for a required character first is much cheaper than running every pattern.
    for name in _CAMEL.findall(text):
        yield name, "alarm" if _ALARM_NAME.match(name) else "other", {}
    if _DIGIT.search(text):
        yield from _numbered(text)
    if "_" in text or "--" in text:
        yield from _settings(text)
    if "(" in text:
        yield from _acronyms(text)
    yield from _others(text)


def _settings(text: str) -> Iterator[Mention]:
    for name, value in _SETTING.findall(text):
        yield name, "other" if _FILE.search(name) else "parameter", {"value": value} if value else {}


def _acronyms(text: str) -> Iterator[Mention]:
    for long, short in _ACRONYM.findall(text):
        meaning = _named(long, short)
        yield short, "other", {"means": meaning} if meaning else {}


def _others(text: str) -> Iterator[Mention]:
    for name in (*_LONE_ACRONYM.findall(text), *(_CHANNEL.findall(text) if "#" in text else ())):
        if name.lower() not in IMPERATIVES and name.lower() not in BEFORE_NAMES and not kind_of(f"{name}:"):
            yield name, "other", {}
    for name in _HYPHENED.findall(text) if "-" in text else ():
        if _DIGIT.search(name) or name.count("-") > 1:
            yield name, "other", {}


def _numbered(text: str) -> Iterator[Mention]:
    """Names with a number in them: alarm codes, equipment tags, documents."""
    for code in _ALARM_CODE.findall(text):
        yield code[0] or code[1], "alarm", {}
    for tag in _TAG.findall(text):
        if not _NOT_A_TAG.match(tag):
            yield tag, "other" if _PAPER.match(tag) else "asset", {}


def _named(long: str, short: str) -> str:
    """The last words of `long` whose initials begin as the acronym does."""
    tokens = long.split()
    for count in range(1, len(tokens) + 1):
        tail = tokens[-count:]
        if tail[0][0].lower() == short[0].lower() and count >= sum(letter.isupper() for letter in short) - 1:
            return " ".join(tail)
    return ""


@cache
def _nouns() -> dict[str, EntityKind]:
    """The entity kind of a noun phrase by its head noun."""
    kinds: dict[str, EntityKind] = {}
    lists: tuple[tuple[EntityKind, frozenset[str]], ...] = (
        ("asset", EQUIPMENT),
        ("parameter", QUANTITIES),
        ("role", ROLES),
    )
    for kind, nouns in lists:
        kinds |= dict.fromkeys(nouns, kind) | dict.fromkeys((f"{noun}s" for noun in nouns), kind)
        kinds |= dict.fromkeys((f"{noun}es" for noun in nouns if noun.endswith(("x", "s", "ch", "sh"))), kind)
    return kinds


def _things(text: str) -> Iterator[Mention]:
    """Noun phrases that end in a quantity, a piece of equipment or a role: up to three words before the noun."""
    tokens = list(_WORD.finditer(text))
    nouns = _nouns()
    for index, token in enumerate(tokens):
        kind = nouns.get(token[0].lower())
        if not kind or (index + 1 < len(tokens) and _goes_on(text, token, tokens[index + 1])):
            continue
        first = index
        while first and index - first < 3 and text[tokens[first - 1].end() : tokens[first].start()] == " ":
            first -= 1
        name = _phrase(text[tokens[first].start() : token.end()])
        yield from _named_thing(name, kind, text[token.end() : token.end() + 160])


def _goes_on(text: str, token: re.Match[str], following: re.Match[str]) -> bool:
    """Whether the next word is a noun of the same phrase, so that the phrase ends later."""
    return text[token.end() : following.start()] == " " and following[0].lower() in _nouns()


def _named_thing(name: str, kind: EntityKind, after: str) -> Iterator[Mention]:
    several = " " in name
    if kind == "parameter":
        value = _MEASURED.match(after)
        if value or (several and name.rpartition(" ")[2].lower().removesuffix("s") not in VAGUE):
            yield name, "parameter", {"value": value[1].strip(" .,")} if value else {}
    elif kind == "asset":
        tag, placed = _TAGGED.match(after), _PLACED.match(after)
        if several or tag:
            yield f"{name} {tag[1]}" if tag else name, "asset", {"location": placed[1].strip()} if placed else {}
    else:
        yield name, "role", {}


def _phrase(text: str) -> str:
    """The noun phrase without leading articles, verbs and prepositions."""
    phrase: list[str] = []
    for word in reversed(text.split()):
        if phrase and _ends_phrase(word.lower()):
            break
        phrase.insert(0, word)
    return " ".join(phrase)


def _ends_phrase(word: str) -> bool:
    if (
        word in BEFORE_NAMES
        or (word.endswith(("ly", "ing", "'s")) and word not in FORMS)
        or any(character.isdigit() for character in word)
    ):
        return True
    verb = word.removesuffix("s")
    return (word in IMPERATIVES or verb in IMPERATIVES) and verb not in AMBIGUOUS and verb not in _nouns()


def phrases(question: str) -> list[str]:
    """Candidate noun phrases of a question in which no entity was recognised; at most 8 of up to 5 words."""
    runs: list[list[str]] = [[]]
    for word in question.split():
        token = word.strip(".,;:!?()\"'").lower()
        if token in BEFORE_NAMES or token in IMPERATIVES or len(token) < 3:
            runs.append([])
        else:
            runs[-1].append(token)
            if word[-1] in ".,;:!?":
                runs.append([])
    return [" ".join(run[:5]) for run in runs if run][:8]


def is_alarm_name(name: str) -> bool:
    """Whether a single word is the name of an alert, such as `HighErrorRate`."""
    return bool(re.fullmatch(r"\w+", name) and (_CAMEL.fullmatch(name) or _ALARM_NAME.match(name)))


def is_code(name: str) -> bool:
    """Whether a name is a code that may stand for an alarm, such as `CRAC-A01`."""
    return bool(_TAG.fullmatch(name) or _CAMEL.fullmatch(name)) and not _PAPER.match(name)
