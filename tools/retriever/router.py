"""The router: what a question wants, and so how much each view counts (paper 3.3.2 and A.2)."""

from dataclasses import dataclass

import numpy as np

from configs.settings import RetrieverSettings
from tools.errors import ModelError
from tools.llm.task import Llm
from tools.llm.tasks.retriever import ROUTE, QueryEntity, RouteAsk
from tools.rules import routing

Weights = tuple[float, float, float]


@dataclass(frozen=True)
class Routed:
    """What the router says of a question: its intent, what it names, and its scores of entity, causal and flow view.

    `trouble` says why the rules stood in for a model, when they did.
    """

    intent: str
    entities: tuple[QueryEntity, ...]
    scores: Weights
    trouble: str = ""


@dataclass(frozen=True)
class Router:
    """Asks the one door: a model, or the rules. A procedure is found also while the model is away."""

    llm: Llm

    async def route(self, question: str) -> Routed:
        """By the rules when a model gives no answer."""
        ask, trouble = RouteAsk(question=question), ""
        try:
            route = await self.llm.ask(ROUTE, ask)
        except ModelError as error:
            trouble = f"The router went by its rules: {error}"
            route = routing.route(ask)
        scores = (route.entity, route.causal, route.flow)
        return Routed(route.intent, tuple(route.entities), scores, trouble)


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
