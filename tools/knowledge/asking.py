"""Answers a question by a path: each hop is a quoted line, and a name leads from one to the next.

Nothing is worded anew. When the lines do not cover the question, or it names what no document names, there is no path;
the nearest passages are given all the same.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from soprag.tools.knowledge import community_store
from soprag.tools.knowledge.evidence import (
    EvidenceLine,
    Needs,
    ScoredLine,
    candidate_chunks,
    lines_of,
    needs,
)
from soprag.tools.knowledge.library import KnowledgeLibrary
from soprag.tools.knowledge.passages import SeededQuestion, WalkWeights, asked_texts, rank, seed
from soprag.tools.knowledge.proper_names import is_telling, name_key, proper_names, title_key
from soprag.tools.knowledge.question_words import is_frame
from soprag.tools.knowledge.snapshot import Snapshot
from soprag.tools.sop import Frozen

COVERED = 0.75  # of a question that a path must cover; set once, before any question was measured
_LISTED = 20  # lines of an answer that lists
_CHUNKS = 10
_LINKED = 80  # lines, the best ones, that are joined to paths
_LISTS = re.compile(
    r"^\W*(?:which|what)\s+(?:other\s+)?(?:procedures?|sops?|steps?|documents?|cards?|alarms?)\b|^\W*list\b", re.I
)
# Asks beside the matter for what an operator opens then.
_ANSWERED_BY = re.compile(
    r"\b(?:which|what)\s+(?:card|procedure|sop|document|alarm)s?\s+(?:answer|cover|deal|belong)", re.I
)
_JOINT = re.compile(r"\s*(?:,\s*)?\b(?:and|;)\s+(?=(?:which|what|who|where|when|how|why)\b)", re.IGNORECASE)
_CODED = re.compile(r"(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Z])[A-Z][\w-]*(?![\w-])")


class PathAnswer(Frozen):
    """A path: its quoted lines in order, the names that lead from one to the next, and the share it covers."""

    lines: tuple[EvidenceLine, ...]
    bridges: tuple[str, ...] = ()
    coverage: float

    def text(self) -> str:
        """The quotes, indented under each other."""
        rows = [self.lines[0].text()]
        rows += [f"  → {name} → {line.text()}" for name, line in zip(self.bridges, self.lines[1:], strict=False)]
        return "\n".join(rows)


class KnowledgeReply(Frozen):
    """The answer to one question: its paths, or why there is none, and the nearest passages."""

    question: str
    paths: tuple[PathAnswer, ...]
    reason: str = ""
    passages: tuple[EvidenceLine, ...]

    @property
    def answered(self) -> bool:
        """Whether there is a path."""
        return bool(self.paths)

    def text(self) -> str:
        """The paths, or that there is none, with the passages."""
        if self.paths:
            return "\n".join(path.text() for path in self.paths)
        near = [f"  {passage.document}:{passage.line}  {passage.title}" for passage in self.passages]
        return "\n".join([f"No path: {self.reason}", *(["Nearest passages:"] if near else []), *near])


@dataclass(frozen=True)
class AskLimits:
    """Most hops, paths and passages of an answer; with `communities` facts are looked for in that many (paper 001)."""

    hops: int = 3
    paths: int = 5
    passages: int = 8
    communities: int = 0


DEFAULT_LIMITS, DEFAULT_WEIGHTS = AskLimits(), WalkWeights()


def ask(
    library: KnowledgeLibrary, question: str, limits: AskLimits = DEFAULT_LIMITS, weights: WalkWeights = DEFAULT_WEIGHTS
) -> list[KnowledgeReply]:
    """The replies to a question, one for each of its parts."""
    snapshot = library.snapshot()
    return [_reply(library, snapshot, part, (limits, weights)) for part in parts_of(snapshot, question)]


def parts_of(snapshot: Snapshot, question: str) -> list[str]:
    """The parts of a compound question; one that says nothing by itself (`which card answers it?`) is no part."""
    parts = [part.strip() for part in _JOINT.split(question) if part.strip()]
    return parts if all(needs(snapshot, part, ()).weights for part in parts) else [question]


def _reply(
    library: KnowledgeLibrary, snapshot: Snapshot, question: str, settings: tuple[AskLimits, WalkWeights]
) -> KnowledgeReply:
    limits, weights = settings
    seeded = seed(snapshot, question, library.embed(asked_texts(question)), weights)
    ranked = rank(snapshot, seeded, lambda chunk: library.text_of(snapshot.chunks[chunk]), weights)
    passages = tuple(_opening(library, snapshot, chunk) for chunk, _ in ranked[: limits.passages])
    if missing := unknown_names(snapshot, question):
        return KnowledgeReply(
            question=question, paths=(), reason=f"no document names {', '.join(missing)}.", passages=passages
        )
    paths = find_paths(library, snapshot, (question, seeded, ranked), limits)
    reason = "" if paths else "no lines that lead to each other cover the question."
    return KnowledgeReply(question=question, paths=tuple(paths), reason=reason, passages=passages)


def unknown_names(snapshot: Snapshot, question: str) -> list[str]:
    """The identifiers and proper names of a question that no document has."""
    codes = _CODED.findall(question)
    proper = [name for name in proper_names(question) if not question.lstrip().startswith(name) and not is_frame(name)]
    unknown = [name for name in dict.fromkeys([*codes, *proper]) if not _is_known(snapshot, name)]
    return [name for name in unknown if is_telling(name_key(name)) or any(map(str.isdigit, name))]


def _is_known(snapshot: Snapshot, name: str) -> bool:
    from soprag.tools.knowledge.snapshot import hashed
    from soprag.tools.text.terms import terms

    if name_key(name) in snapshot.group_of_key or snapshot.linked(name):
        return True
    if any(map(str.isdigit, name)):
        return all(snapshot.postings.row_of(term) >= 0 for term in hashed(terms(name))[-1:])
    return all(snapshot.postings.row_of(term) >= 0 for term in hashed(terms(name)))


def find_paths(
    library: KnowledgeLibrary,
    snapshot: Snapshot,
    asked: tuple[str, SeededQuestion, Sequence[tuple[int, float]]],
    limits: AskLimits,
) -> list[PathAnswer]:
    """The paths that cover enough of the question, the shortest and best first."""
    question, seeded, ranked = asked
    needed = needs(snapshot, question, seeded.groups)
    chunks = candidate_chunks(snapshot, (seeded, needed), ranked, _CHUNKS)
    if limits.communities:
        chunks = community_chunks(library, snapshot, question, limits.communities) or chunks
    lines = lines_of(library, snapshot, chunks, needed)
    ordered = sorted(lines, key=lambda entry: _order(entry, needed))
    single = [PathAnswer(lines=(entry.line,), coverage=needed.coverage(entry.terms)) for entry in ordered]
    single = [path for path in single if path.coverage >= COVERED]
    if single and _LISTS.match(question):
        by_document: dict[str, PathAnswer] = {}
        for path in single:
            by_document.setdefault(path.lines[0].document, path)
        return list(by_document.values())[:_LISTED]

    @lru_cache(maxsize=1024)
    def naming(line: EvidenceLine) -> frozenset[int]:
        title = snapshot.group_of_key.get(title_key(line.title))
        asked = needed.groups & {title} if title is not None else frozenset[int]()
        return asked | _distinct_groups(snapshot, line.quote) | _proper_groups(snapshot, line.quote)

    links = _Links(snapshot, naming, ordered[:_LINKED])
    paths = single[: limits.paths] or _chains(links, needed, limits)
    return [_led_on(links, path) for path in paths] if _ANSWERED_BY.search(question) else paths


def community_chunks(library: KnowledgeLibrary, snapshot: Snapshot, question: str, most: int) -> list[int]:
    """The chunks with the facts of the communities nearest to a question; empty where nothing was summarised."""
    [vector] = library.embed([question])
    lines = community_store.fact_lines(library, community_store.nearest(library, vector, most))
    return [
        number
        for number, chunk in enumerate(snapshot.chunks)
        if any((chunk.document, line) in lines for line in range(chunk.first, chunk.last + 1))
    ]


def _order(entry: ScoredLine, needed: Needs) -> tuple[float, int, bool, str, int, str]:
    line = entry.line
    stated = -len(entry.groups), not line.relations
    return -needed.coverage(entry.terms), *stated, line.document, line.line, line.quote


@dataclass(frozen=True)
class _Links:
    """The lines that a path may lead over, and the groups that a line names: in its words, or as its title if asked."""

    snapshot: Snapshot
    naming: Callable[[EvidenceLine], frozenset[int]]
    lines: Sequence[ScoredLine]

    def hub(self, group: int) -> float:
        """What going over a name costs: the more passages name it, the less it connects."""
        return math.log(2 + self.snapshot.named_in.size(group))


def _chains(links: _Links, needed: Needs, limits: AskLimits) -> list[PathAnswer]:
    """The paths of several lines."""
    chains = (_chain(links, entry, (needed, limits.hops)) for entry in links.lines[: 2 * limits.paths])
    fitting = [(chain, cost) for chain, cost in filter(None, chains) if chain.coverage >= COVERED]
    fitting.sort(key=lambda found: (len(found[0].lines), found[1], -found[0].coverage))
    distinct = {frozenset(chain.lines): chain for chain, _ in reversed(fitting)}  # the best order of the same lines
    return [chain for chain, _ in fitting if distinct[frozenset(chain.lines)] is chain][: limits.paths]


def _led_on(links: _Links, path: PathAnswer) -> PathAnswer:
    """The path on to the line that says what an alarm of its last line indicates, such as the head of its card."""
    if any("indicates" in line.relations for line in path.lines):
        return path
    groups = links.naming(path.lines[-1])
    for entry in links.lines:
        shared = groups & links.naming(entry.line)
        if shared and "indicates" in entry.line.relations:
            name = links.snapshot.groups[min(shared, key=links.hub)][0]
            return path.model_copy(update={"lines": (*path.lines, entry.line), "bridges": (*path.bridges, name)})
    return path


def _chain(links: _Links, start: ScoredLine, aim: tuple[Needs, int]) -> tuple[PathAnswer, float] | None:
    """The path from a line over names that two neighbouring lines share, with the cost of its hubs.

    Each hop covers something new.
    """
    needed, hops = aim
    path, bridges, covered, cost = [start], list[str](), set(start.terms), 0.0
    while len(path) < hops and needed.coverage(covered) < COVERED:
        step = _next(links, path, (needed, covered))
        if step is None:
            return None
        following, bridge = step
        path.append(following)
        bridges.append(links.snapshot.groups[bridge][0])
        covered |= following.terms
        cost += links.hub(bridge)
    quotes = tuple(entry.line for entry in path)
    return PathAnswer(lines=quotes, bridges=tuple(bridges), coverage=needed.coverage(covered)), cost


def _next(links: _Links, path: Sequence[ScoredLine], state: tuple[Needs, set[str]]) -> tuple[ScoredLine, int] | None:
    """The line that covers most of what is left and shares a name with the last line of the path; hubs are damped."""
    needed, covered = state
    groups = links.naming(path[-1].line)
    best: tuple[float, ScoredLine, int] | None = None
    for entry in links.lines:
        gain = needed.coverage(entry.terms - covered)
        if gain <= 0 or entry in path:
            continue
        if shared := groups & links.naming(entry.line):
            rarest = min(shared, key=lambda group: (links.hub(group), links.snapshot.groups[group]))
            gain /= links.hub(rarest)
            best = best if best and gain <= best[0] else (gain, entry, rarest)
    return (best[1], best[2]) if best else None


def _distinct_groups(snapshot: Snapshot, text: str) -> frozenset[int]:
    """The groups that a text names by an identifier or several words; `flow` is the same thing in no two procedures."""
    linked = snapshot.linked(text)
    return frozenset(
        group
        for group in linked
        if any(len(name_key(name)) > 1 or any(map(str.isdigit, name)) for name in snapshot.groups[group])
    )


def _proper_groups(snapshot: Snapshot, text: str) -> frozenset[int]:
    keys = (name_key(name) for name in proper_names(text))
    return frozenset(snapshot.group_of_key[key] for key in keys if key in snapshot.group_of_key)


def _opening(library: KnowledgeLibrary, snapshot: Snapshot, chunk: int) -> EvidenceLine:
    entry = snapshot.chunks[chunk]
    text = library.text_of(entry)
    return EvidenceLine(document=entry.document, title=entry.title, line=entry.first, quote=text)
