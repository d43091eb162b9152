"""Further paragraphs, boxes, tables and code of an item: parts of its step, or steps of their own."""

import re
from dataclasses import dataclass

from soprag.tools.procedure.blocks import boxes
from soprag.tools.procedure.blocks.blocks import Block, footer
from soprag.tools.procedure.drafting.draft import Draft, Role
from soprag.tools.procedure.drafting.tree import Act, Choice, DraftStep, Node, Outcome
from soprag.tools.procedure.items.answers import last_inner
from soprag.tools.procedure.nodes.composing import Composer, limit
from soprag.tools.procedure.nodes.conditional_runs import tells_half
from soprag.tools.procedure.nodes.solutions import looks_back
from soprag.tools.procedure.tables.tables import TableReader
from soprag.tools.procedure.wording.clauses import clauses
from soprag.tools.procedure.wording.command_leads import names_purpose
from soprag.tools.procedure.wording.conditions import Clause, form, read_clause
from soprag.tools.procedure.wording.exclusive import complementary, complete
from soprag.tools.procedure.wording.passage import SourcePassage
from soprag.tools.procedure.wording.verbs import directs, perceives

_SHOWN = frozenset(("mermaid", "plantuml", "dot", "json", "xml", "csv", "log", "output", "diff"))  # nothing to run
_LABEL = re.compile(r"[\W_]*\w*[\W_]*")
_RUN = re.compile(r"\s*(?:[$#>./(\[]|[a-z][\w./-]*(?:\s+[^\s:=]|$))")


_FEWEST_AGAIN, _SHARE_AGAIN = 3, 0.7  # words that an item and what repeats it have in common


@dataclass
class InnerReader:
    """Reads what stands below the first paragraph of an item, but for lists.

    `shown` says that a command stands above: what to look for in its output is a part of the step.
    """

    draft: Draft
    shown: bool = False
    titled: bool = False  # the first paragraph of the item is its title
    item: str = ""  # the words of the item

    @property
    def composer(self) -> Composer:
        """The reader of single paragraphs."""
        return Composer(self.draft)

    def child(self, child: Block, nodes: list[Node], following: Block | None) -> list[Node]:
        """The nodes before, with what the block says; `following` stands below it."""
        self.shown = self.shown or child.kind == "code"
        aside = self._aside(child, nodes)
        if aside is not None:
            self.draft.role(child.lines, aside)
            return nodes
        if self.titled and child.kind == "paragraph" and self._details(child, nodes):
            self.draft.role(child.lines, "step-part")
            return nodes
        shows = following is not None and following.kind == "code"
        again = child.kind == "paragraph" and shows and _repeats(self.item, child.text)
        if (
            child.kind == "paragraph"
            and not again
            and self.draft.opinions.opens(child, self._continues(child, following))
        ):
            return self._paragraph(child, nodes)
        if child.kind == "table":
            return TableReader(self.draft, inside=True).read(child, nodes)
        self.draft.role(child.lines, "none" if _figure(child) else "step-part")
        step = last_inner(nodes)
        if step is not None and not _figure(child):
            step.extend(child.lines)
        elif child.code:  # the command is all that is done here
            return [*nodes, command(child, self.draft)]
        return nodes

    def box(self, label: Block, rest: list[Block]) -> None:
        """A label of a box on its own: the paragraph below holds its words, unless a note tells what to do."""
        note = boxes.bare_note(label.text)
        words = rest[0] if rest and rest[0].kind in ("paragraph", "quote") and not rest[0].number else None
        weighty = boxes.bare_important(label.text)
        acts = words is None or directs(words.text) or bool(read_clause(words.passage).condition)
        if note and acts and not (weighty and words and boxes.obliges(words.text)):
            self.draft.role(label.lines, "none")
            return
        lines = [*label.lines, *(words.lines if words else ())]
        text = words.text if words else label.text
        if words is not None:
            rest.pop(0)
        if note and not weighty and not boxes.obliges(text):
            self.draft.role(label.lines, "none")
            self.draft.role(lines, "prose")
            return
        self.draft.warn(lines, text)
        self.draft.role(lines, "warning")

    def _aside(self, child: Block, nodes: list[Node]) -> Role | None:
        """The role of a block that is a warning, a footer or a limit of the acts before; None for others."""
        boxed = child.kind in ("quote", "html")
        alone = child.kind == "paragraph" and not child.number and boxes.stops_or_prohibits(child.text)
        if (boxed or child.kind == "paragraph") and child.text and (boxes.warns(child.text, boxed) or alone):
            self.draft.warn(child.lines, child.text)
            return "warning"
        if child.kind == "paragraph" and footer(child.text):
            return "metadata"
        limits = child.kind == "paragraph" and bool(child.text) and limit(nodes, read_clause(child.passage))
        return "step-part" if limits else None

    def _details(self, child: Block, nodes: list[Node]) -> bool:
        """Whether a paragraph only tells how the act of the title above it is done, or when."""
        last = nodes[-1] if len(nodes) == 1 else None
        told = clauses(child.passage)
        if not isinstance(last, Act) or not told or any(self._parts(clause) for clause in told):
            return False
        if self.shown and any(clause.condition and clause.form == "act" for clause in told):
            return False  # behind a command, a condition is about its result
        last.step.extend(child.lines)
        if (
            not last.step.only_if
            and told[0].condition
            and told[0].form == "act"
            and len(last.step.lines) == len(child.lines) + 1
        ):
            last.step.only_if = told[0].condition
        return True

    def _parts(self, clause: Clause) -> bool:
        """Whether a clause leads elsewhere, or tells what to do when the act has not helped."""
        return bool(clause.condition) and (
            looks_back(clause.condition) or self.composer.brancher.exit(clause) is not None
        )

    def _continues(self, child: Block, following: Block | None) -> bool:
        """Whether a further paragraph of an item is a step of its own: a condition with its act, a wait or a check."""
        first = read_clause(child.passage)
        found = clauses(child.passage)
        if boxes.labelled(child.text) and not child.number and not _tells_to_act(child.passage):
            return False
        if any(clause.branches and clause.form != "statement" for clause in found):
            return True
        checks = first.form == "check" and not (self.shown and perceives(child.text))
        if found and following is not None and following.kind == "code":
            checks = checks or names_purpose(found[-1].passage.text)
        return bool(child.number) or (form(child.text) == "wait" and not first.condition) or checks

    def _paragraph(self, child: Block, nodes: list[Node]) -> list[Node]:
        first = read_clause(child.passage)
        last = nodes[-1] if nodes else None
        if (
            first.condition
            and isinstance(last, Act)
            and last.step.only_if
            and complementary([last.step.only_if, first.condition])
        ):
            outcome = self.composer.outcome(child.passage)
            if outcome:
                return [*nodes[:-1], self._both(last, outcome, child)]
        if first.condition and isinstance(last, Choice) and complementary([last.outcomes[-1].when, first.condition]):
            outcome = self.composer.outcome(child.passage)
            if outcome:
                last.outcomes.append(outcome)
                last.open = last.open and not complete([one.when for one in last.outcomes])
                self.draft.role(child.lines, "condition", "step-part")
                return nodes
        self.draft.role(child.lines, "step", "step-part")
        start = len(self.draft.steps)
        made = Composer(self.draft, inside=last is not None).unit(child.passage)
        self.draft.note(child.passage, start)
        self._explaining(child, last_inner(nodes), made)
        return [*nodes, *made]

    def _explaining(self, child: Block, before: DraftStep | None, made: list[Node]) -> None:
        """Lines of a further paragraph above its first act belong to the step before."""
        first = min((node.step.lines[0] for node in made if isinstance(node, Act | Choice)), default=0)
        if before is not None:
            before.extend([line for line in child.lines if line < first or not made])
            before.half_told |= not made and tells_half(read_clause(child.passage))

    def _both(self, last: Act, outcome: Outcome, child: Block) -> Choice:
        """Two acts under conditions that exclude each other become one decision."""
        self.draft.role(child.lines, "condition", "step-part")
        when, last.step.only_if = last.step.only_if, ""
        lines = [last.step.lines[0], child.lines[0]]
        head = self.draft.step(
            SourcePassage(f"{when} / {outcome.when}", tuple((0, line) for line in lines)), "decision"
        )
        head.lines, head.number, last.step.number = lines, last.step.number, ""
        index = self.draft.steps.index(last.step)
        self.draft.steps.remove(head)
        self.draft.steps.insert(index, head)
        return Choice(head, [Outcome(when, [last]), outcome], open=False)


def command(block: Block, draft: Draft) -> Act:
    """The act of a command that no words above it order."""
    first = block.code.split("\n")[0]
    made = draft.step(SourcePassage(first, tuple((0, line) for line in block.lines[:1])))
    made.extend(block.lines)
    draft.role(block.lines, "step", "step-part")
    return Act(made)


def is_command(block: Block) -> bool:
    """Whether code is something to run, and no record or diagram: its first row is no key with its value."""
    return block.kind == "code" and block.language not in _SHOWN and bool(_RUN.match(block.code))


def _tells_to_act(note: SourcePassage) -> bool:
    """Whether a note orders or asks something behind its label, and does not only tell what may happen."""
    words = note.cut(_LABEL.match(note.text).end(), len(note.text))  # type: ignore[union-attr]  # matches everything
    return any(form(clause.body.text) != "statement" for clause in clauses(words))


def _repeats(item: str, text: str) -> bool:
    """Whether a paragraph over a command says again what its item orders ("You can review the logs by running:")."""
    said, again = (set(re.findall(r"[a-z]{4,}", words.lower())) for words in (item, text))
    return len(said & again) >= max(_FEWEST_AGAIN, _SHARE_AGAIN * len(said))


def _figure(block: Block) -> bool:
    if any(child.kind == "code" for child in block.children):
        return False
    return "[figure" in block.text or (block.kind in ("quote", "html") and not block.text)
