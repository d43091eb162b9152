"""BLEU and ROUGE-L equal those of sacrebleu and rouge-score."""

import random

import pytest
import sacrebleu
from rouge_score import rouge_scorer

from soprag.tools.evaluation.text_overlap import bleu, exact_match, rouge_l

TEXT = 'the pump P-101 feeds tank, T-4. 3.5 bar & 20-30 % "open" (valve) don\'t stop; 1,000 m3/h &quot;x&quot; a-b'
WORDS = TEXT.split()


def samples(seed: int) -> tuple[list[str], list[str]]:
    chance = random.Random(seed)
    references = [" ".join(chance.choices(WORDS, k=chance.randint(5, 15))) for _ in range(12)]
    texts = [
        " ".join(word if chance.random() < 0.7 else chance.choice(WORDS) for word in reference.split())
        for reference in references
    ]
    return texts, references


@pytest.mark.parametrize("seed", range(8))
def test_bleu_is_that_of_sacrebleu(seed: int) -> None:
    texts, references = samples(seed)
    assert bleu(texts, references) == pytest.approx(sacrebleu.corpus_bleu(texts, [references]).score, abs=1e-6)


def test_bleu_smooths_as_sacrebleu_does() -> None:
    texts, references = ["alpha beta gamma delta"], ["delta alpha gamma beta epsilon"]
    assert bleu(texts, references) == pytest.approx(sacrebleu.corpus_bleu(texts, [references]).score, abs=1e-6)
    assert bleu(["one two three four"], ["five six seven eight"]) == 0.0


@pytest.mark.parametrize("seed", range(8))
def test_rouge_l_is_that_of_rouge_score(seed: int) -> None:
    texts, references = samples(seed)
    scorer = rouge_scorer.RougeScorer(["rougeL"])
    pairs = zip(texts, references, strict=True)
    expected = [scorer.score(reference, text)["rougeL"].fmeasure for text, reference in pairs]
    assert rouge_l(texts, references) == pytest.approx(sum(expected) / len(expected), abs=1e-6)


def test_an_exact_match_ignores_case_articles_and_punctuation() -> None:
    assert exact_match(["The pump P-101.", "a valve"], ["pump p-101", "the tank"]) == 0.5
