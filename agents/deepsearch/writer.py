"""The writer: all evidence becomes one report, and a report with feedback becomes a better one.

Paper 001, Algorithm 1: A = MetaAgent(D_I, D_A, D_P, D_W, D_G), then A_{i+1} = MetaAgent(Q, A_i, F_i).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from soprag.agents.deepsearch.restating import CitingStatement, supported
from soprag.tools.llm import Llm
from soprag.tools.research.records import (
    Claim,
    OpenPart,
    ReportSection,
    Sentence,
    SubtaskEvidence,
    SubtaskPlan,
    Version,
)
from soprag.tools.tasks import deepsearch as tasks
from soprag.tools.text.sanitize import one_line


@dataclass(frozen=True)
class ReportMaterial:
    """What a report is written from."""

    question: str
    plan: SubtaskPlan
    evidence: tuple[SubtaskEvidence, ...]

    @property
    def claims(self) -> dict[str, Claim]:
        """Every claim by its id."""
        return {claim.id: claim for evidence in self.evidence for claim in evidence.claims}


@dataclass(frozen=True)
class Writer:
    """Writes from at most `limit` claims; a sentence its claims do not support is worded anew once or left out.

    Procedures are not written: their steps are copied, each once, behind the section on their part of the question.
    """

    llm: Llm
    limit: int

    async def write(self, material: ReportMaterial, number: int, before: Version | None) -> Version:
        """Version `number`; from the version before and what its judges said, if there is one."""
        unanswered = tuple(_unanswered(material))
        if not material.claims:
            return Version(number=number, sections=(), unanswered=unanswered)
        ask = tasks.ReportAsk(
            question=material.question,
            facts=_facts(material, self.limit),
            previous=as_text(before.sections) if before else "",
            feedback=[remark for judgement in before.judgements for remark in judgement.feedback] if before else [],
        )
        draft = await self.llm.ask(tasks.WRITE_REPORT, ask)
        drafted = [tasks.SectionDraft(heading="", sentences=draft.summary), *draft.sections]
        sections = await self._supported(drafted, material)
        sections_with_text = [section for section in sections if section.sentences]
        written = sum(len(section.sentences) for section in drafted)
        return Version(
            number=number,
            sections=tuple(_arranged(sections_with_text, material)),
            unanswered=unanswered,
            left_out=written - sum(len(section.sentences) for section in sections_with_text),
        )

    async def _supported(self, drafted: list[tasks.SectionDraft], material: ReportMaterial) -> list[ReportSection]:
        """The sections with the sentences that their claims support, after one chance to word the others anew."""
        claims = material.claims
        statements: dict[str, CitingStatement] = {}
        cited: dict[str, tuple[str, ...]] = {}
        for row, section in enumerate(drafted):
            for column, sentence in enumerate(section.sentences):
                id = f"s{row}.{column}"
                cited[id] = tuple(claim for claim in dict.fromkeys(sentence.facts) if claim in claims)
                passages = [claims[claim].text for claim in cited[id]]
                passages += [quote.text for claim in cited[id] for quote in claims[claim].quotes]
                statements[id] = CitingStatement(one_line(sentence.text), tuple(dict.fromkeys(passages)))
        texts = await supported(self.llm, material.question, statements)
        return [
            ReportSection(
                heading=one_line(section.heading, 200),
                sentences=tuple(
                    _sentence(texts[id], cited[id], claims)
                    for id in (f"s{row}.{column}" for column in range(len(section.sentences)))
                    if id in texts
                ),
            )
            for row, section in enumerate(drafted)
        ]


def as_text(sections: Iterable[ReportSection]) -> str:
    """The report as plain text, without citations."""
    return "\n\n".join(_section_text(section) for section in sections)


def _section_text(section: ReportSection) -> str:
    lines = [section.heading] if section.heading else []
    if not section.procedure:
        return "\n".join([*lines, " ".join(sentence.text for sentence in section.sentences)])
    heading = ""
    for sentence in section.sentences:
        lines += [sentence.heading] if sentence.heading not in ("", heading) else []
        heading = sentence.heading
        lines.append(f"{sentence.label} {sentence.text}".strip())
    return "\n".join(lines)


def _unanswered(material: ReportMaterial) -> Iterator[OpenPart]:
    """The subtasks without a claim, with what their agents noted; subtasks of later rounds stand for no part."""
    for subtask in material.plan.subtasks:
        evidence = [one for one in material.evidence if one.subtask == subtask.id]
        if subtask.round == 0 and not any(one.claims for one in evidence):
            notes = list(dict.fromkeys(note for one in evidence for note in one.notes))
            yield OpenPart(query=subtask.query, reason=" ".join(notes)[:500] or "Nothing was found that answers it.")


def _arranged(sections: Sequence[ReportSection], material: ReportMaterial) -> Iterator[ReportSection]:
    """The sections in their order, each procedure behind the last section on the same or an earlier subtask.

    A subtask that procedures alone answer gets a heading of its own.
    """
    procedures = _procedures(material)
    owner = {claim.id: one.subtask for one in material.evidence for claim in one.claims}
    order = {subtask.id: position for position, subtask in enumerate(material.plan.subtasks)}
    subtasks = [
        {order[owner[id]] for sentence in section.sentences for id in sentence.claims} if section.heading else set()
        for section in sections
    ]
    written = set[int]().union(*subtasks)
    for subtask in material.plan.subtasks:
        if subtask.id in procedures and order[subtask.id] not in written:
            procedures[subtask.id].insert(0, ReportSection(heading=_heading(subtask.query), sentences=()))
    for index, section in enumerate(sections):
        following = set().union(*subtasks[index:])
        for id in [id for id in procedures if order[id] < min(following, default=0) and subtasks[index]]:
            yield from procedures.pop(id)
        yield section
    for rest in procedures.values():
        yield from rest


def _heading(query: str) -> str:
    """The query without its context, as a heading."""
    plain = one_line(query.partition(" (")[0], 200).strip(" ?.")
    return plain[:1].upper() + plain[1:]


def _procedures(material: ReportMaterial) -> dict[str, list[ReportSection]]:
    """The copied procedures of each subtask in plan order, a procedure that two subtasks chose only once."""
    copied: dict[tuple[str, str], tuple[str, list[Claim]]] = {}
    order = {subtask.id: position for position, subtask in enumerate(material.plan.subtasks)}
    for evidence in sorted(material.evidence, key=lambda one: order[one.subtask]):
        for claim in evidence.claims:
            if claim.procedure:
                key = claim.procedure, claim.quotes[0].source
                subtask, claims = copied.setdefault(key, (evidence.subtask, []))
                if all(claim.quotes != earlier.quotes for earlier in claims):
                    claims.append(claim)
    procedures: dict[str, list[ReportSection]] = {}
    for (title, _), (subtask, claims) in copied.items():
        sentences = tuple(
            Sentence(text=one.text, claims=(one.id,), kind=one.kind, label=one.label, heading=one.heading)
            for one in claims
        )
        section = ReportSection(heading=one_line(title, 200), sentences=sentences, procedure=True)
        procedures.setdefault(subtask, []).append(section)
    return procedures


def _facts(material: ReportMaterial, limit: int) -> list[tasks.Fact]:
    """The claims in plan order; when there are too many, statements before steps, round-robin over the agents."""
    order = {subtask.id: position for position, subtask in enumerate(material.plan.subtasks)}
    topics = {subtask.id: subtask.query for subtask in material.plan.subtasks}
    evidence = sorted(material.evidence, key=lambda evidence_of_agent: order[evidence_of_agent.subtask])
    rounds = zip_longest(*(evidence_of_agent.claims for evidence_of_agent in evidence))
    turns = [claim for turn in rounds for claim in turn if claim]
    chosen = {claim.id for claim in sorted(turns, key=lambda claim: bool(claim.procedure))[:limit]}
    numbers: dict[str, int] = {}
    return [
        tasks.Fact(
            id=claim.id,
            topic=topics[evidence_of_agent.subtask],
            text=claim.text,
            sources=sorted({numbers.setdefault(quote.source, len(numbers) + 1) for quote in claim.quotes}),
            procedure=claim.procedure,
        )
        for evidence_of_agent in evidence
        for claim in evidence_of_agent.claims
        if claim.id in chosen
    ]


def _sentence(text: str, cited: tuple[str, ...], claims: dict[str, Claim]) -> Sentence:
    """A sentence of the report; one that repeats a warning is printed as one."""
    first = claims[cited[0]]
    warns = first.kind == "warning" and text == one_line(first.text)
    return Sentence(text=text, claims=cited, kind="warning" if warns else "sentence")
