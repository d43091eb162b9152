"""The reader of procedures: Markdown in, a `ProcedureFlow` out."""

import re
from functools import lru_cache

from soprag.tools.procedure.blocks.blocks import read_blocks
from soprag.tools.procedure.blocks.outlined import outlined
from soprag.tools.procedure.blocks.sections import Section, outline
from soprag.tools.procedure.drafting.block_opinions import BlockOpinions
from soprag.tools.procedure.drafting.draft import Draft
from soprag.tools.procedure.drafting.labelled_jumps import labels_of
from soprag.tools.procedure.drafting.named_cases import case_labels
from soprag.tools.procedure.drafting.tree import Act, Choice, Fork, Node, Part
from soprag.tools.procedure.nodes.narrative import is_narrative
from soprag.tools.procedure.procedure import (
    LineRole,
    ProcedureEdge,
    ProcedureFlow,
    ProcedureStep,
)
from soprag.tools.procedure.settling.bounds import bind_ranges
from soprag.tools.procedure.settling.called_cases import call_cases
from soprag.tools.procedure.settling.chosen_sections import set_apart
from soprag.tools.procedure.settling.control import LinkedFlow, Linker
from soprag.tools.procedure.settling.emphasis import warn_in_bold
from soprag.tools.procedure.settling.merging import merged, set_aside
from soprag.tools.procedure.settling.prohibitions import end_prohibited
from soprag.tools.procedure.settling.protection import protect
from soprag.tools.procedure.settling.restoring import restored
from soprag.tools.procedure.settling.settling import settle
from soprag.tools.procedure.tables.tables import TableReader
from soprag.tools.procedure.tables.verdict_tables import rejection
from soprag.tools.procedure.walking.walk import Walker
from soprag.tools.procedure.weighing.block_evidence import placed_blocks, verdicts
from soprag.tools.procedure.weighing.block_model import fitted
from soprag.tools.procedure.weighing.doubt import mark_doubts, mark_kinds, mark_openings, mark_restarts, mark_siblings
from soprag.tools.procedure.weighing.way_evidence import WayEvidence
from soprag.tools.procedure.weighing.way_model import fitted_ways
from soprag.tools.sop import END, Alternatives, EntryPoint, Unresolved

_TITLES = re.compile(r"^sops\s*=\s*\[(?P<list>.*?)\]", re.MULTILINE | re.DOTALL)
_REFERENCE = re.compile(r"^\s*\[[^\]]+\]:\s*\S+")
_TABLE = re.compile(r"\btables?\b|\blimits\b", re.IGNORECASE)


def read_procedure(markdown: str, narrative: bool | None = None) -> ProcedureFlow:
    """Reads the Markdown of one SOP, once for those who read it one after the other.

    `narrative` says whether activities are told sentence by sentence ("The clerk checks the claim."); None decides by
    the share of list items, imperatives and such sentences.

    Nothing is dropped: every non-blank line has a role, and what the reader cannot resolve is listed with its lines.
    """
    return _read(markdown.rstrip(), narrative)


@lru_cache(maxsize=64)  # many SOPs are indexed side by side, and each is read for its views and for the check of these
def _read(markdown: str, narrative: bool | None) -> ProcedureFlow:
    root = outline(outlined(read_blocks(markdown)))
    told = is_narrative(root) if narrative is None else narrative
    ruled = read_with(markdown, BlockOpinions(), told)
    if told:
        return ruled
    places = list(placed_blocks(root, markdown.split("\n")))
    opinions = fitted().judge(root, places, verdicts(places, (step.lines for step in ruled.steps)))
    flow = read_with(markdown, opinions, told)
    return fitted_ways().marked(flow, WayEvidence(flow, root, tuple(places), opinions))


def read_with(markdown: str, opinions: BlockOpinions, narrative: bool = False) -> ProcedureFlow:
    """One reading, in which the opinions of the trained model may overrule the rules."""
    rows = markdown.split("\n")
    draft = Draft(opinions=opinions, narrative=narrative, rejection=rejection(markdown))
    root = outline(outlined(read_blocks(markdown)))
    sections = _flat(root)
    titles = [section.title.strip() for section in sections]
    draft.titles = frozenset(map(str.lower, titles))
    blocks = [block for section in sections for block in section.blocks]
    draft.labels, draft.cases = labels_of(titles, blocks), frozenset(case_labels(blocks))
    walker = Walker(draft, rows, _separate(markdown))
    nodes = walker.section(root)
    nodes = merged(_decide_by_tables(nodes, draft), draft)
    set_aside(nodes)
    call_cases(nodes)
    set_apart(nodes, _flat(root))
    _left_lines(draft, rows)
    _opening_roles(draft)
    warn_in_bold(draft, rows)
    _uncovered(draft)
    flow = Linker(draft, _flat(root)).link(nodes)
    return restored(markdown, _flow(draft, flow, _flat(root)))


def _separate(markdown: str) -> frozenset[str]:
    """The titles that a file's front matter names as procedures, when it names several."""
    found = _TITLES.search(markdown) if markdown.startswith("+++") else None
    titles = re.findall(r'"([^"]+)"', found["list"]) if found else []
    return frozenset(title.strip().lower() for title in titles) if len(titles) > 1 else frozenset()


def _flat(section: Section) -> list[Section]:
    """The sections in reading order; the index of a section is its place."""
    return [section, *(inner for part in section.parts for inner in _flat(part))]


def _left_lines(draft: Draft, rows: list[str]) -> None:
    for number, row in enumerate(rows, 1):
        if row.strip():
            draft.roles.setdefault(number, "reference" if _REFERENCE.match(row) else "none")


def _opening_roles(draft: Draft) -> None:
    """A line on which steps begin is a decision when all of them are, else a step."""
    opening: dict[int, list[bool]] = {}
    for step in draft.steps:
        opening.setdefault(step.lines[0], []).append(step.kind == "decision")
    for line, decisions in opening.items():
        if draft.roles.get(line) in ("step", "step-part", "decision", "prose"):
            draft.roles[line] = "decision" if all(decisions) else "step"


def _uncovered(draft: Draft) -> None:
    """A line that was taken for a step but belongs to none is unresolved: nothing is dropped without a word."""
    covered = {line for step in draft.steps for line in step.lines}
    for line, role in sorted(draft.roles.items()):
        if role == "step-part" and line not in covered:
            draft.roles[line] = "prose"
        if role in ("step", "decision") and line not in covered:
            draft.unresolved.append(((line,), "an act that became no step"))


def _decide_by_tables(nodes: list[Node], draft: Draft) -> list[Node]:
    """A step that tells to do what a table says becomes the decision of that table."""
    if len(draft.tables) != 1:
        return nodes
    found: list[Node] = []
    for node in nodes:
        if isinstance(node, Part):
            node.body = _decide_by_tables(node.body, draft)
        elif isinstance(node, Choice | Fork):
            for outcome in node.outcomes:
                outcome.body = _decide_by_tables(outcome.body, draft)
        elif (
            isinstance(node, Act)
            and _TABLE.search(node.step.text)
            and re.search(r"\b(?:compare|do what|according|see|look up|act)\b", node.step.text, re.I)
        ):
            found.append(TableReader(draft).decide(draft.tables[0], node.step))
            continue
        found.append(node)
    return found


def _judge(draft: Draft, flow: LinkedFlow, sections: list[Section]) -> None:
    """Settles which steps are decisions and ends, and lists the ways in doubt."""
    settle(draft, flow)
    end_prohibited(draft, flow)
    mark_doubts(draft, flow)
    mark_kinds(draft, flow)
    mark_restarts(draft, flow)
    mark_openings(draft, flow)
    mark_siblings(draft, flow, sections)


def _flow(draft: Draft, flow: LinkedFlow, sections: list[Section]) -> ProcedureFlow:
    _judge(draft, flow, sections)
    known = {step.id for step in draft.steps}
    reached = {target for _, target, _ in flow.edges}
    first = [draft.steps[0].id] if draft.steps else []
    entries = list(dict.fromkeys([*(step for _, step in flow.entries), *first]))
    order = {step.id: at for at, step in enumerate(draft.steps)}
    lost = [step.id for step in draft.steps if step.id not in reached and step.id not in entries]
    for step in draft.steps:
        if step.id in lost:
            draft.unresolved.append((tuple(step.lines), "no way leads here"))
    points = tuple(EntryPoint(situation=words, step=step) for words, step in flow.entries if words)
    return ProcedureFlow(
        lines=tuple(LineRole(n=n, role=role) for n, role in sorted(draft.roles.items())),
        steps=tuple(
            ProcedureStep(id=s.id, lines=tuple(s.lines), kind=s.kind, text=s.text, only_if=s.only_if, label=s.number)
            for s in draft.steps
        ),
        edges=tuple(
            ProcedureEdge(source=a, target=b, when=w)
            for a, b, w in sorted(flow.edges, key=lambda e: order[e[0]])
            if b in known or b == END
        ),
        entry=tuple(sorted(entries, key=lambda one: order[one])),
        entry_points=points,
        alternatives=tuple(Alternatives(by=by, entries=tuple(entries)) for by, entries in flow.alternatives),
        warnings=protect(draft),
        ranges=bind_ranges(draft),
        calls=tuple(call for call in flow.calls if call.source in known),
        unresolved=tuple(
            dict.fromkeys(
                [*flow.unresolved, *(Unresolved(lines=lines, reason=words) for lines, words in draft.unresolved)]
            )
        ),
    )
