"""Rule-based choice: no judgement on the candidates, so that the order of the search stays; weights by the router."""

from soprag.tools.rules.routing import route
from soprag.tools.tasks.choice import CandidateChoice, ChooseAsk
from soprag.tools.tasks.retriever import RouteAsk


def choose(ask: ChooseAsk) -> CandidateChoice:
    """Intent and weights of the question."""
    routed = route(RouteAsk(question=ask.question))
    return CandidateChoice(intent=routed.intent, entity=routed.entity, causal=routed.causal, flow=routed.flow)
