import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from soprag.tools.embedding import Vectors
from soprag.tools.sop import digest
from soprag.tools.text.terms import terms


@cache
def direction(word: str) -> Any:
    return np.random.default_rng(int(digest(word)[:8], 16)).normal(size=64)


class WordEmbedder:
    """Texts with the same words are near: every stem has its own random direction."""

    name = "words"

    def embed(self, texts: list[str]) -> Vectors:
        return np.stack([self._vector(text) for text in texts]) if texts else np.zeros((0, 64), np.float32)

    def _vector(self, text: str) -> Any:
        vector = np.sum([direction(word) for word in terms(text) or [""]], axis=0)
        return (vector / np.linalg.norm(vector)).astype(np.float32)


class Folder:
    """A benchmark folder to write and to damage."""

    def __init__(self, path: Path) -> None:
        self.path = path
        (path / "qrels").mkdir(parents=True)
        titles = {
            "pump": "Restart the pump",
            "valve": "Replace the valve",
            "fan": "Clean the fan",
            "door": "Open the door",
        }
        self.rows(
            "corpus.jsonl", [{"_id": i, "title": t, "text": f"# {t}\n\n1. {t} slowly."} for i, t in titles.items()]
        )
        asked = [("q1", "pump does not restart", 1), ("q2", "valve to replace", 2), ("q3", "a dirty fan", 1)]
        self.rows("queries.jsonl", [{"_id": i, "text": t, "metadata": {"level": n}} for i, t, n in asked])
        self.qrels("q1\tpump\t1", "q2\tvalve\t1", "q3\tfan\t1")

    def rows(self, name: str, rows: list[dict[str, Any]]) -> None:
        (self.path / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    def qrels(self, *lines: str) -> None:
        text = "\n".join(["query-id\tcorpus-id\tscore", *lines, ""])
        (self.path / "qrels" / "test.tsv").write_text(text, encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "small")


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder()
