"""Rule-based evaluation of a report on the five axes of the reward model, each from 0 to 4.

helpfulness  share of the question's parts that are answered; at most 2 while a part is open
correctness  share of sentences that their quotes support, times the share that is about a part of the question or a
             subtask that a judge asked for
coherence    share of sentences that are self-contained and not repeated
complexity   number of distinct quotes, up to two per part
verbosity    4 between 80 and 900 words, less outside; steps of copied procedures are not counted

A part is answered by a copied procedure whose title is about what the part names, or by a sentence about it, where
these hold the type that the part expects (steps, warnings, a price, a person). So a report fails that is long, well
cited and beside the point.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from soprag.tools.procedure.wording.instructions import directs
from soprag.tools.rules.research.answer_types import AnswerType, answer_type, holds_text
from soprag.tools.rules.research.planning import QuestionPart, parts_of
from soprag.tools.rules.research.subject import equivalent_stems, own_stems
from soprag.tools.rules.research.summarising import leans, same
from soprag.tools.support.checker import SourceExcerpt, check
from soprag.tools.tasks.deepsearch import CitedSentence, JudgeAsk, Marks
from soprag.tools.text.language import detect
from soprag.tools.text.terms import terms

_FEW, _MANY = 80, 900  # words
_STEPS = 3  # steps or instructions that answer how something is done
_ABOUT = 0.5  # more than this share of the stems of a part are covered by a sentence that answers it
_TOPIC = 0.34  # the same, of the title of a copied procedure, and of a sentence that is on topic
_NEAR = 2  # sentences of a procedure that stand together
_STEM = 5  # letters of stems of which one may begin the other
_NEW = 4  # stems beyond the question's in a sentence that says how something is done without steps
_PROCEDURES = 2  # that a comparison is made of
_OPEN = 2.0  # most helpfulness while a part is open
_COPIED = ("step", "item", "code", "warning", "row")


@dataclass(frozen=True)
class _Group:
    """The sentences of one copied procedure under its title, or a single other sentence under none."""

    sentences: tuple[CitedSentence, ...]
    title: frozenset[str]


def judge(ask: JudgeAsk) -> Marks:
    """The marks, feedback sentences, and a query for each part of the question that nobody has looked for."""
    parts = parts_of(ask.question)
    groups = _groups(ask.sentences)
    answered = [_found(ask, part) and _answered(groups, part) for part in parts]
    supported = [_is_supported(sentence, ask.question) for sentence in ask.sentences]
    quotes = {quote for sentence in ask.sentences for quote in sentence.quotes}
    words = sum(len(one.text.split()) for one in ask.sentences if one.kind not in _COPIED)
    copied = any(one.kind in _COPIED for one in ask.sentences)
    topical = _topical(groups, [*parts, *(QuestionPart(one.query) for one in ask.subtasks)])
    return Marks(
        helpfulness=4 * _share(answered) if all(answered) else min(_OPEN, 4 * _share(answered)),
        correctness=4 * _share(supported) * topical,
        coherence=4 * _share(_clear(ask.sentences)),
        complexity=4 * min(1.0, len(quotes) / (2 * len(parts))),
        verbosity=4 * min(1.0, 1.0 if copied else words / _FEW, _MANY / max(words, 1)),
        feedback=list(_feedback(ask, parts, answered, supported, topical))[:8],
        missing=_missing(ask, parts, answered),
        unanswered=[part.query[:200] for part, fine in zip(parts, answered, strict=True) if not fine][:8],
    )


def _is_supported(sentence: CitedSentence, question: str) -> bool:
    return check(sentence.text, SourceExcerpt("\n\n".join(sentence.quotes), sentence.heading), question).supported


def _groups(sentences: Sequence[CitedSentence]) -> list[_Group]:
    """The copied procedures by their title; every other sentence alone."""
    copied: dict[str, list[CitedSentence]] = {}
    for sentence in sentences:
        if sentence.kind in _COPIED and sentence.heading:
            copied.setdefault(sentence.heading, []).append(sentence)
    alone = [_Group((one,), frozenset()) for one in sentences if one.heading not in copied]
    return [
        *(_Group(tuple(group), frozenset(terms(title.replace("-", " ")))) for title, group in copied.items()),
        *alone,
    ]


def _found(ask: JudgeAsk, part: QuestionPart) -> bool:
    """Whether the subtask that looked for this part found something; true when no subtask is recognised."""
    status = {subtask.query: subtask.status for subtask in ask.subtasks}
    return status.get(_nearest(part.query, status), "done") == "done"


def _nearest(query: str, queries: Iterable[str]) -> str:
    """The one of `queries` with most words of the query; empty when none has half of them."""
    stems = set(terms(query))
    shares = {one: len(stems & set(terms(one))) / len(stems | set(terms(one)) | {""}) for one in queries}
    best = max(shares, key=lambda one: shares[one], default="")
    return best if shares.get(best, 0.0) >= _ABOUT else ""


def _answered(groups: Sequence[_Group], part: QuestionPart) -> bool:
    """Whether a procedure about what the part names, or a sentence about it, is of the type that the part expects.

    Sentences that were found for another part do not count, and of the others at least half must be about this one.
    """
    kind = answer_type(part.query)
    procedures = [group for group in groups if group.title and _is_about(part, group)]
    if kind == "comparison" and len(procedures) < _PROCEDURES:
        return False
    least = _STEPS if kind == "procedure" else 1
    if any(sum(_is_answer(one, kind, part) for one in group.sentences) >= least for group in procedures):
        return True
    alone = [group for group in groups if not group.title]
    query = _nearest(part.query, {group.sentences[0].part for group in alone})
    alone = [group for group in alone if group.sentences[0].part == query] if query else alone
    about = sum(_is_about(part, group) for group in alone)
    return about >= _ABOUT * len(alone) and sum(_says(group.sentences[0], part, kind) for group in alone) >= least


def _is_about(part: QuestionPart, group: _Group) -> bool:
    """Whether a title, sentences that stand together, or one with the words above it name what the part names."""
    if group.title:
        stems = [frozenset(terms(one.text)) for one in group.sentences]
        near = (group.title.union(*stems[start : start + _NEAR]) for start in range(len(stems)))
        return _coverage(part, group.title) >= _TOPIC or any(_coverage(part, words) == 1.0 for words in near)
    return _coverage(part, frozenset(terms(f"{group.sentences[0].heading} {group.sentences[0].text}"))) >= _TOPIC


def _says(sentence: CitedSentence, part: QuestionPart, kind: AnswerType) -> bool:
    """Whether a single sentence answers the part; how something is done is said by an instruction with new words."""
    stems = frozenset(terms(f"{sentence.heading} {sentence.text}"))
    if kind == "procedure":
        new = stems - set(terms(part.query))
        return _coverage(part, stems) == 1.0 and len(new) >= _NEW and directs(sentence.text, detect(sentence.text))
    return _coverage(part, stems) > _ABOUT and _is_answer(sentence, kind, part)


def _is_answer(sentence: CitedSentence, kind: AnswerType, part: QuestionPart) -> bool:
    return holds_text(sentence.text, sentence.heading, sentence.kind, kind, part.query)


def _coverage(part: QuestionPart, stems: frozenset[str]) -> float:
    """The share of the content stems of a part that occur among `stems`, by themselves or by a related one."""
    expected = own_stems(part.query) or set(terms(part.query))
    met = [bool(equivalent_stems(stem) & stems) or _derived(stem, stems) for stem in expected]
    return sum(met) / max(len(expected), 1)


def _derived(stem: str, stems: frozenset[str]) -> bool:
    """Whether one of `stems` is longer or shorter by an ending only: recov(er), recoveri (recovery)."""
    return any(min(len(stem), len(one)) >= _STEM and (one.startswith(stem) or stem.startswith(one)) for one in stems)


def _topical(groups: Sequence[_Group], parts: Sequence[QuestionPart]) -> float:
    """The share of sentences that are about a part of the question, by their words or the title they stand under."""
    about = sum(len(group.sentences) for group in groups if any(_is_about(part, group) for part in parts))
    return about / max(sum(len(group.sentences) for group in groups), 1)


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
