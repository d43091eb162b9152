"""Completeness of flow views: share of list items and warnings of a corpus that are extracted as steps and warnings.

The ground truth is read from the Markdown tokens, independently of the extraction code: every item of
a numbered list must be a step, in order and verbatim, or stand on the visible list of what is not part of the run, and
every block that begins with a safety word must be attached to a step, verbatim. Steps with more than one way count as
decisions; a vacuous one leads to the same step whatever is answered.
"""

import asyncio
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from soprag.tools.errors import UsageError
from soprag.tools.llm import Llm
from soprag.tools.markdown.inline import plain
from soprag.tools.retriever.index.extraction import Extractor
from soprag.tools.sop import END, UNRESOLVED, FlowGraph, Sop, Span, Views, digest

_SAFETY = r"(?:danger|warning|caution|important|attention|notice|note)"
_BEGINS = re.compile(rf"^[\s>*_]*(?:\[!|!!! *|\.\. )?[*_]*{_SAFETY}[*_\]]*\s*(?::|!|\]|$|[*_])", re.IGNORECASE)
_ALONE = re.compile(rf"^[\W_]*{_SAFETY}[\W_]*$", re.IGNORECASE)
_LOUD = re.compile(r"^\W*[A-Z]")
_LEAVES = ("inline", "code_block", "fence")
_MARKS = re.compile(r"^\s*>\s?", re.MULTILINE)


@dataclass(frozen=True)
class MissingLine:
    """A step or warning of a document that its flow view lacks."""

    sop: str
    line: int
    kind: str
    text: str


@dataclass
class FlowTally:
    """The counts of one corpus."""

    name: str
    sops: int = 0
    items: int = 0
    found_items: int = 0
    listed: int = 0
    warnings: int = 0
    found_warnings: int = 0
    steps: int = 0
    decisions: int = 0
    edges: int = 0
    conditions: int = 0
    references: int = 0
    vacuous: int = 0
    ended: int = 0
    unresolved: int = 0
    without_steps: int = 0
    misses: list[MissingLine] = field(default_factory=list)

    def add(self, views: Views) -> None:
        """Count what one flow view holds."""
        flow = views.flow
        self.sops += 1
        self.steps += len(flow.steps)
        targets: dict[str, list[str]] = {}
        for edge in flow.edges:
            targets.setdefault(edge.source, []).append(edge.target)
        asked = [reached for reached in targets.values() if len(reached) > 1]
        self.decisions += len(asked)
        self.vacuous += sum(len(set(reached)) == 1 for reached in asked)
        self.ended += sum(edge.target == END for edge in flow.edges)
        self.unresolved += sum(edge.target == UNRESOLVED for edge in flow.edges)
        self.edges += len(flow.edges)
        self.conditions += sum(bool(edge.condition) for edge in flow.edges)
        self.references += sum(len(step.references) for step in flow.steps)
        self.without_steps += not flow.steps


@dataclass(frozen=True)
class FlowReport:
    """The tallies of all corpora."""

    corpora: tuple[FlowTally, ...]

    @property
    def complete(self) -> bool:
        """Whether nothing is missing."""
        return not any(tally.misses for tally in self.corpora)

    def render(self) -> str:
        """The report as plain text: a table of counts, then every miss."""
        head = (
            "corpus",
            "SOPs",
            "list items",
            "as steps",
            "listed",
            "warnings",
            "attached",
            "steps",
            "decisions",
            "vacuous",
            "ends",
            "unresolved",
            "edges",
            "conditions",
            "refs",
        )
        rows = [head, *(_row(tally) for tally in self.corpora)]
        widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
        lines = [
            "  ".join(
                cell.ljust(width) if not column else cell.rjust(width)
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            for row in rows
        ]
        misses = [miss for tally in self.corpora for miss in tally.misses]
        lines += ["", f"{len(misses)} missing" if misses else "Nothing is missing."]
        lines += [f"  {miss.sop}:{miss.line}  {miss.kind}  {miss.text[:90]!r}" for miss in misses]
        return "\n".join(lines)


def measure_flows(data: Path, llm: Llm | None = None) -> FlowReport:
    """Extract every SOP under `data` (corpus.jsonl or Markdown files) and compare; by the rules without an `llm`."""
    corpora = _corpora(data)
    if not corpora:
        raise UsageError(f"No corpus.jsonl and no Markdown file under {str(data)!r}; give a folder that has some.")
    extractor = Extractor(llm or _rules())
    return FlowReport(tuple(asyncio.run(_tally(name, sops, extractor)) for name, sops in corpora.items()))


def _rules() -> Llm:
    from soprag.tools.rules.adapter import RulesLlm

    return RulesLlm()


async def _tally(name: str, sops: list[Sop], extractor: Extractor) -> FlowTally:
    tally = FlowTally(name)
    for sop in sops:
        views = await extractor.extract(sop)
        tally.add(views)
        _compare(sop, views.flow, tally)
    return tally


def _compare(sop: Sop, flow: FlowGraph, tally: FlowTally) -> None:
    steps = flow.steps
    listed = {line for part in flow.left_out for line in range(part.lines.start, part.lines.end + 1)}
    context = [*(edge.condition for edge in flow.edges), *(f"{step.only_if} {step.section}" for step in steps)]
    context += [warning.text for step in steps for warning in step.warnings]
    conditions = _flat(" ".join(context))
    tokens = MarkdownIt("commonmark").enable("table").parse(sop.body)
    texts = [_flat(step.passage or step.text) for step in steps]
    start = 0
    for line, text in _items(tokens):
        tally.items += 1
        match = next(
            (index for index in range(start, len(texts)) if texts[index].startswith(text) or text in texts[index]), None
        )
        if match is None and (line in listed or text in conditions or plain(text).rstrip(":.") in conditions):
            tally.listed += 1
        elif match is None:
            tally.misses.append(MissingLine(sop.id, line, "step", text))
        else:
            tally.found_items, start = tally.found_items + 1, match  # several steps may be parts of one item
    remarks = [_flat(warning.text) for step in steps for warning in step.warnings]
    for line, text in _warnings(tokens):
        tally.warnings += 1
        if any(text in remark for remark in remarks):
            tally.found_warnings += 1
        else:
            tally.misses.append(MissingLine(sop.id, line, "warning", text))


def _items(tokens: list[Token]) -> Iterator[tuple[int, str]]:
    """Line and first line of text of every item of a numbered list."""
    lists: list[str] = []
    for index, token in enumerate(tokens):
        if token.type in ("ordered_list_open", "bullet_list_open"):
            lists.append(token.type)
        elif token.type in ("ordered_list_close", "bullet_list_close"):
            lists.pop()
        elif (
            token.type == "list_item_open"
            and lists[-1] == "ordered_list_open"
            and tokens[index + 1].type == "paragraph_open"
        ):
            yield _line(token), _flat(tokens[index + 2].content.split("\n")[0])


def _warnings(tokens: list[Token]) -> Iterator[tuple[int, str]]:
    """Line and text of every block that begins with a safety word; of a lone safety word, the first line after it."""
    leaves = [index for index, token in enumerate(tokens) if token.content.strip() and token.type in _LEAVES]
    for position, index in enumerate(leaves):
        text = tokens[index].content
        if tokens[index].type != "inline" or not _BEGINS.match(text) or not _LOUD.match(text):
            continue
        if _ALONE.match(text):
            following = tokens[leaves[position + 1]] if position + 1 < len(leaves) else None
            if (
                not following
                or _line(following) > _line(tokens[index]) + 4
                or tokens[index - 1].type in ("th_open", "td_open")
            ):
                continue  # a column called Notes, or a label whose words are not Markdown
            text = following.content.strip().split("\n")[0]
        yield _line(tokens[index]), _flat(text)


def _line(token: Token) -> int:
    return (token.map or [0])[0] + 1


def _flat(text: str) -> str:
    return " ".join(_MARKS.sub("", text).split())


def _corpora(data: Path) -> dict[str, list[Sop]]:
    """The SOPs of every corpus.jsonl at or under `data`; where there is none, every Markdown file is an SOP."""
    files = sorted([data] if data.is_file() else data.rglob("corpus.jsonl"))
    if files:
        return {
            file.parent.name: [_sop(json.loads(line)) for line in file.read_text("utf-8").split("\n") if line]
            for file in files
        }
    pages = sorted(data.rglob("*.md"))
    return (
        {data.name: [_sop({"_id": page.stem, "title": page.stem, "text": page.read_text("utf-8")}) for page in pages]}
        if pages
        else {}
    )


def _sop(row: dict[str, str]) -> Sop:
    text = row["text"]
    span = Span(start=1, end=text.count("\n") + 1)
    return Sop(id=row["_id"], title=row.get("title") or row["_id"], text=text, document=digest(text), span=span)


def _row(tally: FlowTally) -> tuple[str, ...]:
    counts = (
        tally.sops,
        tally.items,
        tally.found_items,
        tally.listed,
        tally.warnings,
        tally.found_warnings,
        tally.steps,
    )
    parted = (tally.decisions, tally.vacuous, tally.ended, tally.unresolved)
    more = (*parted, tally.edges, tally.conditions, tally.references)
    return (tally.name, *(str(count) for count in (*counts, *more)))
