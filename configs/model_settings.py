"""Settings of the chat model and the embedding model."""

from typing import Literal

from pydantic import Field

from soprag.configs.section import ServerUrl, SettingsSection

Method = Literal["json_schema", "function_calling", "json_mode"]


class LlmSettings(SettingsSection):
    """Access to the chat model."""

    model: str = Field(
        pattern=r"^(rules|[\w-]+:.+)$",
        description='Chat model: "rules" (none), or "provider:name" as init_chat_model of LangChain takes it.',
    )
    base_url: ServerUrl = Field(description="URL of an OpenAI-compatible server; empty: the server of the provider.")
    method: Method = Field(description="How structured answers are requested from the model.")
    repairs: int = Field(
        ge=0, le=5, description="How often an invalid answer is sent back with its validation error, per question."
    )
    retries: int = Field(
        ge=0, le=20, description="How often a failed request is repeated (rate limit, server error, timeout)."
    )
    longest_wait: float = Field(
        ge=0, description="Longest wait before a retry, in seconds; a longer Retry-After of the server is an error."
    )
    first_wait: float = Field(ge=0, description="Wait before the first retry, in seconds; doubled for each later one.")
    timeout: float = Field(gt=0, description="Seconds without an answer after which a request has failed.")
    temperature: float = Field(le=2, description="Sampling temperature; below 0 it is not sent to the model.")
    concurrency: int = Field(ge=1, le=256, description="Requests under way at once.")
    requests_per_second: float = Field(ge=0, description="Limit of the request rate, per second; 0: no limit.")
    max_output_tokens: int = Field(ge=64, description="Limit of one answer, in tokens.")
    max_input_characters: int = Field(
        ge=2000, description="Limit of one document in a prompt, in characters; longer ones are shortened."
    )
    cache: bool = Field(description="Store answers on disk, so that the same question is paid for once.")
    record: str = Field(description="Folder in which all answers are recorded; empty: no recording.")
    replay: str = Field(description="Folder of recorded answers to use in place of a model; empty: ask the model.")


class EmbeddingSettings(SettingsSection):
    """Access to the embedding model."""

    model: str = Field(
        pattern=r"^(minilm|[\w-]+:.+)$",
        description='Embedding model: "minilm" (embedded), or "provider:name" as init_embeddings takes it.',
    )
    base_url: ServerUrl = Field(description="URL of an OpenAI-compatible server; empty: the server of the provider.")
    batch: int = Field(ge=1, le=2048, description="Texts per request.")
    max_characters: int = Field(ge=100, description="Text sent to a provider per embedding, in characters.")
    retries: int = Field(ge=0, le=20, description="How often a failed request is repeated.")
    longest_wait: float = Field(
        ge=0, description="Longest wait before a retry, in seconds; a longer Retry-After of the server is an error."
    )
    first_wait: float = Field(ge=0, description="Wait before the first retry, in seconds; doubled for each later one.")
    timeout: float = Field(gt=0, description="Seconds without an answer after which a request has failed.")
    cache: bool = Field(description="Store vectors on disk, keyed by the content of the text.")
