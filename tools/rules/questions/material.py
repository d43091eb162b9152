"""The material for questions on an SOP: its goals, instructions, conditions and symptoms, in the order of the text."""

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property

from soprag.tools.markdown.page import MarkdownPage, read
from soprag.tools.procedure.wording.lexicon import IMPERATIVES
from soprag.tools.rules.questions.actions import Instruction, action
from soprag.tools.rules.questions.clauses import condition, is_clause, main_clause
from soprag.tools.rules.questions.heads import clause_parts, is_plural
from soprag.tools.rules.questions.observations import StatedClause, StatedReading, is_seen, observe
from soprag.tools.rules.questions.speakable import is_sayable, lowered
from soprag.tools.rules.questions.speech import Naming, first_person
from soprag.tools.rules.questions.spoken_sentences import AlarmRow, SentenceReader, SpokenSentence
from soprag.tools.text.terms import spaced, terms

_FIRES = re.compile(
    r"\b(?:alert|alarm|warning|error|fault|message|code|it|which)\b[^.]{0,40}?\b(?:fires?|firing|trigger(?:s|ed)?|"
    r"raised|occurs?|appears?|activates?|activated|sent|issued|shown|means|indicates?|signals?|warns?|reports?|says|"
    r"notifies)\b"
    r"(?: \w+)?,? (?:when(?:ever)?|if|that|because|in case|as soon as|once)\s+(?P<clause>[^.;:]+)",
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
    r"damag\w+|broken|torn|wet|smoke|smell|nois\w+|vibrat\w+|too|high\w*|low\w*|above|below|exceed\w*|over|under|"
    r"drop\w*|slow\w*|full|empty|missing|lost|loss|down|degraded|un\w+able|unresponsive|crash\w*|hang\w*|dead|dark|"
    r"red|amber|yellow|blink\w*|flash\w*|wrong|incorrect\w*|delay\w*|late|stop\w*|block\w*|clog\w*|worn|crack\w*|bent|"
    r"loose|deviat\w+|drift\w*|differ|unusual|abnormal|insufficient|lack\w*|refus\w+|reject\w*|expire\w*|time\w*out|"
    r"unhealthy|miss(?:ed|es)|overload\w*|exhausted|depleted|skipped|outage|"
    r"problem|issue|falls|falling|rises|rising|less|more than|only)\b|n['’]t\b",
    re.IGNORECASE,
)
_STATED = re.compile(
    r"^(?P<thing>[\w -]{3,40}?) (?P<state>stuck (?:open|closed|shut)|\w+ed|broken|shut|stuck|open|closed|full|empty|"
    r"low|high|wet|moist|lost|blocked)$"
)
_HAPPENED = {"failed", "stopped", "tripped", "slipped", "expired", "jammed", "cracked", "collapsed"}
_FIRST = re.compile(
    r"^(?:the|an?|our|my|all|any|each|every|some|no|one|two|more|less|most|other|another|we|you)\b|^[A-Z]"
)
_VAGUE = 4  # content words; "gather the logs once the source is found" fits many SOPs
_SHORT = 9  # words of an instruction that fits into half a sentence


def is_odd(text: str) -> bool:
    """Whether the wording indicates trouble."""
    return bool(_ODD.search(text))


@dataclass(frozen=True)
class ObservableState:
    """A clause on something that an operator sees, such as `the pump has stopped`, or that decides on the way."""

    text: str
    evidence: str
    position: int

    @property
    def odd(self) -> bool:
        """Whether the wording indicates trouble."""
        return is_odd(self.text)


@dataclass
class QuestionMaterial:
    """The material extracted from one SOP."""

    title: str
    language: str
    weights: Counter[str] = field(repr=False)
    sentences: list[SpokenSentence] = field(default_factory=list, repr=False)
    headings: list[str] = field(default_factory=list)
    goals: list[Instruction] = field(default_factory=list)
    actions: list[Instruction] = field(default_factory=list)
    conditions: list[ObservableState] = field(default_factory=list)
    states: list[ObservableState] = field(default_factory=list)
    readings: tuple[StatedReading, ...] = ()

    def weight(self, text: str) -> float:
        """The mean weight of the stems of `text` by their frequency in the SOP, damped for short texts."""
        text_stems = terms(text)
        return sum(self.weights[stem] for stem in text_stems) / (len(text_stems) + 2)

    def is_told_by(self, text: str) -> bool:
        """Whether `text` says what the SOP is about: a word of the title, or as many words as fit few other SOPs."""
        stems = set(terms(text))
        return bool(stems & set(terms(spaced(self.title)))) or len(stems) > _VAGUE

    @cached_property
    def gist(self) -> str:
        """The printed sentence with the highest weight; empty when the SOP has no sentence."""
        clean = [
            sentence
            for sentence in self.sentences
            if 5 < len(sentence.text.split()) < 40 and sentence.text != sentence.section
        ]
        heaviest = max(clean or self.sentences, key=lambda sentence: self.weight(sentence.text), default=None)
        return heaviest.evidence if heaviest else ""

    def before(self, position: int, situation: str) -> Instruction | None:
        """The last short instruction before `position` that shares no content word with `situation`."""
        stems = set(terms(situation))
        earlier = [
            instruction
            for instruction in self.actions
            if instruction.position < position
            and len(instruction.rest.split()) <= _SHORT
            and not stems & set(terms(instruction.infinitive))
        ]
        return max(earlier, key=lambda instruction: instruction.position, default=None)

    def remedy(self, observation: ObservableState) -> str:
        """The evidence of the first remedy for `observation`: the next instruction, else its own sentence."""
        return next(
            (instruction.evidence for instruction in self.actions if instruction.position > observation.position),
            observation.evidence,
        )


def gather(title: str, body: str, language: str = "en") -> QuestionMaterial:
    """The material of an SOP; in another language than English only its sentences and headings."""
    english = language == "en"
    page = read(body)
    naming = Naming(title, body, english)
    sentences, rows = SentenceReader(page, naming).read()
    material = QuestionMaterial(
        title, language, _weights(title, page), sentences, [heading.text for heading in page.headings]
    )
    if english:
        observed = observe(title, body, naming, sentences)
        material.readings = observed.readings
        material.conditions += [_state(stated) for stated in observed.conditions]
        printed = re.sub(r"\s+", " ", body)
        for sentence in sentences:
            _file(material, sentence, printed, orders=sentence.orders and observed.is_order(sentence))
        taken = {state.text for state in material.states}
        material.states += [_state(stated) for stated in observed.states if _state(stated).text not in taken]
        for row in rows:
            _file_row(material, row)
    return material


def _state(stated: StatedClause) -> ObservableState:
    return ObservableState(_with_article(stated.clause), stated.sentence.evidence, stated.sentence.position)


def _file(material: QuestionMaterial, sentence: SpokenSentence, printed: str, *, orders: bool) -> None:
    """Add a sentence to every list of the material it qualifies for; `printed` is the body in one line."""
    # "This alert fires when ..." describes a symptom, not an instruction.
    fires = _FIRES.search(sentence.text)
    fired = main_clause(fires["clause"].strip()) if fires else ""
    if is_clause(fired) and is_seen(fired):
        clause = lowered(_with_article(first_person(fired)))
        material.states.append(ObservableState(clause, sentence.evidence, sentence.position))
    conditional = None if fires else condition(sentence.text, sentence.evidence, sentence.position)
    ordered = conditional.then if conditional else sentence.text
    if sentence.text == sentence.section:
        ordered = _without_capitals(ordered, printed)
    order = action(ordered, sentence.evidence, sentence.position) if orders else None
    goal = _goal(sentence)
    if goal:
        material.goals.append(goal)
    if order and len(set(terms(order.rest))) > 1:
        material.actions.append(_with_the(order, printed))


def _without_capitals(heading: str, printed: str) -> str:
    """A heading with those words in lower case that the text has so: "Check kernel arguments"."""
    return re.sub(
        r"(?<= )[A-Z][a-z]+\b", lambda word: word[0].lower() if f" {word[0].lower()}" in printed else word[0], heading
    )


def _with_the(order: Instruction, printed: str) -> Instruction:
    """An instruction in full words: "run script again" as "run the script again", where the text has "the script"."""
    first = order.rest.split()[0]
    bare = re.fullmatch(r"[a-z][\w-]*", first) and not is_plural(first)
    known = bare and re.search(rf"\bthe {re.escape(first)}\b", printed, re.IGNORECASE)
    return replace(order, rest=f"the {order.rest}") if known else order


def _file_row(material: QuestionMaterial, row: AlarmRow) -> None:
    """What the panel shows is a state; each of its causes, once found, is a branch with its remedy."""
    indication = lowered(row.indication.strip(" .:-")).strip()
    if len(indication.split()) > 1 and is_sayable(indication) and not is_clause(indication):
        clause = f"the panel shows {indication}"
        material.states.append(ObservableState(clause, row.evidence, row.position))
        material.conditions.append(ObservableState(clause, row.evidence, row.position))
    for cause in re.split(r",? or |, ", row.cause):
        stated = _STATED.match(lowered(cause.strip(" .")))
        if stated and is_sayable(cause):
            clause = _stated(stated["thing"], stated["state"])
            material.conditions.append(ObservableState(clause, row.evidence, row.position))


def _stated(thing: str, state: str) -> str:
    """A clause from a noun and a state: `belt`, `broken` gives "the belt is broken"."""
    many = thing.endswith("s")
    verb = ("have" if many else "has") if state in _HAPPENED else ("are" if many else "is")
    return f"{thing if many else f'the {thing}'} {verb} {state}"


def _goal(sentence: SpokenSentence) -> Instruction | None:
    match = _GOAL.search(sentence.text)
    if not match:
        return None
    goal_text = re.sub(r"\s(?:that|which|without|so that|in case|if|when|on how)\b.*", "", match["goal"])
    first, _, rest = goal_text.strip().partition(" ")
    root = first.lower().removesuffix("ing")
    base = next((verb for verb in (first.lower(), root, f"{root}e", root[:-1]) if verb in IMPERATIVES), first)
    return action(f"{base} {rest}", sentence.evidence, sentence.position)


def _with_article(clause: str) -> str:
    """`clause` with an article before a subject in the singular that lacks one: `the fault code appears`."""
    parts = clause_parts(clause)
    bare = parts is not None and parts.pronoun == "it" and clause[:1].islower() and not _FIRST.match(clause)
    return f"the {clause}" if bare else clause


def _weights(title: str, page: MarkdownPage) -> Counter[str]:
    counts: Counter[str] = Counter()
    for block in page.blocks:
        if block.kind != "code":
            counts.update(terms(block.text))
    for stem in terms(title):
        counts[stem] += 3
    return Counter({stem: min(count, 8) for stem, count in counts.items()})
