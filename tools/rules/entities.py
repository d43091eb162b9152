"""The entity view by rule: alarms, parameters, equipment, commands, people and other names in an SOP (paper Eq. 2)."""

import re
from collections.abc import Iterator
from functools import cache

from tools.llm.tasks.retriever import Attribute, EntityAnswer, EntityDraft, NumberedSop, unnumber
from tools.rules.inline import plain
from tools.rules.lexicon import IMPERATIVES
from tools.rules.nouns import EQUIPMENT, QUANTITIES, ROLES, UNITS
from tools.rules.outline import Block, read
from tools.rules.rows import Table, table_of
from tools.sop import EntityKind

_MOST = 300  # entities of one SOP; more are noise
_CODE = re.compile(r"`([^`\n]{2,90})`")
_FAILING = (
    "Down|Failed|Failing|Failure|Failures|Error|Errors|High|Low|Missing|Exceeded|Degraded|Critical|Warning|Full|Unavailable|"
    "Unhealthy|Absent|Stuck|Expired|Expiring|Flapping|Firing|Lost|Stopped|Slow|NotReady|Alarm|Alert|Fault|Trip|Overheat\\w*|"
    "Unreachable|Timeout|Leak|Detected|Drops?|Dropped|Mismatch|Burn|Lag|Crashed|Crashing|Outdated|Limit|Saturat\\w+"
)
_CAMEL = re.compile(r"\b(?:[A-Z][a-z0-9]+(?:[A-Z]+[a-z0-9]*)+|[a-z]+(?:[A-Z][a-z0-9]+)+|[A-Z]{2,}[a-z]+[A-Z]\w*)\b")
_ALARM_NAME = re.compile(rf"^(?=\w*[a-z])[A-Za-z]\w*(?:{_FAILING})\w*$")
_ALARM_CODE = re.compile(
    r"\b(?i:alarms?|alerts?|faults?|errors?|trips?|events?|status|warnings?)\s+(?i:codes?\s+|numbers?\s+|no\.?\s*|id\s+)?#?"
    r"((?:[A-Z]{1,6}[-_ ]?\d{1,6}[A-Z]?|\d{2,6}|0x[0-9A-Fa-f]+)(?![\w%.]*[%°]))|"
    r"\b((?:ALARM|ALM|ERR|FLT|FAULT|E|F|A|W|AL)[-_]?\d{2,5})\b"
)
_TAG = re.compile(r"\b([A-Z]{1,6}(?:-[A-Z]{1,4})?[- ]?\d{1,5}[A-Z]?(?:[-/.]\d{1,4}[A-Z]?)*)\b")
_NOT_A_TAG = re.compile(
    r"^(?:I|A|UTC|GMT|IPV|HTTP|SHA|MD|ISO|RFC|CVE|SOP|STEP|TABLE|FIG|NOTE|SECTION|PAGE|REV|VERSION|V|TLS|OCP)[- ]?\d",
    re.IGNORECASE,
)
_NAME = r"(?:[A-Za-z][\w/'&-]*\s+){0,3}?"
_VALUE = (
    rf"(?:(?:above|below|over|under|greater than|less than|more than|fewer than|at least|at most|up to|exceed(?:s|ing)?|between|from|"
    rf"within|around|about|approximately|minimum|maximum|max\.?|min\.?|not? more than|[<>≤≥=~±]=?|\\>|\\<)\s*)*[-+]?\d[\d.,]*\s*(?:{UNITS})?"
    rf"(?:\s*(?:-|–|to|and|±|/|\.\.)\s*[-+]?\d[\d.,]*\s*(?:{UNITS})?)?"
)
_SETTING = re.compile(
    r"(?<![\w`])(--[a-z][\w-]+|[A-Za-z][\w.]*_[\w.]*\w|[A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:\s*[=:]\s*[\"']?([\w./%-]{1,40}))?"
)
_ACRONYM = re.compile(r"\b((?:[A-Z][\w/-]*\s+(?:(?:and|of|for|the|to)\s+)?){1,6})\(([A-Z][A-Za-z0-9/-]{1,9})\)")
_LONE_ACRONYM = re.compile(r"\b[A-Z]{2,}[A-Z0-9]*\b")
_HYPHENED = re.compile(r"\b[a-z][a-z0-9]+(?:-[a-z0-9]+){1,5}\b(?=[^\w-]|$)")
_CHANNEL = re.compile(r"(?<![\w&\\])\\?(#[a-z][\w-]{3,40})")
_BOLD = re.compile(r"\*\*([^*\n]{3,50}?)\*\*")
_PROMPT = re.compile(r"^\s*(?:\[\w+@[^\]]*\]\s*)?(?:\$|#|>|ccs>|PS [^>]*>)\s+(?=\S)")
_SHELL = re.compile(r"^(?:bash|sh|shell|console|terminal|zsh|powershell|cmd|csh)\b")
_PROGRAM = re.compile(r"^(?:sudo\s+)?[a-z][\w./-]{1,30}(?:\s+[\w./:${}<>=@,'\"-]+)+$")
_PLACED = re.compile(
    r"\b(?:located|installed|mounted|found|situated|stored|kept)\s+((?:in|on|at|next to|behind|under|above|inside|near)\s+[^.,;:()\n]{3,50})"
)
# Quantities that are named without their value as often as not mean something else.
_VAGUE = frozenset(
    """age charge count current cycle exposure feed force gap head height interval length level life limit load mass offset
    pitch position power range rate ratio reading resolution size slope spread step strain time travel value weight
    width""".split()
)
_ARTICLES = frozenset(
    """a an the this that these those each every any all both some no its their your our his her and or of to in on at for from by
    with without if when then than as is are was were be been being has have had can may must should will not only also such which
    who whose it they there here other another same new own more most one two three first second next last following given
    correct proper appropriate entire whole main current available specific particular affected respective it's""".split()
)


def extract(sop: NumberedSop) -> EntityAnswer:
    """The entities of the SOP, each once, in the order of its text."""
    _, lines = unnumber(sop.numbered)
    return EntityAnswer.model_construct(entities=entities_of(sop.title, "\n".join(lines)))


def entities_of(title: str, body: str) -> list[EntityDraft]:
    """The entities of a titled text."""
    found: dict[str, _Thing] = {}
    for name, kind, attributes in [*_in_title(plain(title)), *_in_blocks(read(body))]:
        name = name.strip(" .,:;'\"")
        if len(name) > 1 and not name.isdigit():
            found.setdefault(name.lower(), _Thing(name)).learn(kind, attributes)
        if len(found) >= _MOST:
            break
    return [thing.draft() for thing in found.values()]


Mention = tuple[str, EntityKind, dict[str, str]]
_RANK: tuple[EntityKind, ...] = ("alarm", "parameter", "asset", "role", "command", "other")


class _Thing:
    """What is known so far about one name."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.kind: EntityKind = "other"
        self.attributes: dict[str, str] = {}

    def learn(self, kind: EntityKind, attributes: dict[str, str]) -> None:
        """The more telling kind wins; the first value of an attribute stays."""
        self.kind = min(self.kind, kind, key=_RANK.index)
        self.attributes = {**attributes, **self.attributes}

    def draft(self) -> EntityDraft:
        """It as an answer."""
        pairs = [Attribute.model_construct(name=name, value=value) for name, value in self.attributes.items()]
        return EntityDraft.model_construct(name=self.name, kind=self.kind, attributes=pairs)


def mentions(text: str) -> Iterator[Mention]:
    """Every name in a piece of Markdown, with its kind and attributes."""
    for code in _CODE.findall(text):
        yield _coded(code.strip())
    words = plain(text)
    yield from _identifiers(words)
    yield from _things(words)


def _in_title(title: str) -> Iterator[Mention]:
    if re.fullmatch(r"\w+", title) and (_CAMEL.fullmatch(title) or _ALARM_NAME.match(title)):
        yield title, "alarm", {}
    else:
        yield from mentions(title)


def _in_blocks(blocks: tuple[Block, ...]) -> Iterator[Mention]:
    for block in blocks:
        if block.kind == "code":
            yield from _commands(block)
        elif block.kind in ("table", "html"):
            table = table_of(block)
            if table:
                yield from _in_table(table)
        elif block.text:
            yield from mentions(block.text)
            if block.kind == "paragraph":
                yield from _labels(block.text)


def _in_table(table: Table) -> Iterator[Mention]:
    named = bool(table.head) and re.match(
        r"(?i)parameter|setting|variable|name|sensor|point|item|quantity|limit|metric", table.head[0]
    )
    for row in table.rows:
        if named and row.cells and len(row.cells) > 1:
            pairs = zip(table.head[1:], row.cells[1:], strict=False)
            yield (
                plain(row.cells[0])[:60],
                "parameter",
                {head.lower(): plain(cell)[:80] for head, cell in pairs if head and plain(cell)},
            )
        else:
            for cell in row.cells:
                yield from mentions(cell)


def _coded(code: str) -> Mention:
    bare = _PROMPT.sub("", code)
    if bare != code or (" " in bare and _PROGRAM.match(bare)):
        return bare, "command", {}
    if _ALARM_NAME.match(bare) and _CAMEL.match(bare):
        return bare, "alarm", {}
    if _SETTING.fullmatch(bare):
        name, _, value = bare.partition("=")
        return name, "parameter", {"value": value} if value else {}
    return bare, "other", {}


def _commands(block: Block) -> Iterator[Mention]:
    shell = bool(_SHELL.match(block.info))
    for line in block.text.split("\n")[:40]:
        bare = _PROMPT.sub("", line)
        if (
            bare.strip()
            and not bare.lstrip().startswith(("#", "//"))
            and (bare != line or (shell and _PROGRAM.match(bare.strip())))
        ):
            yield bare.strip()[:100], "command", {}


def _identifiers(words: str) -> Iterator[Mention]:
    for code in _ALARM_CODE.findall(words):
        yield code[0] or code[1], "alarm", {}
    for name in _CAMEL.findall(words):
        yield name, "alarm" if _ALARM_NAME.match(name) else "other", {}
    for tag in _TAG.findall(words):
        if not _NOT_A_TAG.match(tag):
            yield tag, "asset", {}
    for name, value in _SETTING.findall(words):
        yield name, "parameter", {"value": value} if value else {}
    for long, short in _ACRONYM.findall(words):
        name = _named(long, short)
        yield short, "other", {"means": name} if name else {}
    for name in (*_LONE_ACRONYM.findall(words), *_CHANNEL.findall(words)):
        if name.lower() not in IMPERATIVES and name.lower() not in _ARTICLES:
            yield name, "other", {}
    for name in _HYPHENED.findall(words):
        if any(mark.isdigit() for mark in name) or name.count("-") > 1:
            yield name, "other", {}


def _named(long: str, short: str) -> str:
    """The last words of `long` whose initials begin as the acronym does."""
    words = long.split()
    for count in range(1, len(words) + 1):
        tail = words[-count:]
        if tail[0][0].lower() == short[0].lower() and count >= sum(mark.isupper() for mark in short) - 1:
            return " ".join(tail)
    return ""


def _labels(text: str) -> Iterator[Mention]:
    for bold in _BOLD.findall(text):
        name = bold.strip(" :.")
        if name[:1].isupper() and len(name.split()) <= 4 and name.split()[0].lower() not in IMPERATIVES:
            yield plain(name), "other", {}


@cache
def _nouns() -> re.Pattern[str]:
    """A noun phrase that ends in a quantity (group 1, value 2), a piece of equipment (3, tag 4) or a role (5)."""

    def anyof(words: list[str]) -> str:
        return "|".join(sorted((re.escape(word) for word in words), key=len, reverse=True))

    before = r"((?:[A-Za-z][\w/&'-]*[ ]){0,3}"
    value = rf"(?:\s*[:(=]?\s*(?:(?:is|are|was|stays|remains|rises|drops|falls|reaches|of|set|to|should|must|be|not|has|in|range|the|a)\s+){{0,5}}({_VALUE}))?"
    return re.compile(
        rf"\b(?:{before}(?:{anyof(QUANTITIES)}))s?\b{value}|{before}(?:{anyof(EQUIPMENT)}))(?:e?s)?\b(?:\s+((?-i:[A-Z]{{0,3}}-?\d{{1,4}}[A-Z]?|[A-Z])(?![\w%°.]*\w))\b)?|"
        rf"{before}(?:{anyof(ROLES)}))s?\b)",
        re.IGNORECASE,
    )


def _things(words: str) -> Iterator[Mention]:
    for found in _nouns().finditer(words):
        quantity, value, asset, tag, role = found.groups()
        if quantity:
            name = _phrase(quantity)
            if value or (" " in name and name.rpartition(" ")[2].lower().rstrip("s") not in _VAGUE):
                yield name, "parameter", {"value": value.strip(" .,")} if value else {}
        elif asset:
            name = _phrase(asset)
            placed = _PLACED.match(words[found.end() :].lstrip().removeprefix("is ").removeprefix("are "))
            if " " in name or tag:
                yield f"{name} {tag}" if tag else name, "asset", {"location": placed[1].strip()} if placed else {}
        else:
            yield _phrase(role), "role", {}


def _phrase(words: str) -> str:
    """The phrase without what stands before the name: articles, verbs, prepositions."""
    kept: list[str] = []
    for word in reversed(words.split()):
        if kept and _ends_phrase(word.lower()):
            break
        kept.insert(0, word)
    return " ".join(kept)


def _ends_phrase(word: str) -> bool:
    if word in _ARTICLES or word.endswith(("ly", "ing", "'s")):
        return True
    return word in IMPERATIVES or (word.endswith("s") and word.removesuffix("s") in IMPERATIVES)
