"""The walk through the sections of a document: which blocks are procedure, and how sections follow each other."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import takewhile

from soprag.tools.procedure.blocks import boxes
from soprag.tools.procedure.blocks.adopting import adopted
from soprag.tools.procedure.blocks.sections import Section, Topic, about_safety, case_word, topic
from soprag.tools.procedure.drafting.draft import Draft
from soprag.tools.procedure.drafting.tree import Act, Choice, Fork, Node, Outcome, Part, Stop
from soprag.tools.procedure.items.answers import last_inner
from soprag.tools.procedure.nodes.composing import opens_outcome
from soprag.tools.procedure.nodes.solutions import looks_back, operations, opposite_parts, solutions
from soprag.tools.procedure.walking import occasions
from soprag.tools.procedure.walking.cased_sections import found_cases
from soprag.tools.procedure.walking.paragraphs import Paragraph
from soprag.tools.procedure.walking.run_in_reading import titled_cases
from soprag.tools.procedure.walking.section_blocks import BlockReader
from soprag.tools.procedure.walking.section_leads import WHEN
from soprag.tools.procedure.walking.standing_rules import entered, stands_beside
from soprag.tools.procedure.wording.clauses import clauses
from soprag.tools.procedure.wording.conditions import form, read_clause
from soprag.tools.procedure.wording.exclusive import complete
from soprag.tools.procedure.wording.passage import SourcePassage
from soprag.tools.procedure.wording.verbs import directs

_SENTENCE = 5  # words of a sentence in which somebody does something
_LIMITS = re.compile(r"^\W*(?:[\d.]+\s+)?(?:operating |alarm )?limits?\b", re.IGNORECASE)
# "When you have finished" tells the place of a section in the order, and no case.
_DONE = re.compile(
    r"\b(?:finish(?:ed|ing)|done|complet(?:e|ed|ing|ion)|over|ready|back|restored|"
    r"normal|clear(?:ed)?|repaired)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"^(?:(?:part|section|procedure|chapter)\s+\w{1,3}\b)?[\W\d]+", re.IGNORECASE)  # "Part 2: "
_WRONG = re.compile(r"^\W*(?:[\d.]+\s+)?(?:what\s+)?if (?:something|anything) goes wrong\W*$", re.IGNORECASE)
_FINDING = re.compile(r"^\W*(?:[\d.]+\s+)?(?:diagnos\w+|investigat\w+|triage|analysis)\W*$", re.IGNORECASE)
_FIRST = re.compile(r"\b(?:before|first|prior to)\b", re.IGNORECASE)  # "Fix alerts before continuing"
_ANNEX = re.compile(r"^\W*(?:annex|appendix|attachment)\b", re.IGNORECASE)  # done only where the text sends there
_ONLY_FOR = re.compile(r"\((?:[^()]*\W)?only (?:if|for|in|when|with)\s+(?P<when>[^()]+)\)", re.IGNORECASE)


@dataclass
class Walker:
    """Reads sections into nodes."""

    draft: Draft
    rows: list[str]
    separate: frozenset[str] = frozenset()  # titles of procedures that the file names as its own
    grouped: set[int] = field(default_factory=set)  # sections whose parts are cards, as those of their neighbours are
    finding: bool = False  # in a section on how to find what is wrong: what is done about it follows
    blocks: BlockReader = field(init=False)

    def __post_init__(self) -> None:
        self.blocks = BlockReader(self.draft, self.rows)

    # sections --------------------------------------------------------------------------------------------------------

    def section(self, section: Section, outer: Topic = "acts") -> list[Node]:
        """The nodes of a section and the sections in it."""
        about = topic(section.title, outer) if section.level > 1 else outer
        if about == "background" and outer == "background" and section.level > 1 and directs(section.words.text):
            about = "acts"  # "Fix alerts first" below "Impact" tells what to do
        if about == "metadata" and _orders_by_number(section):
            about = "acts"  # what is to be recorded and closed, step by step
        self.draft.scope = section.index
        self.blocks.limits = bool(_LIMITS.match(section.title))
        self.blocks.safety = about_safety(section.title)
        nodes: list[Node] = []
        if section.heading is not None:
            nodes = self._heading(section, about)
        if nodes and section.heading is not None and not answered(section):
            self._parts_of_step(section, nodes)
            return [*nodes, *self._parts(section, about, True)]
        preamble = section.level <= 1 and any(_lists(part) for part in section.parts) and not _works(section)
        cases = titled_cases(section.blocks, self.rows, self.draft) if occasions.collects(section.title) else []
        nodes = cases or self.blocks.read(adopted(section.blocks), nodes, about, preamble)
        last = section.blocks[-1] if section.blocks else None
        asks = (
            last is not None
            and last.kind == "paragraph"
            and last.text.endswith(":")
            and self.draft.roles.get(last.lines[0]) == "heading"
        )
        before = list(last.lines) if asks and last is not None else []
        return [*nodes, *self._parts(section, about, bool(nodes), before)]

    def _heading(self, section: Section, about: Topic) -> list[Node]:
        heading = section.heading
        assert heading is not None
        if answered(section) and about != "metadata":
            self.draft.role(heading.lines, "decision")
            return [Act(self.draft.step(section.words, "decision", number=heading.number))]
        if heading.number and about in ("acts", "notes") and directs(section.words.text) and _plain(section):
            nodes = self.blocks.lists.composer.unit(section.words, number=heading.number)
            self.draft.role(heading.lines, "step")
            return nodes
        cased = case_word(section.title) if about == "acts" and section.level > 1 else ""
        self.draft.role(heading.lines, "condition" if cased in ("if", "when", "case", "in case") else "heading")
        return []

    def _parts_of_step(self, section: Section, nodes: list[Node]) -> None:
        """Everything under a heading that is a step belongs to it; warnings stay warnings."""
        step = last_inner(nodes)
        for block in section.blocks:
            if block.text and boxes.warns(block.text, block.kind != "paragraph"):
                self.draft.warn(block.lines, block.text)
                self.draft.role(block.lines, "warning")
                continue
            if step is not None:
                step.extend(block.lines)
            self.draft.role(block.lines, "step-part")

    def _parts(self, section: Section, about: Topic, follows: bool, before: list[int] | None = None) -> list[Node]:
        before, parts = before or [], section.parts
        cards = self._cards_among(section)
        if cards:
            return self._cards(section, about, cards)
        nodes: list[Node] = []
        at = 0
        first = len(self.draft.steps)
        ways = {part.index for part in occasions.ways(section)}
        while at < len(parts):
            group = _run(parts, at, lambda part: part.index in ways)
            cases = group or _run(parts, at, lambda part: _cased(part, about))
            told = found_cases(parts, at, self._asked(at == 0, section)) if about == "acts" and not cases else []
            if group or told:
                nodes.append(Fork("way" if group else "case", [self._case(part, about) for part in group or told]))
                cases = group or told
            elif cases:
                nodes.append(self._cases(cases, about, before if at == 0 else []))
            else:
                nodes += self._part(parts[at], about)
            at += len(cases) or 1
        nodes = self._chosen(nodes)
        self._set_apart(nodes, follows or first > 0)
        return nodes

    def _asked(self, first: bool, section: Section) -> str:
        """The words of the step right above the parts of a section, where they are its first ones."""
        last = self.draft.steps[-1] if self.draft.steps else None
        return last.text if last is not None and first and last.scope == section.index else ""

    def _set_apart(self, nodes: list[Node], follows: bool) -> None:
        """Sections that turn a thing on and off, or say when they hold, are procedures of their own."""
        for part in operations(nodes):
            self._detach(part)
        for part in opposite_parts(nodes):
            self._detach(part)
            part.shares_end = True
        conditional = [node for node in nodes if isinstance(node, Part) and node.lead]
        if len(conditional) > 1 or (conditional and (follows or conditional[0] is not nodes[0])):
            for node in conditional:
                self._detach(node)

    def _chosen(self, nodes: list[Node]) -> list[Node]:
        """Sections that open with "If ...:" become a decision on their lead-ins; neighbours share one."""
        for solution in solutions(nodes):
            solution.set_apart(self.draft)
        found: list[Node] = []
        for node in nodes:
            if not (isinstance(node, Part) and node.condition):
                found.append(node)
                continue
            last = found[-1] if found else None
            after = looks_back(node.condition)
            if isinstance(last, Choice) and last.free and not after:
                last.outcomes.append(Outcome(node.condition, [node]))
                last.step.lines = [*last.step.lines, node.line]
                last.step.text = f"{last.step.text} / {node.condition}"
            else:
                step = self.draft.step(SourcePassage(node.condition, ((0, node.line),)), "decision")
                self.draft.steps.remove(step)
                at = next(
                    (i for i, one in enumerate(self.draft.steps) if one.scope in node.scopes), len(self.draft.steps)
                )
                self.draft.steps.insert(at, step)
                found.append(Choice(step, [Outcome(node.condition, [node])], free=not after))
            chosen = found[-1]
            if isinstance(chosen, Choice):
                chosen.open = not complete([outcome.when for outcome in chosen.outcomes])
        return found

    def _cards_among(self, section: Section) -> list[Section]:
        """The parts of a section that are cards: by what they are, as those of its neighbours, or as a collection."""
        self.grouped |= {part.index for part in occasions.groups(section.parts)}
        found = occasions.cards(section.parts)
        if not found and section.index in self.grouped:
            return section.parts
        return found or occasions.collected(section)

    def _cards(self, section: Section, about: Topic, cards: list[Section]) -> list[Node]:
        """Sections for one alarm, fault or symptom each: every one is entered by itself and ends by itself."""
        nodes: list[Node] = []
        outcomes: list[Outcome] = []
        named = {part.index for part in cards}
        for part in section.parts:
            start = len(self.draft.steps)
            body = self.section(part, about)
            if not body or part.index not in named:
                nodes += body
                continue
            outcomes.append(Outcome(part.title, body if self.finding else [*body, Stop()]))
            if not self.finding:
                self.draft.detached |= {part.index, *(step.scope for step in self.draft.steps[start:])}
        fork = Fork("alarm", outcomes)
        if outcomes and all(map(occasions.stated_problem, cards)):
            return [*nodes, Part(section.index, [fork], True, section.title)]
        return [*nodes, fork] if outcomes else nodes

    def _detach(self, part: Part) -> None:
        part.detached = True
        self.draft.detached |= {part.scope, *part.scopes}

    def _part(self, part: Section, about: Topic) -> list[Node]:
        start = len(self.draft.steps)
        finding, self.finding = self.finding, self.finding or bool(_FINDING.match(part.title))
        body = self.section(part, about)
        self.finding = finding
        if not body or len(self.draft.steps) == start:
            return body
        body = self._entered(part, body)
        scopes = {step.scope for step in self.draft.steps[start:]}
        cased = WHEN.match(part.title) and not _DONE.search(part.title)
        lead = self.blocks.holding.opening.get(part.index, False) or bool(cased and part.level > 1)
        made = Part(part.index, body, situation=part.title, scopes=frozenset(scopes), lead=lead)
        made.condition, made.line = self.blocks.holding.stated.get(part.index, ("", 0))
        if not made.condition and case_word(part.title) == "if" and part.heading and part.level > 1 and about == "acts":
            made.condition, made.line = read_clause(part.words).condition, part.heading.lines[0]
        limited = _ONLY_FOR.search(part.title) if about == "acts" and part.heading else None
        if limited and part.heading and not made.condition:
            made.condition, made.line = limited["when"].strip(), part.heading.lines[0]
        made.lead = lead and not made.condition
        if _WRONG.match(part.title) and about == "acts":
            made.condition, made.lead = "", False
            self._detach(made)
        elif about == "background" and not _FIRST.search(part.title):
            self._detach(made)  # what is done below "Meaning" is no part of what is done about the alarm
        elif about == "acts" and stands_beside(part.title, body):
            made.body = entered(body, self.draft)
            self._detach(made)
        elif self._detached(part, body):
            self._detach(made)
            made.shares_end = not isinstance(body[0], Fork)
        return [made]

    def _entered(self, part: Section, body: list[Node]) -> list[Node]:
        """The cases of a section that only collects problems: each is entered by itself and ends by itself."""
        only = body[0] if len(body) == 1 else None
        listed = {block.lines[0] for block in part.blocks if block.kind == "item"}
        if not isinstance(only, Choice) or not only.free or not occasions.collects(part.title):
            return body
        if only.step.lines[0] not in listed:
            return body  # a paragraph above the cases asks for something
        heir = next(
            (step for step in self.draft.steps if step is not only.step and step.scope == only.step.scope), None
        )
        if heir is None or not all(outcome.body for outcome in only.outcomes):
            return body
        self.draft.remove(only.step, heir)
        return [Fork("alarm", [Outcome(one.when, [*one.body, Stop()]) for one in only.outcomes])]

    def _detached(self, part: Section, body: list[Node]) -> bool:
        """Whether a section is a procedure of its own: named so by the file, conditional, or a table of cases."""
        if _COUNTED.sub("", part.title).strip().lower() in self.separate:
            return True
        if _ANNEX.match(part.title):
            return True
        return isinstance(body[0], Fork) and len(body) == 1 and body[0].by == "alarm"

    def _cases(self, parts: list[Section], about: Topic, before: list[int]) -> Node:
        """Neighbouring sections for one case each."""
        word = case_word(parts[0].title)
        lines = [*before, *(part.heading.lines[0] for part in parts if part.heading)]
        words = SourcePassage(" / ".join(part.title for part in parts), tuple((0, line) for line in lines))
        if word == "if":
            head = self.draft.step(words, "decision")
            head.lines = lines
            return Choice(head, [self._case(part, about) for part in parts], open=False, free=True)
        return Fork(word, [self._case(part, about) for part in parts])

    def _case(self, part: Section, about: Topic) -> Outcome:
        """The outcome of one section; what it only states is what is done there."""
        start = len(self.draft.steps)
        body = self.section(part, about)
        if not body and len(self.draft.steps) == start:
            told = next((block for block in part.blocks if block.kind in ("paragraph", "item")), None)
            if told is not None:
                self.draft.scope = part.index
                body = [Act(self.draft.step(told.passage))]
                self.draft.roles.update(
                    {line: "step" if at == 0 else "step-part" for at, line in enumerate(told.lines)}
                )
        when = read_clause(part.words).condition if part.heading and case_word(part.title) == "if" else part.title
        return Outcome(when, body)


def _works(section: Section) -> bool:
    """Whether the paragraphs above the first section are work themselves: several order, or one looks for its cases."""
    ordering = [one for one in section.blocks if one.kind == "paragraph" and Paragraph(one, None, False).orders_only()]
    last = section.blocks[-1] if section.blocks else None
    return len(ordering) > 1 or (last in ordering and bool(found_cases(section.parts, 0, ordering[-1].text)))


def _orders_by_number(section: Section) -> bool:
    """Whether a section holds numbered lines, most of which order something or all of which are sentences."""
    numbered = [block for block in section.blocks if block.number and block.kind in ("item", "paragraph")]
    acting = [one for one in numbered if any(clause.form != "statement" for clause in clauses(one.passage))]
    told = [one for one in numbered if len(one.text.split()) >= _SENTENCE and one.text.rstrip().endswith(".")]
    return 2 * len(acting) > len(numbered) or (len(told) > 1 and len(told) == len(numbered))


def _lists(section: Section) -> bool:
    """Whether a section holds numbered items, acts or tables anywhere."""
    own = any((block.kind == "item" and block.number) or block.kind == "table" for block in section.blocks)
    acts = any(
        block.kind in ("item", "paragraph") and (directs(block.text) or form(block.text) == "wait")
        for block in section.blocks
    )
    return own or (acts and topic(section.title) == "acts") or any(_lists(part) for part in section.parts)


def answered(section: Section) -> bool:
    """Whether a heading asks something, and the items right below it are the answers."""
    items = list(takewhile(lambda block: block.kind == "item", section.blocks))
    asks = section.heading is not None and section.title.rstrip(" *_").endswith("?")
    return asks and len(items) > 1 and all(opens_outcome(item.passage) for item in items)


def _plain(section: Section) -> bool:
    """Whether the heading of a section may be its step: below it stand no paragraph that orders and no list of acts."""
    acts = [
        block.kind
        for block in section.blocks
        if block.kind in ("item", "paragraph")
        and any(c.form != "statement" or c.opener == "asked" for c in clauses(block.passage))
    ]
    listed = any(block.number or block.kind == "table" for block in section.blocks)
    return not (section.parts or listed or "paragraph" in acts or len(acts) > 1)


def _run(parts: list[Section], start: int, holds: Callable[[Section], bool]) -> list[Section]:
    """Two or more neighbouring sections from `start` on of which something holds; empty for fewer."""
    found = list(takewhile(holds, parts[start:]))
    return found if len(found) > 1 else []


def _cased(part: Section, about: Topic) -> bool:
    word = case_word(part.title)
    after = word == "if" and looks_back(read_clause(part.words).condition)
    return topic(part.title, about) == "acts" and word not in ("", "cause", "alarm", "when") and not after
