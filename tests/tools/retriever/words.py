"""A small plant with its procedures, an index of it, and an embedding model that reads words one by one."""

import asyncio
import re
from pathlib import Path

import numpy as np

from soprag.benchmarks.synthetic import HashEmbedder
from soprag.configs.settings import RetrieverSettings, Settings, load
from soprag.tools.embedding import Tokens
from soprag.tools.retriever.index.extraction import Extractor
from soprag.tools.retriever.index.index import Extraction, Index
from soprag.tools.retriever.query.retriever import Retriever
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.sop import Sop, Span

PUMP = """# Restart the coolant pump P-101

## Symptoms

- The coolant pump P-101 trips because the motor draws an overcurrent.

## Procedure

1. Close the suction valve V-7.
2. Reset the breaker of the motor.
3. Start the coolant pump P-101 and watch the pressure.
"""
CHILLER = """# Clean the chiller condenser

The chiller overheats when its condenser is dirty.

1. Isolate the chiller.
2. Brush the tubes of the condenser.
3. If the tubes are still dirty, rinse them with acid.
"""
LAMP_A = "# Replace the lamp of type A\n\n1. Switch the lamp off.\n2. Screw the new lamp in.\n"
LAMP_B = "# Replace the lamp of type B\n\n1. Switch the lamp off.\n2. Push the new lamp in.\n"
STORY = "# Night shift\n\nThe night shift walks around the basin and looks for leaks.\n"
BODIES = {"pump": PUMP, "chiller": CHILLER, "lamp-a": LAMP_A, "lamp-b": LAMP_B, "story": STORY}


class WordReader(HashEmbedder):
    """Gives vectors of tokens too: every word has the vector of its terms."""

    def tokens(self, texts: list[str]) -> list[Tokens]:
        """A token per word."""
        return [self._read(text) for text in texts]

    def _read(self, text: str) -> Tokens:
        words = list(re.finditer(r"\w+", text))
        spans = np.array([word.span() for word in words], np.int32).reshape(-1, 2)
        return Tokens(self.embed([text])[0], self.embed([word[0] for word in words]), spans)


def written(bodies: dict[str, str] = BODIES) -> list[Sop]:
    return [_sop(id, body) for id, body in bodies.items()]


def _sop(id: str, body: str) -> Sop:
    title = body.partition("\n")[0].removeprefix("# ")
    return Sop(id=id, title=title, text=body, document="d", span=Span(start=1, end=body.count("\n") + 1))


def chosen(**changes: object) -> RetrieverSettings:
    return load(environment={}).retriever.model_copy(update=changes)


def defaults() -> Settings:
    return load(environment={})


def opened(
    place: str | Path,
    sops: list[Sop] | None = None,
    *,
    tokens: bool = True,
    every: bool = False,
    settings: RetrieverSettings | None = None,
) -> Retriever:
    """A retriever on a new index of these SOPs; `tokens`: of a model that reads words, `every`: with all vectors."""
    embedder = WordReader(64) if tokens else HashEmbedder(64)
    index = Index.open(place, embedder, defaults().index.model_copy(update={"element_vectors": every}))
    extractor = Extractor(RulesLlm())

    async def fill() -> None:
        async for outcome in index.add(written() if sops is None else sops, Extraction("1", extractor.extract)):
            assert outcome.event == "added", outcome

    asyncio.run(fill())
    return Retriever.open(index, RulesLlm(), settings or chosen())
