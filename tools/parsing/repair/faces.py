"""Marks of type that a parser left in words: `<u>`, `<strong>`, empty bold `****`, a link that begins within a word."""

import re

_TARGET = r"\]\((?P<target>(?:[^()\s]|\([^()\s]*\))*)\)"
# A link in bold is opened and closed again at the bracket: "S**[**G" is "S[G" within one bold passage.
_BOLD_BRACKET = re.compile(r"\*\*\[\*\*")
# The underlined end of the link's last word, which stands behind it: "co](...)<u>m</u>".
_CUT_END = re.compile(rf"(?P<bold>\*\*)?{_TARGET}(?:<strong>)?<u>(?P<rest>\w+)</u>(?:</strong>)?(?P<joined>(?=\w))?")
_CUT_START = re.compile(rf"(?<=[^\W\d_])\[(?P<rest>[^\W\d_]+[^\w\]]+)(?P<text>\w[^\]\n]*){_TARGET}")
_CROSSED = re.compile(rf"\*\*\[(?P<text>[^\]\n*]+)\*\*{_TARGET}")
_UNDERLINE = re.compile(r"</?u>", re.IGNORECASE)
_STRONG = re.compile(r"<(strong|b)>(?P<text>[^<\n]*)</\1>", re.IGNORECASE)
_EMPHASIS = re.compile(r"<(em|i)>(?P<text>[^<\n]*)</\1>", re.IGNORECASE)
_EMPTY = re.compile(r"(?<!\\)\*{4,}")


def clean_faces(line: str) -> str:
    """The line with the marks that Markdown has, around whole words; a line without such damage stays as it is."""
    line = _BOLD_BRACKET.sub("[", line)
    line = _CUT_END.sub(_whole_end, line)
    line = _CUT_START.sub(_whole_start, line)
    line = _CROSSED.sub(r"**[\g<text>](\g<target>)**", line)
    line = _STRONG.sub(r"**\g<text>**", _UNDERLINE.sub("", line))
    line = _EMPHASIS.sub(r"*\g<text>*", line)
    return _EMPTY.sub("", line)


def _whole_end(match: re.Match[str]) -> str:
    space = "" if match["joined"] is None else " "
    return f"{match['rest']}{match['bold'] or ''}]({match['target']}){space}"


def _whole_start(match: re.Match[str]) -> str:
    return f"{match['rest']}[{match['text']}]({match['target']})"
