"""Tables of a procedure: rows that are steps, rows for one role each, rows of cases, and plain data."""

import re
from dataclasses import dataclass
from itertools import pairwise

from soprag.tools.procedure.blocks import boxes
from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.drafting.draft import Draft
from soprag.tools.procedure.drafting.labelled_jumps import labelled_exit
from soprag.tools.procedure.drafting.tree import Act, Choice, DraftStep, Fork, Go, Node, Outcome, Stop
from soprag.tools.procedure.nodes.composing import Composer
from soprag.tools.procedure.tables.case_tables import (
    ACTION,
    ANSWER,
    CASE,
    case_table,
    cases_told,
    directive,
    directive_share,
    header_unit,
    lettered_parts,
)
from soprag.tools.procedure.tables.check_tables import check_table
from soprag.tools.procedure.tables.limit_tables import note_limits
from soprag.tools.procedure.tables.verdict_tables import EMPTY, decided, verdict_columns
from soprag.tools.procedure.wording.conditions import read_clause
from soprag.tools.procedure.wording.onward import only_onward, onward
from soprag.tools.procedure.wording.passage import SourcePassage
from soprag.tools.procedure.wording.targets import Target
from soprag.tools.procedure.wording.verbs import asks, directs, is_check

_NUMBER = re.compile(r"^\W*(?:\\?#|no\.?|nr\.?|step(?: no\.?)?|line|item|seq\.?|s/?n)?\W*$", re.IGNORECASE)
_RECORD = re.compile(
    r"\b(?:rev(?:ision)?\.?|version|edition|effective|date|approved|owner|document|author|changes?|"
    r"description of change)\b",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"\b(?:operator|technician|lead|manager|engineer|supervisor|person|room|officer|contractor|team|crew|nurse|assistant|"
    r"controller|warden|pilot|driver|agent|analyst|inspector|coordinator|staff|chemist|guard)s?\W*$",
    re.IGNORECASE,
)
_ROUTE = re.compile(r"^\W*(?:procedure|section|card|go to|use|sheet)\W*$", re.IGNORECASE)
_ALL = re.compile(r"^\W*(?:both|all|any|each)\W*$", re.IGNORECASE)
_COUNTED = re.compile(r"(?P<head>[A-Z]|\d{1,2}\.)(?P<count>\d{1,2})")
# Heads of a column whose labels are those of a thing, and number no steps.
_CODED = re.compile(
    r"^\W*(?:\w+\s+)?(?:lamp|led|light|code|alarm|fault|error|event|message|text|signal|display|symptom|tag|unit|pump|fan|valve|button|key|zone|line)s?\W*$",
    re.IGNORECASE,
)
_ALARMS = re.compile(r"^\W*(?:alarms?|faults?|errors?|symptoms?|messages?)(?: \w+)?\W*$", re.IGNORECASE)
_TABLE = re.compile(
    r"\b(?:by|in|from|as|per|to|with|of) the (?:table|row|list|code)\b|\btable (?:below|says)\b|\bthe row\b|\bjudge\b",
    re.IGNORECASE,
)
_ELSE = re.compile(
    r"^\W*(?:otherwise|else|if (?:not|outside|out)\b.*|(?:if )?(?:abnormal|fail\w*|not ok|nok)|remarks?|notes?|"
    r"comments?)\W*$",
    re.I,
)
# "Look up the code in the table and go to the section named there."
_SENDS = re.compile(
    r"\b(?:table|row|list|column)\b|\bsection (?:named|given|stated|shown|listed) (?:there|below)\b", re.IGNORECASE
)
_SUCCESS = re.compile(r"^(?:yes|ok|okay|pass(?:ed)?|good|in order)$", re.IGNORECASE)
_STEP = re.compile(r"\b(?:steps?|lines?|no\.)\s*(?P<step>\d{1,3}[a-z]?)\b", re.IGNORECASE)


@dataclass
class TableReader:
    """Reads one table after the nodes before it."""

    draft: Draft
    inside: bool = False  # in an item, whose step its cases belong to

    def read(self, table: Block, nodes: list[Node], data_only: bool = False, records: bool = False) -> list[Node]:
        """The nodes before the table and those of its rows."""
        header, rows = table.children[0], table.children[1:]
        names = [cell.text for cell in header.cells]
        if records or (_revisions(names) and not any(ACTION.match(name) for name in names[1:])):
            self.draft.role(
                table.lines,
                "metadata" if _revisions(names) and "signature" not in " ".join(names).lower() else "table-data",
            )
            return nodes
        if not data_only or self._orders(names, rows):
            read = self._kind(names, rows, nodes)
            if read is not None:
                nodes = read
                for node in nodes[-1:]:
                    if isinstance(node, Fork):
                        node.head = header.passage
            else:
                note_limits(self.draft, names, rows, nodes[-1] if nodes else None)
                self._remarks(rows)
        elif self._limits(names, rows):
            self.draft.tables.append(table)
        else:
            note_limits(self.draft, names, rows, None)
        self.draft.role(table.lines, "table-data")
        return nodes

    def _remarks(self, rows: list[Block]) -> None:
        """Warnings that stand in the cells of a table of data."""
        for row in rows:
            for cell in row.cells:
                if boxes.titled(cell.text):
                    self.draft.warn(row.lines, cell.text)

    @staticmethod
    def _orders(names: list[str], rows: list[Block]) -> bool:
        """Whether a table is one of steps wherever it stands: numbered rows, and orders in a column of acts."""
        action = next((at for at, name in enumerate(names) if at and ACTION.match(name)), -1)
        whole = [row for row in rows if len(row.cells) == len(names)]
        return action > 0 and len(whole) > 1 and _numbers(names, whole) and directive(whole, action)

    def _kind(self, names: list[str], rows: list[Block], nodes: list[Node]) -> list[Node] | None:
        action = next((at for at, name in enumerate(names) if at and ACTION.match(name)), -1)
        filled = [row for row in rows if any(not EMPTY.match(cell.text) for cell in row.cells[1:])]
        numbers = bool(filled) and _numbers(names, filled)
        roles = [at for at, name in enumerate(names) if at and _ROLE.search(name)]
        if numbers and len(roles) > 1:
            return [*nodes, *self._roles(filled, roles)]
        if numbers:
            found = self._in_order(filled, action, names) or check_table(self.draft, names, filled, named=1)
            found = found or (self._rows(filled, 1, names) if any(map(ANSWER.match, names[2:])) else None)
            return [*nodes, *found] if found else None
        routes = CASE.match(names[0]) and _ROUTE.match(names[-1])
        if routes and any(row.cells[-1].text.strip().lower() in self.draft.titles for row in filled):
            return self._routes(filled, nodes)
        found = self._decided(names, filled, nodes)
        return self._routes(filled, nodes) if routes and found is None and all(map(self._route, filled)) else found

    def _route(self, row: Block) -> Target | None:
        """The section that the last cell of a row names by its title, or by its letter or number."""
        words = row.cells[-1].text.strip() if row.cells else ""
        labelled = labelled_exit(words, self.draft.labels, bare=True)
        if labelled is not None:
            return labelled.target
        return Target("title", words, words=words) if words.lower() in self.draft.titles else None

    def _decided(self, names: list[str], rows: list[Block], nodes: list[Node]) -> list[Node] | None:
        """The nodes with a decision for every row of checks, or with the cases of a table; None for data."""
        checks = check_table(self.draft, names, rows)
        if checks is not None:
            return [*nodes, *checks]
        last = nodes[-1] if nodes else None
        asks = isinstance(last, Act) and (self.inside or is_check(last.step.text) or last.step.text.endswith(":"))
        asks = asks or (
            isinstance(last, Act) and (_measured(names[0], last.step.text) or _asks_for(rows, last.step.text))
        )
        cases = case_table(self.draft, names, rows, asks)
        if cases is None:
            return None
        if isinstance(last, Act) and asks and last.step.scope == self.draft.scope and not cases.number:
            return [*nodes[:-1], cases.of(last.step)]
        return [*nodes, cases.separate()]

    def _in_order(self, rows: list[Block], action: int, names: list[str]) -> list[Node]:
        """Numbered rows: what their column of acts orders, or what a checklist of steps names; none for data."""
        told = [at for at, name in enumerate(names) if at and not _ELSE.match(name)]
        column = action if action > 0 else max(told, key=lambda at: directive_share(rows, at), default=1)
        answered = sum(bool(ANSWER.match(name)) for name in names[1:]) > 1
        if directive(rows, column) or answered:
            return self._rows(rows, column, names)
        return [self._entry(row) for row in rows] if action > 0 and names[0].lower().startswith("step") else []

    def _rows(self, rows: list[Block], column: int, names: list[str]) -> list[Node]:
        """Rows in order; rows for one variant each are alternatives, columns "if yes" and "if no" are outcomes."""
        variant = _variant_column(rows, column)
        verdicts = verdict_columns(names, rows)
        answers = [(at, found["answer"]) for at, name in enumerate(names) if at and (found := ANSWER.match(name))]
        nodes: list[Node] = []
        at = 0
        while at < len(rows):
            group = _variants(rows, at, variant)
            taken = rows[at : at + max(1, len(group))]
            bodies = [self._row(row, column, [] if verdicts else answers) for row in taken]
            if verdicts:
                pairs = zip(bodies, taken, strict=True)
                bodies = [decided(body, row, verdicts, self.draft.rejection) for body, row in pairs]
            if len(group) > 1:
                outcomes = [Outcome(name, body) for name, body in zip(group, bodies, strict=True)]
                nodes.append(Fork("variant", outcomes))
            else:
                nodes += _only_for(group, bodies[0])
            at += max(1, len(group))
        return nodes

    def _entry(self, row: Block) -> Act:
        """A row of a checklist, which names a thing and its position ("Throttle | IDLE")."""
        words = SourcePassage(": ".join(cell.text for cell in row.cells[1:] if cell.text), row.passage.starts)
        when = next((clause.condition for cell in row.cells[1:] if (clause := read_clause(cell)).condition), "")
        start = len(self.draft.steps)
        made = self.draft.step(words, only_if=when, number=row.cells[0].text.strip(" .)"))
        self.draft.note(words, start)
        self.draft.role(row.lines, "step", "step-part")
        return Act(made)

    def _row(self, row: Block, column: int, answers: list[tuple[int, str]]) -> list[Node]:
        for at, cell in enumerate(row.cells):
            begins = 0 if boxes.warns(cell.text, boxed=False) else boxes.inline(cell.text)
            if at != column and begins >= 0:
                self.draft.warn(row.lines, cell.text[begins:], inside="row")
        nodes = self._cell(row, row.cells[column], row.cells[0].text.strip(" .)"))
        acts = any(isinstance(node, Act | Choice) for node in nodes)
        self.draft.role(row.lines, "step" if acts else "condition", "step-part")
        _take_row(nodes, row)
        stated = [(name, row.cells[at]) for at, name in answers if at < len(row.cells)]
        last = nodes[-1] if nodes else None
        if len(stated) == 1:
            return self._otherwise(nodes, *stated[0])
        filled = [(name, cell) for name, cell in stated if not EMPTY.match(cell.text)]
        if not isinstance(last, Act) or not filled:
            return nodes
        if len(filled) == 1 and _SUCCESS.match(filled[0][0]):
            return [*nodes, *Composer(self.draft).answer(filled[0][1])]
        last.step.kind = "decision"
        composer = Composer(self.draft)
        outcomes = [Outcome(name, composer.answer(cell) if not EMPTY.match(cell.text) else []) for name, cell in stated]
        return [*nodes[:-1], Choice(last.step, outcomes, open=False)]

    def _otherwise(self, nodes: list[Node], name: str, cell: SourcePassage) -> list[Node]:
        """The nodes of a row with what is done when its act has no success; a way on to the next row is none."""
        if EMPTY.match(cell.text) or only_onward(cell.text):
            return nodes
        start = len(self.draft.steps)
        body = Composer(self.draft).answer(cell)
        self.draft.note(cell, start)
        last, leaving = nodes[-1] if nodes else None, body[-1] if body else None
        leads = isinstance(leaving, Stop) or (isinstance(leaving, Go) and leaving.target.kind != "next")
        if leads and isinstance(last, Act):
            last.step.kind = "decision"
            return [*nodes[:-1], Choice(last.step, [Outcome(name, body)])]
        for node in body[:1]:
            if isinstance(node, Act) and not node.step.only_if:
                node.step.only_if = "not"
        return nodes if isinstance(body[0] if body else Stop(), Go | Stop) else [*nodes, *body]

    def _routes(self, rows: list[Block], nodes: list[Node]) -> list[Node]:
        """The nodes with a decision on rows that name a section each; a step that sends to them makes it."""
        last = nodes[-1] if nodes else None
        sends = isinstance(last, Act) and not last.loops and bool(_SENDS.search(last.step.text))
        head = last.step if sends and isinstance(last, Act) else self.draft.step(rows[0].passage, "decision")
        head.kind = "decision"
        head.lines = sorted({*(head.lines if sends else []), *(row.lines[0] for row in rows)})
        outcomes = []
        for row in rows:
            self.draft.role(row.lines, "condition")
            target = self._route(row) or Target("title", row.cells[-1].text, words=row.cells[-1].text)
            outcomes.append(Outcome(row.cells[0].text, [Go(target, head.scope, row.lines)]))
        return [*(nodes[:-1] if sends else nodes), Choice(head, outcomes, open=False)]

    def _roles(self, rows: list[Block], columns: list[int]) -> list[Node]:
        """Rows in order, inside a row the roles from left to right."""
        nodes: list[Node] = []
        for row in rows:
            number = row.cells[0].text.strip(" .)")
            for column in columns:
                if column < len(row.cells) and not EMPTY.match(row.cells[column].text):
                    nodes += self._cell(row, row.cells[column], number)
            self.draft.role(row.lines, "step")
        return nodes

    def _cell(self, row: Block, cell: SourcePassage, number: str) -> list[Node]:
        at = boxes.inline(cell.text)
        remark = boxes.remark(cell.text) if at < 0 else cell.text[at:]
        if remark:
            self.draft.warn(row.lines, remark, inside=self.draft.next_name)
        cell = cell.cut(0, at) if at >= 0 else cell
        start = len(self.draft.steps)
        nodes = [node for part in lettered_parts(cell) for node in Composer(self.draft).unit(part, number=number)]
        self.draft.note(row.passage, start)
        for node in nodes:
            if isinstance(node, Act | Choice):
                node.step.number = node.step.number or number
        return nodes

    # tables that a step refers to -------------------------------------------------------------------------------------

    @staticmethod
    def _limits(names: list[str], rows: list[Block]) -> bool:
        """Whether the last column says for each row which step to take."""
        return len(rows) > 1 and bool(CASE.match(names[0])) and any(_STEP.search(row.cells[-1].text) for row in rows)

    def decide(self, table: Block, step: DraftStep) -> Choice:
        """The decision that "do what the table says" makes."""
        step.kind = "decision"
        outcomes = []
        for row in table.children[1:]:
            self.draft.roles[row.lines[0]] = "condition"
            step.extend(row.lines)
            header = table.children[0].cells[0].text
            self.draft.note(
                row.cells[0], len(self.draft.steps), f"{header} {step.text}", header_unit(header), branch=True
            )
            words = " ".join(cell.text for cell in row.cells[:-1])
            found = _STEP.search(row.cells[-1].text)
            go: list[Node] = (
                [Go(Target("step", step=found["step"], words=found[0]), step.scope, row.lines)] if found else []
            )
            stays = not found and (onward(row.cells[-1].text) or not directs(row.cells[-1].text))
            body = go or ([] if stays else Composer(self.draft).unit(row.cells[-1]))
            outcomes.append(Outcome(words, body))
        step.lines = [*[n for n in step.lines if n >= min(step.lines[-1:], default=0)], *step.lines[:-1]]
        return Choice(step, outcomes, open=False)


def _numbers(names: list[str], rows: list[Block]) -> bool:
    """Whether the first column numbers the rows."""
    counted = all(re.match(r"^\W*\d{1,3}[a-z]?\W*$", row.cells[0].text) for row in rows)
    counts = [int(found[0]) for row in rows if (found := re.search(r"\d+", row.cells[0].text))]
    evenly = len({b - a for a, b in pairwise(counts)}) < 2 or counts[0] <= 1
    if any(map(_ALARMS.match, names[1:3])):
        return False  # codes of alarms, which may count up, too
    named = not names[0] or bool(_NUMBER.match(names[0]))
    return (named and counted and evenly) or (
        (named or not _CODED.match(names[0])) and _counts_up([row.cells[0].text for row in rows])
    )


def _counts_up(labels: list[str]) -> bool:
    """Whether labels such as "A1", "A2", "A3" or "5.1", "5.2" are those of one sequence; codes of alarms have gaps."""
    found = [_COUNTED.fullmatch(label.strip(" .)")) for label in labels]
    if len(found) < 2 or not all(found):
        return False
    pairs = [(match["head"], int(match["count"])) for match in found if match]
    goes_on = [(a == c and d == b + 1) or (a != c and d == 1 and b > 1) for (a, b), (c, d) in pairwise(pairs)]
    return all(goes_on) and pairs[0][1] <= 1


def _measured(header: str, text: str) -> bool:
    """Whether a column is titled by what the step above reads ("Density at 20 °C" below "measure the density")."""
    named = set(re.findall(r"[a-z]{4,}", re.sub(r"\([^)]*\)", "", header).lower()))
    return bool(named & set(re.findall(r"[a-z]{4,}", text.lower())))


def _asks_for(rows: list[Block], text: str) -> bool:
    """Whether the last words of a step send to the table below it, or read something that its rows compare."""
    return bool(_TABLE.search(text)) or asks(text) or cases_told(rows)


def _variant_column(rows: list[Block], column: int) -> int:
    """The column that says for which variant a row holds ("both", "duplex"); -1 without one."""
    for at in range(1, min(len(row.cells) for row in rows)):
        values = [row.cells[at].text for row in rows]
        if at != column and any(_ALL.match(value) for value in values) and all(0 < len(v.split()) < 4 for v in values):
            return at
    return -1


def _variants(rows: list[Block], start: int, column: int) -> list[str]:
    """The variants of neighbouring rows that begin at `start`, each another; empty where a row holds for all."""
    found: list[str] = []
    for row in rows[start:] if column >= 0 else []:
        name = row.cells[column].text
        if _ALL.match(name) or name in found:
            break
        found.append(name)
    return found


def _only_for(variant: list[str], body: list[Node]) -> list[Node]:
    for node in body if variant else []:
        if isinstance(node, Act) and not node.step.only_if:
            node.step.only_if = variant[0]
    return body


def _take_row(nodes: list[Node], row: Block) -> None:
    """Gives the lines of a row that no other step of it has to its last step."""
    steps = [node.step for node in nodes if isinstance(node, Act | Choice)]
    if steps and len(row.lines) > 1:
        steps[-1].extend([line for line in row.lines if line >= steps[-1].lines[0]])


def _revisions(names: list[str]) -> bool:
    return sum(bool(_RECORD.search(name)) for name in names) >= 2
