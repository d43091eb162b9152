"""The writer: all evidence becomes one report, and a report with feedback becomes a better one.

Paper 001, Algorithm 1: A = MetaAgent(D_I, D_A, D_P, D_W, D_G), then A_{i+1} = MetaAgent(Q, A_i, F_i).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest

from soprag.tools.llm import Llm
from soprag.tools.research.records import Claim, ReportSection, Sentence, SubtaskEvidence, SubtaskPlan, Version
from soprag.tools.research.support import stands_on
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
    """Writes from at most `limit` claims; a sentence its claims do not support is left out."""

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
        sections = [_section(section, material) for section in drafted]
        sections_with_text = tuple(section for section in sections if section.sentences)
        written = sum(len(section.sentences) for section in drafted)
        return Version(
            number=number,
            sections=sections_with_text,
            left_out=written - sum(len(section.sentences) for section in sections_with_text),
        )


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


def _section(draft: tasks.SectionDraft, material: ReportMaterial) -> ReportSection:
    sentences = [_sentence(sentence, material) for sentence in draft.sentences]
    return ReportSection(
        heading=one_line(draft.heading, 200), sentences=tuple(sentence for sentence in sentences if sentence)
    )


def _sentence(draft: tasks.SentenceDraft, material: ReportMaterial) -> Sentence | None:
    claims = material.claims
    cited = tuple(id for id in dict.fromkeys(draft.facts) if id in claims)
    text = one_line(draft.text)
    passages = [part for id in cited for part in (claims[id].text, *(quote.text for quote in claims[id].quotes))]
    return Sentence(text=text, claims=cited) if cited and stands_on(text, passages, material.question) else None
