"""A reward model as a judge: an OpenAI-compatible server that marks an answer instead of writing one.

Known forms of its reply: `helpfulness:1.6,correctness:1.8,...` as the content of the message (NVIDIA NIM), the same
names as tokens with the marks as their log-probabilities (NVIDIA's hosted API), or one number such as `reward:-12.5`.
"""

import json
import math
import os
import re
from dataclasses import dataclass
from typing import Any

from soprag.tools.bounded_http import BoundedReply, send_request
from soprag.tools.errors import ConfigError, ModelError, ModelUnavailable
from soprag.tools.providers import scrub
from soprag.tools.research.records import AXES

KEY = "SOPRAG_REWARD_API_KEY"
_PAIR = re.compile(r"([A-Za-z_]+)\s*[:=]\s*(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)")


@dataclass(frozen=True)
class RewardModel:
    """The endpoint; `timeout` in seconds."""

    url: str
    name: str
    timeout: float

    async def score(self, question: str, answer: str) -> dict[str, float]:
        """Marks from 0 to 4 by axis; raises `ConfigError` for a wrong key or address, else `ModelError`."""
        import httpx2

        talk = [{"role": "user", "content": question}, {"role": "assistant", "content": answer}]
        key = os.environ.get(KEY, "")
        headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {key}"} if key else {})
        request = json.dumps({"model": self.name, "messages": talk, "stream": False}).encode()
        failure = ""
        try:
            reply = await send_request(
                "POST", f"{self.url.rstrip('/')}/chat/completions", self.timeout, headers=headers, content=request,
                trust_env=False,
            )  # fmt: skip
        except httpx2.HTTPError as fault:
            failure = scrub(str(fault) or type(fault).__name__)
        if failure:  # outside the except clause, so that no request with its key is chained to the error
            raise ModelUnavailable(
                f"The reward model at {self.url} gave no answer: {failure}; check research.reward_url."
            )
        if reply.status in (401, 403, 404):
            raise ConfigError(
                f"The reward model at {self.url} says {reply.status}; check research.reward_url and {KEY}."
            )
        if reply.status != 200:
            raise ModelUnavailable(f"The reward model at {self.url} says {reply.status}; try again later.")
        return self._marks(reply)

    def _marks(self, reply: BoundedReply) -> dict[str, float]:
        try:
            choice = json.loads(reply.body)["choices"][0]
            marks = read_marks(choice)
        except (ValueError, LookupError, TypeError, AttributeError):
            marks = {}
        if not marks:
            raise ModelError(f"The reward model at {self.url} sent no marks; research.reward_model is {self.name!r}.")
        return marks


def read_marks(choice: dict[str, Any]) -> dict[str, float]:
    """The marks in one choice, in any of the known forms; a single reward of any size is squeezed into 0 to 4."""
    tokens = (choice.get("logprobs") or {}).get("content") or []
    marks = {str(token["token"]).strip().lower(): float(token["logprob"]) for token in tokens if "logprob" in token}
    marks = {axis: mark for axis, mark in marks.items() if axis in AXES}
    content = (choice.get("message") or {}).get("content") or ""
    if not marks:
        marks = {name.lower(): float(mark) for name, mark in _PAIR.findall(str(content))}
    bounded = {axis: min(4.0, max(0.0, marks[axis])) for axis in AXES if axis in marks}
    if bounded or not marks:
        return bounded
    single = next(iter(marks.values()))
    return {"reward": 4.0 / (1.0 + math.exp(-max(-500.0, min(500.0, single))))}
