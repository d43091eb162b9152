"""Rule-based evaluation of a report on the five axes of the reward model, each from 0 to 4.

helpfulness  share of the question's parts that are answered; at most 2 while a part is open
correctness  share of sentences that their quotes support, times the share that is about a part of the question
coherence    share of sentences that are self-contained and not repeated
complexity   number of distinct quotes, up to two per part
verbosity    4 between 80 and 900 words, less outside; steps of copied procedures are not counted

A part is answered when sentences of the type it expects (steps, warnings, a price, a person), from one procedure or
section, are about what it names. So a report fails that is long, well cited and beside the point.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from soprag.tools.procedure.instructions import directs
from soprag.tools.research.support import stands_on
from soprag.tools.rules.research.answer_types import answer_type, holds_text
from soprag.tools.rules.research.planning import QuestionPart, parts_of
from soprag.tools.rules.research.subject import equivalent_stems, own_stems
from soprag.tools.rules.research.summarising import leans, same
from soprag.tools.tasks.deepsearch import CitedSentence, JudgeAsk, Marks
from soprag.tools.text.language import detect
from soprag.tools.text.terms import terms

_FEW, _MANY = 80, 900  # words
_STEPS = 3  # steps that answer how something is done
_ABOUT = 0.5  # share of the stems of a part that its answer covers
_PROSE = 0.75  # the same, of a single sentence that says how something is done without steps
_TOPIC = 0.34  # the same, for a sentence that is on topic
_OPEN = 2.0  # most helpfulness while a part is open
_COPIED = ("step", "item", "code", "warning", "row")


@dataclass(frozen=True)
class _Group:
    """Sentences of one procedure or section of the report."""

    sentences: tuple[CitedSentence, ...]
    stems: frozenset[str]


def judge(ask: JudgeAsk) -> Marks:
    """The marks, feedback sentences, and a query for each part of the question that nobody has looked for."""
    parts = parts_of(ask.question)
    groups = _groups(ask.sentences)
    answered = [any(_answers(group, part) for group in groups) for part in parts]
    supported = [stands_on(sentence.text, sentence.quotes, ask.question) for sentence in ask.sentences]
    quotes = {quote for sentence in ask.sentences for quote in sentence.quotes}
    words = sum(len(one.text.split()) for one in ask.sentences if one.kind not in _COPIED)
    copied = any(one.kind in _COPIED for one in ask.sentences)
    topical = _topical(groups, parts)
    return Marks(
        helpfulness=4 * _share(answered) if all(answered) else min(_OPEN, 4 * _share(answered)),
        correctness=4 * _share(supported) * topical,
        coherence=4 * _share(_clear(ask.sentences)),
        complexity=4 * min(1.0, len(quotes) / (2 * len(parts))),
        verbosity=4 * min(1.0, 1.0 if copied else words / _FEW, _MANY / max(words, 1)),
        feedback=list(_feedback(ask, parts, answered, supported, topical))[:8],
        missing=_missing(ask, parts, answered),
    )


def _groups(sentences: Sequence[CitedSentence]) -> list[_Group]:
    """The sentences by the heading they stand under."""
    by_heading: dict[str, list[CitedSentence]] = {}
    for sentence in sentences:
        by_heading.setdefault(sentence.heading, []).append(sentence)
    return [
        _Group(tuple(group), frozenset(terms(" ".join([heading, *(one.text for one in group)]))))
        for heading, group in by_heading.items()
    ]


def _answers(group: _Group, part: QuestionPart) -> bool:
    """Whether the group covers what the part names, with sentences of the type that it expects."""
    kind = answer_type(part.query)
    if _coverage(part, group.stems) < _ABOUT:
        return False
    fitting = [one for one in group.sentences if _is_answer(one, kind)]
    if kind == "procedure" and len(fitting) < _STEPS:
        return any(_coverage(part, frozenset(terms(one.text))) >= _PROSE for one in group.sentences)
    return bool(fitting)


def _is_answer(sentence: CitedSentence, kind: str) -> bool:
    if kind == "procedure":
        return sentence.kind in ("step", "item", "code") or directs(sentence.text, detect(sentence.text))
    return holds_text(sentence.text, sentence.heading, sentence.kind, kind)  # type: ignore[arg-type]


def _coverage(part: QuestionPart, stems: frozenset[str]) -> float:
    """The share of the content stems of a part that occur among `stems`, by themselves or by a related one."""
    expected = own_stems(part.query) or set(terms(part.query))
    return sum(bool(equivalent_stems(stem) & stems) for stem in expected) / max(len(expected), 1)


def _topical(groups: Sequence[_Group], parts: Sequence[QuestionPart]) -> float:
    """The share of sentences in groups that are about a part of the question."""
    total = sum(len(group.sentences) for group in groups)
    about = sum(
        len(group.sentences) for group in groups if any(_coverage(part, group.stems) >= _TOPIC for part in parts)
    )
    return about / total if total else 0.0


def _clear(sentences: list[CitedSentence]) -> list[bool]:
    clear = []
    statements = [sentence for sentence in sentences if sentence.kind not in _COPIED]
    for index, sentence in enumerate(statements):
        repeats = sum(1 for earlier in statements[:index] if same(sentence.text, earlier.text))
        # The summary repeats a sentence of a section; a third occurrence counts as repetition.
        clear.append(repeats < 2 and not leans(sentence.text))
    return clear or [True] * bool(sentences)


def _share(flags: list[bool]) -> float:
    return sum(flags) / len(flags) if flags else 0.0


def _feedback(
    ask: JudgeAsk, parts: list[QuestionPart], answered: list[bool], supported: list[bool], topical: float
) -> list[str]:
    feedback = [f"Not answered: {part.query[:200]!r}." for part, fine in zip(parts, answered, strict=True) if not fine]
    feedback += [
        f"Its quotes do not carry this sentence: {sentence.text[:160]!r}."
        for sentence, fine in zip(ask.sentences, supported, strict=True)
        if not fine
    ]
    if topical < _ABOUT and ask.sentences:
        feedback.append(f"Only {topical:.0%} of the sentences are about the question.")
    feedback += [
        f"Nothing was found for {subtask.query[:160]!r} ({subtask.status})."
        for subtask in ask.subtasks
        if subtask.status != "done"
    ]
    return feedback


def _missing(ask: JudgeAsk, parts: list[QuestionPart], answered: list[bool]) -> list[str]:
    """The parts that are not answered and that no subtask has looked for."""
    searched = [set(terms(subtask.query)) for subtask in ask.subtasks]
    return [
        part.query
        for part, fine in zip(parts, answered, strict=True)
        if not fine and not any(own_stems(part.query) <= stems for stems in searched)
    ][:3]
