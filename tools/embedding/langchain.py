"""Any LangChain `Embeddings`, such as `openai:text-embedding-3-small`, in batches and with retries of our own."""

import logging
import threading
import time
from typing import TYPE_CHECKING

import numpy as np

from soprag.configs.settings import EmbeddingSettings
from soprag.tools.embedding import Vectors
from soprag.tools.errors import ModelError
from soprag.tools.providers import (
    BUILDING,
    Fault,
    Provider,
    cannot_use,
    connection_options,
    judge,
    pause_before_retry,
)
from soprag.tools.retries import RetryPolicy

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

log = logging.getLogger(__name__)


class LangChainEmbedder:
    """Builds the model with the first text. Until then the dimension is not known, and no text gives shape (0, 0)."""

    def __init__(self, settings: EmbeddingSettings, server: str = "") -> None:
        self._settings = settings
        self._provider = Provider(settings.model, server, settings.timeout)
        self._retry_policy = RetryPolicy(settings.retries, settings.first_wait, settings.longest_wait)
        self._lock = threading.Lock()
        self._built: Embeddings | None = None
        self._dimension = 0

    @property
    def name(self) -> str:
        """The model as `provider:name`, with its server when that is not the provider's own."""
        return self._settings.model + (f"@{self._provider.server}" if self._provider.server else "")

    def embed(self, texts: list[str]) -> Vectors:
        """One row of length 1 per text; raises `ModelError`, or `ConfigError` for a wrong key or model."""
        rows = [
            self._send(texts[start : start + self._settings.batch])
            for start in range(0, len(texts), self._settings.batch)
        ]
        return np.concatenate(rows) if rows else np.empty((0, self._dimension), np.float32)

    def _send(self, texts: list[str]) -> Vectors:
        model = self._model()
        # OpenAI refuses a whole batch when one text is too long (8191 tokens) or empty.
        truncated = [text[: self._settings.max_characters] or " " for text in texts]
        attempt = 0
        while True:
            attempt += 1
            outcome = self._try(model, truncated)
            if not isinstance(outcome, Fault):
                return self._check(outcome, len(texts))
            seconds = pause_before_retry(self._retry_policy, outcome, attempt)
            log.warning("embedding: %s Asking again in %.1f s (retry %d).", outcome.error, seconds, attempt)
            time.sleep(seconds)

    def _try(self, model: "Embeddings", texts: list[str]) -> Vectors | Fault:
        try:
            return np.array(model.embed_documents(texts), dtype=np.float32)
        except Exception as error:  # noqa: BLE001 - every provider raises its own; each becomes one of our errors
            return judge(error, self._provider)

    def _check(self, rows: Vectors, count: int) -> Vectors:
        from soprag.tools.embedding.bert import unit

        if rows.ndim != 2 or len(rows) != count or not np.isfinite(rows).all():
            raise ModelError(f"{self._provider.where} sent vectors of shape {rows.shape} for {count} texts.")
        if self._dimension and rows.shape[1] != self._dimension:
            raise ModelError(
                f"{self._provider.where} changed its vectors from {self._dimension} to {rows.shape[1]} numbers."
            )
        self._dimension = int(rows.shape[1])
        return unit(rows)

    def _model(self) -> "Embeddings":
        with self._lock:
            self._built = self._built or _build(self._settings, self._provider)
            return self._built


def _build(settings: EmbeddingSettings, provider: Provider) -> "Embeddings":
    options = connection_options(provider)
    if settings.model.startswith("openai:"):
        # Texts are cut to length here: LangChain would fetch a tokenizer from the network for that.
        options |= {
            "check_embedding_ctx_length": False,
            "chunk_size": settings.batch,
            "max_retries": 0,
            "timeout": settings.timeout,
        }
    try:
        with BUILDING:
            from langchain.embeddings import init_embeddings

            return init_embeddings(settings.model, **options)
    except Exception as error:  # noqa: BLE001 - every provider raises its own when its key is missing
        problem = cannot_use(provider, error)
    raise problem
