"""Communities of names: hierarchical Leiden over the facts, and the part of them that a change touches.

The weight of a pair of names is the number of facts between them (paper 001 gives no weight). Leiden depends on the
order of its edges and on its seed, so edges are sorted and the seed is fixed. After a change new names join the
communities of their neighbours, and only when that drifts are the top communities that it touches clustered again: a
fresh clustering would make half of all summaries out of date.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from soprag.tools.errors import ConfigError
from soprag.tools.sop import digest

_SEED = 7
_TOP = 0
_DRIFT = 0.01  # of modularity that may be lost before touched communities are clustered again

Edge = tuple[str, str]


@dataclass(frozen=True)
class LinkedFact:
    """A fact as communities see it: the two nodes it connects, and a text that changes when it changes."""

    subject: str
    target: str
    text: str

    @property
    def edge(self) -> Edge:
        """Its nodes in alphabetical order."""
        return (self.subject, self.target) if self.subject <= self.target else (self.target, self.subject)


@dataclass(frozen=True)
class Community:
    """A set of nodes; level 0 is the top, `parent` the id of the community it is a part of."""

    id: str
    level: int
    parent: str
    members: tuple[str, ...]
    digest: str  # of the facts inside
    incident: str  # of the facts with at least one end inside


@dataclass(frozen=True)
class Clustering:
    """How communities are made: the resolution of the modularity, and the size above which one is divided."""

    resolution: float
    largest: int


def cluster(facts: Collection[LinkedFact], how: Clustering) -> list[Community]:
    """All communities of the facts, from scratch; the same for any order of the facts."""
    return _made(_partition(_weights(facts), how), facts)


def cluster_again(facts: Collection[LinkedFact], before: Collection[Community], how: Clustering) -> list[Community]:
    """The communities after a change, with as few of them changed as possible.

    They stay as they are, and new nodes join those of their strongest neighbours, while that costs little modularity;
    otherwise the top communities that the change touches are clustered again.
    """
    anew = _touched_again(facts, before, how)
    kept = _made(_joined_parts(facts, before, how), facts)
    drift = modularity(facts, anew, how.resolution) - modularity(facts, kept, how.resolution)
    return anew if drift > _DRIFT or _outgrown(kept, before, how) else kept


def _touched_again(facts: Collection[LinkedFact], before: Collection[Community], how: Clustering) -> list[Community]:
    nodes = {node for fact in facts for node in fact.edge}
    incident = _incident(facts)
    top = [community for community in before if community.level == _TOP]
    touched = {
        community.id
        for community in top
        if _digest(text for node in community.members for text in incident.get(node, ())) != community.incident
    }
    settled = [community for community in top if community.id not in touched]
    fixed = {node for community in settled for node in community.members}
    inside = [fact for fact in facts if not {fact.subject, fact.target} & fixed]
    parts = _partition(_weights(inside), how, nodes - fixed)
    kept_ids = {community.id for community in settled}
    kept = [community for community in before if _root_of(community, before) in kept_ids]
    return sorted([*kept, *_made(parts, facts)], key=lambda community: (community.level, community.id))


def _joined_parts(facts: Collection[LinkedFact], before: Collection[Community], how: Clustering) -> list["_Part"]:
    """The communities without nodes that are gone; what is new joins the lowest ones of its strongest neighbours."""
    nodes = {node for fact in facts for node in fact.edge}
    weights = _weights(facts)
    by_id = {community.id: community for community in before}
    homes = {node: entry.id for entry in sorted(before, key=lambda entry: entry.level) for node in entry.members}
    homes = _placed(nodes, weights, {node: home for node, home in homes.items() if node in nodes})
    members: dict[str, set[str]] = {}
    for node, lowest in homes.items():
        home = lowest
        while home:
            members.setdefault(home, set()).add(node)
            home = by_id[home].parent
    parts: dict[str, _Part] = {}
    for id in sorted(members, key=lambda id: (by_id[id].level, id)):
        parts[id] = _Part(by_id[id].level, tuple(sorted(members[id])), parts.get(by_id[id].parent))
    loose = nodes - homes.keys()
    apart = Counter({edge: weight for edge, weight in weights.items() if loose >= {*edge}})
    return [*parts.values(), *_partition(apart, how, loose)]


def _placed(nodes: Collection[str], weights: Mapping[Edge, int], homes: dict[str, str]) -> dict[str, str]:
    """The lowest community of each node; a new one is in that of its strongest neighbour, if it has one."""
    neighbours: dict[str, Counter[str]] = {}
    for (subject, target), weight in weights.items():
        neighbours.setdefault(subject, Counter())[target] = weight
        neighbours.setdefault(target, Counter())[subject] = weight
    pending = sorted(set(nodes) - homes.keys())
    while True:
        settled = {
            node: homes[min(known, key=lambda name: (-neighbours[node][name], name))]
            for node in pending
            if (known := [name for name in neighbours.get(node, ()) if name in homes])
        }
        if not settled:
            return homes
        homes = homes | settled
        pending = [node for node in pending if node not in settled]


def _outgrown(after: Collection[Community], before: Collection[Community], how: Clustering) -> bool:
    """Whether a community that is not divided has become too large."""
    most = max([how.largest, *(len(entry.members) for entry in _lowest(before))])
    return any(len(entry.members) > most for entry in _lowest(after))


def _lowest(communities: Collection[Community]) -> list[Community]:
    divided = {entry.parent for entry in communities}
    return [entry for entry in communities if entry.id not in divided]


def modularity(facts: Collection[LinkedFact], communities: Iterable[Community], resolution: float) -> float:
    """Q of the top communities: the share of weight inside, less what chance would put there."""
    weights = _weights(facts)
    total = sum(weights.values()) or 1
    owner = {node: entry.id for entry in communities if entry.level == _TOP for node in entry.members}
    inside, degree = 0, Counter[str]()
    for (subject, target), weight in weights.items():
        inside += weight if owner.get(subject) == owner.get(target) else 0
        degree[owner.get(subject, subject)] += weight
        degree[owner.get(target, target)] += weight
    return inside / total - resolution * sum((value / (2 * total)) ** 2 for value in degree.values())


@dataclass(frozen=True)
class _Part:
    level: int
    members: tuple[str, ...]
    parent: "_Part | None"


def _partition(weights: Mapping[Edge, int], how: Clustering, nodes: Collection[str] = ()) -> list[_Part]:
    """Leiden on sorted edges; what has no edge is a community of its own."""
    edges = [(subject, target, float(weight)) for (subject, target), weight in sorted(weights.items())]
    alone = sorted(set(nodes) - {node for edge in weights for node in edge})
    parts = [_Part(_TOP, (node,), None) for node in alone]
    if not edges:
        return parts
    rows = _leiden()(
        edges, resolution=how.resolution, randomness=0.001, iterations=1, use_modularity=True,
        max_cluster_size=how.largest, seed=_SEED,
    )  # fmt: skip
    members: dict[tuple[int, int], list[str]] = {}
    parent_of: dict[tuple[int, int], int | None] = {}
    for row in rows:
        members.setdefault((row.level, row.cluster), []).append(row.node)
        parent_of[row.level, row.cluster] = row.parent_cluster
    made: dict[tuple[int, int], _Part] = {}
    for (level, number), names in sorted(members.items()):
        parent = made.get((level - 1, parent_of[level, number] or 0)) if level else None
        made[level, number] = _Part(level, tuple(sorted(names)), parent)
    return [*parts, *made.values()]


def _leiden() -> Callable[..., Any]:
    """The algorithm; raises `ConfigError` where its package is not installed."""
    try:
        from graspologic_native import hierarchical_leiden
    except ModuleNotFoundError as error:
        raise ConfigError(
            "Communities need graspologic-native; install it with `uv sync --extra knowledge`."
        ) from error
    return cast(Callable[..., Any], hierarchical_leiden)


def _made(parts: Iterable[_Part], facts: Collection[LinkedFact]) -> list[Community]:
    incident = _incident(facts)
    communities = []
    for part in parts:
        members = set(part.members)
        texts = {text for node in part.members for text in incident.get(node, ())}
        inner = (
            fact.text for node in part.members for fact in incident.get(node, {}).values() if members >= {*fact.edge}
        )
        parent = _id(part.parent) if part.parent else ""
        communities.append(Community(_id(part), part.level, parent, part.members, _digest(inner), _digest(texts)))
    return sorted(communities, key=lambda community: (community.level, community.id))


def _incident(facts: Collection[LinkedFact]) -> dict[str, dict[str, LinkedFact]]:
    """Node -> text -> fact."""
    incident: dict[str, dict[str, LinkedFact]] = {}
    for fact in facts:
        for node in fact.edge:
            incident.setdefault(node, {})[fact.text] = fact
    return incident


def _weights(facts: Iterable[LinkedFact]) -> Counter[Edge]:
    return Counter(fact.edge for fact in facts if fact.subject != fact.target)


def _root_of(community: Community, communities: Collection[Community]) -> str:
    by_id = {entry.id: entry for entry in communities} if community.parent else {}
    while community.parent:
        community = by_id[community.parent]
    return community.id


def _id(part: _Part) -> str:
    return digest("\n".join([str(part.level), *part.members]))[:16]


def _digest(texts: Iterable[str]) -> str:
    return digest("\n".join(sorted(set(texts))))
