"""Rule-based question generation: operator questions from the structure and the sentences of an SOP.

`spoken_sentences` extracts sentences, `clauses`, `actions` and `verbs` hold the grammar, `observations` takes states
from the causal view and conditions and ranges from the procedure reader, `material` gathers all of it, `forms` makes
sentences of it with `circumstances`, and `terms` makes search phrases. A level for which the SOP states nothing gets no
candidate.
More candidates are generated than requested; those that fail the checks that need only the SOP are dropped.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from random import Random

from soprag.tools.questions.checks import text_fault
from soprag.tools.rules.questions.candidates import QuestionCandidate
from soprag.tools.rules.questions.forms import SPOKEN
from soprag.tools.rules.questions.material import QuestionMaterial, gather
from soprag.tools.rules.questions.other_languages import asked_abroad
from soprag.tools.rules.questions.terms import Terms
from soprag.tools.sop import Level, digest
from soprag.tools.tasks.benchmark import DraftQuestion, DraftQuestions, QuestionsAsk
from soprag.tools.text.words import normalised

SPARE = 12  # candidates returned per requested question


def write(ask: QuestionsAsk, draw: int = 0) -> DraftQuestions:
    """Candidates for every requested level, best first; rejected questions are not repeated.

    Another `draw` makes other random choices, to measure how much depends on them; the product has draw 0.
    """
    material = gather(ask.title, ask.body, ask.language)
    drafts: list[DraftQuestion] = []
    for level, count in Counter(ask.levels).items():
        seed = digest(f"{f'{draw} ' if draw else ''}{ask.title} {ask.body} {level}")
        drafts += _best(_sound(ask, level, material, Random(seed)), count)
    return DraftQuestions(questions=drafts)


def _best(candidates: Iterator[tuple[int, DraftQuestion]], count: int) -> list[DraftQuestion]:
    """The candidates of the lowest ranks that suffice; higher ranks are used only when lower ones are too few."""
    by_rank: dict[int, list[DraftQuestion]] = defaultdict(list)
    for rank, draft in candidates:
        by_rank[rank].append(draft)
        if len(by_rank[0]) == count * SPARE:
            break
    chosen: list[DraftQuestion] = []
    for rank in sorted(by_rank):
        if len(chosen) < count:
            chosen += by_rank[rank]
    return chosen[: count * SPARE]


def _sound(
    ask: QuestionsAsk, level: Level, material: QuestionMaterial, random: Random
) -> Iterator[tuple[int, DraftQuestion]]:
    """The new candidates of a level that pass the checks, with their ranks."""
    used = {normalised(question.text) for question in ask.rejected}
    for candidate in _candidates(ask, level, material, random):
        if min(len(candidate.text), len(candidate.evidence)) < 3 or normalised(candidate.text) in used:
            continue
        used.add(normalised(candidate.text))
        draft = DraftQuestion(level=level, text=candidate.text, evidence=candidate.evidence)
        if not text_fault(draft, ask):
            yield candidate.rank, draft


def _candidates(
    ask: QuestionsAsk, level: Level, material: QuestionMaterial, random: Random
) -> Iterator[QuestionCandidate]:
    if level == "keyword":
        return (QuestionCandidate(text, material.gist, rank) for text, rank in Terms(material).phrases(random))
    if ask.language != "en":
        return asked_abroad(ask.language, level, material.sentences)
    return SPOKEN[level](material, random)
