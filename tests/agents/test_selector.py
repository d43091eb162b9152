"""SelectAgent: the nearest capability, with a floor, and both when two are equally near."""

import numpy as np
import pytest

from soprag.agents.deepsearch.capabilities import capabilities
from soprag.agents.deepsearch.selector import Selector
from soprag.tools.embedding import Embedder, Vectors
from soprag.tools.embedding.minilm import MiniLm
from soprag.tools.errors import ConfigError
from soprag.tools.research.records import AgentName, Subtask

SKILLS = {skill: one.name for one in capabilities() for skill in one.skills}


class Compass:
    """Skills of each agent point in a direction of their own; a subtask is a list of its similarities."""

    name = "compass"

    def __init__(self, **similarities: float) -> None:
        self.similarities = similarities

    def embed(self, texts: list[str]) -> Vectors:
        names = list(dict.fromkeys(SKILLS.values()))
        rows = np.zeros((len(texts), len(names) + 1), np.float32)
        for row, text in zip(rows, texts, strict=True):
            if text in SKILLS:
                row[names.index(SKILLS[text])] = 1
            else:
                row[: len(names)] = [self.similarities.get(name, 0) for name in names]
                row[-1] = max(0.0, 1 - float(np.square(row).sum())) ** 0.5
        return rows


@pytest.mark.parametrize(
    ("similarities", "chosen"),
    [
        ({"patent": 0.6, "web": 0.3}, ("patent",)),
        ({"image": 0.5, "scholar": 0.2, "web": 0.45}, ("image",)),
        ({"patent": 0.5, "scholar": 0.49, "web": 0.2}, ("patent", "scholar")),  # a tie within the margin
        ({"wiki": 0.17, "web": 0.05}, ("web",)),  # below the floor
        ({"wiki": 0.1, "scholar": 0.1}, ("web",)),  # a tie below the floor is no tie
        ({}, ("web",)),
    ],
)
def test_the_nearest_gets_it_two_share_it_and_the_web_agent_gets_the_rest(
    similarities: dict[str, float], chosen: tuple[AgentName, ...]
) -> None:
    selection = Selector(Compass(**similarities), floor=0.18, margin=0.02).select(Subtask(id="s", query="anything"))
    assert selection.agents == chosen
    assert selection.similarities == {
        one.name: pytest.approx(similarities.get(one.name, 0), abs=1e-3) for one in capabilities()
    }


@pytest.fixture(scope="module")
def minilm() -> Embedder:
    try:
        embedder = MiniLm()
        embedder.embed(["ready?"])
    except ConfigError as missing:
        pytest.skip(str(missing))
    return embedder


@pytest.mark.parametrize(
    ("query", "agent"),
    [
        ("process flow diagram of nitric acid production", "image"),
        ("photos of a corroded heat exchanger tube", "image"),
        ("kinetics of ammonia oxidation. Find scientific articles and studies in journals.", "scholar"),
        ("academic papers on predictive maintenance of wind turbines", "scholar"),
        ("patent applications of catalysts for low-temperature SCR", "patent"),
        ("prior art on membrane seawater electrolysis", "patent"),
        ("What is nitric acid? Find an encyclopedia article that gives the background.", "wiki"),
        ("general overview of wastewater treatment", "wiki"),
        ("vendor manual for replacing the filter of an air compressor", "web"),
        ("OSHA regulations on lockout tagout", "web"),
        ("Why do centrifugal pumps cavitate", "web"),
    ],
)
def test_the_embedded_model_tells_the_agents_apart(minilm: Embedder, query: str, agent: AgentName) -> None:
    assert Selector(minilm, floor=0.18, margin=0.0).select(Subtask(id="s", query=query)).agents == (agent,)
