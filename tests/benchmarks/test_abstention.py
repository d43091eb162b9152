"""The separation of answerable questions: AUROC, the fit of the confidence, and its threshold."""

import numpy as np

from soprag.benchmarks.quality.abstention import auroc, fit
from soprag.tools.retriever.query.confidence import FEATURES


def test_auroc_is_one_for_separated_and_a_half_for_equal_confidences() -> None:
    assert auroc(np.array([0.8, 0.9]), np.array([0.1, 0.2])) == 1
    assert auroc(np.array([0.5, 0.5]), np.array([0.5, 0.5])) == 0.5
    assert auroc(np.array([0.1]), np.array([0.9])) == 0


def test_the_fit_finds_the_feature_that_separates() -> None:
    chance = np.random.default_rng(7)
    noise = chance.normal(size=(200, len(FEATURES)))
    high = noise[:100] + np.array([3.0, 0, 0, 0])
    fitted = fit({"answerable": high, "left out": noise[100:150], "other corpus": noise[150:]})
    assert max(fitted.weights, key=lambda name: fitted.weights[name]) == FEATURES[0]
    assert auroc(fitted.probability(high), fitted.probability(noise[100:])) > 0.95
