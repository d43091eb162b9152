"""The router: what a question wants, and so how much each view counts (paper 3.3.2 and A.2)."""

from dataclasses import dataclass

import numpy as np

from configs.settings import RetrieverSettings
from tools.llm.task import Llm
from tools.llm.tasks.retriever import ROUTE, QueryEntity, RouteAsk

Weights = tuple[float, float, float]


@dataclass(frozen=True)
class Routed:
    """What the router says of a question: its intent, what it names, and its scores of entity, causal and flow view."""

    intent: str
    entities: tuple[QueryEntity, ...]
    scores: Weights


@dataclass(frozen=True)
class Router:
    """Asks the one door: a model, or the rules."""

    llm: Llm

    async def route(self, question: str) -> Routed:
        """Raises `ModelError` when a model gives no answer."""
        route = await self.llm.ask(ROUTE, RouteAsk(question=question))
        scores = (route.entity, route.causal, route.flow)
        return Routed(route.intent, tuple(route.entities), scores)


def weigh(scores: Weights, settings: RetrieverSettings) -> Weights:
    """w = softmax(scores / temperature + ln prior); with an even prior and temperature 1 the paper's softmax."""
    views = ("entity", "causal", "flow")
    prior = [0.0 if view in settings.without else share for view, share in zip(views, settings.prior, strict=True)]
    if not sum(prior):
        return (0.0, 0.0, 0.0)
    moved = settings.temperature and "router" not in settings.without
    logits = np.array(scores) / settings.temperature if moved else np.zeros(3)
    weights = np.array(prior) * np.exp(logits - logits.max())
    entity, causal, flow = (weights / weights.sum()).tolist()
    return entity, causal, flow
