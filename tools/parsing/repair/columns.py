"""Words that stand in columns: everything printed at one height, and the heights that share their columns."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from soprag.tools.parsing.layout import PrintedLine, TextRun

LABEL = re.compile(
    r"^([\u2022\u25cf\u25aa\u25e6\u2023\u00b7\uf0b7\uf09f\u2013*o-]|\(?(\d{1,3}|[a-z]|[ivx]{1,4})[.)]|\d+(\.\d+)+)$",
    re.IGNORECASE,
)
_FARTHEST = 3.2
_NEXT_LINE = 1.3
_MOST_HEAD_LINES = 3


@dataclass
class Band:
    """Everything printed at one height."""

    top: float
    bottom: float
    size: float
    title: bool = False
    pieces: list[tuple[TextRun, int]] = field(default_factory=list)

    def is_row(self) -> bool:
        """Whether its words stand apart as the cells of a row do."""
        texts = [piece.text for piece, _ in self.pieces]
        return len(texts) > 2 or (len(texts) == 2 and not LABEL.match(texts[0]))

    def follows(self, above: "Band") -> bool:
        """Whether it stands as close below as the next line of the same text."""
        return 0 < self.top - above.top < _NEXT_LINE * max(self.size, above.size)


@dataclass
class Region:
    """Bands that share columns; the first `head` of them after the first one belong to the head as well."""

    bands: list[Band]
    columns: list[list[float]]
    head: int = 0
    room_below: bool = False

    def takes(self, band: Band) -> bool:
        """Whether the band continues the table; its columns grow with what it takes."""
        gap = band.top - self.bands[-1].top
        if band.title or gap > _FARTHEST * band.size or (len(band.pieces) == 1 and gap > 1.3 * self._widest(band)):
            return False
        pieces = [part for piece in band.pieces for part in self._parted(*piece)]
        hits = [self._hit(piece) for piece, _ in pieces]
        if any(len(hit) > 1 for hit in hits) or not any(hits):
            return False
        for (piece, _), hit in zip(pieces, hits, strict=True):
            if hit:
                column = self.columns[hit[0]]
                column[:] = [min(column[0], piece.x0), max(column[1], piece.x1)]
            else:
                self.columns.append([piece.x0, piece.x1])
        self.columns.sort()
        band.pieces = pieces
        self.bands.append(band)
        return True

    def begin_above(self, before: list[Band]) -> None:
        """Take lines of a head that is set bottom to bottom: its longest cell begins above the others."""
        taken: list[Band] = []
        below = self.bands[0]
        for band in reversed(before):
            if band.title or not below.follows(band):
                break
            one_column = all(len(self._hit(piece)) == 1 for piece, _ in band.pieces)
            if not one_column or abs(band.size - below.size) > 1 or band.is_row():
                return
            if band.pieces[-1][0].text.endswith((".", ":", ";")):
                return
            taken.insert(0, band)
            below = band
        if len(taken) <= _MOST_HEAD_LINES:
            self.bands[:0] = taken
            self.head = len(taken)

    def _hit(self, piece: TextRun) -> list[int]:
        return [index for index, column in enumerate(self.columns) if overlap(piece, column)]

    def _parted(self, piece: TextRun, line_index: int) -> list[tuple[TextRun, int]]:
        """The piece, or its parts when it runs over columns and each part stands in one of its own."""
        if len(self._hit(piece)) < 2 or not piece.parts:
            return [(piece, line_index)]
        places = [self._hit(part) for part in piece.parts]
        distinct = all(len(hit) <= 1 for hit in places) and len({*map(tuple, places)}) == len(places)
        return [(part, line_index) for part in piece.parts] if distinct else [(piece, line_index)]

    def _widest(self, band: Band) -> float:
        gaps = [below.top - above.top for above, below in pairwise(self.bands)]
        return max(gaps, default=1.5 * band.size)


def read_bands(places: list[tuple[int, PrintedLine]], titles: set[int]) -> list[Band]:
    """What the lines of one page print at each height; `titles` are the positions of headings."""
    bands: list[Band] = []
    for line_index, line in sorted(places, key=lambda entry: entry[1].top):
        band = bands[-1] if bands else None
        if band is None or line.top - band.top > 0.5 * min(line.size, band.size):
            band = Band(line.top, line.bottom, line.size, line_index in titles)
            bands.append(band)
        band.pieces += [(piece, line_index) for piece in line.pieces]
    for band in bands:
        band.pieces.sort(key=lambda piece: piece[0].x0)
    return bands


def read_regions(bands: list[Band]) -> Iterator[Region]:
    """The runs of bands that share columns, each with what of its head stands above its first full row."""
    region: Region | None = None
    for index, band in enumerate(bands):
        if region is not None and region.takes(band):
            continue
        if region is not None:
            region.room_below = band.top - region.bands[-1].top > _FARTHEST * band.size
            yield region
        region = None
        if band.is_row():
            region = Region([band], [[piece.x0, piece.x1] for piece, _ in band.pieces])
            region.begin_above(bands[max(0, index - _MOST_HEAD_LINES - 1) : index])
    if region is not None:
        region.room_below = True
        yield region


def overlap(piece: TextRun, column: list[float]) -> bool:
    """Whether the piece stands in the column."""
    return min(piece.x1, column[1]) - max(piece.x0, column[0]) > 0.5
