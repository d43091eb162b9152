"""Passages of a procedure that respond to a reported state: what is said of it where something is done.

"The pump makes a grinding noise" is not answered by any line about the pump, nor "it is leaking" by a purpose that
mentions leaks. So a passage counts when it holds most of the report's terms that the title has not, and when its part
of the procedure has a step or a warning.
"""

from dataclasses import replace

import numpy as np

from soprag.tools.procedure.plan import FlowPlan
from soprag.tools.retriever.answer.passages import ScoredPassages
from soprag.tools.sop import Span
from soprag.tools.text.terms import terms


def responding(scored: ScoredPassages, report: str, plan: FlowPlan) -> ScoredPassages:
    """The scored passages that respond to the report."""
    said = set(terms(report)) - set(terms(plan.title))
    acting = _acting_lines(scored, plan)
    rows = [
        row
        for row, candidate in enumerate(scored.candidates)
        if 2 * len(said & set(terms(candidate.spoken))) > len(said) and acting & _lines(candidate.lines)
    ]
    kept = [scored.candidates[row] for row in rows]
    return replace(scored, candidates=kept, scores=scored.scores[np.array(rows, np.intp)])


def _acting_lines(scored: ScoredPassages, plan: FlowPlan) -> set[int]:
    """The lines of steps and warnings, and of the blocks that stand with a step under one heading."""
    steps = {line for step in plan.steps for line in _lines(step.lines)}
    warned = {line for step in plan.steps for warning in step.warnings for line in _lines(warning.lines)}
    sections = ({line for block in part.direct_blocks for line in _lines(block.lines)} for part in scored.page.sections)
    return (steps | warned).union(*(lines for lines in sections if lines & steps))


def _lines(span: Span) -> set[int]:
    return set(range(span.start, span.end + 1))
