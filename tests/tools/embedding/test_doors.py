"""Embeddings over the wire and from the cache."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from soprag.configs.settings import EmbeddingSettings, load
from soprag.tools.embedding import Vectors, open_embedder
from soprag.tools.embedding.cache import CachedEmbedder
from soprag.tools.embedding.langchain import LangChainEmbedder
from soprag.tools.errors import ConfigError, ModelError, ModelUnavailable, StorageError
from tests.loopback import Loopback, Step, cuts, fails, sends

KEY = "sk-test-0123456789abcdef"
Make = Callable[..., EmbeddingSettings]


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    for name in ("OPENAI_BASE_URL", "OPENAI_API_BASE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def embedding_settings() -> Make:
    def changed(**changes: Any) -> EmbeddingSettings:
        section = {"model": "openai:text-embedding-3-small", "timeout": 10.0, "first_wait": 0.02, **changes}
        return load(options={"embedding": section}, environment={}).embedding

    return changed


class Counting:
    """Rows that depend on the text; counts what it is asked."""

    name = "counting"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: list[str]) -> Vectors:
        self.asked += texts
        return np.array([[len(text), 1] for text in texts], np.float32).reshape(-1, 2)


def test_texts_go_out_in_batches_and_come_back_as_unit_rows(embedding_settings: Make) -> None:
    texts = [f"step {at}" for at in range(5)]
    with Loopback() as server:
        embedder = LangChainEmbedder(embedding_settings(batch=2), server.url)
        rows = embedder.embed(texts)
    assert [request.body["input"] for request in server.requests] == [texts[:2], texts[2:4], texts[4:]]
    assert server.requests[0].path == "/v1/embeddings"
    assert server.requests[0].body["model"] == "text-embedding-3-small"
    assert rows.shape == (5, 4)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1)
    assert len({tuple(row) for row in rows}) == 5
    assert embedder.embed([]).shape == (0, 4)


def test_empty_and_very_long_texts_are_made_acceptable(embedding_settings: Make) -> None:
    with Loopback() as server:
        LangChainEmbedder(embedding_settings(), server.url).embed(["", "x" * 100_000])
    assert [len(text) for text in server.requests[0].body["input"]] == [1, embedding_settings().max_characters]


@pytest.mark.parametrize(
    "step",
    [fails(500), fails(429, headers={"retry-after": "0"}), cuts(), sends(b"<html>")],
    ids=["500", "429", "cut", "html"],
)
def test_what_may_pass_is_asked_again(embedding_settings: Make, step: Step) -> None:
    with Loopback(step) as server:
        assert LangChainEmbedder(embedding_settings(retries=1), server.url).embed(["x"]).shape == (1, 4)
        assert server.count == 2


def test_a_broken_server_is_given_up(embedding_settings: Make) -> None:
    with Loopback(fails(500), fails(500)) as server:
        with pytest.raises(ModelUnavailable, match="text-embedding-3-small"):
            LangChainEmbedder(embedding_settings(retries=1), server.url).embed(["x"])
        assert server.count == 2


def test_a_wrong_key_is_named_and_not_shown(embedding_settings: Make) -> None:
    with Loopback(fails(401, f"wrong: {KEY}")) as server:
        with pytest.raises(ConfigError, match="OPENAI_API_KEY") as raised:
            LangChainEmbedder(embedding_settings(), server.url).embed(["x"])
        assert server.count == 1
    assert KEY not in str(raised.value)


def test_fewer_vectors_than_texts_are_an_error(embedding_settings: Make) -> None:
    one = {"object": "list", "model": "m", "data": [{"object": "embedding", "index": 0, "embedding": [1.0, 0.0]}]}
    step = sends(one | {"usage": {"prompt_tokens": 1, "total_tokens": 1}})
    with Loopback(step) as server, pytest.raises(ModelError, match=r"shape \(1, 2\) for 2 texts"):
        LangChainEmbedder(embedding_settings(), server.url).embed(["a", "b"])


def test_the_cache_embeds_a_text_once(embedding_settings: Make, tmp_path: Path) -> None:
    with Loopback() as server:
        settings = embedding_settings(base_url=server.url)
        first = open_embedder(settings, tmp_path).embed(["a", "b", "a"])
        again = open_embedder(settings, tmp_path).embed(["b", "c", "a"])
        assert [request.body["input"] for request in server.requests] == [["a", "b"], ["c"]]
    assert np.array_equal(first[0], first[2])
    assert np.array_equal(again[2], first[0])
    assert np.array_equal(again[0], first[1])
    assert again.dtype == np.float32


def test_the_cache_can_be_turned_off(embedding_settings: Make, tmp_path: Path) -> None:
    with Loopback() as server:
        embedder = open_embedder(embedding_settings(base_url=server.url, cache=False), tmp_path)
        embedder.embed(["a"])
        embedder.embed(["a"])
        assert server.count == 2
    assert list(tmp_path.iterdir()) == []


def test_models_do_not_share_vectors(tmp_path: Path) -> None:
    other = Counting()
    other.name = "other"
    path = tmp_path / "vectors.sqlite"
    CachedEmbedder(Counting(), path).embed(["a"])
    CachedEmbedder(other, path).embed(["a"])
    assert other.asked == ["a"]


def test_many_texts_and_threads_share_one_cache(tmp_path: Path) -> None:
    counting = Counting()
    embedder = CachedEmbedder(counting, tmp_path / "vectors.sqlite")
    texts = [f"{at}" * (at % 7 + 1) for at in range(1500)]
    threads = [threading.Thread(target=embedder.embed, args=(texts,)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    asked = len(counting.asked)
    rows = embedder.embed(texts)
    assert len(counting.asked) == asked
    assert rows[:, 0].tolist() == [len(text) for text in texts]


def test_a_damaged_cache_is_named(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    path.write_bytes(b"no database" * 200)
    with pytest.raises(StorageError, match=r"vectors\.sqlite"):
        CachedEmbedder(Counting(), path).embed(["a"])


def test_the_default_door_is_the_embedded_model(tmp_path: Path) -> None:
    embedder = open_embedder(load(environment={}).embedding, tmp_path)
    assert embedder.name == "minilm"
    assert list(tmp_path.iterdir()) == []
