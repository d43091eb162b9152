"""Labels as printed in front of a step: `4.`, `(b)`, `Step 4:`."""

import re

from soprag.tools.markdown.inline import LabelledLine, labelled

_LETTER = re.compile(r"^\s*([a-z])\.\s+(?=[^\W\d_a-z])")


def printed(line: str) -> LabelledLine | None:
    """The printed label `line` begins with and the text after it; unlike `labelled`, also reads `a.` as a label."""
    letter = _LETTER.match(line)
    return LabelledLine(letter[1], line[letter.end() :]) if letter else labelled(line)


def normal(label: str) -> str:
    """A label in canonical form, for comparison: `(2.A)` and `2a.` become `2.a`, `Step 4` becomes `4`."""
    stripped = re.sub(r"^(?:step|stage|phase|schritt|étape|paso|passo|stap)\s+", "", label.strip().lower())
    return re.sub(r"(?<=\d)(?=[a-z]$)", ".", stripped.strip(" ().:#\\"))
