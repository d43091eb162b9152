"""Lines that may answer a question: those of good passages and those that name what the question names, with scores.

A line is worth the share of the question that it covers: the terms of the question by their rarity, and its names.
"""

import json
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from soprag.tools.knowledge.library import KnowledgeLibrary
from soprag.tools.knowledge.passages import SeededQuestion
from soprag.tools.knowledge.question_words import asked_by, content_terms
from soprag.tools.knowledge.snapshot import Chunk, Snapshot, hashed
from soprag.tools.sop import Frozen
from soprag.tools.text.sentences import sentences
from soprag.tools.text.stop_words import SMALL
from soprag.tools.text.terms import terms

_HEADING = re.compile(r"^#{1,6}\s+(.+)")
_RELATED = 0.5  # of a question that a relation covers by itself
_LONG = 240  # characters of a line that is quoted by sentence


class EvidenceLine(Frozen):
    """A quoted line, or a sentence of a long one, with what is known to be stated on it."""

    document: str
    title: str
    line: int
    quote: str
    relations: tuple[str, ...] = ()

    def text(self) -> str:
        """One line for a person."""
        return f"“{self.quote}” ({self.document}:{self.line})"


@dataclass(frozen=True)
class ScoredLine:
    """A line with the terms of the question that it covers and the groups it names."""

    line: EvidenceLine
    terms: frozenset[str]
    groups: frozenset[int]


@dataclass(frozen=True)
class Needs:
    """What a question asks about: its content terms with their weights, and the names among them."""

    weights: dict[str, float]
    groups: frozenset[int]

    @property
    def total(self) -> float:
        """The sum of the weights."""
        return sum(self.weights.values())

    def coverage(self, covered: Iterable[str]) -> float:
        """The share of the question that these terms cover, in [0, 1]; 0 for a question without content."""
        within = frozenset(covered)
        shared = (weight for term, weight in self.weights.items() if term in within)  # in the order of the question
        return sum(shared) / self.total if self.total else 0.0


def needs(snapshot: Snapshot, question: str, groups: Iterable[int]) -> Needs:
    """The content terms of a question; one that no document has counts as the rarest."""
    count = len(snapshot.chunks)
    weights: dict[str, float] = {}
    for term in content_terms(question):
        row = snapshot.postings.row_of(*hashed([term]))
        size = snapshot.postings.rows.size(row) if row >= 0 else 0
        weights[term] = math.log1p((count - size + 0.5) / (size + 0.5))
    return Needs(weights, frozenset(groups))


def lines_of(library: KnowledgeLibrary, snapshot: Snapshot, chunks: Sequence[int], needed: Needs) -> list[ScoredLine]:
    """The lines of these chunks that cover anything of the question, each once, in the order of the chunks."""
    relations = _relations(library, {snapshot.chunks[chunk].document for chunk in chunks})
    seen: dict[tuple[str, int, str], ScoredLine] = {}
    wanted = frozenset(needed.weights)

    @lru_cache(maxsize=512)
    def covering(text: str) -> frozenset[str]:
        return wanted & frozenset(terms(text, SMALL))

    for number in chunks:
        chunk = snapshot.chunks[number]
        for line, quote, heading in _quotes(library, chunk):
            known = relations.get((chunk.document, line), ())
            covered = covering(f"{quote} {asked_by(known)}")
            if covered and (chunk.document, line, quote) not in seen:
                entry = EvidenceLine(
                    document=chunk.document, title=chunk.title, line=line, quote=quote, relations=known
                )
                groups = frozenset(snapshot.linked(quote)) & needed.groups if needed.groups else frozenset()
                above = covering(f"{chunk.title} {heading}")
                seen[chunk.document, line, quote] = ScoredLine(entry, covered | above, groups)
    return list(seen.values())


def candidate_chunks(
    snapshot: Snapshot, asked: tuple[SeededQuestion, Needs], ranked: Sequence[tuple[int, float]], most: int
) -> list[int]:
    """The best passages, those that name what the question names, and those with a fact of the relation it asks for."""
    seeded, needed = asked
    related = [
        int(chunk)
        for relation, chunks in snapshot.related.items()
        if needed.coverage(terms(relation, SMALL)) >= _RELATED
        for chunk in chunks[: 3 * most]
    ]
    groups = dict.fromkeys([*seeded.groups, *seeded.similar])
    naming = [int(chunk) for group in groups for chunk in snapshot.named_in.row(group)[:most]]
    return list(dict.fromkeys([*(chunk for chunk, _ in ranked[:most]), *related, *naming]))[: 4 * most]


def _quotes(library: KnowledgeLibrary, chunk: Chunk) -> Iterable[tuple[int, str, str]]:
    """The lines of a chunk, long ones by sentence, each with its number and the heading it stands under."""
    lines = library.lines_of(chunk)
    before = (match[1] for line in reversed(lines[: chunk.first - 1]) if (match := _HEADING.match(line)))
    heading = next(before, "")
    for number in range(chunk.first, min(chunk.last, len(lines)) + 1):
        line = lines[number - 1].strip()
        heading = match[1] if (match := _HEADING.match(line)) else heading
        if len(line) > _LONG and not line.startswith("|"):
            yield from ((number, sentence, heading) for sentence in sentences(line))
        elif line and not line.startswith(("```", "---", "| ---", "|---")):
            yield number, line, heading


def _relations(library: KnowledgeLibrary, documents: set[str]) -> dict[tuple[str, int], tuple[str, ...]]:
    query = """SELECT d.id, f.first, f.relation FROM kg_fact AS f JOIN kg_chunk AS c ON c.number = f.chunk
        JOIN kg_document AS d ON d.number = c.document WHERE d.id IN (SELECT value FROM json_each(?))
        ORDER BY d.id, f.first, f.relation"""
    relations: dict[tuple[str, int], tuple[str, ...]] = {}
    with library.database.reading() as db:
        for id, line, relation in db.execute(query, (json.dumps(sorted(documents)),)):
            known = relations.get((id, line), ())
            relations[id, line] = known if relation in known else (*known, relation)
    return relations
