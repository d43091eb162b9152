"""The writer: all evidence becomes one report, and a report with feedback becomes a better one.

Paper 001, Algorithm 1: A = MetaAgent(D_I, D_A, D_P, D_W, D_G), then A_{i+1} = MetaAgent(Q, A_i, F_i).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest

from soprag.agents.deepsearch.restating import CitingStatement, supported
from soprag.tools.llm import Llm
from soprag.tools.research.records import Claim, ReportSection, Sentence, SubtaskEvidence, SubtaskPlan, Version
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
    """Writes from at most `limit` claims; a sentence its claims do not support is worded anew once or left out."""

    llm: Llm
    limit: int

    async def write(self, material: ReportMaterial, number: int, before: Version | None) -> Version:
        """Version `number`; from the version before and what its judges said, if there is one."""
        if not material.claims:
            return Version(number=number, sections=())
        ask = tasks.ReportAsk(
            question=material.question,
            facts=_facts(material, self.limit),
            previous=as_text(before.sections) if before else "",
            feedback=[remark for judgement in before.judgements for remark in judgement.feedback] if before else [],
        )
        draft = await self.llm.ask(tasks.WRITE_REPORT, ask)
        drafted = [tasks.SectionDraft(heading="", sentences=draft.summary), *draft.sections]
        sections = await self._supported(drafted, material)
        sections_with_text = tuple(section for section in sections if section.sentences)
        written = sum(len(section.sentences) for section in drafted)
        return Version(
            number=number,
            sections=sections_with_text,
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
                    Sentence(text=texts[id], claims=cited[id])
                    for id in (f"s{row}.{column}" for column in range(len(section.sentences)))
                    if id in texts
                ),
            )
            for row, section in enumerate(drafted)
        ]


def as_text(sections: Iterable[ReportSection]) -> str:
    """The report as plain text, without citations."""
    parts = [
        f"{section.heading}\n" * bool(section.heading) + " ".join(sentence.text for sentence in section.sentences)
        for section in sections
    ]
    return "\n\n".join(parts)


def _facts(material: ReportMaterial, limit: int) -> list[tasks.Fact]:
    """The claims in plan order; when there are too many, they are taken round-robin over the agents."""
    order = {subtask.id: position for position, subtask in enumerate(material.plan.subtasks)}
    topics = {subtask.id: subtask.query for subtask in material.plan.subtasks}
    evidence = sorted(material.evidence, key=lambda evidence_of_agent: order[evidence_of_agent.subtask])
    rounds = zip_longest(*(evidence_of_agent.claims for evidence_of_agent in evidence))
    chosen = {claim.id for claim in [claim for turn in rounds for claim in turn if claim][:limit]}
    numbers: dict[str, int] = {}
    return [
        tasks.Fact(
            id=claim.id,
            topic=topics[evidence_of_agent.subtask],
            text=claim.text,
            sources=sorted({numbers.setdefault(quote.source, len(numbers) + 1) for quote in claim.quotes}),
        )
        for evidence_of_agent in evidence
        for claim in evidence_of_agent.claims
        if claim.id in chosen
    ]
