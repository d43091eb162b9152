"""What an SOP offers to ask about: its goals, instructions, conditions and symptoms, in the order of the text."""

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property

from tools.questions.words import stems
from tools.rules.lexicon import IMPERATIVES
from tools.rules.markdown import Page, read
from tools.rules.nouns import EQUIPMENT
from tools.rules.questions.actions import Action, action
from tools.rules.questions.clauses import Condition, condition, is_clause, main_clause
from tools.rules.questions.reading import AlarmRow, Reader, Said
from tools.rules.questions.sayable import is_sayable, lowered
from tools.rules.questions.speech import Naming, first_person

_FIRES = re.compile(
    r"\b(?:alert|alarm|warning|error|fault|message|code|it|which)\b[^.]{0,40}?\b(?:fires?|firing|trigger(?:s|ed)?|"
    r"raised|"
    r"occurs?|appears?|activates?|activated|sent|issued|shown|means|indicates?|signals?|warns?|reports?|says|"
    r"notifies)\b"
    r"(?: \w+)?,? (?:when(?:ever)?|if|that|because|in case|as soon as|once)\s+(?P<clause>[^.;:]+)",
    re.IGNORECASE,
)
_MEANS = re.compile(
    r"\b(?:alert|alarm|warning|error|fault|code)\b[^.]{0,30}?\b(?:means|indicates|signals|is about|warns (?:of|about)|"
    r"is caused by|is due to|is related to)\s+(?P<noun>(?:an?|the|high|low|missing|insufficient|excessive)\s[^.;:]+)",
    re.IGNORECASE,
)
_GOAL = re.compile(
    r"(?:^to |\b(?:procedure|document|guide|page|section|sop|instruction|manual|checklist) (?:\w+ ){0,2}?"
    r"(?:describes?|explains?|details?|covers?|shows?|outlines?|gives?|provides?|exists)\s(?:the (?:steps|procedure|"
    r"instructions|process|actions|method)\s(?:required |needed |necessary )?(?:to|for|on)\s|how (?:to|you)\s|to |"
    r"instructions (?:to|for|on)\s)|\b(?:purpose|aim|goal|objective) (?:of [^.]{3,40} )?is to )(?P<goal>[^.;:]+)",
    re.IGNORECASE,
)
_ODD = re.compile(
    r"\b(?:no longer|not|never|cannot|can't|fail\w*|unable|error|fault\w*|alarm|alert|leak\w*|trip\w*|stuck|jam\w*|"
    r"damag\w+|"
    r"broken|torn|wet|smoke|smell|nois\w+|vibrat\w+|too|high\w*|low\w*|above|below|exceed\w*|over|under|drop\w*|"
    r"slow\w*|full|"
    r"empty|missing|lost|loss|down|degraded|un\w+able|unresponsive|crash\w*|hang\w*|dead|dark|red|amber|yellow|"
    r"blink\w*|"
    r"flash\w*|wrong|incorrect\w*|delay\w*|late|stop\w*|block\w*|clog\w*|worn|crack\w*|bent|loose|deviat\w+|drift\w*|"
    r"differ|"
    r"unusual|abnormal|insufficient|lack\w*|refus\w+|reject\w*|expire\w*|time\w*out|unhealthy|missed|skipped|outage|"
    r"problem|issue|falls?|rises?|less|more than|only)\b|n['’]t\b",
    re.IGNORECASE,
)
_STATED = re.compile(
    r"^(?P<thing>[\w -]{3,40}?) (?P<state>stuck (?:open|closed|shut)|\w+ed|broken|shut|stuck|open|closed|full|empty|"
    r"low|high|wet|moist|lost|blocked)$"
)
_HAPPENED = {"failed", "stopped", "tripped", "slipped", "expired", "jammed", "cracked", "collapsed"}
_FIRST = re.compile(r"^(?:the|an?|our|my|all|any|each|every|some|no|one|two|more|less|most|other|we|you)\b|^[A-Z]")
_HEADS = EQUIPMENT | {"code", "lamp", "light"}
_SHORT = 9  # words of an instruction that fits into half a sentence


@dataclass(frozen=True)
class Seen:
    """Something an operator notices: a clause ("the pump has stopped") or a noun phrase ("high latency")."""

    text: str
    evidence: str
    place: int
    clause: bool = True

    @property
    def odd(self) -> bool:
        """Does it sound like trouble?"""
        return bool(_ODD.search(self.text))


@dataclass
class Material:
    """All that was found in one SOP."""

    title: str
    language: str
    weights: Counter[str] = field(repr=False)
    sentences: list[Said] = field(default_factory=list, repr=False)
    headings: list[str] = field(default_factory=list)
    goals: list[Action] = field(default_factory=list)
    actions: list[Action] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    symptoms: list[Seen] = field(default_factory=list)
    facts: list[Seen] = field(default_factory=list)  # other plain statements, for an SOP that has little else

    def weight(self, text: str) -> float:
        """How much the words of `text` are what the SOP is about."""
        found = stems(text)
        return sum(self.weights[stem] for stem in found) / (len(found) + 2)

    @cached_property
    def gist(self) -> str:
        """The printed sentence that says most of what the SOP is about; empty when it has no sentence."""
        clean = [one for one in self.sentences if 5 < len(one.text.split()) < 40 and one.text != one.section]
        whole = max(clean or self.sentences, key=lambda said: self.weight(said.text), default=None)
        return whole.evidence if whole else ""

    def near(self, place: int, told: str) -> Action | None:
        """What somebody who tells `told` is busy with: the short instruction nearest to `place`, rather before it."""
        short = [one for one in self.actions if len(one.rest.split()) <= _SHORT and one.place != place]
        other = [one for one in short if len(set(stems(one.rest)) & set(stems(told))) < 2]
        return min(
            other, key=lambda one: (abs(one.place - place) + (3 if one.place > place else 0), -one.place), default=None
        )

    def remedy(self, seen: Seen) -> str:
        """The printed words that say what to do first about `seen`: the next instruction, or its own sentence."""
        return next((one.evidence for one in self.actions if one.place > seen.place), seen.evidence)


def gather(title: str, body: str, language: str = "en") -> Material:
    """The material of an SOP; in another language than English only its sentences and headings."""
    english = language == "en"
    page = read(body)
    sentences, rows = Reader(page, Naming(title, body, english)).read()
    material = Material(title, language, _weights(title, page), sentences, [heading.text for heading in page.headings])
    for said in sentences if english else []:
        _file(material, said)
    for row in rows if english else []:
        _file_row(material, row)
    return material


def _file(material: Material, said: Said) -> None:
    """Put a sentence wherever it is of use."""
    # "This alert fires when ..." says what is seen, not what to do about it.
    held = None if _FIRES.search(said.text) else condition(said.text, said.evidence, said.place)
    seen = _symptom(said)
    goal = _goal(said)
    order = action(held.then if held else said.text, said.evidence, said.place) if said.orders else None
    if held:
        material.conditions.append(replace(held, clause=_with_article(held.clause)))
    if seen:
        material.symptoms.append(seen)
    elif not said.trouble and is_clause(main_clause(said.text.rstrip("."))):
        fact = lowered(first_person(main_clause(said.text.rstrip("."))))
        material.facts.append(Seen(fact, said.evidence, said.place))
    if goal:
        material.goals.append(goal)
    if order and len(set(stems(order.rest))) > 1:
        material.actions.append(order)


def _file_row(material: Material, row: AlarmRow) -> None:
    shown = lowered(row.shown.strip(" .:-")).strip()
    if len(shown.split()) > 1 and is_sayable(shown) and not is_clause(shown):
        clause = f"the panel shows {shown}"
        material.symptoms.append(Seen(clause, row.evidence, row.place))
        material.conditions.append(Condition("if", clause, row.remedy, row.evidence, row.place))
    for cause in re.split(r",? or |, ", row.cause):
        stated = _STATED.match(lowered(cause.strip(" .")))
        if stated and is_sayable(cause):
            clause = _stated(stated["thing"], stated["state"])
            material.conditions.append(Condition("if", clause, row.remedy, row.evidence, row.place))


def _stated(thing: str, state: str) -> str:
    """`belt` and `broken` as "the belt is broken", `fans` and `stopped` as "fans have stopped"."""
    many = thing.endswith("s")
    verb = ("have" if many else "has") if state in _HAPPENED else ("are" if many else "is")
    return f"{thing if many else f'the {thing}'} {verb} {state}"


def _goal(said: Said) -> Action | None:
    found = _GOAL.search(said.text)
    if not found:
        return None
    words = re.sub(r"\s(?:that|which|without|so that|in case|if|when|on how)\b.*", "", found["goal"])
    first, _, rest = words.strip().partition(" ")
    root = first.lower().removesuffix("ing")
    base = next((verb for verb in (first.lower(), root, f"{root}e", root[:-1]) if verb in IMPERATIVES), first)
    return action(f"{base} {rest}", said.evidence, said.place)


def _symptom(said: Said) -> Seen | None:
    fires, means = _FIRES.search(said.text), _MEANS.search(said.text)
    fired = main_clause(fires["clause"].strip()) if fires else ""
    if is_clause(fired):
        return Seen(_with_article(first_person(fired)), said.evidence, said.place)
    if means and is_sayable(means["noun"]) and 3 <= len(means["noun"].split()) <= 18:
        return Seen(first_person(means["noun"].strip()), said.evidence, said.place, clause=False)
    text = main_clause(said.text.rstrip(".!"))
    if (
        said.trouble
        and is_clause(text, 26)
        and _ODD.search(text)
        and not re.match(r"(?i)(?:if|when|for|in|to|as)\b", text)
    ):
        return Seen(lowered(first_person(text)), said.evidence, said.place)
    return None


def _with_article(clause: str) -> str:
    """`fault code appears` as `the fault code appears`, where the subject is equipment without an article."""
    first, second, *_ = [*clause.split(), "", ""]
    subject = second if first not in _HEADS and second in _HEADS else first
    return clause if _FIRST.match(clause) or subject not in _HEADS else f"the {clause}"


def _weights(title: str, page: Page) -> Counter[str]:
    counts: Counter[str] = Counter()
    for block in page.blocks:
        if block.kind != "code":
            counts.update(stems(block.text))
    for stem in stems(title):
        counts[stem] += 3
    return Counter({stem: min(count, 8) for stem, count in counts.items()})
