"""Rule-based evaluation of a report on the five axes of the reward model, each from 0 to 4.

helpfulness  share of each facet's stems that the report covers, and share of subtasks with results
correctness  share of sentences supported by their quotes, in words and in all numbers
coherence    share of sentences that are self-contained and not repeated
complexity   number of distinct quotes, up to two per subtask
verbosity    4 between 80 and 900 words, less outside
"""

from soprag.tools.research.support import stands_on
from soprag.tools.rules.research.planning import facets
from soprag.tools.rules.research.subject import equivalent_stems, wanted
from soprag.tools.rules.research.summarising import leans, same
from soprag.tools.tasks.deepsearch import CitedSentence, JudgeAsk, Marks
from soprag.tools.text.terms import terms

_MARKS = "?!.,;:()\"'"
_FEW, _MANY = 80, 900  # words


def judge(ask: JudgeAsk) -> Marks:
    """The marks, feedback sentences, and a query for the uncovered part of the question."""
    report_stems = {stem for sentence in ask.sentences for stem in terms(sentence.text)}
    uncovered = [stem for stem in wanted(ask.question) if not equivalent_stems(stem) & report_stems]
    finished = [subtask.status == "done" for subtask in ask.subtasks]
    supported = [stands_on(sentence.text, sentence.quotes, ask.question) for sentence in ask.sentences]
    quotes = {quote for sentence in ask.sentences for quote in sentence.quotes}
    word_count = sum(len(sentence.text.split()) for sentence in ask.sentences)
    return Marks(
        helpfulness=4 * (0.7 * _taken(ask.question, report_stems) + 0.3 * _share(finished)),
        correctness=4 * _share(supported),
        coherence=4 * _share(_clear(ask.sentences)),
        complexity=4 * min(1.0, len(quotes) / (2 * max(len(ask.subtasks), 1))),
        verbosity=4 * min(1.0, word_count / _FEW, _MANY / max(word_count, 1)),
        feedback=list(_feedback(ask, uncovered, supported, word_count))[:8],
        missing=_missing(ask, uncovered),
    )


def _taken(question: str, report_stems: set[str]) -> float:
    """The mean coverage of the question's facets: the share of each facet's distinctive stems in the report."""
    parts = [set(wanted(part)) for part in facets(question)]
    shares = []
    for part in parts:
        distinctive = {stem for stem in part if sum(stem in facet for facet in parts) == 1} or part
        met = sum(bool(equivalent_stems(stem) & report_stems) for stem in distinctive)
        shares.append(met / len(distinctive) if distinctive else 1.0)
    return sum(shares) / len(shares)


def _clear(sentences: list[CitedSentence]) -> list[bool]:
    clear = []
    for index, sentence in enumerate(sentences):
        repeats = sum(1 for earlier in sentences[:index] if same(sentence.text, earlier.text))
        # The summary repeats a sentence of a section; a third occurrence counts as repetition.
        clear.append(repeats < 2 and not leans(sentence.text))
    return clear


def _share(flags: list[bool]) -> float:
    return sum(flags) / len(flags) if flags else 0.0


def _feedback(ask: JudgeAsk, uncovered: list[str], supported: list[bool], word_count: int) -> list[str]:
    feedback = []
    if uncovered:
        feedback.append(f"The report does not take up: {', '.join(_as_asked(ask.question, uncovered))}.")
    feedback += [
        f"Its quotes do not carry this sentence: {sentence.text[:160]!r}."
        for sentence, fine in zip(ask.sentences, supported, strict=True)
        if not fine
    ]
    feedback += [
        f"Nothing was found for {subtask.query[:160]!r} ({subtask.status})."
        for subtask in ask.subtasks
        if subtask.status != "done"
    ]
    if word_count > _MANY:
        feedback.append(f"It has {word_count} words; {_MANY} are enough.")
    return feedback


def _missing(ask: JudgeAsk, uncovered: list[str]) -> list[str]:
    """A query of the question's uncovered words, anchored by up to three covered ones; empty when all are covered."""
    if not uncovered:
        return []
    question_stems = set(wanted(ask.question))
    anchor = [
        word.strip(_MARKS) for word in ask.question.split() if set(terms(word)) & (question_stems - set(uncovered))
    ][:3]
    return [" ".join([*anchor, *_as_asked(ask.question, uncovered)])]


def _as_asked(question: str, selected: list[str]) -> list[str]:
    """The words of the question whose stems are in `selected`."""
    selected_set = set(selected)
    return [word.strip(_MARKS) for word in question.split() if set(terms(word)) & selected_set]
