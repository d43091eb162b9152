"""Rule-based causal view: states of the system and the causal relations between them (paper Eq. 3).

A state is a sentence or clause in the SOP's own words. Under headings such as Meaning, Symptoms, Causes and Impact
every statement is one; elsewhere those are that speak of a fault or stand behind an "if". Links come from causal words
("because", "leads to", "to avoid"), from the order cause - symptom - impact of the sections, and from tables that lead
from an alarm to its cause and action.
"""

import re
from dataclasses import dataclass, field
from typing import Literal

from soprag.tools.markdown.inline import labelled, plain
from soprag.tools.markdown.outline import OutlineBlock, read
from soprag.tools.procedure.blocks.step_tables import Table, table_of
from soprag.tools.procedure.wording import safety_labels
from soprag.tools.procedure.wording.lexicon import is_instruction
from soprag.tools.rules.causal_connectives import marks
from soprag.tools.sop import Relation
from soprag.tools.tasks.retriever import CausalAnswer, LinkDraft, NumberedSop, StateDraft, unnumber
from soprag.tools.text.sentences import sentences

Part = Literal["symptom", "cause", "impact", "other"]

_PARTS: tuple[tuple[Part, re.Pattern[str]], ...] = (
    ("cause", re.compile(r"\bcauses?\b|\breasons?\b|why (?:it|this)|ursache|causa", re.IGNORECASE)),
    ("impact", re.compile(r"\bimpact|consequence|\beffects?\b|\brisks?\b|auswirkung|folgen", re.IGNORECASE)),
    (
        "symptom",
        re.compile(
            r"meaning|symptom|descri|overview|diagnos|indication|observation|problem|failure|fault|alarm|alert\b|"
            r"summary|background|"
            r"introduc|when to use|trigger|purpose|scope|störung|bedeutung",
            re.IGNORECASE,
        ),
    ),
)
_TROUBLE = re.compile(
    r"\b(?:alert|alarm|fail\w*|error\w*|fault\w*|because|due to|result\w*|lead[s]? to|impact|cannot|can't|unable|"
    r"is not|are not|"
    r"isn't|aren't|doesn't|does not|do not|don't|didn't|won't|no longer|down|stuck|unavailable|missing|lost|loss|"
    r"degraded|exceed\w*|trigger\w*|"
    r"fires|fired|indicates?|means?|happens?|occurs?|prevents?|risk|expected|symptom|problem|issue|time(?:out|"
    r"s out)|too (?:high|low|many|large|"
    r"slow)|full|leak\w*|overheat\w*|trip(?:s|ped)?|abnormal|damage\w*|broken|blocked|jammed|smoke|noise|vibrat\w+|"
    r"rejected|refused)\b",
    re.IGNORECASE,
)
_IF = re.compile(
    r"(?:^|(?<=[\s(]))(?:if|when|unless|in case(?: of)?|in the event of|whenever|"
    r"once)\s+(?P<what>(?:[^,:;.]|(?<=\d)[.,](?=\d)){8,160}?)(?=[,:;.](?!\d)|\bthen\b|$)",
    re.IGNORECASE,
)
_COLUMNS: tuple[tuple[Part | Literal["action"], re.Pattern[str]], ...] = (
    ("cause", re.compile(r"\bcauses?\b|\breasons?\b", re.IGNORECASE)),
    ("impact", re.compile(r"consequence|effect|impact|risk", re.IGNORECASE)),
    (
        "action",
        re.compile(
            r"action|remedy|recovery|solution|response|mitigation|what to do|corrective|procedure|fix", re.IGNORECASE
        ),
    ),
    (
        "symptom",
        re.compile(
            r"alarm|alert|symptom|fault|error|problem|failure|indication|observation|message|condition|state",
            re.IGNORECASE,
        ),
    ),
)
_WORDS = re.compile(r"[^\W\d_]{2,}")


def extract(sop: NumberedSop) -> CausalAnswer:
    """The states and links of the SOP."""
    _, lines = unnumber(sop.numbered)
    reader = _Reader()
    reader.read(read("\n".join(lines)))
    return reader.answer()


@dataclass
class _Reader:
    states: dict[str, StateDraft] = field(default_factory=dict)  # by its text in lower case
    links: dict[tuple[str, Relation, str], LinkDraft] = field(default_factory=dict)
    resolves: dict[str, None] = field(default_factory=dict)
    parts: dict[Part, list[str]] = field(default_factory=dict)

    def read(self, blocks: tuple[OutlineBlock, ...]) -> None:
        """Collect states and links from all blocks."""
        above: list[tuple[int, Part]] = []
        for index, block in enumerate(blocks):
            part: Part = above[-1][1] if above else "other"
            if block.kind == "heading":
                while above and above[-1][0] >= block.level:
                    above.pop()
                outer: Part = above[-1][1] if above else "other"
                heading_part = _part(block.words) if index or block.level > 1 else "other"
                above.append((block.level, heading_part if heading_part != "other" else outer))
            elif block.kind == "paragraph":
                self._paragraph(block, part)
            elif block.kind in ("table", "html"):
                table = table_of(block)
                if table:
                    self._table(table)

    def answer(self) -> CausalAnswer:
        """The collected states and links, with links added between sections: cause to symptom, symptom to impact."""
        main = (self.parts.get("symptom") or [""])[0]
        for cause in self.parts.get("cause", []):
            self._link(cause, "causes", main) if main else self.resolves.setdefault(cause)
        for impact in self.parts.get("impact", []):
            if main:
                self._link(main, "causes", impact)
        return CausalAnswer.model_construct(
            states=list(self.states.values()), links=list(self.links.values()), resolves=list(self.resolves)
        )

    def _paragraph(self, block: OutlineBlock, part: Part) -> None:
        entry = labelled(block.text)
        is_remark = safety_labels.kind_of(block.text) is not None
        text = plain(entry.rest) if entry else block.words
        for sentence in sentences(safety_labels.unlabelled(text) if is_remark else text):
            self._sentence(sentence, part, block.start, is_remark)

    def _sentence(self, sentence: str, part: Part, line: int, is_remark: bool) -> None:
        tied = self._marked(sentence, line)
        orders = is_instruction(sentence)
        if not orders and (part != "other" or _TROUBLE.search(sentence)) and not tied:
            state = self._state(sentence, line)
            if state:
                self.parts.setdefault(part, []).append(state)
                if part != "cause":
                    self.resolves.setdefault(state)
        elif tied and part in ("symptom", "impact") and not is_remark:
            self.parts.setdefault(part, []).append(tied)
        if orders or part == "other":
            for condition in _IF.finditer(sentence):
                state = self._state(condition["what"], line)
                if state:
                    self.resolves.setdefault(state)

    def _marked(self, sentence: str, line: int) -> str:
        """Split a sentence at its causal connective; returns the effect's state id, empty without a connective."""
        for cut in marks(sentence):
            first, second = self._state(cut.source, line, least=2), self._state(cut.target, line, least=2)
            if first and second:
                self._link(first, cut.relation, second)
                self.resolves.setdefault(second)
                return second
        return ""

    def _table(self, table: Table) -> None:
        columns = {kind: table.column(pattern) for kind, pattern in reversed(_COLUMNS)}
        if columns["action"] < 0 and columns["cause"] < 0:
            return
        for row in table.rows:
            texts = {kind: plain(row.cells[column]) for kind, column in columns.items() if 0 <= column < len(row.cells)}
            if texts.get("symptom") or texts.get("cause"):
                self._row({kind: self._state(text, row.start, least=1) for kind, text in texts.items()})

    def _row(self, cells: dict[Part | Literal["action"], str]) -> None:
        symptom, cause = cells.get("symptom", ""), cells.get("cause", "")
        for state in (symptom, cause):
            if state:
                self.resolves.setdefault(state)
        if symptom and cause:
            self._link(cause, "causes", symptom)
        if symptom and cells.get("impact"):
            self._link(symptom, "causes", cells["impact"])
        if cells.get("action") and (cause or symptom):
            self._link(cells["action"], "mitigates", cause or symptom)

    def _state(self, text: str, line: int, least: int = 3) -> str:
        text = text.strip(" .,;:-–—")
        if len(_WORDS.findall(text)) < least or len(text) > 400:
            return ""
        state = self.states.get(text.lower())
        if not state:
            state = StateDraft.model_construct(id=f"s{len(self.states) + 1}", text=text, line=line)
            self.states[text.lower()] = state
        return state.id

    def _link(self, source: str, relation: Relation, target: str) -> None:
        if source != target:
            link = LinkDraft.model_construct(source=source, relation=relation, target=target)
            self.links.setdefault((source, relation, target), link)


def _part(heading: str) -> Part:
    return next((part for part, pattern in _PARTS if pattern.search(heading)), "other")
