"""Conditions known by what they lead to: words before a way out ("With the lamp unlit, abandon the transfer")."""

import re

from soprag.tools.procedure.wording.led_jumps import led_jumps
from soprag.tools.procedure.wording.outcome_labels import compares_quantity
from soprag.tools.procedure.wording.targets import exit_of, named_section
from soprag.tools.procedure.wording.verbs import directs, opens_with_verb

_PHRASE = r"(?:[^,.;:]|(?<=\d)[.](?=\d))"  # a character of words between marks, the point of a decimal among them
_NUMBERED = r"\s(?=[^,]*\d)" + _PHRASE
# A value before an order, as in "Below 95 °C, open it" and "At 5 °C or more continue with step 3".
_COMPARED = re.compile(
    r"^\W*(?P<label>(?:below|above|under|over|beyond|less than|more than|fewer than|"
    rf"with (?:less|more) than|between|within|outside){_NUMBERED}{{1,60}}|"
    rf"from{_NUMBERED}{{1,30}}\sto{_NUMBERED}{{1,30}}|"
    r"with (?:the |a |an )?(?:[\w-]+ ){1,4}?(?:below|above|under|over|outside)\s[^,.;:]{1,40}),\s+(?P<rest>\S.*)$|"
    rf"^\W*(?P<value>(?:at|from|with|above|below|over|under){_NUMBERED}{{1,30}}?"
    r"(?: or (?:more|less|above|below|over|under))?)\s+"
    r"(?P<way>(?:continue|go|proceed|skip|return|carry on)\b.*)$",
    re.IGNORECASE | re.DOTALL,
)
_FOR_ONE = re.compile(
    r"^\W*(?P<what>for (?!(?:each|every|all|both|any|more|further|details?|information|help|instructions?|example|this|"
    r"that|these|the (?:next|following|purpose|rest))\b)[^,.;:]{2,50}),\s+(?P<rest>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_MARK = re.compile(
    r",\s+(?!(?:so|then|and then|thereafter|afterwards|after that)\b)(?:and\s+)?|:\s+(?:then\s+)?|\s+[–—=-]{1,2}\s+"
)
# Words before a mark that say when, how or why, and not whether.
_NO_CASE = re.compile(
    r"^\W*(?:after(?!\s+(?:\w+ ){1,2}?(?:strokes?|presses|turns|cycles|shots|pumps)\b)|once|when|whenever|"
    r"as soon as|then|finally|lastly|for|to|by|in order|from|now|next|instead|thus|so|"
    r"therefore|during|until|before|on completion|alternatively|again|note|important|caution|warning|danger|step|"
    r"remember|have|let|make|get|"
    r"please|first|second|in this way|at the|in the|on the|that done|this done|depending|as|see|having|in any|in all|"
    r"eventually|result|action|tip|hint|here|otherwise|else|if|unless|this|these|that|it|which|you|we|and|or|both|all|each|every)\b",
    re.IGNORECASE,
)
# "An error of more than 1 nm leads to 3.6", "a reading below 19 % forbids entry".
_BRINGS = re.compile(
    r"^(?P<when>\W*(?!(?:this|these|that|which|it|you|we|they|and|the (?:procedure|test|work|job|"
    r"check))\b)[^,:;]{4,90}?)\s+"
    r"(?P<rest>(?:leads?(?=\s+(?:back |straight |directly |on |you )?(?:to|into)\b)|"
    r"takes? you|brings? you|sends? you|means?(?: that)?|calls? for|forbids?|ends?|"
    r"prohibits?)\s+\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
# "From 90 °C upwards the wagon is set out": a value opens the sentence without a comma.
_VALUE = re.compile(
    r"^(?P<when>\W*(?:from|at|with|above|below|over|under|beyond|up to|more than|less than|"
    r"fewer than)\s+(?:\w+\s+)?\S*\d[^,.;:]{0,40}?)\s+"
    r"(?P<rest>(?:the|an?|no|nobody|nothing|everybody|everyone|all|this|it|you|we|leave|stop)\s+\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_CODE = re.compile(r"^\W*(?-i:[A-Z])\d{1,2}\W*$")  # "Dark: C4." names a step by its label alone
_SHORTEST = 2  # words of a case


def led(sentence: str) -> tuple[str, int] | None:
    """The condition, and where the way out that it leads to begins; None where nothing leads away."""
    for mark in _MARK.finditer(sentence):
        head = sentence[: mark.start()]
        rest = sentence[mark.end() :]
        if _is_case(head, _SHORTEST - bool(_CODE.match(rest))) and leaves(rest):
            return head, mark.end()
    value = _VALUE.match(sentence)
    if value and leaves(value["rest"]):
        return value["when"], value.start("rest")
    brings = _BRINGS.match(sentence)
    if brings and _is_case(brings["when"]) and leaves(brings["rest"]) and not _only_ends(sentence):
        return brings["when"], brings.start("rest")
    return None


def _only_ends(sentence: str) -> bool:
    """Whether a sentence says nothing but that the work is over ("Your check ends here.")."""
    leaving = exit_of(sentence)
    return leaving is not None and leaving.target.kind == "end" and not leaving.before.strip()


def _is_case(head: str, words: int = _SHORTEST) -> bool:
    told = len(head.split()) >= words and not _NO_CASE.match(head)
    return told and (compares_quantity(head) or not (directs(head) or opens_with_verb(head)))


def leaves(rest: str) -> bool:
    """Whether words lead away: to the end, or to a step by its number or label."""
    told = exit_of(rest, conditional=True) is not None or next(led_jumps(rest), None) is not None
    return told or bool(_CODE.match(rest)) or named_section(rest) is not None


def for_one(text: str) -> tuple[str, int] | None:
    """The thing that alone a way out is for, and where that begins ("For lift 4, go straight to section E")."""
    found = _FOR_ONE.match(text)
    leaving = exit_of(found["rest"]) if found else None
    if found is None or leaving is None or leaving.before.strip() or leaving.target.kind not in ("step", "section"):
        return None
    return found["what"], found.start("rest")


def compared(text: str) -> tuple[str, int] | None:
    """A compared value that opens a sentence, and where the order or the way on behind it begins; None for others."""
    found = _COMPARED.match(text)
    if not found or not (found["way"] or directs(found["rest"])):
        return None
    return found["value"] or found["label"], found.start("way" if found["way"] else "rest")
