"""Text without characters that move the cursor, or that hide, reorder or smuggle other characters.

Every text that reaches a screen, a prompt or the record passes through here, so that what a person reads, what a model
reads and what is executed and recorded are the same characters.
"""

import re

from pydantic import JsonValue

# Removed, by Unicode property: control characters except tab and newline, surrogates and noncharacters,
# Default_Ignorable_Code_Point (zero-width characters, bidirectional controls, fillers, variation selectors, the tag
# characters U+E0000 to U+E0FFF), and the interlinear annotation marks.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# A joiner changes the shape of letters in scripts from Arabic to Vedic; anywhere else it is invisible.
_JOINERS = re.compile("(?<![\u0600-\u1cff])[\u200c\u200d]|[\u200c\u200d](?![\u0600-\u1cff])")
_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")


def sanitize(text: str) -> str:
    """`text` without hidden characters; line ends of every kind become newlines."""
    return _JOINERS.sub("", _HIDDEN.sub("", _LINE_ENDS.sub("\n", text)))


def sanitize_json(value: JsonValue) -> JsonValue:
    """The same JSON value with every string in it sanitized, keys included."""
    if isinstance(value, str):
        return sanitize(value)
    if isinstance(value, list):
        return [sanitize_json(item) for item in value]
    if isinstance(value, dict):
        return {sanitize(name): sanitize_json(item) for name, item in value.items()}
    return value


def one_line(text: str, longest: int = 0) -> str:
    """Sanitized `text` on one line; longer than `longest` characters (0: no limit), cut between words with dots."""
    line = " ".join(sanitize(text).split())
    if not longest or len(line) <= longest:
        return line
    return line[: longest - 3].rpartition(" ")[0].rstrip(" ,;:") + "..."
