"""Which steps a warning protects."""

import re

from soprag.tools.procedure.draft import Draft, DraftWarning
from soprag.tools.procedure.procedure import ProcedureWarning
from soprag.tools.procedure.sections import Section
from soprag.tools.procedure.tree import DraftStep

_BEFORE_STEP = re.compile(r"\bbefore (?:step|line)\s+(?P<step>\d+[a-z]?)", re.IGNORECASE)


def protect(draft: Draft, sections: list[Section]) -> tuple[ProcedureWarning, ...]:
    """The warnings with their steps."""
    return tuple(
        ProcedureWarning(lines=tuple(w.lines), text=w.text, protects=_steps(w, draft, sections))
        for w in draft.warnings
        if w.lines
    )


def _steps(warning: DraftWarning, draft: Draft, sections: list[Section]) -> tuple[str, ...]:
    steps = draft.steps
    if warning.inside:
        return tuple(s.id for s in steps[warning.position :][:1]) or ("all",)
    if warning.position == 0:
        return _head(warning, draft, sections)
    before = _BEFORE_STEP.search(warning.text)
    if before:
        exact = [s.id for s in steps if s.scope == warning.scope and s.number == before["step"]]
        if exact:
            return tuple(exact[:1])
    scope = [s for s in steps if s.scope == warning.scope]
    if scope and steps.index(scope[0]) >= warning.position and _own(scope[0], draft, sections):
        return tuple(s.id for s in scope)
    following = [s for s in steps[warning.position :] if s.scope == warning.scope]
    if not following:
        return (steps[min(warning.position, len(steps) - 1)].id,) if warning.position < len(steps) else (steps[-1].id,)
    first = following[0]
    return tuple(
        s.id
        for s in following
        if s is first or (s.number and s.number == first.number and not s.only_if and s.lines == first.lines)
    )


def _head(warning: DraftWarning, draft: Draft, sections: list[Section]) -> tuple[str, ...]:
    """A warning before the first step holds for all of the document, or of its procedure where there are several."""
    before = _BEFORE_STEP.search(warning.text)
    if before:
        exact = [s.id for s in draft.steps if s.number == before["step"]]
        if exact:
            return (exact[0],)
    scope = [s for s in draft.steps if s.scope == warning.scope]
    if scope and _own(scope[0], draft, sections):
        return tuple(s.id for s in scope)
    return ("all",)


def _own(step: DraftStep, draft: Draft, sections: list[Section]) -> bool:
    """Whether the section of a step is a procedure of its own."""
    return step.scope in draft.detached
