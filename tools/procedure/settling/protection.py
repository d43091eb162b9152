"""Which steps a warning protects."""

import re

from soprag.tools.procedure.drafting.draft import Draft, DraftWarning
from soprag.tools.procedure.drafting.tree import DraftStep
from soprag.tools.procedure.procedure import ProcedureWarning

_BEFORE_STEP = re.compile(r"\bbefore (?:step|line)\s+(?P<step>\d+[a-z]?)", re.IGNORECASE)


def protect(draft: Draft) -> tuple[ProcedureWarning, ...]:
    """The warnings with their steps."""
    return tuple(
        ProcedureWarning(lines=tuple(w.lines), text=w.text, protects=_steps(w, draft))
        for w in draft.warnings
        if w.lines
    )


def _steps(warning: DraftWarning, draft: Draft) -> tuple[str, ...]:
    steps = draft.steps
    position = steps.index(warning.previous) + 1 if warning.previous in steps else 0
    if warning.inside:
        return tuple(s.id for s in steps[position:][:1]) or ("all",)
    scope = [s for s in steps if s.scope == warning.scope and not set(s.lines) <= set(warning.lines)]
    before = _BEFORE_STEP.search(warning.text)
    named = [s for s in (scope or steps) if before and s.number == before["step"]]
    if named:
        return (named[0].id,)
    heads = bool(scope) and steps.index(scope[0]) >= position
    if heads and (position > 0 or scope[0].scope in draft.detached):
        return tuple(s.id for s in scope)
    if position == 0:
        return ("all",)
    return _next(scope, steps, position)


def _next(scope: list[DraftStep], steps: list[DraftStep], position: int) -> tuple[str, ...]:
    """The step that follows in the section, with its variants; past the last one, the step before."""
    following = [s for s in steps[position:] if s in scope]
    if not following:
        return (steps[min(position, len(steps) - 1)].id,)
    first = following[0]
    same = [s for s in following if s.number and (s.number, s.lines) == (first.number, first.lines) and not s.only_if]
    return tuple(s.id for s in same) or (first.id,)
