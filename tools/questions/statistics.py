"""A set of questions as a whole: word overlap with the procedures, sentences that several questions have."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence

from soprag.tools.sop import Sop, digest
from soprag.tools.store.run_records import DroppedQuestion, Examined
from soprag.tools.text.sentences import sentences
from soprag.tools.text.stop_words import SMALL
from soprag.tools.text.terms import terms
from soprag.tools.text.words import normalised

JudgedQuestion = tuple[str, str, str, Mapping[str, int]]  # id, text, level, and the SOPs that answer it


def fingerprint(sops: Sequence[Sop], questions: Sequence[JudgedQuestion]) -> str:
    """The SHA-256 of the texts and judgements of a benchmark; the order of both counts."""
    corpus = [(sop.id, sop.title, sop.body) for sop in sops]
    return digest(json.dumps([corpus, list(questions)], ensure_ascii=False))


def overlap(question: str, title: str, text: str) -> float:
    """The share, 0 to 1, of the content words of `question` that title or text of its SOP have too."""
    stems = set(terms(question, SMALL))
    return len(stems & set(terms(f"{title} {text}"))) / max(len(stems), 1)


def repeated_sentences(texts: Sequence[str]) -> list[tuple[int, int]]:
    """For each text the number of its sentences, and how many of them another text has or the same text has again."""
    split = [_sentences(text) for text in texts]
    counts = Counter(sentence for each in split for sentence in each)
    return [(len(each), sum(counts[sentence] > 1 for sentence in each)) for each in split]


def without_repeats(examined: Sequence[Examined]) -> list[Examined]:
    """The questions of a set without those that have a sentence of an earlier question; these become dropped ones.

    SOPs are examined at the same time and do not see each other's questions, so that this is decided at the end, in the
    order of the SOPs: the same items always give the same set.
    """
    taken: set[str] = set()
    return [_without(each, taken) for each in examined]


def _without(examined: Examined, taken: set[str]) -> Examined:
    questions, dropped = [], list(examined.dropped)
    for question in examined.questions:
        own = _sentences(question.text)
        repeated = next((sentence for sentence in own if sentence in taken), "")
        if repeated:
            reason = f"Another question of the set has the sentence {repeated!r}."
            dropped.append(DroppedQuestion(level=question.level, text=question.text, reason=reason))
        else:
            questions.append(question)
            taken.update(own)
    return examined.model_copy(update={"questions": questions, "dropped": dropped})


def _sentences(text: str) -> list[str]:
    return [normalised(sentence) for sentence in sentences(text)]
