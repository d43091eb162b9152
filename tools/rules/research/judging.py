"""A judgement by rule: what can be counted about a report, on the five axes of the reward model (0 to 4).

helpfulness  how many words of each part of the question the report takes up, and how many subtasks found something
correctness  how many sentences stand on their quotes, by their words and all of their numbers
coherence    how many sentences can be understood alone and are not said twice
complexity   how many different quotes there are, up to two for every subtask
verbosity    4 between 80 and 900 words, less outside
"""

from tools.llm.tasks.deepsearch import Cited, JudgeAsk, Marks
from tools.questions.words import stems
from tools.research.grounds import stands_on
from tools.rules.research.asking import kin, wanted
from tools.rules.research.planning import facets
from tools.rules.research.summarising import leans, same

_MARKS = "?!.,;:()\"'"
_FEW, _MANY = 80, 900  # words


def judge(ask: JudgeAsk) -> Marks:
    """The marks, and for what the report leaves open a sentence of feedback and a query."""
    said = {stem for sentence in ask.sentences for stem in stems(sentence.text)}
    left = [stem for stem in wanted(ask.question) if not kin(stem) & said]
    found = [one.status == "done" for one in ask.subtasks]
    supported = [stands_on(one.text, one.quotes, ask.question) for one in ask.sentences]
    quotes = {quote for one in ask.sentences for quote in one.quotes}
    words = sum(len(one.text.split()) for one in ask.sentences)
    return Marks(
        helpfulness=4 * (0.7 * _taken(ask.question, said) + 0.3 * _share(found)),
        correctness=4 * _share(supported),
        coherence=4 * _share(_clear(ask.sentences)),
        complexity=4 * min(1.0, len(quotes) / (2 * max(len(ask.subtasks), 1))),
        verbosity=4 * min(1.0, words / _FEW, _MANY / max(words, 1)),
        feedback=list(_feedback(ask, left, supported, words))[:8],
        missing=_missing(ask, left),
    )


def _taken(question: str, said: set[str]) -> float:
    """The mean over the parts of the question of how many of its own words the report has."""
    parts = [set(wanted(part)) for part in facets(question)]
    shares = []
    for part in parts:
        own = {stem for stem in part if sum(stem in other for other in parts) == 1} or part
        shares.append(sum(bool(kin(stem) & said) for stem in own) / len(own) if own else 1.0)
    return sum(shares) / len(shares)


def _clear(sentences: list[Cited]) -> list[bool]:
    clear = []
    for place, one in enumerate(sentences):
        again = sum(1 for other in sentences[:place] if same(one.text, other.text))
        # The summary says once more what a section says; a third time is too often.
        clear.append(again < 2 and not leans(one.text))
    return clear


def _share(found: list[bool]) -> float:
    return sum(found) / len(found) if found else 0.0


def _feedback(ask: JudgeAsk, left: list[str], supported: list[bool], words: int) -> list[str]:
    said = []
    if left:
        said.append(f"The report does not take up: {', '.join(_as_asked(ask.question, left))}.")
    said += [
        f"Its quotes do not carry this sentence: {one.text[:160]!r}."
        for one, fine in zip(ask.sentences, supported, strict=True)
        if not fine
    ]
    said += [
        f"Nothing was found for {one.query[:160]!r} ({one.status})." for one in ask.subtasks if one.status != "done"
    ]
    if words > _MANY:
        said.append(f"It has {words} words; {_MANY} are enough.")
    return said


def _missing(ask: JudgeAsk, left: list[str]) -> list[str]:
    """The question once more, cut down to what is open."""
    if not left:
        return []
    asked = set(wanted(ask.question))
    anchor = [word.strip(_MARKS) for word in ask.question.split() if set(stems(word)) & (asked - set(left))][:3]
    return [" ".join([*anchor, *_as_asked(ask.question, left)])]


def _as_asked(question: str, left: list[str]) -> list[str]:
    """The words of the question that these stems belong to."""
    wanted = set(left)
    return [word.strip(_MARKS) for word in question.split() if set(stems(word)) & wanted]
