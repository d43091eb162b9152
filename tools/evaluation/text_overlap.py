"""BLEU, ROUGE-L and exact match of texts against references, as paper 002 reports them.

BLEU is that of sacrebleu (tokenisation 13a, exponential smoothing), ROUGE-L that of rouge-score without a stemmer; the
tests hold both to 1e-6.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from statistics import fmean

_ORDER = 4  # longest n-gram of BLEU
_SPLIT_13A = (
    (re.compile(r"([\{-\~\[-\` -\&\(-\+\:-\@\/])"), r" \1 "),
    (re.compile(r"([^0-9])([\.,])"), r"\1 \2 "),
    (re.compile(r"([\.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_ALPHANUMERIC = re.compile(r"[^a-z0-9]+")
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_PUNCTUATION = re.compile(r"[^\w\s]")


def bleu(texts: Sequence[str], references: Sequence[str]) -> float:
    """Corpus BLEU in [0, 100], one reference for each text."""
    correct, total = [0] * _ORDER, [0] * _ORDER
    length, wanted = 0, 0
    for text, reference in zip(texts, references, strict=True):
        tokens, target = _tokens_13a(text), _tokens_13a(reference)
        length, wanted = length + len(tokens), wanted + len(target)
        for order in range(1, _ORDER + 1):
            counts = _ngrams(tokens, order)
            correct[order - 1] += sum((counts & _ngrams(target, order)).values())
            total[order - 1] += sum(counts.values())
    if not any(correct) or not all(total):
        return 0.0
    brevity = 1.0 if length >= wanted else math.exp(1 - wanted / length)
    return brevity * math.exp(fmean(math.log(precision) for precision in _precisions(correct, total)))


def rouge_l(texts: Sequence[str], references: Sequence[str]) -> float:
    """The mean F of ROUGE-L (β = 1) in [0, 1], by the longest common subsequence of words."""
    return fmean(_rouge_l(_words(text), _words(reference)) for text, reference in zip(texts, references, strict=True))


def exact_match(texts: Sequence[str], references: Sequence[str]) -> float:
    """The share of texts that equal their reference apart from case, punctuation, articles and spaces."""
    pairs = zip(texts, references, strict=True)
    return fmean(float(_normal(text) == _normal(reference)) for text, reference in pairs)


def _precisions(correct: Sequence[int], total: Sequence[int]) -> list[float]:
    """In per cent; an order without a match counts as half, a quarter, ... of one match."""
    share, precisions = 1.0, []
    for matches, count in zip(correct, total, strict=True):
        if not matches:
            share /= 2
        precisions.append(100 * (matches or share) / count)
    return precisions


def _tokens_13a(text: str) -> list[str]:
    line = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, sign in _ENTITIES:
        line = line.replace(entity, sign)
    line = f" {line} "
    for pattern, replacement in _SPLIT_13A:
        line = pattern.sub(replacement, line)
    return line.split()


def _ngrams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(islice(tokens, start, None) for start in range(order)), strict=False))


def _rouge_l(tokens: Sequence[str], target: Sequence[str]) -> float:
    if not tokens or not target:
        return 0.0
    common = _longest_common(tokens, target)
    precision, recall = common / len(tokens), common / len(target)
    return 2 * precision * recall / (precision + recall) if common else 0.0


def _longest_common(tokens: Sequence[str], target: Sequence[str]) -> int:
    row = [0] * (len(target) + 1)
    for token in tokens:
        before = 0
        for column, word in enumerate(target, 1):
            before, row[column] = row[column], before + 1 if token == word else max(row[column], row[column - 1])
    return row[-1]


def _words(text: str) -> list[str]:
    return _ALPHANUMERIC.sub(" ", text.lower()).split()


def _normal(text: str) -> str:
    return " ".join(_ARTICLES.sub(" ", _PUNCTUATION.sub("", text.casefold())).split())
