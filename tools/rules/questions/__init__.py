"""Questions by rule: an SOP's own structure and words, turned into what an operator would ask.

Reading (`material`), grammar (`clauses`, `verbs`, `speech`), everyday words (`everyday`), frames (`phrases`, `forms`) and
search phrases (`terms`) each have their file. More candidates are made than are wanted, the best first.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random

from tools.llm.tasks.benchmark import DraftQuestion, DraftQuestions, QuestionsAsk
from tools.questions.checks import text_fault
from tools.questions.words import normalised
from tools.rules.questions import forms
from tools.rules.questions.forms import Candidate, Voice
from tools.rules.questions.material import Material, gather
from tools.rules.questions.terms import phrases
from tools.sop import Level, digest

SPARE = 6  # candidates handed over for each question that is wanted


def write(ask: QuestionsAsk) -> DraftQuestions:
    """Candidates for every wanted level; what was rejected before is not brought again."""
    material = gather(ask.title, ask.body)
    tried = {normalised(one.text) for one in ask.rejected}
    drafts: list[DraftQuestion] = []
    for level, count in Counter(ask.levels).items():
        fresh = (one for one in _sound(ask, level, material) if normalised(one.text) not in tried)
        drafts += islice(fresh, count * SPARE)
    return DraftQuestions(questions=drafts)


def _sound(ask: QuestionsAsk, level: Level, material: Material) -> Iterator[DraftQuestion]:
    """The candidates of a level that pass the checks which need nothing but the SOP itself."""
    seen: set[str] = set()
    for one in _candidates(level, material, digest(f"{ask.title} {ask.body}")):
        if min(len(one.text), len(one.evidence)) < 3 or normalised(one.text) in seen:
            continue
        seen.add(normalised(one.text))
        draft = DraftQuestion(level=level, text=one.text, evidence=one.evidence)
        if not text_fault(draft, ask):
            yield draft


def _candidates(level: Level, material: Material, seed: str) -> Iterator[Candidate]:
    voice = Voice(Random(f"{seed} {level}"), far=level != "direct")
    if level == "keyword":
        evidence = _evidence(material)
        return (Candidate(text, evidence) for text in phrases(material))
    return {
        "direct": forms.direct,
        "symptom": forms.symptom,
        "scenario": forms.scenario,
        "conditional": forms.conditional,
    }[level](material, voice)


def _evidence(material: Material) -> str:
    """The sentence that says most of what the SOP is about: a search phrase is answered by the whole of it."""
    return max(material.sentences, key=lambda said: material.weight(said.text)).evidence if material.sentences else ""
