"""What each searching agent can do: its document, its kind of search, and what is made of its hits."""

from dataclasses import dataclass
from functools import cache

from soprag import prompts
from soprag.tools.research.records import AGENTS, AgentName
from soprag.tools.search.engine import Kind

_KINDS: dict[AgentName, Kind] = {
    "image": "images",
    "scholar": "scholar",
    "patent": "patents",
    "wiki": "wiki",
    "web": "web",
}


@dataclass(frozen=True)
class Capability:
    """One agent's documented abilities, one per line of its document (`prompts/capabilities/<name>.md`)."""

    name: AgentName
    kind: Kind
    skills: tuple[str, ...]


@cache
def capabilities() -> tuple[Capability, ...]:
    """All five, in the order of the paper."""
    return tuple(
        Capability(name, _KINDS[name], tuple(prompts.load(f"capabilities/{name}").splitlines())) for name in AGENTS
    )
