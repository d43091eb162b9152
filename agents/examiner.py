"""The Examiner: writes benchmark questions for an SOP and checks each of them."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from soprag.configs.settings import ExamineSettings
from soprag.tools.embedding import Embedder, Vectors
from soprag.tools.llm import Llm
from soprag.tools.questions import Corpus, QuestionCase, Taken, fault
from soprag.tools.sop import LEVELS, Level, Question, Sop, digest
from soprag.tools.store.run_records import DroppedQuestion, Examined
from soprag.tools.tasks import benchmark as tasks

NEARNESS = 2  # weight of the cosine with the topic against the share of quoted pairs
_OFTEN_REFUSED: tuple[Level, ...] = ("symptom", "scenario", "conditional")


@dataclass
class _Desk:
    """The progress on one SOP: a slot per question to write, accepted questions, and rejections with reasons."""

    slots: list[Level]
    questions: dict[int, Question] = field(default_factory=dict)
    taken: list[Taken] = field(default_factory=list)
    rejected: list[tasks.Rejection] = field(default_factory=list)
    rounds: int = 0

    def open_slots(self) -> list[int]:
        """The slots without a question."""
        return [slot for slot in range(len(self.slots)) if slot not in self.questions]

    def open_slot(self, level: Level) -> int:
        """The first open slot of a level; one must be open."""
        return next(slot for slot in self.open_slots() if self.slots[slot] == level)

    def dropped(self) -> list[DroppedQuestion]:
        """The rejected drafts for the levels that still have open slots."""
        open_levels = {self.slots[slot] for slot in self.open_slots()}
        attempts = [
            DroppedQuestion(level=rejection.level, text=rejection.text, reason=rejection.reason)
            for rejection in self.rejected
        ]
        missing = open_levels - {rejection.level for rejection in self.rejected}
        unoffered = [
            DroppedQuestion(level=level, text="", reason="No such question was offered.")
            for level in LEVELS
            if level in missing
        ]
        return [attempt for attempt in attempts if attempt.level in open_levels] + unoffered


@dataclass(frozen=True)
class Examiner:
    """Writes questions on five levels for an SOP (paper section 4.1) and keeps those that pass every check."""

    llm: Llm
    embedder: Embedder
    settings: ExamineSettings

    async def examine(self, sop: Sop, corpus: Corpus) -> Examined:
        """Write questions that fit `sop` better than its siblings in `corpus`; rejected drafts are reported."""
        siblings = await asyncio.to_thread(corpus.siblings, sop.id)
        case = QuestionCase(sop, corpus, siblings, self.settings.duplicate)
        desk = _Desk(wanted_levels(self.settings.questions, self.settings.seed, sop.id))
        while desk.open_slots() and desk.rounds <= self.settings.rounds:
            desk.rounds += 1
            drafts = await self._draft(case, desk)
            if not drafts:
                break
            await asyncio.to_thread(self._sort, drafts, case, desk)
        return Examined(
            sop=sop.id,
            wanted=len(desk.slots),
            questions=[desk.questions[slot] for slot in sorted(desk.questions)],
            dropped=desk.dropped(),
            drafts=len(desk.questions) + len(desk.rejected),
            rounds=desk.rounds,
        )

    async def _draft(self, case: QuestionCase, desk: _Desk) -> Sequence[tasks.DraftQuestion]:
        levels = [desk.slots[slot] for slot in desk.open_slots()]
        levels += self._spares(levels)
        ask = tasks.QuestionsAsk(
            title=case.sop.title,
            body=case.sop.body,
            language=case.sop.language,
            siblings=[sibling.title for sibling in case.siblings],
            levels=levels,
            rejected=[*desk.rejected, *self._occupied(desk)],
        )
        return (await self.llm.ask(tasks.QUESTIONS, ask)).questions

    def _spares(self, levels: Sequence[Level]) -> list[Level]:
        """One more of each level that is often refused, which costs less than another request; the rules need none."""
        return [] if self.llm.name == "rules" else [level for level in _OFTEN_REFUSED if level in levels]

    def _occupied(self, desk: _Desk) -> list[tasks.Rejection]:
        """Questions already taken, so that the next attempt does not bring them again."""
        return [
            tasks.Rejection(level=question.level, text=question.text, reason="It is taken already; ask something else.")
            for _, question in sorted(desk.questions.items())
        ]

    def _sort(self, drafts: Sequence[tasks.DraftQuestion], case: QuestionCase, desk: _Desk) -> None:
        """Take each draft that passes and for which a slot is open; write down why the others fail."""
        embedded = list(zip(drafts, self.embedder.embed([draft.text for draft in drafts]), strict=True))
        for draft, vector in sorted(embedded, key=lambda each: ease(each[0], each[1], case)):
            if draft.level in {desk.slots[slot] for slot in desk.open_slots()}:
                self._take(draft, vector, case, desk)

    def _take(self, draft: tasks.DraftQuestion, vector: Vectors, case: QuestionCase, desk: _Desk) -> None:
        reason = fault(draft, vector, case, desk.taken)
        if reason:
            desk.rejected.append(tasks.Rejection(level=draft.level, text=draft.text, reason=reason))
            return
        slot = desk.open_slot(draft.level)
        text = draft.text.strip()
        desk.questions[slot] = Question(
            id=f"{case.sop.id}-q{slot + 1}", sop=case.sop.id, level=draft.level, text=text, evidence=draft.evidence
        )
        desk.taken.append(Taken(text, vector))


def wanted_levels(count: int, seed: int, sop: str) -> list[Level]:
    """`count` levels, distributed evenly; seed and SOP id decide which levels get the remainder."""
    first = int(digest(f"{seed} {sop}")[:8], 16)
    counts = Counter(LEVELS[(first + index) % len(LEVELS)] for index in range(count))
    return [level for level in LEVELS for _ in range(counts[level])]


def ease(draft: tasks.DraftQuestion, vector: Vectors, case: QuestionCase) -> tuple[float, float]:
    """The sort key of drafts: what they quote of the SOP first, since people seldom repeat words side by side.

    Between equals a search phrase is of the least telling words. A sentence is about the topic of its SOP, so its
    nearness to the whole SOP makes up for what it quotes.
    """
    corpus, sop = case.corpus, case.sop
    if draft.level == "keyword":
        return corpus.quotes(draft.text, sop), corpus.shared(draft.text, sop)
    return corpus.quoted(draft.text, sop) - NEARNESS * corpus.topic(vector, sop), 0.0
