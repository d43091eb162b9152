"""Jumps to a step that is named by its number, whatever verb leads there ("a higher value takes you to 3.6")."""

import re
from collections.abc import Iterator

_WORD = r"(?:(?:the )?(?:steps?|item|row|line|point|no\.|number|nr\.?|section|part|box|paragraph)\s*)"
_STEP = r"(?-i:[A-Z])\d{0,2}\b|\d{1,2}(?:\.\d{1,2})*(?-i:[a-z])?\b(?!\.\d)|(?-i:[a-z])(?=\))"
_LABEL = (
    r"\(?(?P<label>(?-i:[A-Z])(?:[.-]?(?P<inner>\d{1,2}))?\b|\d{1,2}(?:\.\d{1,2})*(?-i:[a-z])?\b(?!\.\d)|"
    r"(?-i:[a-z])(?=\)))\)?"
)
_ANEW = r"(?:(?:again|once more|once again|anew|afresh|over|directly|straight|right|back|on|up|down|ahead|now|too)\s+)*"
_LAST = r"(?=\s*(?:[.,;:)→]|$|(?:for|and|or|then|if|when|once|as|above|below|again|anew|with|until|too|instead|but)\b))"
_GOING = (
    r"(?:(?:takes?|brings?|sends?)\s+(?:you|us|him|them)|leads?|(?:be|are|is)\s+through|moves?|go|goes|continues?|"
    r"carr(?:y|ies) on|begins?|starts?|starting|resumes?|recommence|jumps?|skips?|returns?|proceeds?|once more|"
    r"anew|afresh|again|over|straight|directly|back|on|"
    r"re(?:-\w+|scan|check|test|calibrate|run|measure|heat|load|wash|rinse|weigh|join|try|start|peat|do|enter|work|fill)s?)"
)
# "Begin once more at 1", "leads to 3.6", "rescan as of 3.2".
_LED = re.compile(rf"\b{_GOING}\s+{_ANEW}(?:to|at|from|with|as of|for|by)\s+{_WORD}?{_LABEL}{_LAST}", re.IGNORECASE)
# "Then 2 again", "thereafter step 1", "⇒ 4", "redo 3".
_THEN = re.compile(
    r"(?:\b(?:redo|repeat|then|next is|next:|thereafter|afterwards|after that|hence|do|see|take up|i\.e\.)\s+"
    rf"{_ANEW}|[→⇒]\s*|=>\s*){_WORD}?(?P<label>{_STEP})\)?{_LAST}",
    re.IGNORECASE,
)
_ANEW_AT_END = re.compile(
    rf"\b(?:(?:do|repeat|redo|try)\s+{_WORD}?{_LABEL}\s+(?:over|again|anew|once more)|(?:again|anew|over|"
    rf"back)\s+(?:from|at|to)\s+"
    rf"{_WORD}?(?:{_STEP}))\W*$",
    re.IGNORECASE,
)
_THEREAFTER = re.compile(
    rf"(?:,\s+|\band\s+)(?:then|thereafter|afterwards|after that)\s+{_ANEW}{_WORD}?(?P<label>{_STEP})\)?{_LAST}",
    re.IGNORECASE,
)
# "No. 7 follows", "step 1 anew", "then 2) is next".
_NEXT = re.compile(
    rf"(?:^|[,;:(–—]\s*|\b(?:and|then)\s+){_WORD}?(?P<label>(?-i:[A-Z])\d{{1,2}}\b|\d{{1,2}}(?:\.\d{{1,2}})*)[).]?\s+"
    r"(?:is (?:next|due)|follows|comes next|applies|again|anew|once more|"
    r"(?:(?:is|are) )?(?:to be |has to be |must be )?(?:done|gone through|run|repeated|carried out|taken(?: up)?) "
    r"(?:again|once more|anew|afresh))\b",
    re.IGNORECASE,
)
# "Do everything from 1 anew", "take it from step 1 again".
_FROM = re.compile(
    rf"\b(?:from|at|with)\s+{_WORD}?{_LABEL}\s+(?:again|anew|afresh|once more|over again|onwards?|on)\b|"
    rf"(?:^|,\s+|\bthen\s+|\band\s+)(?:on |again )?from\s+{_WORD}?(?P<bare>{_STEP})\)?\W*$",
    re.IGNORECASE,
)
# A step that is named in an outcome is where it leads, unless it is the step of something ("the value of step 3").
_NAMED = re.compile(
    r"(?:^|[,;:(–—→]\s*|\b(?:to|at|from|then|again|anew|and|as of|on|straight|thereafter|afterwards|next|is|now)\s+)"
    rf"(?:the )?(?:step|row|item|point|(?<!part )(?<!serial )(?<!model )(?<!drawing )no\.)\s*{_LABEL}{_LAST}",
    re.IGNORECASE,
)


def sends_back(text: str) -> bool:
    """Whether words end in a repetition from a step on ("wait until it runs quiet, then do 12 over")."""
    return _ANEW_AT_END.search(text) is not None


def then_jumps(text: str) -> Iterator[re.Match[str]]:
    """The places where an act ends in the number of the step that follows it ("rouse it, thereafter 3.5")."""
    yield from _THEREAFTER.finditer(text)


def led_jumps(text: str) -> Iterator[re.Match[str]]:
    """The places where words lead to a step by its label, the group `label`, likeliest first."""
    for form in (_LED, _THEN, _NEXT, _FROM, _NAMED):
        yield from form.finditer(text)
