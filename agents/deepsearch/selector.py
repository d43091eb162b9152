"""SelectAgent: the agent whose documented abilities are nearest to a subtask (paper 001, Algorithm 1, lines 5-9).

The paper takes the highest cosine. Here it must reach a floor, otherwise the web agent is selected; two agents within
`margin` are both selected. The similarity of an agent is the maximum over its documented abilities, since their mean
is close to no query in particular.
"""

import logging
from dataclasses import dataclass

import numpy as np

from soprag.agents.deepsearch.capabilities import capabilities
from soprag.tools.embedding import Embedder
from soprag.tools.research.records import AGENTS, AgentName, AgentSelection, Subtask

log = logging.getLogger(__name__)

_OTHERWISE: AgentName = "web"


@dataclass(frozen=True)
class Selector:
    """Chooses among the agents `names` by cosine; blocks while it embeds."""

    embedder: Embedder
    floor: float
    margin: float
    names: tuple[AgentName, ...] = AGENTS

    def select(self, subtask: Subtask) -> AgentSelection:
        """One agent or two, with every similarity and the reason."""
        nearness = self._nearness(f"{subtask.query} {subtask.instructions}".strip())
        if len(nearness) == 1:
            return AgentSelection(
                subtask=subtask.id, agents=tuple(nearness), similarities=nearness, reason="It is the only agent."
            )
        (first, best), (second, next_best) = sorted(nearness.items(), key=lambda pair: -pair[1])[:2]
        if best < self.floor and _OTHERWISE in nearness:
            chosen: tuple[AgentName, ...] = (_OTHERWISE,)
            reason = f"{first} is nearest with {best:.2f}, which is below {self.floor:.2f}: the {_OTHERWISE} agent."
        elif best - next_best <= self.margin:
            chosen = (first, second)
            reason = f"{first} ({best:.2f}) and {second} ({next_best:.2f}) are as near as each other: both."
        else:
            chosen = (first,)
            reason = f"{first} is nearest with {best:.2f}; next is {second} with {next_best:.2f}."
        log.info("%s: %s", subtask.id, reason)
        return AgentSelection(subtask=subtask.id, agents=chosen, similarities=nearness, reason=reason)

    def _nearness(self, text: str) -> dict[AgentName, float]:
        vector = self.embedder.embed([text])[0]
        return {
            capability.name: round(float(np.max(self.embedder.embed(list(capability.skills)) @ vector)), 4)
            for capability in capabilities()
            if capability.name in self.names
        }
