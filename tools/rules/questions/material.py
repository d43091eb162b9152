"""What an SOP offers to ask about: its instructions, conditions, symptoms, goals and remarks, in its own words."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from tools.questions.words import squeezed, stems
from tools.rules.inline import plain
from tools.rules.markdown import Block, Page, read
from tools.rules.questions.clauses import Action, Condition, action, condition, is_clause, is_sayable, lowered
from tools.rules.questions.speech import Naming, first_person, spoken

_SENTENCE = re.compile(r"(?<=[.!?])[*_)\"”’]{0,3}\s+(?=[*_`\"'“(\[]{0,4}[A-ZÀ-Þ0-9])|\n\s*\n")
_ABBREVIATED = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|fig|no|approx|min|max|cf|incl|resp|dept|ext)\.|\b[A-Z]\.|^\d+\.)$", re.I
)
_SYMPTOMS = re.compile(
    r"symptom|meaning|impact|problem|alert|alarm|fault|failure|error|indication|detect|sign|overview|cause", re.I
)
_SKIPPED = re.compile(
    r"revision|version|change (?:log|history)|history|references?\b|contacts?\b|related|see also|glossary|abbreviation|"
    r"acronym|approval|sign-?off|document control|distribution|further reading|additional resources|external|source|"
    r"personnel|table of contents|links?\b|example output|quer(?:y|ies)\b|definition",
    re.IGNORECASE,
)
_FIRES = re.compile(
    r"\b(?:alert|alarm|warning|error|fault|message|code|runbook|it|which)\b[^.]{0,40}?\b(?:fires?|firing|trigger(?:s|ed)?|raised|"
    r"occurs?|appears?|activates?|activated|sent|issued|shown|means|indicates?|signals?|warns?|reports?|says|notifies)\b"
    r"(?: \w+)?,? (?:when(?:ever)?|if|that|because|in case|as soon as|once)\s+(?P<clause>[^.;:]+)",
    re.IGNORECASE,
)
_MEANS = re.compile(
    r"\b(?:alert|alarm|warning|error|fault|code)\b[^.]{0,30}?\b(?:means|indicates|signals|is about|warns (?:of|about)|"
    r"is caused by|is due to|is related to)\s+(?P<noun>(?:an?|the|high|low|missing|insufficient|excessive)\s[^.;:]+)",
    re.IGNORECASE,
)
_GOAL = re.compile(
    r"(?:^to |\b(?:procedure|document|guide|page|runbook|section|sop|instruction|manual|checklist|section) (?:\w+ ){0,2}?"
    r"(?:describes?|explains?|details?|covers?|shows?|outlines?|gives?|provides?)\s(?:the (?:steps|procedure|instructions|"
    r"process|actions|method)\s(?:required |needed |necessary )?(?:to|for|on)\s|how (?:to|you)\s|instructions (?:to|for|on)\s)|"
    r"\b(?:purpose|aim|goal|objective) (?:of [^.]{3,40} )?is to )(?P<goal>[^.;:]+)",
    re.IGNORECASE,
)
_ODD = re.compile(
    r"\b(?:no longer|not|never|cannot|can't|fail\w*|unable|error|fault\w*|alarm|alert|leak\w*|trip\w*|stuck|jam\w*|damag\w+|"
    r"broken|torn|wet|smoke|smell|noise|nois\w+|vibrat\w+|hot|cold|high\w*|low\w*|above|below|exceed\w*|over|under|drop\w*|"
    r"slow\w*|full|empty|missing|lost|loss|down|degraded|unavailable|unresponsive|crash\w*|hang\w*|dead|dark|red|amber|"
    r"yellow|blink\w*|flash\w*|wrong|incorrect\w*|delay\w*|late|stop\w*|block\w*|clog\w*|worn|crack\w*|loose|deviat\w+|"
    r"drift\w*|unusual|abnormal|remain\w*|stay\w*|insufficient|lack\w*|refus\w+|reject\w*|expire\w*|timeout|closed|open|"
    r"n't|too|less|more|only|unhealthy|missed|skipped|outage|affected|impact\w*|problem|issue)\b|n't\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Said:
    """One sentence: as it is spoken, as it is printed, and under which heading."""

    text: str
    evidence: str
    section: str
    odd: bool  # under a heading about symptoms, meaning or causes


@dataclass(frozen=True)
class Seen:
    """Something an operator notices, as a clause ("the pump has stopped") or a noun phrase ("high latency")."""

    text: str
    evidence: str
    clause: bool = True


@dataclass
class Material:
    """All that was found in one SOP, in the order of the text."""

    title: str
    weights: Counter[str]
    goals: list[Action] = field(default_factory=list)
    actions: list[Action] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    symptoms: list[Seen] = field(default_factory=list)
    sentences: list[Said] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)

    def weight(self, text: str) -> float:
        """How much the words of `text` are what the SOP is about: the mean weight of its stems."""
        found = stems(text)
        return sum(self.weights[stem] for stem in found) / (len(found) + 2) if found else 0.0


def gather(title: str, body: str) -> Material:
    """The material of an SOP."""
    page = read(body)
    naming = Naming(title, body)
    material = Material(title, _weights(title, page))
    flat = squeezed(body)
    for said in _said(page):
        if squeezed(said.evidence) in flat:
            hidden = naming.hide(said.text)
            _file(material, Said(hidden, said.evidence, said.section, said.odd))
    material.headings = [block.text for block in page.headings]
    return material


def _file(material: Material, said: Said) -> None:
    """Put a sentence wherever it is of use."""
    material.sentences.append(said)
    goal = _goal(said)
    if goal:
        material.goals.append(goal)
    held = condition(said.text, said.evidence)
    if held:
        material.conditions.append(held)
    symptom = _symptom(said)
    if symptom:
        material.symptoms.append(symptom)
    done = action(held.then if held else said.text, said.evidence)
    if done:
        material.actions.append(done)


def _goal(said: Said) -> Action | None:
    found = _GOAL.search(said.text)
    if not found:
        return None
    words = re.sub(r"\s(?:that|which|without|so that|in case|if|when|on how)\b.*", "", found["goal"])
    return action(words, said.evidence) or action(_base(words), said.evidence)


def _base(words: str) -> str:
    """`replacing the belts` as `replace the belts`."""
    from tools.rules.lexicon import IMPERATIVES

    first, _, rest = words.strip().partition(" ")
    stem = first.lower().removesuffix("ing")
    options = (stem, f"{stem}e", stem[:-1])
    return next((f"{verb} {rest}" for verb in options if verb in IMPERATIVES), words)


def _symptom(said: Said) -> Seen | None:
    fires = _FIRES.search(said.text)
    if fires and is_clause(fires["clause"].strip(), 30):
        return Seen(lowered(first_person(fires["clause"].strip())), said.evidence)
    means = _MEANS.search(said.text)
    if means and is_sayable(means["noun"]) and 3 <= len(means["noun"].split()) <= 18:
        return Seen(lowered(first_person(means["noun"].strip())), said.evidence, clause=False)
    text = said.text.rstrip(".!")
    if (
        said.odd
        and is_clause(text, 26)
        and _ODD.search(text)
        and not text.lower().startswith(("if ", "when ", "for ", "in "))
    ):
        return Seen(lowered(first_person(text)), said.evidence)
    return None


def _weights(title: str, page: Page) -> Counter[str]:
    counts: Counter[str] = Counter()
    for block in page.blocks:
        if block.kind != "code":
            counts.update(stems(block.text))
    for stem in stems(title):
        counts[stem] += 3
    return Counter({stem: min(count, 8) for stem, count in counts.items()})


def _said(page: Page) -> Iterator[Said]:
    section = ""
    for block in page.blocks:
        if block.kind == "heading":
            section = block.text
        elif block.kind in ("paragraph", "item") and not _SKIPPED.search(section):
            yield from _sentences(block, section)
        elif block.kind == "table" and not _SKIPPED.search(section):
            yield from _cells(page, block, section)


def _sentences(block: Block, section: str) -> Iterator[Said]:
    odd = bool(_SYMPTOMS.search(section)) or not section
    for part in _split(block.source):
        text = spoken(part)
        if text:
            yield Said(text, part.strip(), section, odd)


def _split(source: str) -> list[str]:
    parts: list[str] = []
    for part in _SENTENCE.split(source):
        if parts and _ABBREVIATED.search(parts[-1].rstrip("*_ ")):
            parts[-1] = source[source.find(parts[-1]) : source.find(part) + len(part)]
        elif part.strip():
            parts.append(part)
    return parts


def _cells(page: Page, block: Block, section: str) -> Iterator[Said]:
    """The sentences of every cell below the head, each with its row as evidence."""
    raw = {squeezed(plain(line.strip().strip("|").replace("|", " "))): line.strip() for line in _lines(page, block)}
    for row in block.rows[1:]:
        evidence = raw.get(squeezed(" ".join(row)), "")
        for cell in row:
            for part in _split(cell):
                words = re.sub(r"^\d+[.)]\s*", "", spoken(part))
                yield Said(words, evidence or part.strip(), section, bool(_SYMPTOMS.search(section)))


def _lines(page: Page, block: Block) -> tuple[str, ...]:
    return page.lines[block.lines.start - 1 : block.lines.end]
