"""Rule-based answer: all steps of a short flow, or the most relevant sections of a long one (paper 3.4)."""

from itertools import groupby

from soprag.tools.procedure.numbered_lines import MarkedStep, marked_steps
from soprag.tools.tasks.answer import AnswerAsk, AnswerDraft
from soprag.tools.text.relevance import relevance
from soprag.tools.text.terms import terms

_SHORT = 15  # a flow with at most this many steps is returned in full
_LEADS = 0.8  # sections scoring at least this share of the best score are selected
_MOST = 0.5  # share of all steps; a selection larger than this does not narrow the flow and is dropped


def answer(ask: AnswerAsk) -> AnswerDraft:
    """The relevant steps, and the first decision that shares a term with the question."""
    flow = marked_steps(ask.document)
    chosen = flow if len(flow) <= _SHORT else _leading(ask.question, flow)
    return AnswerDraft(
        steps=[node.id for node in chosen],
        first=_first(ask.question, chosen),
    )


def _leading(question: str, flow: list[MarkedStep]) -> list[MarkedStep]:
    """The nodes of the most relevant sections; all nodes when the selection exceeds `_MOST` of the flow."""
    sections = [list(members) for _, members in groupby(flow, key=lambda node: node.section)]
    texts = ["\n".join([members[0].section, *(node.text for node in members)]) for members in sections]
    heads = relevance(question, [members[0].section for members in sections])
    scores = [body + head for body, head in zip(relevance(question, texts), heads, strict=True)]
    leading = [members for members, score in zip(sections, scores, strict=True) if score >= _LEADS * max(scores) > 0]
    chosen = [node for members in leading for node in members]
    return chosen if 0 < len(chosen) <= _MOST * len(flow) else flow


def _first(question: str, chosen: list[MarkedStep]) -> str:
    question_terms = set(terms(question))
    touched = (node.id for node in chosen if node.kind == "decision" and question_terms.intersection(terms(node.text)))
    return next(touched, "")
