"""The answer by rule: the whole flow, or in a long one the section that bears on the question (paper 3.4)."""

from itertools import groupby

from tools.flow.linearise import Node, nodes
from tools.flow.relevance import relevance
from tools.llm.tasks.answer import AnswerAsk, AnswerDraft, ChosenStep
from tools.retriever.terms import terms

_SHORT = 15  # a flow of so many steps is taken in at one glance: all of them answer
_LEADS = 0.8  # of the best section's score: what scores so well answers too
_MOST = 0.5  # of all steps: sections that hold more than this do not narrow anything down


def answer(ask: AnswerAsk) -> AnswerDraft:
    """The steps that answer, the abstract as the summary, and the first decision that the question touches."""
    flow = nodes(ask.flow)
    chosen = flow if len(flow) <= _SHORT else _leading(ask.question, flow)
    return AnswerDraft(
        summary=ask.abstract,
        steps=[ChosenStep(id=node.id) for node in chosen],
        first=_first(ask.question, chosen),
    )


def _leading(question: str, flow: list[Node]) -> list[Node]:
    """The nodes under the headings that bear most on the question; all nodes when that are too many."""
    sections = [list(members) for _, members in groupby(flow, key=lambda node: node.section)]
    texts = ["\n".join([members[0].section, *(node.text for node in members)]) for members in sections]
    heads = relevance(question, [members[0].section for members in sections])
    scores = [body + head for body, head in zip(relevance(question, texts), heads, strict=True)]
    leading = [members for members, score in zip(sections, scores, strict=True) if score >= _LEADS * max(scores) > 0]
    chosen = [node for members in leading for node in members]
    return chosen if 0 < len(chosen) <= _MOST * len(flow) else flow


def _first(question: str, chosen: list[Node]) -> str:
    question_terms = set(terms(question))
    touched = (node.id for node in chosen if node.kind == "decision" and question_terms.intersection(terms(node.text)))
    return next(touched, "")
