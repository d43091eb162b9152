"""What of a text reaches a screen: its characters, and none that moves the cursor or hides or reorders others."""

import re

# Everything below the space except tab and newline, DEL and C1, half surrogates, and the marks that reverse the
# reading direction: with them a document could overwrite a line, hide a warning or print a 1 for an 11.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
_BREAK = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")


def visible(text: str) -> str:
    """`text` without control characters; line ends of every kind become newlines."""
    return _CONTROL.sub("", _BREAK.sub("\n", text))


def one_line(text: str, longest: int = 0) -> str:
    """`text` on one line; with `longest`, cut there between two words and marked with dots."""
    line = " ".join(visible(text).split())
    if not longest or len(line) <= longest:
        return line
    return line[: longest - 3].rpartition(" ")[0].rstrip(" ,;:") + "..."
