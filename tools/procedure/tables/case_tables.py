"""Tables of cases: a row for each alarm, symptom or reading, and what is done then in one column or one per answer."""

import re
from dataclasses import dataclass

from soprag.tools.procedure.blocks import boxes
from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.drafting.draft import Draft
from soprag.tools.procedure.drafting.labelled_jumps import labelled_exit
from soprag.tools.procedure.drafting.titled_jumps import titled_exit
from soprag.tools.procedure.drafting.tree import Act, Choice, DraftStep, Fork, Go, Node, Outcome, Stop
from soprag.tools.procedure.nodes.branching import way_back
from soprag.tools.procedure.nodes.composing import Composer
from soprag.tools.procedure.tables.verdict_tables import EMPTY
from soprag.tools.procedure.wording.clauses import clauses, sentences
from soprag.tools.procedure.wording.conditions import OPENING, form
from soprag.tools.procedure.wording.endings import ends_by_word
from soprag.tools.procedure.wording.onward import only_onward, onward
from soprag.tools.procedure.wording.outcome_labels import compares
from soprag.tools.procedure.wording.passage import SourcePassage
from soprag.tools.procedure.wording.targets import Target, exit_of, named_section
from soprag.tools.procedure.wording.verbs import directs, opens_with_verb
from soprag.tools.units.prose import unit_of

_REMEDIES = (
    r"(?:corrective |immediate |required |further |first |initial )?act(?:ion)?s?(?: required)?|"
    r"what (?:to|you) do\b.*|what now\b.*|"
    r"verdicts?|decision|do(?: this)?|remed(?:y|ies)|responses?|solutions?|measures?|recover(?:y|ies)|"
    r"(?:\w+ )?(?:fix|resolution|workaround|mitigation)(?:e?s)?|next(?: steps?)?|then|go to"
)
_REMEDY = re.compile(rf"^\W*(?:{_REMEDIES})\W*$", re.IGNORECASE)
ACTION = re.compile(
    rf"^\W*(?:{_REMEDIES}|operator actions?(?: required)?|"
    r"instructions?|tasks?|what|jobs?|activit(?:y|ies)|operations?|checks?|steps?|procedure|work|"
    r"how to fix.*|treatment|description|details)\W*$",
    re.IGNORECASE,
)
CASE = re.compile(
    r"^\W*(?:(?:alarm|fault|error|event)s?|(?:\w+\s+)?(?:code|text|message|name|id)s?|symptoms?|problems?|results?\b.*|"
    r"conditions?|findings?|displays?|if|observations?|indications?|states?|status|situations?|readings?|when|issues?|"
    r"deviation|level|cause|failure|lamps?|leds?|lights?|signals?|(?:what )?you (?:see|find|hear)|stage\b.*)\W*$",
    re.IGNORECASE,
)
ANSWER = re.compile(
    r"^\W*(?:if\s+)?(?P<answer>yes|not?|ok|okay|not ok|nok|pass(?:ed)?|fail(?:ed)?|good|bad|in order|not in order|"
    r"abnormal|faulty|defective|defect|damaged|wrong|exceeded|missing|"
    r"(?:out of|outside)(?: the)? (?:range|limits?))\W*$",
    re.IGNORECASE,
)
_CHECK = re.compile(r"^\W*(?:checks?|look (?:at|for)|inspect(?:ion)?|question|test|verify)\W*$", re.IGNORECASE)
# Columns that explain a case and are no condition of it.
_EXPLAINS = re.compile(
    r"^\W*(?:meanings?|means|evaluation|comments?|remarks?|notes?|reasons?|(?:likely|possible|probable)(?: \w+)?|"
    r"(?:\w+ )?causes?)\W*$",
    re.IGNORECASE,
)
_CELL_NUMBER = re.compile(r"(?:^|(?<=[.;!]\s)|(?<=\s))\(?\d{1,2}[.)]\s+(?=\S)")
_LETTERED = re.compile(r"(?:^|(?<=\s))\((?P<letter>[a-z])\)\s+(?=\S)")
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_THEN = re.compile(r"^\W*(?:then|next(?: steps?)?|go to|continue(?: with| at)?|afterwards|way on)\W*$", re.IGNORECASE)
_BARE_NUMBER = re.compile(r"^\W*(?:steps?\s*|no\.?\s*)?(?P<step>\d{1,2}(?:\.\d{1,2})*[a-z]?)\W*$", re.IGNORECASE)
# "reset, see "Probe"", "start the pump (below)"
_SEES = re.compile(r"(?:^|[,;.]\s*)(?:then\s+)?(?:see|go to)\s+[^.]*$|\bbelow\W*$", re.IGNORECASE)
_VALUES = re.compile(
    r"^\W*(?:(?:up to|over|under|above|below|more than|less than|fewer than|at least|at most|beyond|from)\b.*\d|[<>≤≥]|"
    r"\d[\d.,]*\s*\S{0,6}\s*(?:to|up to|-|–|…)\s*\d|\d[\d.,]*\s*(?:\S{1,6}\s+)?(?:or|and) (?:more|less|over|above|"
    r"below|under)|\d+\+)",
    re.IGNORECASE,
)
_COMMAS = re.compile(r"[,;.]\s+(?:then\s+)?|\s+and\s+")
_MOSTLY = 0.5
_STEP = re.compile(r"^\W*step\s+(?P<step>\d{1,2}[a-z]?)\b", re.IGNORECASE)
# Heads over what no way depends on: whose duty it is, what it is for, what guards against a hazard.
_BELONGS = re.compile(
    r"^\W*(?:\w+\s+)?(?:roles?|who|persons?|responsib\w+|functions?|positions?|departments?|hazards?|risks?|dangers?|tools?|"
    r"equipment|materials?|documents?|records?|forms?|terms?|tasks?|intervals?|frequency|periods?|dates?|topics?|phases?)\W*$",
    re.IGNORECASE,
)
_NOT_LISTED = re.compile(r"\b(?:table|list|listed|none of|any other|above)\b", re.IGNORECASE)
_CODE = re.compile(r"^\W*[A-Z]+(?:-[A-Z]*\d+)+")


@dataclass(frozen=True)
class CaseTable:
    """The rows of such a table; `conditions` are the columns that tell the cases apart."""

    draft: Draft
    names: list[str]
    rows: list[Block]
    conditions: tuple[int, ...]
    action: int  # the column of what is done; that of the check where `answers` has the columns behind it
    answers: tuple[tuple[int, str], ...] = ()

    @property
    def number(self) -> str:
        """The number of the step that the head of the column of acts says its cells are ("Step 5: apply the gas")."""
        found = _STEP.search(self.names[self.action])
        return found["step"] if found else ""

    def separate(self) -> Fork:
        """Cases of which every one ends by itself."""
        outcomes: list[Outcome] = []
        for row in self.rows:
            start = len(self.draft.steps)
            body = self._done(row)
            if self.number and not outcomes and self.draft.steps[start:]:
                self.draft.steps[start].number = self.draft.steps[start].number or self.number
            self.draft.role(row.lines, "step")
            for at in self.conditions:
                if not _CODE.match(row.cells[at].text):
                    self.draft.note(row.cells[at], start, branch=True)
            outcomes.append(Outcome(row.cells[0].text, [*body, *self._back(body)]))
        return Fork("alarm", outcomes)

    def _back(self, body: list[Node]) -> list[Node]:
        """The way out of a case: into the work again at the step that it repeats, else none."""
        last = body[-1] if body else None
        for outcome in last.outcomes if isinstance(last, Choice) else []:
            outcome.body += [way for way in self._back(outcome.body) if isinstance(way, Go)]
        return (way_back(last) if last else []) or [Stop()]

    def of(self, head: DraftStep) -> Choice:
        """The cases as what the outcome of the check before the table leads to."""
        head.kind = "decision"
        outcomes = []
        for row in self.rows:
            body = self._done(row)
            self.draft.role(row.lines, "condition")
            for name, cell in zip(self.names[: self.action], row.cells, strict=False):
                self.draft.note(cell, len(self.draft.steps), name, header_unit(name), branch=True)
            head.extend(row.lines)
            outcomes.append(Outcome(self._case(row), body))
        return Choice(head, outcomes, open=False)

    def _case(self, row: Block) -> str:
        """The words of a case; beside a code, what it means as well."""
        code = len(self.conditions) == 1 and len(row.cells[0].text.split()) == 1
        told = range(self.action) if code else self.conditions
        return " ".join(row.cells[at].text for at in told)

    def _done(self, row: Block) -> list[Node]:
        start = len(self.draft.steps)
        body = self._checked(row) if self.answers else self._acted(row)
        self.draft.note(row.cells[self.action], start)
        return body

    def _acted(self, row: Block) -> list[Node]:
        """What a row says is done, up to the way on that it names; where it names one, its act is not the end."""
        done, after = self._cell(row, row.cells[self.action]), self._then(row)
        if after and done and isinstance(done[-1], Stop):
            done = done[:-1]
            for node in done[-1:]:
                if isinstance(node, Act):
                    node.step.kind = "action"
        return [*done, *after]

    def _then(self, row: Block) -> list[Node]:
        """The way on that a column behind that of what is done names ("Then: begin again at A6")."""
        at = self.action + 1
        if at >= len(self.names) or not _THEN.match(self.names[at]) or EMPTY.match(row.cells[at].text):
            return []
        return self._jump(row.cells[at], at) or Composer(self.draft).answer(row.cells[at])

    def _checked(self, row: Block) -> list[Node]:
        """The check of a row, and what each of its answers leads to."""
        check, start = row.cells[self.action], len(self.draft.steps)
        bodies = [(name, self.answer(row, at)) for at, name in self.answers]
        told = [body for _, body in bodies if body]
        if EMPTY.match(check.text) or not told:
            return told[0] if told else Composer(self.draft).answer(check)
        head = self.draft.step(check, "decision")
        self.draft.steps.remove(head)
        self.draft.steps.insert(start, head)
        return [Choice(head, [Outcome(name, body) for name, body in bodies], open=False)]

    def answer(self, row: Block, column: int) -> list[Node]:
        """What the cell of an answer says is done; nothing where it is empty."""
        cell = row.cells[column]
        if EMPTY.match(cell.text):
            return []
        return self._jump(cell, column) or Composer(self.draft).answer(cell) or [Act(self.draft.step(cell))]

    def _cell(self, row: Block, cell: SourcePassage) -> list[Node]:
        return self._jump(cell, self.action) or [
            node for part in numbered_parts(cell) for node in self._part(row, part)
        ]

    def _jump(self, cell: SourcePassage, column: int) -> list[Node]:
        """The way that a cell names by a letter or a number alone ("D", "3.1" below "Go to")."""
        found = labelled_exit(cell.text, self.draft.labels, bare=True) or named_section(cell.text)
        told = found.before.strip() if found else ""
        if found and all(form(part.text) == "statement" for part, _ in sentences(SourcePassage(told, ((0, 0),)))):
            return [Composer(self.draft).brancher.go(found.target, cell)]
        seen = titled_exit(cell.text, self.draft.titles) if _SEES.search(cell.text) else None
        if seen and not found:
            before = cell.cut(0, len(seen.before))
            acts = Composer(self.draft).unit(before) if before.text.strip(" ,;") else []
            return [*acts, Composer(self.draft).brancher.go(seen.target, cell)]
        number = _BARE_NUMBER.match(cell.text) if self.names[column].lower().strip() == "go to" else None
        step = Target("step", step=number["step"].lower(), words=f"go to {number['step']}") if number else None
        return [Composer(self.draft).brancher.go(step, cell)] if step else []

    def _part(self, row: Block, part: SourcePassage) -> list[Node]:
        at = boxes.inline(part.text)
        if at >= 0:
            self.draft.warn(row.lines, part.text[at:], inside=self.draft.next_name)
            part = part.cut(0, at)
        if not part.text or only_onward(part.text):
            return []
        composer = Composer(self.draft)
        leads = labelled_exit(part.text, self.draft.labels, bare=True) is not None
        return composer.answer(part) if leads or ends_by_word(part.text) else composer.unit(part)


def case_table(draft: Draft, names: list[str], rows: list[Block], asks: bool) -> CaseTable | None:
    """The table as one of cases, None for other tables; `asks` says that the step above it asks which row holds."""
    if len(names) < 2 or any(len(row.cells) < len(names) for row in rows):
        return None
    answers = tuple((at, name) for at, name in enumerate(names) if at and ANSWER.match(name))
    check = next((at for at, name in enumerate(names) if at and _CHECK.match(name)), -1)
    if len(answers) > 1 and 0 < check < answers[0][0] and CASE.match(names[0]):
        return CaseTable(draft, names, rows, (0,), check, answers)
    action = next((at for at, name in enumerate(names) if at and ACTION.match(name)), len(names) - 1)
    cased = _REMEDY.match(names[action]) or any(map(CASE.match, names[:2])) or asks or cases_told(rows)
    cased = cased or (_ordered(rows, action) and not _BELONGS.match(names[0]))
    if not cased or not (directive(rows, action) or _leads_on(draft, rows, action)):
        return None
    stated = [at for at in range(action) if not at or not _EXPLAINS.match(names[at])]
    return CaseTable(draft, names, rows, tuple(stated), action)


def _ordered(rows: list[Block], column: int) -> bool:
    """Whether every one of several rows orders something in a column."""
    return len(rows) > 1 and directive_share(rows, column) == 1


def cases_told(rows: list[Block]) -> bool:
    """Whether the first column tells cases by its cells alone: most compare a value ("10 to 100 MΩ", "> 60")."""
    cells = [row.cells[0].text for row in rows if row.cells]
    return len(cells) > 1 and 2 * sum(bool(_VALUES.match(cell) or compares(cell)) for cell in cells) > len(cells)


def joined_cases(nodes: list[Node]) -> list[Node]:
    """The nodes of a section; a table of cases leads on to the act below it that follows whichever row was done."""
    for at, node in enumerate(nodes):
        if not isinstance(node, Fork) or node.by != "alarm" or node is nodes[-1]:
            continue
        if _follows_any(nodes[at + 1]):
            for outcome in node.outcomes:
                _lead_on(outcome)
    return nodes


def _follows_any(node: Node) -> bool:
    """Whether a node is a numbered step, an order, or a condition that is not one more case of the table above."""
    if not isinstance(node, Act | Choice):
        return False
    supposed = node.step.only_if or OPENING.match(node.step.text)
    another = _NOT_LISTED.search(node.step.only_if or node.step.text)
    return bool(node.step.number or opens_with_verb(node.step.text) or supposed) and not another


def _lead_on(outcome: Outcome) -> None:
    """Takes the end off an outcome that states none."""
    if outcome.body and isinstance(outcome.body[-1], Stop) and not outcome.body[-1].words:
        outcome.body.pop()


def _leads_on(draft: Draft, rows: list[Block], column: int) -> bool:
    """Whether most cells of a column order something or name where to go on."""
    cells = [row.cells[column].text for row in rows if not EMPTY.match(row.cells[column].text)]
    valued = cases_told(rows)
    told = [
        directs(text)
        or (valued and (onward(text) or any(map(directs, _COMMAS.split(text)))))
        or exit_of(text, conditional=True)
        or labelled_exit(text, draft.labels, bare=True)
        for text in cells
    ]
    return bool(cells) and 2 * sum(map(bool, told)) >= len(cells)


def numbered_parts(cell: SourcePassage) -> list[SourcePassage]:
    """The parts of a cell that are numbered inside it ("1. Check the plug. 2. Measure ..."), or the whole cell."""
    marks = list(_CELL_NUMBER.finditer(cell.text))
    if len(marks) < 2 or marks[0].start() != 0:
        return [cell]
    ends = [*(mark.start() for mark in marks[1:]), len(cell.text)]
    return [cell.cut(mark.end(), end) for mark, end in zip(marks, ends, strict=True)]


def lettered_parts(cell: SourcePassage) -> list[SourcePassage]:
    """The parts of a cell between neighbouring letters ("... (b) Move it. (c) Read it."), or the whole cell."""
    marks = list(_LETTERED.finditer(cell.text))
    letters = "".join(mark["letter"] for mark in marks)
    if len(marks) < 2 or letters not in _ALPHABET:
        return [cell]
    starts, ends = [0, *(mark.end() for mark in marks)], [*(mark.start() for mark in marks), len(cell.text)]
    parts = [cell.cut(start, end) for start, end in zip(starts, ends, strict=True)]
    return [part for part in parts if part.text]


def directive(rows: list[Block], column: int) -> bool:
    """Whether most cells of a column tell or ask somebody to do something."""
    return directive_share(rows, column) >= _MOSTLY


def directive_share(rows: list[Block], column: int) -> float:
    """The share of the filled cells of a column that tell or ask somebody to do something."""
    cells = [
        row.cells[column].text for row in rows if column < len(row.cells) and not EMPTY.match(row.cells[column].text)
    ]
    acts = sum(
        text.rstrip().endswith("?")
        or any(
            directs(part.text) or any(clause.form != "statement" for clause in clauses(part))
            for part in numbered_parts(SourcePassage(text, ((0, 0),)))
        )
        for text in cells
    )
    return acts / len(cells) if cells else 0.0


def header_unit(header: str) -> str:
    """The unit that a column's title gives in brackets."""
    found = re.search(r"[(\[]([^)\]]+)[)\]]", header)
    return (unit_of(found[1]) or "") if found else ""
