"""The conditions that govern a step's instructions, and the options a list offers.

A condition counts where it governs something to do: "If it drips, call the lead" and "Refuel if it is under 1/4", but
not "If the pump is off, the lamp is green". Its words are those of the step.
"""

import re
from collections.abc import Iterator

from soprag.tools.procedure.branches import clauses, condition_of, denial_of
from soprag.tools.procedure.bullets import gives_order
from soprag.tools.procedure.reading_range import stated
from soprag.tools.text.sentences import sentences

_MOST = 6  # conditions of one step; more are a list, not a choice
_LAST = re.compile(
    r"(?<!\bsee)(?<!\bcheck)(?<!\bas)(?<!\beven)(?<!\bwhat)(?<!\bverify)(?<!\bdetermine)(?<!\bknow)(?<!\btell)"
    r"(?<!\bconfirm)(?<!\bask)(?<!\bsure)(?<!\bnote)(?<!\btest)"
    r"[\s(]+(?:(?:but\s+)?only\s+)?(?P<word>if|unless|in case(?: of)?|provided(?: that)?)\s+(?P<what>[^.;:]+)",
    re.IGNORECASE,
)
_IDLE = re.compile(
    r"^(?:possible|any|available|you (?:like|wish|want|prefer|need help|have (?:any )?questions)|in doubt)\b",
    re.IGNORECASE,
)
_WHEN = re.compile(r"^\W*when\s+(?P<what>[^,;]{3,120}?)(?=,\s)", re.IGNORECASE)
_ENDS = re.compile(
    r"\bend of (?:the |this )?procedure\b|\bprocedure (?:ends\b|is (?:now )?completed?\b)", re.IGNORECASE
)
_STOPS = re.compile(r"\b(?:stop here|abandon the \w+|no further (?:action|steps?) (?:is|are) )\b", re.IGNORECASE)
# "Stop", and not what to stop: who writes "stop the pump" or "press STOP" goes on afterwards.
_HALTS = re.compile(
    r"(?<![Pp]ress )(?<![Gg]ive )(?<!the )(?<!not )\b[Ss]top\b"
    r"(?=\s*(?:[.;!]|$)|"
    r",? and (?:call|inform|notify|tell|alert|report|ask|reschedule|postpone|use|follow|escalate|wait)\b)|"
    r"\b[Aa]bort (?:the (?:test|procedure|work|job|start)\b|(?=and\b))"
)
_FORBIDS = re.compile(r"^\W*(?:then\s+)?(?:do not|don't|never|no\b|nobody|stop\b)|\bmay not\b", re.IGNORECASE)
_OPTION = re.compile(
    r"^\W*(?:if\s+)?(?P<plain>yes|no|ja|nein|oui|non)\b\W*(?=[:,;–—-]|$)|"
    r"^\W*(?P<compared>(?:(?:less|more|greater|lower|higher) than|at least|at most|above|below|over|under|between|"
    r"from|outside|within|up to|<=?|>=?|≤|≥)\s[^:.]{0,40}?\d[^:.]{0,40}?(?:\.\d[^:.]{0,30})?)(?=:|\s[–—-]\s)|"
    r"^\W*(?P<spread>\d[\d.,]*\s*(?:to|-|–)\s*\d[^:]{0,30}?)(?=:|\s[–—-]\s)",
    re.IGNORECASE,
)
_NAMED = re.compile(r"^\W*(?P<name>[^\s:][^:.!?]{0,48}?)(?=:\s|\s[–—]\s)")
_ASKS = re.compile(
    r"\?\W*$|\b(?:depending on|according to|as follows|one of (?:the following|these)|in the case of|by the)\b"
    r"[^.]*:?\W*$|\bwhich\b[^.]*[?:]\W*$",
    re.IGNORECASE,
)


def conditions(text: str) -> list[str]:
    """The conditions in plain `text` that govern something to do, in order, each once.

    "Otherwise" does not count; "If it does not, ..." counts only where no earlier condition exists that it negates.
    """
    governing: dict[str, None] = {}
    for sentence_index, sentence in enumerate(sentences(text)):
        for clause_index, clause in enumerate(clauses(sentence)):
            governing.update(dict.fromkeys(_governing(clause, first=not sentence_index and not clause_index)))
            if not governing and (sentence_index or clause_index) and denial_of(clause):
                governing[denial_of(clause)] = None
    governing |= _times(text)
    return list(governing) if len(governing) <= _MOST else []


def endings(text: str) -> frozenset[str]:
    """The conditions under which the procedure ends with this step; the empty string: it always ends."""
    ends = set()
    opening = condition_of(text)
    for sentence in sentences(text):
        if _ENDS.search(sentence):
            ends.add(condition_of(sentence) or ("" if opening == "otherwise" else opening))
        elif (_STOPS.search(sentence) or _HALTS.search(sentence)) and condition_of(sentence) not in ("", "otherwise"):
            ends.add(condition_of(sentence))
    return frozenset(ends)


def _times(text: str) -> dict[str, None]:
    """Alternative "when" conditions on a quantity, such as below 4 bar and above 6 bar; empty for fewer than two."""
    times = [match["what"] for match in map(_WHEN.match, sentences(text)) if match and stated(match["what"])]
    return dict.fromkeys(" ".join(condition.split()) for condition in times) if len(times) > 1 else {}


def _governing(clause: str, *, first: bool) -> Iterator[str]:
    opening = condition_of(clause)
    if opening:
        if opening != "otherwise" and (first or _acts(clause)):
            yield opening
        return
    last = _LAST.search(clause)
    aside = last and clause[: last.start()].endswith(",") and "," in last["what"]  # ", if used, "
    if last and not aside and not _IDLE.match(last["what"]) and _acts(clause[: last.start()]):
        word, condition = last["word"].lower(), " ".join(last["what"].split(",")[0].split()).rstrip(" )")
        yield f"{word} {condition}" if word == "unless" else condition


def _acts(clause: str) -> bool:
    """Whether a clause is an instruction or a prohibition."""
    return gives_order(clause) or bool(_FORBIDS.search(clause.rpartition(", ")[2])) or bool(_FORBIDS.search(clause))


def option(text: str, question: str) -> str:
    """The condition under which a list item applies; `question` is the text of its parent step.

    Recognised are yes and no, comparisons such as "Below 85 Pa: ...", and, where the parent step is a question, any
    name before a colon. Empty when the item is not an option.
    """
    match = _OPTION.match(text)
    if match:
        return " ".join((match["plain"] or match["compared"] or match["spread"]).split()).strip()
    return name(text) if _ASKS.search(question) else ""


def name(text: str) -> str:
    """The name before the colon of a list item: "Class 2" in "Class 2: running water. Go to 5.6."; else empty."""
    match = _NAMED.match(text)
    return " ".join(match["name"].split()) if match else ""
