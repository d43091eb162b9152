"""Ground truth of a source for parsing: headings, steps with printed numbers, table cells and notices."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from soprag.examples.rendering.blocks import Block, Listing


@dataclass(frozen=True)
class TruthStep:
    """One item of an ordered list: its text, its printed number, the heading above it."""

    text: str
    number: int
    depth: int
    heading: str


@dataclass(frozen=True)
class Truth:
    """The parts of one source that must survive, in their order."""

    headings: tuple[tuple[int, str], ...]
    steps: tuple[TruthStep, ...]
    rows: tuple[tuple[str, ...], ...]
    notices: tuple[str, ...]


def read_truth(blocks: "Iterable[Block]") -> Truth:
    """The truth of a source."""
    from soprag.examples.rendering.blocks import Heading, Notice, Table, plain

    blocks = tuple(blocks)
    everything = tuple(_flat(blocks))
    return Truth(
        headings=tuple((block.level, plain(block.text)) for block in blocks if isinstance(block, Heading)),
        steps=tuple(_steps(blocks)),
        rows=tuple(
            tuple(plain(cell) for cell in row) for table in everything if isinstance(table, Table) for row in table.rows
        ),
        notices=tuple(plain(text) for block in everything if isinstance(block, Notice) for text in block.paragraphs),
    )


def continued(truth: Truth) -> Truth:
    """The same source when all its ordered lists count on from one to the next, as one list of Word does."""
    counts: list[int] = []
    steps = []
    for step in truth.steps:
        counts = counts[: step.depth + 1] + [0] * (step.depth + 1 - len(counts))
        counts[step.depth] += 1
        steps.append(replace(step, number=counts[step.depth]))
    return replace(truth, steps=tuple(steps))


def top_items(blocks: "Iterable[Block]") -> "Iterator[Block]":
    """The blocks as a workbook says them: one row for an item with its paragraphs, and nothing that is nested in it."""
    from soprag.examples.rendering.blocks import Listing, Paragraph

    for block in blocks:
        if isinstance(block, Listing):
            items = tuple(tuple(part for part in item if isinstance(part, Paragraph)) for item in block.items)
            yield replace(block, items=items)
        else:
            yield block


def _flat(blocks: "Iterable[Block]") -> "Iterator[Block]":
    from soprag.examples.rendering.blocks import Listing

    for block in blocks:
        yield block
        if isinstance(block, Listing):
            for item in block.items:
                yield from _flat(item)


def _steps(blocks: "Iterable[Block]") -> Iterator[TruthStep]:
    from soprag.examples.rendering.blocks import Heading, Listing, plain

    heading = ""
    for block in blocks:
        if isinstance(block, Heading):
            heading = plain(block.text)
        elif isinstance(block, Listing):
            yield from _items(block, heading, 0)


def _items(listing: "Listing", heading: str, depth: int) -> Iterator[TruthStep]:
    from soprag.examples.rendering.blocks import Listing, Paragraph, plain

    for number, item in enumerate(listing.items, listing.start):
        first = item[0] if item else None
        if listing.ordered and isinstance(first, Paragraph):
            yield TruthStep(plain(first.text), number, depth, heading)
        for block in item:
            if isinstance(block, Listing):
                yield from _items(block, heading, depth + 1)
