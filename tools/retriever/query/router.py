"""The router: the intent of a question and the weight of each view (paper 3.3.2 and A.2).

With a model it is asked alone only in the paper's form; otherwise the call that judges the candidates gives both.
"""

from dataclasses import dataclass

import numpy as np

from soprag.configs.settings import RetrieverSettings
from soprag.tools.llm.fallback import attributed
from soprag.tools.tasks.retriever import ROUTE, QueryEntity, RouteAsk
from soprag.tools.tasks.task import Llm

Weights = tuple[float, float, float]


@dataclass(frozen=True)
class Routed:
    """Routing of a question: its intent, named entities, and the scores of the entity, causal and flow view.

    `warning` is the reason why the rules were used instead of the model, empty when they were not.
    """

    intent: str
    entities: tuple[QueryEntity, ...]
    scores: Weights
    warning: str = ""


@dataclass(frozen=True)
class Router:
    """Routes by `llm`; with a `FallbackLlm` search works without the model."""

    llm: Llm

    async def route(self, question: str) -> Routed:
        """The routing of a question; raises `ModelError` when the model fails and has no fallback."""
        reply = await attributed(self.llm, ROUTE, RouteAsk(question=question))
        route, warning = reply.answer, f"The router went by its rules: {reply.error}" if reply.error else ""
        return Routed(route.intent, tuple(route.entities), (route.entity, route.causal, route.flow), warning)


def view_weights(scores: Weights, settings: RetrieverSettings) -> Weights:
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
