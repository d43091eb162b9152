"""From the clauses of one item, sentence or cell to nodes of the control flow."""

import re
from dataclasses import dataclass, replace

from soprag.tools.procedure.drafting.draft import Draft
from soprag.tools.procedure.drafting.labelled_jumps import labelled_exit
from soprag.tools.procedure.drafting.named_cases import words_of
from soprag.tools.procedure.drafting.titled_jumps import titled_exit
from soprag.tools.procedure.drafting.tree import Act, Choice, DraftStep, Fork, Go, Node, Outcome, Stop
from soprag.tools.procedure.nodes.branching import Brancher, last_act, leaves, loops
from soprag.tools.procedure.nodes.conditional_runs import outcome_exit
from soprag.tools.procedure.nodes.narrative import tells_activity
from soprag.tools.procedure.nodes.parted_jumps import parted
from soprag.tools.procedure.nodes.repeated_tests import repeats
from soprag.tools.procedure.wording.clauses import clauses
from soprag.tools.procedure.wording.conditions import Clause, form, read_clause
from soprag.tools.procedure.wording.consequences import only_forbids, orders_something
from soprag.tools.procedure.wording.endings import says_done
from soprag.tools.procedure.wording.omitting import omission
from soprag.tools.procedure.wording.onward import onward
from soprag.tools.procedure.wording.outcome_labels import compares
from soprag.tools.procedure.wording.passage import SourcePassage
from soprag.tools.procedure.wording.targets import Exit, bare_words, exit_of
from soprag.tools.procedure.wording.verbs import forbids, hands_over, perceives
from soprag.tools.sop import StepKind

_VARIANT = re.compile(
    r"^\W*(?P<label>(?P<kind>(?:[A-Za-z]+ ){0,2})(?P<name>[A-Z]+-?\d*\w*|\d+|Simplex|Duplex|Master|Slave|"
    r"Worker)):\s+\S|"
    r"^\W*(?P<long>(?P<first>[A-Z]\w+)(?: [\w-]+){1,3}):\s+\S"
)


# "Only do this if nothing else helps" limits the act before it and is none itself.
_RESTRICTS = re.compile(
    r"^\W*(?:only (?:do|perform|use|run|try|take|proceed with) (?:this|that|it|so)\b|"
    r"(?:do|perform|use|run) (?:this|that|it) only\b)",
    re.IGNORECASE,
)


_GOES = re.compile(
    r"^\W*(?:(?:once|when|after|as soon as)\b[^,]{3,90},\s+)?(?:go|proceed|continue|skip|return|move|do)\b",
    re.IGNORECASE,
)
_LEADS = re.compile(r"^\W*(?:go|proceed|continue|return|jump)\s+(?:on |back |directly )?(?:to|with)\b", re.IGNORECASE)
_JOINED = re.compile(r"(?:\band|\bthen|[,;])\W*$", re.IGNORECASE)
_WHOLE_ENDS = re.compile(
    r"\bhere\b|\bprocedure\b|\bhand over\b|^this (?:ends|completes|concludes)\b|^is then\b|"
    r"^end (?:the|this|your|all) (?:work|job|task|run|test)\b",
    re.IGNORECASE,
)
# "Work is stopped.", "This completes part I."
_ENDED = re.compile(
    r"^(?:the )?(?:procedure|work|test|job|task|operation)\b|^this (?:ends|completes|concludes)\b|"
    r"^is then\b",
    re.IGNORECASE,
)
_THEN = re.compile(r"^\W*(?:then|back to|from here|after that|thereafter)\b|^\s*[→⇒]", re.IGNORECASE)
_AFTER = re.compile(r"\b(?:then|thereafter|afterwards|after that)\W*$", re.IGNORECASE)
_COUNTED = re.compile(r"^\W*step\s+\d{1,2}\s*[:.)]", re.IGNORECASE)  # "Step 1: ... Step 2: ..." in one paragraph
_ANNOUNCES = re.compile(
    r"\b(?:steps?|actions?|instructions?|procedures?|tasks?|do|try|perform|proceed|follow)\b[^.]*"
    r"\b(?:as follows|following|below)\b|\b(?:following|these) (?:steps?|actions?|instructions?|procedures?|tasks?)\b",
    re.IGNORECASE,
)


def limit(nodes: list[Node], clause: Clause) -> bool:
    """Whether a clause is "skip this step if X": the acts before it in the item are done unless X."""
    when = omission(clause) if nodes else ""
    for node in nodes if when else ():
        if isinstance(node, Act):
            node.step.only_if = node.step.only_if or f"unless {when}"
    if when:
        _extend(nodes, clause)
    return bool(when)


def _governs_all(found: list[Clause]) -> bool:
    """Whether a condition over a whole item ("If the pin breaks: stop. ... If it is bent, ...") holds a way out."""
    if len(found) < 2 or found[0].opener not in ("if", "in case") or not found[0].body.text:
        return False
    opening = found[0].passage.text[: -len(found[0].body.text)].rstrip()
    beside = any(one.branches and one.joined for one in found[1:2])
    return opening.endswith(":") and not beside and any(one.branches and outcome_exit(one) for one in found[1:])


def _carried(found: list[Clause]) -> list[Clause]:
    """The clauses of a unit; the act behind "If X, the unit is off." stands under X, too, where nothing follows it."""
    first = found[0] if len(found) == 2 else None
    states = first is not None and first.opener in ("if", "in case") and first.form == "statement" and first.body.text
    if first is None or not states or found[1].condition or found[1].form != "act" or outcome_exit(first):
        return found
    return [first, replace(found[1], condition=first.condition, opener=first.opener)]


def _extend(nodes: list[Node], clause: Clause) -> None:
    step = last_act(nodes)
    if step is not None:
        step.extend(clause.passage.lines)


def _leads_away(leaving: Exit, ending: bool) -> bool:
    """Whether a sentence that orders nothing leaves the order of steps all the same."""
    placed = leaving.target.kind in ("step", "section") and (ending or not leaving.before)
    after = _THEN.match(leaving.target.words) or _AFTER.search(leaving.before)
    then = leaving.target.kind in ("step", "section") and bool(after)
    ends = ending and leaving.target.kind == "end"
    return placed or then or ends or bool(_ENDED.match(leaving.target.words))


def _explain(step: DraftStep, clause: Clause) -> None:
    """Adds a sentence that orders nothing to a step; a question is a part of its words."""
    step.extend(clause.passage.lines)
    if clause.body.text.rstrip().endswith("?"):
        step.text = f"{step.text} {clause.body.text}"


def _as_told(clause: Clause) -> Clause:
    """A clause of a narrative: an activity counts as an act."""
    told = clause.form == "statement" and tells_activity(clause.body.text)
    return replace(clause, form="act") if told else clause


def _kind_of(clause: Clause) -> str:
    """What the label of a variant has in common with those beside it: "hall" of "Hall DH3"."""
    match = _VARIANT.match(clause.body.text)
    return (match["first"] or match["kind"] or "").strip().lower() if match else ""


@dataclass
class Composer:
    """Reads units of text: a numbered item (`prose` false) or a paragraph (`prose` true)."""

    draft: Draft
    governed: DraftStep | None = None  # the act under the condition that opens the item
    inside: bool = False  # in a further paragraph of an item

    @property
    def brancher(self) -> Brancher:
        """The reader of conditional clauses."""
        return Brancher(self.draft, self.inside)

    def unit(self, words: SourcePassage, prose: bool = False, number: str = "") -> list[Node]:
        """The nodes of a numbered item or a paragraph."""
        found = clauses(words)
        if prose and self.draft.narrative:
            found = [_as_told(clause) for clause in found]
        return self.sequence(found, prose, number)

    def outcome(self, words: SourcePassage, number: str = "") -> Outcome | None:
        """The outcome of a decision that a bullet or a row states; None when it opens with no condition."""
        found = clauses(words, labels=True)
        if not found or not found[0].condition:
            return None
        first, rest = found[0], found[1:]
        head = replace(first, condition="", opener="", passage=first.body)
        body = self._only_left(self._outcome_body(first, head, rest, number))
        opening = body[0] if body else None
        if isinstance(opening, Act | Choice):
            opening.step.extend(first.passage.lines)
        return Outcome(first.condition, body)

    def answer(self, words: SourcePassage) -> list[Node]:
        """What is done for one answer, as a cell or a bullet of its own states it."""
        return self._only_left(self.sequence(clauses(words, outcome=True), False, "", ending=True))

    def _only_left(self, body: list[Node]) -> list[Node]:
        """The way of an outcome alone, where nothing is done on it ("Do not go alone. Go to section E.")."""
        act, away = body if len(body) == 2 else (None, None)
        if not isinstance(act, Act) or not isinstance(away, Go) or act.loops or not only_forbids(act.step.text):
            return body
        self.draft.steps.remove(act.step)
        return [away]

    def _outcome_body(self, first: Clause, head: Clause, rest: list[Clause], number: str) -> list[Node]:
        body = self.brancher.consequence(first)
        if (leaves(body) or loops(body) or repeats(body)) and rest and self._other_time(rest[0]):
            return [self.brancher.counted(body, rest)]
        if leaves(body):
            self.brancher.attach(body, rest)
            return body
        if head.form == "statement" and not body and not rest:
            return []
        tail = self.sequence(rest, False, number, body[-1] if body else None, ending=True) if rest else body[-1:]
        return [*body[:-1], *tail]

    def _other_time(self, clause: Clause) -> bool:
        """Whether a sentence behind a way out says where it leads another time ("If that fails too, go to step 9")."""
        return clause.opener == "times" or (
            clause.branches and (clause.repeated or self.brancher.exit(clause) is not None)
        )

    def sequence(
        self, found: list[Clause], prose: bool, number: str, last: Node | None = None, ending: bool = False
    ) -> list[Node]:
        """The nodes of clauses; `last` stands before them in the unit, `ending` trusts any stop in them."""
        if last is None and _governs_all(found):
            return [self._governing(found, prose, number)]
        found = _carried(found) if last is None else found
        nodes: list[Node] = [last] if last else []
        at = 0
        while at < len(found):
            clause = found[at]
            variants = self._variants(found, at)
            if variants > at:
                nodes.append(self._fork(found[at:variants], number))
                at = variants
                continue
            if limit(nodes, clause):
                at += 1
                continue
            if nodes and _RESTRICTS.match(clause.passage.text):
                _extend(nodes, clause)
                at += 1
                continue
            fork = parted(clause, self.brancher)
            if fork is not None:
                nodes.append(fork)
                at += 1
                continue
            if clause.branches:
                end = self.brancher.run(found, at, prose)
                nodes = self.brancher.branching(nodes, found[at:end], prose)
                self._govern(nodes, at == 0 and end == 1 and not prose and clause.opener in ("if", "in case"))
                at = end
                continue
            self._plain(nodes, clause, prose, number, ending)
            at += 1
        return nodes

    def _governing(self, found: list[Clause], prose: bool, number: str) -> Choice:
        """The decision on a condition that all the other clauses stand under."""
        first = found[0]
        words = first.passage.cut(0, len(first.passage.text) - len(first.body.text))
        head = self.draft.step(words, "decision", number=number)
        freed = replace(first, condition="", opener="", passage=first.body)
        return Choice(head, [Outcome(first.condition, self.sequence([freed, *found[1:]], prose, ""))])

    def _govern(self, nodes: list[Node], opens: bool) -> None:
        """Remembers the act of a condition that opens an item: the acts behind it stand under it as well."""
        last = nodes[-1] if nodes else None
        self.governed = last.step if opens and isinstance(last, Act) and last.step.only_if else None

    @staticmethod
    def _variants(found: list[Clause], start: int) -> int:
        """The end of neighbouring sentences for one variant each ("Hall DH3: ... Hall DH4: ..."), else `start`."""
        at = start
        while (
            at < len(found)
            and not found[at].branches
            and found[at].form != "statement"
            and _VARIANT.match(found[at].body.text)
        ):
            at += 1
        kinds = {_kind_of(clause) for clause in found[start:at]}
        return at if at - start > 1 and len(kinds) == 1 and not kinds & {"step", "line", "item"} else start

    def _fork(self, found: list[Clause], number: str) -> Fork:
        outcomes = []
        for clause in found:
            match = _VARIANT.match(clause.body.text)
            body: list[Node] = [Act(self.draft.step(clause.body, number=number))]
            outcomes.append(Outcome((match["label"] or match["long"]) if match else "", body))
        return Fork(_kind_of(found[0]) or "variant", outcomes)

    # unconditional ---------------------------------------------------------------------------------------------------

    def _plain(self, nodes: list[Node], clause: Clause, prose: bool, number: str, ending: bool) -> None:
        step = last_act(nodes)
        leaving = exit_of(clause.body.text, conditional=ending) or self._titled(clause)
        leaving = leaving or labelled_exit(clause.body.text, self.draft.labels, bare=ending)
        finished = leaving is not None and says_done(leaving.target.words)
        if (
            leaving
            and leaving.target.kind == "end"
            and not (ending or finished or _WHOLE_ENDS.search(leaving.target.words))
        ):
            leaving = None
        if leaving and leaving.target.kind == "title" and not self._in_document(leaving.target.name):
            leaving = None
        told = clause.form == "statement" and not (leaving and (finished or _leads_away(leaving, ending)))
        if leaving and not told and leaving.target.kind != "document":
            self._leaving(nodes, clause, leaving, number)
        elif told:
            if step is not None:
                _explain(step, clause)
            elif number or not prose:
                nodes.append(Act(self.draft.step(clause.passage, number=number)))
        elif self._joins(nodes, clause, prose) and step is not None:
            step.extend(clause.passage.lines)
            step.text = f"{step.text} {clause.body.text}"
        else:
            kind: StepKind = "wait" if clause.form == "wait" else "action"
            nodes.append(Act(self.draft.step(clause.body, kind, number=number)))

    def _titled(self, clause: Clause) -> Exit | None:
        """A sentence that is a jump to a section, or ends in one behind its act ("Log the time and go to Closing.")."""
        found = titled_exit(clause.body.text, self.draft.titles)
        if found and _GOES.match(clause.body.text):
            return found
        behind = found is not None and _LEADS.match(found.target.words) and _JOINED.search(found.before)
        return found if behind else None

    def _in_document(self, title: str) -> bool:
        """Whether a section of that title is there; the instructions of another document are an act, not a jump."""
        words = words_of(title)
        return bool(words) and any(words <= words_of(one) for one in self.draft.titles if one)

    def _joins(self, nodes: list[Node], clause: Clause, prose: bool) -> bool:
        last = nodes[-1] if nodes else None
        if _COUNTED.match(clause.passage.text):
            return False
        if not prose and isinstance(last, Act) and forbids(clause.body.text):
            return True
        if isinstance(last, Act) and last.step is self.governed and clause.form == "act":
            return True
        if isinstance(last, Act) and last.step.only_if and forbids(last.step.text) and hands_over(clause.body.text):
            return True
        same = isinstance(last, Act) and last.step.kind == "action" and not last.step.only_if and not last.loops
        return same and not prose and (clause.form == "act" or (clause.form == "check" and perceives(clause.body.text)))

    def _leaving(self, nodes: list[Node], clause: Clause, leaving: Exit, number: str) -> None:
        before, step = bare_words(leaving.before), last_act(nodes)
        if leaving.repeats:
            again = self.draft.step(clause.body, number=number)
            nodes.append(Act(again, loops=[(leaving.target, clause.body.text)], calls=leaving.calls))
            return
        named = bool(number) and not nodes  # the only words of a numbered item are its act, whatever they are
        if before and (named or orders_something(before)):
            told = step is not None and form(step.text) == "statement"  # what was found, before what is done about it
            if step is not None and (told or self._joins(nodes, clause, prose=not number)):
                step.extend(clause.passage.lines)
                step.text = f"{step.text} {before}"
            else:
                end = len(before) if clause.body.text.startswith(before) else len(leaving.before)
                nodes += self.brancher.acts(clause.body.cut(0, end), number)
        if leaving.target.kind == "end":
            last = last_act(nodes)
            if last is not None and last.kind == "action":
                last.kind = "end"
            nodes.append(Stop(leaving.target.words))
        else:
            nodes.append(self.brancher.go(leaving.target, clause.passage))

    # conditional -----------------------------------------------------------------------------------------------------


def opens_outcome(words: SourcePassage) -> bool:
    """Whether a bullet states an outcome: a condition or a label, then what is done or that the procedure goes on."""
    found = clauses(words, labels=True)
    if not found or not found[0].condition or found[0].opener == "trailing":
        return False
    first = found[0]
    if not first.body.text:
        return first.opener in ("if", "unless", "in case", "when", "otherwise", "should") or first.opener == "label"
    compared = bool(first.opener == "label" and compares(first.condition))
    return (
        first.form != "statement"
        or outcome_exit(first) is not None
        or onward(first.body.text)
        or first.opener != "label"
        or compared
        or any(exit_of(clause.body.text) for clause in found[1:])
    )


def lead_condition(words: SourcePassage) -> str:
    """The condition of a lead-in that leaves its acts to the lines below ("If the node is down:"), or nothing."""
    clause = read_clause(words)
    if not clause.condition or not clause.body.text:
        return clause.condition
    ends = words.text.rstrip().endswith(":")
    announces = clause.form == "statement" and bool(_ANNOUNCES.search(clause.body.text))
    return clause.condition if ends and (announces or outcome_exit(clause) is not None) else ""
