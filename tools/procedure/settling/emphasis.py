"""Prohibitions that a step prints in bold or italics ("**Never open the doors.**"): warnings before that step."""

import re

from soprag.tools.procedure.drafting.draft import Draft, DraftWarning

_FORBIDDEN = re.compile(
    r"(?:^|[.!?:]\s+)(?P<mark>\*\*?|__?)(?P<words>(?:never|do not|don['’]?t|nobody|no one|under no circumstances)\b"
    r"[^*_]{8,}?)(?:[.!](?P=mark)|(?P=mark)\s*(?:[.!]|$))",
    re.IGNORECASE,
)


def warn_in_bold(draft: Draft, rows: list[str]) -> None:
    """Adds the warnings that stand in bold in the lines of steps and that no other warning has."""
    warned = {line for warning in draft.warnings for line in warning.lines}
    for line, row in enumerate(rows, 1):
        found = _FORBIDDEN.search(row)
        holders = [step for step in draft.steps if line in step.lines] if found and line not in warned else []
        if found and holders:
            at = draft.steps.index(holders[0])
            before = draft.steps[at - 1] if at else None
            draft.warnings.append(DraftWarning([line], found["words"], before, holders[0].scope, holders[0].id))
