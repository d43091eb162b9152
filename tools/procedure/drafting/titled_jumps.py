"""Jumps that name a section of the document by its title, without the word "section"."""

import re

from soprag.tools.procedure.wording.targets import Exit, Target

_JUMP = re.compile(
    r"\b(?P<verb>go|proceed|continue|carry on|go on|skip|return|move|jump|follow|refer|see|perform|execute|use|run)\s+"
    r"(?:(?:back|on|directly|straight|to|with|at|the|instructions|steps|procedure|described|in|under|for)\s+)*"
    r"(?P<name>[\w][^,.;:()\"]{3,70})(?P<single>)",
    re.IGNORECASE,
)
# "proceed with the steps under "Other problems"", in whatever quotes.
_QUOTED = re.compile(
    r"\b(?:go|proceed|continue|return|follow|refer|see|perform|use)\b[^.;:\"“”]{0,60}?"
    r"(?:[\"“](?P<name>[^\"”]{3,70})(?:[\"”]|$)|(?<=\s)'(?P<single>\w[^']{2,70})'(?!\w))",
    re.IGNORECASE,
)
# "Do the warming up procedure": the section whose title holds these words, if there is one alone.
_DONE_THERE = re.compile(
    r"\b(?:do|perform|run|start|follow|carry out|go to|proceed to|continue with)\s+the\s+"
    r"(?P<name>(?:[\w-]+\s+){1,5}?)(?:procedure|instructions)\b(?!\s+(?:of|in|for|from)\b)",
    re.IGNORECASE,
)
# "Begin the caustic circulation anew": the section of that title.
_AGAIN = re.compile(
    r"\b(?:begin|start|do|run|perform|carry out|go through|repeat)\s+(?:with\s+)?the\s+(?P<name>(?:[\w-]+\s+){1,5}?)"
    r"(?:anew|afresh|again|once more|over again|from the (?:start|beginning|top))\b",
    re.IGNORECASE,
)
_BELOW = re.compile(r"\((?:see )?below\)|[,;]?\s*\b(?:see|as) (?:described )?below\W*$", re.IGNORECASE)
_STEM = 4  # letters that "turn" and "turning" have in common
_IDLE = frozenset(
    ("the", "a", "an", "of", "to", "and", "or", "in", "on", "for", "section", "procedure", "below", "above", "this",
     "steps", "step", "part", "again", "instructions", "following", "next", "page", "then")
)  # fmt: skip
_WORD = re.compile(r"[a-z0-9]+")
# What counts the sections of a document: "2 Rinse", "2.1 Rinse", "Part B: Rinse", "C) Rinse".
_COUNTED = re.compile(
    r"^\W*(?:(?:section|part|chapter|phase|stage|step)\s+)?"
    r"(?:\d{1,2}(?:\.\d{1,2})*\W*\s|[a-z\d]{1,2}\s*[.:)–—-]\s)"
)


def titled_exit(text: str, titles: frozenset[str]) -> Exit | None:
    """The jump to the section whose title follows a verb of going, None where no title does.

    `titles` are in lower case; a title of one word counts only when it is all that is named.
    """
    for found in [*_JUMP.finditer(text), *_QUOTED.finditer(text)]:
        words = _content(found["name"] or found["single"])
        for title in titles:
            if _names(words, _title(title)):
                return Exit(Target("title", title, words=found[0].strip()), text[: found.start()])
    return _done_again(text, titles) or _done_there(text, titles) or _told_below(text, titles)


def named_title(text: str, titles: frozenset[str]) -> Exit | None:
    """The jump to the section whose title, of two words or more, is all that an outcome says ("→ Reject fault")."""
    words = _content(text)
    found = next((title for title in titles if len(words) > 1 and words == _title(title)), None)
    return Exit(Target("title", found, words=text.strip()), "") if found else None


def _told_below(text: str, titles: frozenset[str]) -> Exit | None:
    """The jump to the one section below that tells how something is done ("start the standby chiller (below)")."""
    found = _BELOW.search(text)
    told = {word[:_STEM] for word in _content(text[: found.start()])} if found else set()
    named = [title for title in titles if len(_title(title)) > 1 and {w[:_STEM] for w in _title(title)} <= told]
    return Exit(Target("title", named[0], words=text.strip()), "") if len(named) == 1 else None


def _done_there(text: str, titles: frozenset[str]) -> Exit | None:
    """The jump to the one section of which the words before "procedure" are a part of the title."""
    for found in _DONE_THERE.finditer(text):
        words = set(_content(found["name"]))
        named = [title for title in titles if words and words <= set(_title(title))]
        if len(named) == 1:
            return Exit(Target("title", named[0], words=found[0].strip()), text[: found.start()])
    return None


def _done_again(text: str, titles: frozenset[str]) -> Exit | None:
    """The jump back to the one section whose title is what is begun anew."""
    for found in _AGAIN.finditer(text):
        words = [word[:_STEM] for word in _content(found["name"])]
        named = [title for title in titles if words and words == [word[:_STEM] for word in _title(title)]]
        if len(named) == 1:
            return Exit(Target("title", named[0], words=found[0].strip()), text[: found.start()])
    return None


def _names(words: list[str], title: list[str]) -> bool:
    if not words or not title:
        return False
    if words == title:
        return True
    shorter = min(len(words), len(title))
    return shorter > 2 and words[:shorter] == title[:shorter] and len(words) <= len(title) + 4


def _title(title: str) -> list[str]:
    """The telling words of a title without its number."""
    return _content(_COUNTED.sub("", title))


def _content(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.lower()) if word not in _IDLE]
