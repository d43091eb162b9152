"""Whether words direct somebody: imperatives, acts of a named person, waits and checks."""

import re
from functools import lru_cache

from soprag.tools.procedure.wording.lexicon import AMBIGUOUS, IMPERATIVES, PERCEIVING, is_instruction

_LEAD = re.compile(
    r"^\W*(?:(?:first|then|now|next|last|lastly|finally|please|immediately|again|also|always|carefully|slowly|"
    r"simultaneously|optional(?:ly)?|if needed|if necessary|recommended|\w+ly)\b[\s,:)]*|"
    r"(?:(?:an?|half an|\w+)\s+)?(?:seconds?|minutes?|hours?|days?|weeks?)\s+(?:after|before|later|earlier|"
    r"on)\b[^,.:;]{0,60},\s+|"
    r"(?:based on|depending on|using)\b[^,]{3,90}(?:\([^)]*\))?,\s+)*",
    re.IGNORECASE,
)
_PEOPLE = (
    "operator|technician|lead|leader|manager|engineer|supervisor|person|persons|room|officer|contractor|team|crew|nurse|"
    "assistant|warden|pilot|guard|driver|observer|agent|analyst|both|electrician|mechanic|fitter|foreman|chemist|deputy|"
    r"inspector|coordinator|porter|attendant|bosun|apprentice|responder|approver|reviewer|\w+[^l\W]ist|specialist|"
    r"\w+ician|\w+[^u\W]man"
)
_ACTOR = re.compile(
    r"^\W*(?:the |one |a |an |both |each )?"
    rf"(?P<who>(?-i:[A-Z]{{2,4}})\b|[\w' -]{{0,30}}?\b(?:{_PEOPLE})(?P<plural>s?))\b"
    r"(?:\s*\([^)]*\))?\s+(?:(?P<modal>must|shall|should|has to|have to|needs? to)\s+)?"
    rf"(?:(?:then|now|also|first|next|always|again)\s+)?(?P<verb>(?!(?:{_PEOPLE})s?\b)[a-z]+)",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^\W*[A-Z][\w /()&.,'-]{1,50}?(?::|\s[-–—])\s+(?=\S)")
_BEFORE_OBJECT = re.compile(
    r"^\W*(?P<verb>[A-Za-z]{3,})\s+"
    r"(?P<object>the|a|an|all|any|each|your|every|both|this|it|them|two|three|four|no more|"
    r"which|what|whether|why)\b",
    re.IGNORECASE,
)
_CLOSED = frozenset(
    """about above according across after against all also although among and are around because been before behind
    being below beneath beside besides between beyond both but can could despite does during either even every
    except finally for from had has have here how however inside instead into its just like likewise many may
    might more most much must near neither nor not off once one only onto opposite our out outside over past per
    plus quite rather same shall she should since such than that their then there these they this those though
    through throughout thus till together toward towards twice under underneath unless unlike until upon via was
    were what when whenever where whereas wherever whether which while who whom whose why will with within
    without would yet you often half sometimes today therefore hence otherwise meanwhile maybe perhaps almost is
    did nobody nothing neither""".split()  # noqa: SIM905
)
_ENDINGS = ("ing", "ed", "ly", "ion", "ment", "ness", "ance", "ence", "ity", "ous", "ful", "able", "ive")
_PREFIX = re.compile(r"^(?:pre|re|un|de|dis|over|out)-?(?=[a-z]{3})")
_BEFORE_PLACE = re.compile(
    r"^\W*(?P<verb>[A-Z][a-z]{2,})\s+(?:in|into|on|onto|with|at|for|from|to|off|out|up|down)\s+\w"
)
_FINITE = re.compile(r"\b(?:is|are|was|were|has|have|does|do|can|may|will|must|shall|should|would|could|might)\b")
_BARRED = re.compile(r"\b(?:may|must|can|shall)(?:not| not) be (?:\w+ed|put|run|driven|taken|set)\b", re.IGNORECASE)
_HANDS_OVER = re.compile(
    r"(?:[.;,]|\band)\s+(?!do not\b|don't\b|never\b)(?:\w+\s+){0,2}"
    r"(?:call|contact|tell|inform|notify|report|escalate|alert)\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"^\W*(?:do not|don'?t|never|must not|no\s+\w+ing\b(?!\s+(?:is|are|was|has|will)\b))\b", re.IGNORECASE
)
_WAIT = re.compile(
    r"^\W*(?:(?:first|then|now|and|next|please|be patient and|continue to|we (?:have|need) to|"
    r"you (?:have|need) to|we must)\W+)*(?:(?:wait|await|pause for)\b(?!ing)|"
    r"(?:let|allow|leave)\s+(?!us\b)[\w' ]{2,60}?\b(?:for|until|stand|settle|run|cool|circulate|mix|dry|soak)\b|"
    r"continue to wait\b|(?:run|hold|soak|stand)\s+(?:it\s+)?for\s+\d+)",
    re.IGNORECASE,
)
_CHECK = re.compile(
    r"(?:check|verify|confirm|read|measure|look|compare|inspect|test|ensure|make sure|see (?:that|whether|if)|examine|"
    r"determine|assess|evaluate|identify|observe|monitor|find out|count|weigh|decide|ask|are|is|does|do you|has|have|"
    r"review|validate|diagnose|investigate|record|note|watch)\b",
    re.IGNORECASE,
)
_DUTY = re.compile(
    r"^(?:[^,]{0,90},\s*)?(?:we|you)\s+(?:can|should|must|may|need to|have to|will need to|may need to|will have to)\s+"
    r"(?:also\s+|now\s+|then\s+)?(?P<verb>[a-z-]+)",
    re.IGNORECASE,
)
_BARE_DUTY = re.compile(r"^(?:need|remember|be sure) to (?P<verb>[a-z-]+)", re.IGNORECASE)  # without "you"
_NEEDED = re.compile(
    r"^(?:[^,.;:]{3,60},\s+)?(?:"
    r"it is (?:\w+ly )?(?:important|necessary|recommended|essential|required|advised|advisable|crucial)"
    r"(?: (?:that )?(?:you|we)| to)|"
    r"the (?:\w+est|most \w+|recommended|preferred|usual|normal) (?:way|option|method|approach)"
    r"(?: (?:to|of|for) [^.,;:]{3,90}?)? is to)"
    r" (?:also )?(?P<verb>[a-z-]+)",
    re.IGNORECASE,
)
_LATE_DUTY = re.compile(
    r"^(?:for|in|on|to|from|with|after|before|at|based on)\b[^.;:]{3,260},\s+(?:you|we)\s+"
    r"(?:can|should|must|may|need to|have to|will need to)\s+(?:also\s+|now\s+|then\s+)?(?P<verb>[a-z-]+)",
    re.IGNORECASE,
)
_SYSTEM_VERBS = frozenset(
    ("manages", "reports", "uses", "provides", "supports", "maintains", "deploys", "runs", "attempts", "requires")
)
# People, where "operator" alone may be software.
_STAFF = re.compile(
    r"\b(?:room|field|shift|plant|panel|duty|line|machine|crane|utilities|night|day|lead|leader|technician|engineer|supervisor|"
    r"nurse|electrician|mechanic|fitter|foreman|chemist|inspector|crew|team)\b",
    re.IGNORECASE,
)
_HUMAN = frozenset(
    """acknowledge agree announce answer approve ask authorise authorize brief call check close confirm decide direct
    fill give hand inform inspect instruct measure notify observe open order press put read repeat report say set sign
    stand switch take tell verify walk watch write""".split()  # noqa: SIM905
)
_STATES = re.compile(
    r"^\W*(?:no|none|nobody|nothing|note that|the|this|that|these|those|there|it|they|some|such)\s+"
    rf"(?!(?:[\w'-]+\s+){{0,2}}(?:{_PEOPLE})s?\b)(?!(?-i:[A-Z]{{2,4}}\s))"
    r"|^\W*\w+\s+\w{2,}ed\b(?:,|\.|$)",
    re.IGNORECASE,
)
_AFTER_PHRASE = re.compile(
    r"^\W*(?:after|before|on|in|at|during|from|with|for|every|within|using|inside|once)\s[^,;:]{3,70}?\s(?P<verb>[a-z]{3,})\s+"
    r"(?:the|a|an|all|any|each|your|every|both|it|them|to|on|\*|[\"“'‘\[`]|[A-Z]|[a-z]+ing\b|"
    r"[a-z]+ (?:temperature|pressure|level)s?)",
)
# "type: Upgradeable" and "Fully open: release pressed, handle removed" state something, whatever their first word.
_KEY = re.compile(r"^\W*(?:\w+ly\s+)?(?P<verb>[A-Za-z_]+)\s*:\s+(?P<value>\S.*)", re.DOTALL)
_PARTICIPLE = re.compile(r"(?:\w+\s+){1,2}\w{2,}ed\b\s*(?:,|;|\.|$)")
_PLEASE = re.compile(
    rf"(?:^|[,;]\s+|\band\s+)please\s+(?:also\s+)?(?:{'|'.join(sorted(IMPERATIVES))})\b", re.IGNORECASE
)
_PLACE = re.compile(
    r"^\W*(?:back\s+)?(?:in|at|on|from|after|with|under|inside|using|during|within|outside|by)\s[^,.;:]{2,60},\s+(?=\w)",
    re.IGNORECASE,
)
_AND_CHECK = re.compile(r"(?:\band|,)\s+(?:then\s+)?(?:check|verify|confirm|read|measure|compare)\b", re.IGNORECASE)
_IRREGULAR = {
    "made": "make", "taken": "take", "put": "put", "set": "set", "kept": "keep", "held": "hold", "shut": "shut",
    "given": "give", "sent": "send", "run": "run", "left": "leave", "drawn": "draw", "withdrawn": "withdraw",
    "worn": "wear", "brought": "bring", "read": "read",
}  # fmt: skip
_DONE = re.compile(
    r"^[^,;]{2,80}?\b(?:can|should|must|may|needs? to|has to|have to)\s+"
    rf"(?:then |also |now )?be\s+(?:\w+ly\s+)?(?P<verb>[a-z-]{{3,}}ed|{'|'.join(_IRREGULAR)})\b",
    re.IGNORECASE,
)
_ADVISED = re.compile(
    r"^(?:it (?:is|may be|might be|would be)(?: \w+)?|the \w+(?: \w+)? (?:solution|option|way|approach|remedy) is) to "
    r"(?P<verb>[a-z-]+)\b",
    re.IGNORECASE,
)
_PERCEPTION = re.compile(
    r"(?:look|count|find|observe|identify|note|record|review|listen|ask|see|watch)\b", re.IGNORECASE
)
_READS = re.compile(
    r"\W*(?:then\s+)?(?:read|measure|estimate|judge|interpret|compare|assess|decide|weigh|test|calculate|determine|"
    r"work out|sum up)\b",
    re.IGNORECASE,
)
_PROGRAM = (
    r"(?:script|program(?:me)?|software|command|tool|macro|job|playbook|routine|sequence|system|controller|plc|it)"
)
_MACHINE = re.compile(
    r"^\W*(?:the (?:\w+ )?(?:steps|actions|tasks|checks) (?:that )?|[^.]*\.\s+)?"
    rf"(?:(?:the|this|that|it|its|each)\b\W*)?(?:[\w./-]+\W+){{0,4}}?{_PROGRAM}\W+"
    r"(?:\w+ly\s+)?(?:performs?|does|will|executes?|carries out|runs?|takes care|goes through|includes|consists of)\b"
    r"[^.]*:\s*$",
    re.IGNORECASE,
)
_CAUSATIVE = re.compile(
    r"^\W*have\s+(?:him|her|them|it|someone|somebody|everyone|everybody|(?:the|an?|all|both|two|one|another)(?=\s))\s+"
    r"(?P<rest>(?:(?!(?:and|or|to|that|which|who|with|for|been|not)\b)[\w'-]+\s*){1,6})",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"^\W*(?:is|are|does|do|did|has|have|was|were|can|will)\s+[^.!]*\?", re.IGNORECASE)


@lru_cache(maxsize=8192)
def directs(text: str) -> bool:
    """Whether words tell somebody to do something: an imperative, "the operator presses", "PIC: confirm"."""
    bare = text.strip()
    if not bare or (_STATES.match(bare) and not _NEEDED.match(bare)) or re.match(r"^\w+-[A-Z]", bare):
        return False
    key = _KEY.match(bare)
    if key and (key["verb"][0].islower() or _PARTICIPLE.match(key["value"])):
        return directs(key["value"])
    return _obliges_actor(bare) or _opens_order(bare) or bool(_PLEASE.search(bare))


def _obliges_actor(text: str) -> bool:
    """Whether words say what "we", "you" or a named person does, or ask a question that somebody must answer."""
    text = text[_LEAD.match(text).end() :]  # type: ignore[union-attr]  # matches everything
    duty = _DUTY.match(text) or _LATE_DUTY.match(text) or _NEEDED.match(text) or _BARE_DUTY.match(text)
    if duty and duty["verb"].lower() in IMPERATIVES - PERCEIVING:
        return True
    return bool(_QUESTION.match(text)) or _by_actor(text)


def _opens_order(text: str) -> bool:
    """Whether words open with an imperative, after a label, an adverb or a phrase."""
    if is_instruction(text):
        return True
    label = _LABEL.match(text)
    told = text[label.end() :].strip() if label else ""
    if (" " in told or told.isupper()) and directs(told):
        return True
    rest = text[_LEAD.match(text).end() :]  # type: ignore[union-attr]  # matches everything
    return (rest != text and is_instruction(rest)) or _before_object(rest) or _after_phrase(text) or _causes(rest)


def _causes(text: str) -> bool:
    """Whether words have somebody do something, or something done ("Have the fitter press it", "have it checked")."""
    found = _CAUSATIVE.match(text)
    told = found["rest"].lower().split() if found else []
    acts = [word for word in told if word in IMPERATIVES - AMBIGUOUS or (_stems(word) - {word}) & IMPERATIVES]
    return bool(found) and (bool(acts) or told[:1] == ["look"])


def _after_phrase(text: str) -> bool:
    """Whether the imperative follows a phrase without a comma ("On the panel choose Maintenance")."""
    found = _AFTER_PHRASE.match(text[:1].lower() + text[1:])
    return bool(found) and found is not None and found["verb"] in IMPERATIVES - AMBIGUOUS


def opens_with_verb(text: str) -> bool:
    """Whether the first word can be an imperative, whatever follows; meant for items beside others that are acts.

    A verb that is made of another one counts, too: "preheat", "heat-pulse".
    """
    found = re.match(r"^\W*(?P<verb>[A-Za-z]+(?:-[a-z]+)?)", text)
    if found is None or _STATES.match(text):
        return False
    verb = found["verb"].lower()
    return bool({verb, verb.partition("-")[0], _PREFIX.sub("", verb)} & IMPERATIVES)


def may_open_order(text: str) -> bool:
    """Whether an unknown first word may be an imperative by what stands behind it ("Freeze in liquid nitrogen").

    Meant for items in lists of which the others are acts.
    """
    found = _BEFORE_PLACE.match(text)
    return found is not None and not _FINITE.search(text) and _uninflected(found["verb"].lower())


def opens_with_gerund(text: str) -> bool:
    """Whether the first word is an imperative in -ing: an act where all items of a list open so."""
    found = re.match(r"^\W*(?P<stem>[A-Za-z]{2,})ing\b", text)
    stem = found["stem"].lower() if found else ""
    return bool({stem, f"{stem}e", stem[:-1] if stem[-1:] == stem[-2:-1] else stem} & IMPERATIVES)


def by_role(label: str) -> bool:
    """Whether a label before a colon names who acts."""
    return bool(_ACTOR.match(f"{label} acts")) or bool(re.fullmatch(r"[A-Z]{2,4}|[A-Z][a-z]+ [A-Z]", label.strip()))


def is_wait(text: str) -> bool:
    """Whether words ask to wait or to let something run."""
    return bool(_WAIT.match(text))


def is_check(text: str) -> bool:
    """Whether words open with a check or a reading, after a label or a place."""
    bare = _PLACE.sub("", _LABEL.sub("", text.strip(), count=1), count=1)
    bare = bare[_LEAD.match(bare).end() :]  # type: ignore[union-attr]  # matches everything
    phrase = _AFTER_PHRASE.match(bare[:1].lower() + bare[1:])
    if phrase and _CHECK.match(phrase["verb"]):
        return True
    return (
        bool(_CHECK.match(bare)) or bool(_CHECK.match(text.strip())) or bool(re.match(r"[\w ]{3,30} confirms\b", bare))
    )


def ends_in_check(text: str) -> bool:
    """Whether the last thing that words ask for is a check ("Go to the panel and check that no lamp is lit")."""
    last = list(_AND_CHECK.finditer(text))
    return bool(last) and not re.search(r"[.;]\s+\S", text[last[-1].end() :])


def permits(text: str) -> bool:
    """Whether words say what can be done to something ("the alert can be silenced"): an act under a condition."""
    advised = _ADVISED.search(text)
    if advised:
        return advised["verb"].lower() in IMPERATIVES - PERCEIVING
    found = _DONE.search(text)
    if not found or text.rstrip().endswith("?"):
        return False
    return bool(_stems(found["verb"].lower()) & (IMPERATIVES - PERCEIVING))


def _stems(participle: str) -> set[str]:
    """The verbs of which a word may be the participle."""
    stems = {participle.removesuffix(end) for end in ("ed", "d")} | {re.sub("ied$", "y", participle)}
    stems.add(_IRREGULAR.get(participle, participle))
    return stems | {stem[:-1] for stem in stems if stem[-2:-1] == stem[-1:]}  # "stopped"


def perceives(text: str) -> bool:
    """Whether a check is only a look, a count or a note on the way, no test of a stated value."""
    bare = text.strip()
    bare = bare[_LEAD.match(bare).end() :]  # type: ignore[union-attr]  # matches everything
    return bool(_PERCEPTION.match(bare))


def looks_for(text: str) -> bool:
    """Whether the last sentence of a step asks, reads or looks for something ("Run it. Look at the glass.")."""
    last = re.split(r"[.;]\s+", text.rstrip(" .:"))[-1]
    parts = re.split(r"\s+and\s+|,\s+|:\s+", last)
    return is_check(last) or any(perceives(one) or is_check(one) or _READS.match(one) for one in parts)


def asks(text: str) -> bool:
    """Whether a step looks for something or puts a question."""
    return looks_for(text) or text.rstrip().endswith("?")


def tells_of_machine(text: str) -> bool:
    """Whether a lead-in tells what a program or a machine does by itself ("The script performs these steps:")."""
    return bool(_MACHINE.match(text))


def hands_over(text: str) -> bool:
    """Whether words behind an act, or all of them, call somebody ("Do not enter. Tell the lead.")."""
    return bool(_HANDS_OVER.search(f". {text}"))


def prohibits(text: str) -> bool:
    """Whether words forbid something, in the passive too ("The vehicle may not be used.")."""
    return forbids(text) or bool(_BARRED.search(text))


def forbids(text: str) -> bool:
    """Whether words open with a prohibition."""
    return bool(_NEGATED.match(text))


def _by_actor(text: str) -> bool:
    found = _ACTOR.match(text)
    if not found:
        return False
    verb = found["verb"].lower()
    stem = {verb, verb.removesuffix("s"), verb.removesuffix("es"), verb.removesuffix("ies") + "y"}
    if not (found["plural"] or found["modal"] or verb.endswith("s") or found["who"].lower().endswith("both")):
        return False  # "the operator name": a singular actor takes a verb in -s
    if found["who"].isupper():
        # an abbreviation may name a machine as well: only what people do counts
        return bool(stem & _HUMAN) and bool(text[found.end() :].strip(" .:"))
    if (verb in _SYSTEM_VERBS and not _STAFF.search(found["who"])) or text[found.end("who") :].startswith(" ("):
        return False
    return bool(stem & IMPERATIVES)


def _before_object(text: str) -> bool:
    found = _BEFORE_OBJECT.match(text)
    if found is None:
        return False
    verb = found["verb"].lower()
    before_name = found["object"].lower() in ("it", "them") or (
        found["object"].lower() in ("the", "each", "every", "your") and not verb.endswith(("ly", "ing", "ed"))
    )
    return _uninflected(verb) or (verb not in _CLOSED and not _plural(verb) and before_name)


def _uninflected(word: str) -> bool:
    """Whether a word that is no function word has neither the ending of a noun or participle nor an s."""
    return word not in _CLOSED and not word.endswith(_ENDINGS) and not _plural(word)


def _plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith("ss")
