"""Extraction by rule as the tests look at it."""

import asyncio

from soprag.tools.retriever.index.extraction import Extractor
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.sop import END, UNRESOLVED, Sop, Span, Step, Views


def sop(body: str, title: str = "Start pump P-101") -> Sop:
    return Sop(id="sop", title=title, text=body, document="d", span=Span(start=1, end=body.count("\n") + 1))


def views(body: str, title: str = "Start pump P-101") -> Views:
    return asyncio.run(Extractor(RulesLlm()).extract(sop(body, title)))


def steps(body: str) -> tuple[Step, ...]:
    return views(body).flow.steps


def texts(body: str) -> list[str]:
    return [step.text for step in steps(body)]


def ways(body: str) -> set[tuple[str, str, str]]:
    """Edges by the first words of their steps."""
    flow = views(body).flow
    names = {END: END, UNRESOLVED: UNRESOLVED}
    names |= {step.id: step.text.split(".")[0].split(",")[0].split(":")[0] for step in flow.steps}
    return {(names[edge.source], names[edge.target], edge.condition) for edge in flow.edges}


def warned(body: str) -> list[tuple[str, list[str]]]:
    """Each step's text with the texts of its warnings."""
    return [(step.text, [warning.text for warning in step.warnings]) for step in steps(body)]
