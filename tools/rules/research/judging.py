"""Rule-based evaluation of a report on the five axes of the reward model, each from 0 to 4.

helpfulness  share of the question's parts that are answered; at most 2 while a part is open
correctness  share of sentences that their quotes support, times the share that is about a part of the question
coherence    share of sentences that are self-contained and not repeated
complexity   number of distinct quotes, up to two per part
verbosity    4 between 80 and 900 words, less outside; steps of copied procedures are not counted

A part is answered by a copied procedure whose title is about what the part names, or by a sentence about it, where
these hold the type that the part expects (steps, warnings, a price, a person). So a report fails that is long, well
cited and beside the point.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from soprag.tools.rules.research.answer_types import AnswerType, answer_type, holds_text
from soprag.tools.rules.research.planning import QuestionPart, parts_of
from soprag.tools.rules.research.subject import equivalent_stems, own_stems
from soprag.tools.rules.research.summarising import leans, same
from soprag.tools.support.checker import SourceExcerpt, check
from soprag.tools.tasks.deepsearch import CitedSentence, JudgeAsk, Marks
from soprag.tools.text.terms import terms

_FEW, _MANY = 80, 900  # words
_STEPS = 3  # steps that answer how something is done
_ABOUT = 0.5  # share of the stems of a part that a sentence covers which answers it
_TOPIC = 0.34  # the same, of the title of a copied procedure, and of a sentence that is on topic
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
    stems = set(terms(part.query))
    shares = [(len(stems & set(terms(one.query))) / len(stems | set(terms(one.query)) | {""}), one.status == "done")
              for one in ask.subtasks]  # fmt: skip
    nearest = max(shares, default=(0.0, True), key=lambda pair: pair[0])
    return nearest[1] or nearest[0] < _ABOUT


def _answered(groups: Sequence[_Group], part: QuestionPart) -> bool:
    """Whether a procedure about what the part names, or a sentence about it, is of the type that the part expects."""
    kind = answer_type(part.query)
    procedures = [group for group in groups if group.title and _coverage(part, group.title) >= _TOPIC]
    if kind == "comparison" and len(procedures) < _PROCEDURES:
        return False
    least = _STEPS if kind == "procedure" else 1
    if any(sum(_is_answer(one, kind) for one in group.sentences) >= least for group in procedures):
        return True
    return any(_says(group.sentences[0], part, kind) for group in groups if not group.title)


def _says(sentence: CitedSentence, part: QuestionPart, kind: AnswerType) -> bool:
    """Whether a single sentence answers the part; how something is done takes more than the words of the question."""
    stems = frozenset(terms(f"{sentence.heading} {sentence.text}"))
    if kind == "procedure":
        return _coverage(part, stems) == 1.0 and len(stems - set(terms(part.query))) >= _NEW
    return _coverage(part, stems) >= _ABOUT and _is_answer(sentence, kind)


def _is_answer(sentence: CitedSentence, kind: AnswerType) -> bool:
    return holds_text(sentence.text, sentence.heading, sentence.kind, kind)


def _coverage(part: QuestionPart, stems: frozenset[str]) -> float:
    """The share of the content stems of a part that occur among `stems`, by themselves or by a related one."""
    expected = own_stems(part.query) or set(terms(part.query))
    return sum(bool(equivalent_stems(stem) & stems) for stem in expected) / max(len(expected), 1)


def _topical(groups: Sequence[_Group], parts: Sequence[QuestionPart]) -> float:
    """The share of sentences that are about a part of the question, by their words or the title they stand under."""
    about = total = 0
    for group in groups:
        words = group.title or frozenset(terms(f"{group.sentences[0].heading} {group.sentences[0].text}"))
        total += len(group.sentences)
        about += len(group.sentences) * any(_coverage(part, words) >= _TOPIC for part in parts)
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
