"""Labels that open an outcome: how they are set off ("Low: ...", "Low. ...", "Low → ..."), and whether they compare."""

import re

# A short label that compares ("More than 5 mm:", "Loss over 0.1 bar:", "24 to 27 %:", "Any other code:", "Yes:").
_COMPARED = re.compile(
    r"^\W*(?:(?:up to|more|less|fewer|above|below|over|under|at least|at most|between|within|outside|beyond|inside|"
    r"no[tr]?|any other|else|other|yes|no|passed|failed|pass|fail|ok|nok|normal|abnormal)\b|[<>≤≥]|"
    r"[^:]*\b(?:up to|more than|less than|above|below|over|under|at least|at most|not|within|between|"
    r"beyond|outside)\b[^:]*\d|"
    r"(?:from\s+)?\d[\d.,]*\s*(?:to|-|–)\s*\d|[^:]*\d[^:]*\bor (?:more|less|above|below|higher|lower|over|under)\b)",
    re.IGNORECASE,
)

LABEL = re.compile(r"^(?P<label>(?:[^.:;]|\.(?=\d)){1,90}?(?:\([^)]*\))?)\s*:(?:\s+(?P<rest>\S.*)|\s*)$", re.DOTALL)

BRIEF = re.compile(r"^(?P<label>\w[\w-]*(?: \w[\w-]*){0,3})\.\s+(?P<rest>\S.*)$", re.DOTALL)  # "Low. Go to step 4."
YES_NO = re.compile(r"^\W*(?P<label>y|n|yes|no)\s*[=–—-]\s+\S", re.IGNORECASE)

DASHED = re.compile(r"^(?P<label>(?:[^.:;]|\.(?=\d)){1,60}?)\s+(?:--|[-–—]|->|→|=>)\s+(?P<rest>\S.*)$", re.DOTALL)


# "Use% below 85", "level < 30 cm": a quantity whose name may be a verb, too.
_QUANTITY = re.compile(
    r"^\W*[\w%]+(?: (?:and )?[\w%]+)?\s*(?:[<>≤≥]|\s(?:both )?(?:below|above|under|over|at least|at most)\b)[^,.;]*\d"
)


def compares_quantity(label: str) -> bool:
    """Whether a label is a quantity without an article and what it is compared with."""
    return bool(_QUANTITY.match(label))


def compares(label: str) -> bool:
    """Whether a label compares a value ("Below 85 Pa", "24 to 27 %")."""
    return bool(_COMPARED.match(label))
