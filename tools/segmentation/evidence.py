"""The evidence for and against a title line beginning an independent procedure, as numbers about -1 to 1."""

import re
from collections import Counter
from dataclasses import dataclass
from math import log1p

import numpy as np
from numpy.typing import NDArray

from soprag.tools.markdown.inline import labelled
from soprag.tools.markdown.page import MarkdownPage
from soprag.tools.procedure.blocks import heading_kinds
from soprag.tools.segmentation import topic_segments
from soprag.tools.segmentation.anchors import CHAINS, Anchors, chains
from soprag.tools.segmentation.cohesion import TermWindows
from soprag.tools.segmentation.orders import orders
from soprag.tools.segmentation.parts import Sections
from soprag.tools.segmentation.title_lines import TitleLine
from soprag.tools.segmentation.topic_segments import topic_chances
from soprag.tools.text.terms import terms

Matrix = NDArray[np.float64]
Row = dict[str, float]

_NEAR, _FAR = 120, 400  # terms in a window
_AHEAD = 4  # titles that are compared with those before
_REACH = 12
_SELF = re.compile(
    r"\b(?:this|the following) (?:alert|alarm|document|procedure|guide|protocol|runbook|page|sop|checklist|instruction|"
    r"section|playbook|tutorial|card)s?\b|\bpurpose of\b",
    re.IGNORECASE,
)
_FIRSTS = ("1", "a", "(1)", "(a)", "1)", "a)", "step 1", "01", "①")
_BREAK = re.compile(r"\s*(?:-{3,}|\*{3,}|_{3,}|={3,}|\f.*|<!--.*)\s*$")


@dataclass(frozen=True)
class Evidence:
    """The rows have one line per title line and one column per name; `sections` is the text cut at the title lines."""

    names: tuple[str, ...]
    rows: Matrix
    sections: Sections

    @property
    def levels(self) -> tuple[int, ...]:
        """The level of every title line."""
        return self.sections.levels

    @property
    def offsets(self) -> tuple[int, ...]:
        """The number of terms before each title line, and of the whole text."""
        return self.sections.offsets

    @property
    def terms_before(self) -> int:
        """The number of terms before the first title line."""
        return self.offsets[0]


def weigh(page: MarkdownPage, titles: list[TitleLine]) -> Evidence:
    """The evidence for every title of `page`, in order."""
    reader = _EvidenceReader(page, titles)
    rows = [reader.row(index) for index in range(len(titles))]
    names = tuple(rows[0]) if rows else ()
    table = np.array([list(row.values()) for row in rows]).reshape(len(titles), len(names))
    sections = _sections(reader)
    bound = chains(sections.terms, sections.offsets)
    columns = (*names, *CHAINS, *topic_segments.COLUMNS)
    return Evidence(columns, np.hstack([table, bound, topic_chances(sections)]), sections)


def _sections(reader: "_EvidenceReader") -> Sections:
    lines = [*(title.line for title in reader.titles), len(reader.page.lines) + 1]
    offsets = tuple(reader.windows.count(1, line - 1) for line in lines)
    numbers = reader.windows.numbered()
    return Sections(
        terms=numbers,
        offsets=offsets,
        titles=tuple(
            np.unique(numbers[start : start + reader.windows.count(title.line, title.line)])
            for title, start in zip(reader.titles, offsets, strict=False)
        ),
        names=tuple(title.name for title in reader.titles),
        levels=tuple(title.level for title in reader.titles),
        is_form=tuple(title.role != "named" for title in reader.titles),
        has_steps=tuple(bool(labels) and labels[0] in _FIRSTS for labels in reader.labels[1:]),
        counts=tuple(title.count for title in reader.titles),
        orders=reader.orders,
    )


class _EvidenceReader:
    """Reads the evidence of one page; every method returns some columns of the row of a title."""

    def __init__(self, page: MarkdownPage, titles: list[TitleLine]) -> None:
        self.page, self.titles = page, titles
        self.windows = TermWindows(page.lines, [title.line for title in titles])
        self.tiers = sorted({title.level for title in titles})
        self.per_level = Counter(title.level for title in titles)
        self.names = Counter(title.name for title in titles)
        self.labels = _labels(page, titles)
        self.orders = orders(page, [title.line for title in titles])
        self.near = [self._cosine(title, _NEAR) for title in titles]
        self.far = [self._cosine(title, _FAR) for title in titles]
        self.near_rank, self.far_rank = _ranks(self.near), _ranks(self.far)
        self.bounds = [*(title.line for title in titles), len(page.lines) + 1]
        self.anchors = Anchors(page, titles)

    def _cosine(self, title: TitleLine, width: int) -> float:
        return self.windows.cosine(self.windows.before(title.line, width), self.windows.after(title.line, width))

    def _section(self, first: int, last: int) -> list[str]:
        """The terms of the sections from `first` to `last`, titles included."""
        first, last = max(first, 0), min(last, len(self.titles) - 1)
        if last < first:
            return []
        return list(self.windows.between(self.bounds[first], self.bounds[last + 1] - 1))

    def row(self, index: int) -> Row:
        """All columns of one title."""
        return {
            **self._wording(index),
            **self._place(index),
            **self._neighbours(index),
            **self._repetition(index),
            **self._numbering(index),
            **self._cohesion(index),
            **self._body(index),
            **self._orders(index),
            **self.anchors.row(index),
        }

    def title(self, index: int) -> TitleLine | None:
        """The title at `index`, if there is one."""
        return self.titles[index] if 0 <= index < len(self.titles) else None

    def _wording(self, index: int) -> Row:
        title = self.titles[index]
        words = title.text.split()
        return {
            "opening": float(title.role == "opening"),
            "inner": float(title.role == "inner"),
            "back": float(title.role == "back"),
            "task": float(heading_kinds.names_task(title.text)),
            "code": float(heading_kinds.identified(title.text)),
            "joined word": float(bool(re.search(r"[a-z][A-Z]|_\w", title.text))),
            "one word": float(len(words) == 1),
            "words": min(len(words), 10) / 10,
            "colon": float(title.text.endswith(":")),
            "sentence": float(title.text.endswith((".", "?", "!"))),
            "lower case": float(title.text[:1].islower()),
            "document number": float(heading_kinds.numbered_document(title.text)),
            "counted": float(heading_kinds.ordinal(title.text)),
        }

    def _place(self, index: int) -> Row:
        title, count = self.titles[index], len(self.titles)
        tier = self.tiers.index(title.level)
        return {
            "top": float(tier == 0),
            "tier": min(tier, 3) / 3,
            "tier share": self.per_level[title.level] / count,
            "only of its tier": float(self.per_level[title.level] == 1),
            "bold": float(title.level == 8),
            "capitals": float(title.level == 7),
            "titles": log1p(count) / 5,
            "titles of the tier": log1p(self.per_level[title.level]) / 5,
        }

    def _neighbours(self, index: int) -> Row:
        title, before, after = self.titles[index], self.title(index - 1), self.title(index + 1)
        tier = self.tiers.index(title.level)
        rise = self.tiers.index(before.level) - tier if before else 0
        drop = self.tiers.index(after.level) - tier if after else 0
        return {
            "rise": max(0, min(rise, 3)) / 3,
            "fall": max(0, min(-rise, 3)) / 3,
            "child next": float(drop > 0),
            "parent next": float(drop < 0),
            "opening next": float(after is not None and after.role == "opening"),
            "inner next": float(after is not None and after.role == "inner"),
            "named next": float(after is not None and after.role == "named"),
            "last": float(after is None),
            "opening before": float(before is not None and before.role == "opening"),
            "inner before": float(before is not None and before.role == "inner"),
            "back before": float(before is not None and before.role == "back"),
            "form ahead": sum(1 for t in self.titles[index + 1 : index + 1 + _AHEAD] if t.role != "named") / _AHEAD,
        }

    def _repetition(self, index: int) -> Row:
        own = self.titles[index].name
        ahead = [title.name for title in self.titles[index + 1 : index + 1 + _AHEAD]]
        behind = {title.name for title in self.titles[max(0, index - _REACH) : index]}
        later = {title.name for title in self.titles[index + 1 : index + 1 + _REACH]}
        repeated = [name for name in ahead if self.names[name] > 1]
        before = self.title(index - 1)
        return {
            "repeated": float(self.names[own] > 1),
            "repeats before": float(own in behind),
            "unique before repeated": float(self.names[own] == 1 and bool(ahead) and self.names[ahead[0]] > 1),
            "next was before": float(bool(ahead) and ahead[0] in behind),
            "next comes again": float(bool(ahead) and self.names[ahead[0]] > 1),
            "repeated ahead": len(repeated) / _AHEAD,
            "repeated before": float(before is not None and self.names[before.name] > 1),
            "skeleton again": len(behind & later) / max(len(behind | later), 1),
            "form again": float(bool(behind & set(ahead))),
        }

    def _numbering(self, index: int) -> Row:
        title, before, after = self.titles[index], self.title(index - 1), self.title(index + 1)
        earlier = next((t.number for t in reversed(self.titles[max(0, index - 6) : index]) if t.number), ())
        later = next((t.number for t in self.titles[index + 1 : index + 4] if t.number), ())
        first, last = self.labels[index + 1][:1], self.labels[index][-1:]
        counted = heading_kinds.ordinal(title.text)
        counted_before = any(heading_kinds.ordinal(t.text) for t in self.titles[max(0, index - _REACH) : index])
        return {
            "numbered": float(bool(title.number)),
            "numbered on": float(bool(title.number and earlier) and title.number > earlier),
            "sections restart": float(bool(earlier and later) and later <= earlier and not title.number),
            "counted on": float(counted and counted_before),
            "numbers begin": float(bool(later) and not earlier and not title.number),
            "between numbers": float(bool(earlier and later) and later > earlier and not title.number),
            "steps begin": float(bool(first) and first[0] in _FIRSTS),
            "steps go on": float(bool(first) and first[0] not in _FIRSTS),
            "steps restart": float(bool(first and last) and first[0] in _FIRSTS and last[0] not in _FIRSTS),
            "number before": float(before is not None and bool(before.number)),
            "number next": float(after is not None and bool(after.number)),
        }

    def _cohesion(self, index: int) -> Row:
        title = self.titles[index]
        own = terms(title.text)
        before, after = self.windows.before(title.line, _FAR), self.windows.after(title.line, _FAR)
        around = [self.far[near] for near in range(max(0, index - 2), min(len(self.far), index + 3)) if near != index]
        return {
            "cosine near": self.near[index],
            "cosine far": self.far[index],
            "rank near": self.near_rank[index],
            "rank far": self.far_rank[index],
            "depth": (sum(around) / len(around) if around else self.far[index]) - self.far[index],
            **self._sections(index),
            **_valley(self.far, index, "far"),
            **_valley(self.near, index, "near"),
            "title before": self.windows.share(own, before),
            "title after": self.windows.share(own, after),
            "title soon": self.windows.share(own, after[:60]),
            "title just before": self.windows.share(own, before[-60:]),
        }

    def _sections(self, index: int) -> Row:
        own, before = self._section(index, index)[:_FAR], self._section(index - 2, index - 1)[-_FAR:]
        after = self._section(index + 1, index + 2)[:_FAR]
        to_before, to_after = self.windows.cosine(own, before), self.windows.cosine(own, after)
        return {
            "own like before": to_before,
            "own like after": to_after,
            "rather after": to_after - to_before,
            "before like after": self.windows.cosine(before, after),
        }

    def _orders(self, index: int) -> Row:
        ahead, before = self.orders[index + 1 : index + 1 + _AHEAD], self.orders[max(0, index + 1 - _AHEAD) : index + 1]
        return {
            "orders": log1p(self.orders[index + 1]) / 3,
            "orders just before": log1p(self.orders[index]) / 3,
            "orders ahead": log1p(sum(ahead)) / 4,
            "orders before": log1p(sum(before)) / 4,
        }

    def _body(self, index: int) -> Row:
        title, after = self.titles[index], self.title(index + 1)
        end = after.line - 1 if after else len(self.page.lines)
        own = self.windows.count(title.line + 1, end)
        before = self.windows.count(self.titles[index - 1].line if index else 1, title.line - 1)
        opening = " ".join(self.page.lines[title.line : min(end, title.line + 8)])
        above = [line for line in self.page.lines[max(0, title.line - 4) : title.line - 1] if line.strip()]
        return {
            "empty": float(own == 0),
            "length": log1p(own) / 7,
            "length before": log1p(before) / 7,
            "before": log1p(self.windows.count(1, title.line)) / 9,
            "after": log1p(self.windows.count(title.line, len(self.page.lines))) / 9,
            "about itself": float(bool(_SELF.search(opening))),
            "break above": float(bool(above) and bool(_BREAK.match(above[-1]))),
        }


def _labels(page: MarkdownPage, titles: list[TitleLine]) -> list[list[str]]:
    """The labels of list items before the first title and after each title, in order."""
    found: list[list[str]] = [[] for _ in range(len(titles) + 1)]
    section = 0
    for block in page.blocks:
        while section < len(titles) and titles[section].line <= block.lines.start:
            section += 1
        if block.kind == "item" and block.label and block.depth <= 1:
            found[section].append(block.label.lower())
        for row in block.rows:
            entry = labelled(row[0]) if row else None
            if entry and entry.label:
                found[section].append(entry.label.lower())
    return found


def _ranks(values: list[float]) -> list[float]:
    """The share of the values that are larger, for each."""
    ordered = np.sort(values)
    ranks: list[float] = (1 - np.searchsorted(ordered, values, side="right") / max(len(values), 1)).tolist()
    return ranks


def _valley(values: list[float], index: int, name: str) -> Row:
    """How far `values[index]` lies below what surrounds it, and whether it is the lowest of its neighbours."""
    left, right = values[max(0, index - 4) : index], values[index + 1 : index + 5]
    own = values[index]
    return {
        f"prominence {name}": (max(left, default=own) + max(right, default=own)) / 2 - own,
        f"lowest {name}": float(own <= min([*left[-2:], *right[:2]], default=own)),
    }
