"""Maps errors of model providers to this project's errors and decides whether to retry.

The chat and the embedding client use it. A provider's own message may hold a key: it is scrubbed, and the provider's
exception is never chained to ours.
"""

import os
import re
import threading
from dataclasses import dataclass
from typing import Any

from soprag.tools.errors import ConfigError, ModelError, ModelRefused, ModelUnavailable, NotAnAnswer, SopragError
from soprag.tools.retries import RetryPolicy, retry_after

LONGEST_DETAIL = 300  # characters of a provider's message that are shown

_SECRET_NAMES = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD)S?$", re.IGNORECASE)
_SECRET_SHAPES = re.compile(r"\b(sk|pk|gsk|xai|ghp|lsv2)[-_][\w*.-]{6,}|(?<=Bearer )\S+")
_KEY_VARIABLES = {
    "azure_openai": "AZURE_OPENAI_API_KEY",
    "google_genai": "GOOGLE_API_KEY",
    "mistralai": "MISTRAL_API_KEY",
}
_RETRYABLE = {408, 409, 425, 429}


@dataclass(frozen=True)
class Provider:
    """Who is asked: the model as `provider:name`, the server (empty: the provider's own), the time-out in seconds."""

    model: str
    server: str
    timeout: float

    @property
    def key_variable(self) -> str:
        """The environment variable that holds the key."""
        brand = self.model.partition(":")[0]
        return _KEY_VARIABLES.get(brand, f"{brand.upper()}_API_KEY")

    @property
    def where(self) -> str:
        """The model and its server, for messages."""
        return f"{self.model!r}" + (f" at {self.server}" if self.server else "")


@dataclass(frozen=True)
class Fault:
    """A failed request: the error to raise when it is final, whether to ask again, the pause the server asks for.

    `retries` is the most that this kind of fault is worth, whatever the policy allows.
    """

    error: SopragError
    again: bool = False
    pause: float | None = None  # seconds
    retries: int | None = None


def pause_before_retry(policy: RetryPolicy, failure: Fault, attempt: int) -> float:
    """Seconds to wait after attempt number `attempt` (from 1) failed; raises the fault's error when it is final."""
    if not failure.again or (failure.retries is not None and attempt > failure.retries):
        raise failure.error
    pause = policy.pause(attempt, failure.pause)
    if pause is not None:
        return pause
    if failure.pause is not None and attempt <= policy.retries:
        raise ModelUnavailable(
            f"{failure.error} It asks for a pause of {failure.pause:.0f} s, longer than longest_wait "
            f"({policy.longest_wait:g} s); try again later, or ask less at once (concurrency)."
        )
    raise failure.error


def server_of(model: str, base_url: str) -> str:
    """The server that will be asked, empty for the provider's own: the setting, or what OpenAI's own variables name.

    It is part of every cache key: another server's answers and vectors are not the same.
    """
    names = ("OPENAI_API_BASE", "OPENAI_BASE_URL") if model.startswith("openai:") else ()
    return base_url or next((os.environ[name] for name in names if os.environ.get(name)), "")


def connection_options(provider: Provider) -> dict[str, Any]:
    """What LangChain has to be told about the server."""
    options: dict[str, Any] = {"base_url": provider.server} if provider.server else {}
    if provider.server and provider.model.startswith("openai:") and not os.environ.get(provider.key_variable):
        options["api_key"] = "none"  # a server of one's own rarely wants a key, and the library insists on one
    return options


# Two threads that import a library with circular imports at the same moment may see half of it: build one at a time.
BUILDING = threading.Lock()


def cannot_use(provider: Provider, error: Exception) -> ConfigError:
    """The error for a model that could not even be built: its provider is unknown, or its package or key is missing."""
    if isinstance(error, ValueError) and "provider" in str(error):
        return ConfigError(f"The provider of {provider.where} is not known; docs/models.md names some.")
    if isinstance(error, ImportError):
        return ConfigError(f"Cannot use {provider.where}: {scrub(str(error))}")
    return ConfigError(f"Cannot use {provider.where}: set {provider.key_variable} ({scrub(str(error))}).")


def scrub(text: str) -> str:
    """`text` on one line, without the value of any secret in the environment and without what looks like a key."""
    for name, value in os.environ.items():
        if _SECRET_NAMES.search(name) and len(value) >= 6:
            text = text.replace(value, "***")
    line = " ".join(_SECRET_SHAPES.sub("***", text).split())
    return line if len(line) <= LONGEST_DETAIL else line[:LONGEST_DETAIL] + " …"


def judge(error: Exception, provider: Provider) -> Fault:
    """What an exception of a provider's library means."""
    status = getattr(error, "status_code", None)
    if isinstance(status, int):
        return _judge_status(status, error, provider)
    kinds = {kind.__name__ for kind in type(error).__mro__}
    if isinstance(error, TimeoutError) or any("Timeout" in kind for kind in kinds):
        return Fault(ModelUnavailable(f"{provider.where} gave no answer in {provider.timeout:g} s."), again=True)
    if isinstance(error, ConnectionError) or any("Connect" in kind or "TransportError" in kind for kind in kinds):
        return Fault(ModelUnavailable(f"{provider.where} cannot be reached: {_detail(error)}."), again=True)
    if isinstance(error, ValueError | LookupError | TypeError | AttributeError):
        message = f"{provider.where} sent something that is no answer ({_detail(error)}); check base_url."
        return Fault(NotAnAnswer(message), again=True, retries=1)
    return Fault(
        ModelError(f"{provider.where} failed: {_detail(error)}."), again=bool(getattr(error, "is_retryable", 0))
    )


def _judge_status(status: int, error: Exception, provider: Provider) -> Fault:
    detail = _detail(error)
    if status in (401, 403, 404):
        return Fault(ConfigError(_blame(status, detail, provider)))
    if status == 429 and "insufficient_quota" in str(error):
        return Fault(ModelUnavailable(f"The account behind {provider.key_variable} has no credit left: {detail}."))
    if status in _RETRYABLE or status >= 500:
        state = "has too much to do (429)" if status == 429 else f"has an error of its own ({status})"
        return Fault(ModelUnavailable(f"{provider.where} {state}: {detail}."), again=True, pause=_pause(error))
    if "content_filter" in str(error) or "content management policy" in str(error):
        return Fault(ModelRefused(f"{provider.where} refused the request: {detail}."))
    return Fault(ModelError(f"{provider.where} does not take the request ({status}): {detail}."))


def _blame(status: int, detail: str, provider: Provider) -> str:
    if status == 401:
        return f"{provider.where} does not accept the key in {provider.key_variable}; set a valid one."
    if status == 403:
        return f"The key in {provider.key_variable} may not use {provider.where}: {detail}."
    return f"There is no {provider.where}; check model and base_url. The server says: {detail}."


def _detail(error: Exception) -> str:
    """What the provider says, as far as it may be shown."""
    body: Any = getattr(error, "body", None)
    message = body.get("message") if isinstance(body, dict) else None
    cause = f"{error} ({error.__cause__})" if error.__cause__ and str(error.__cause__) else str(error)
    return scrub(str(message or cause) or type(error).__name__).rstrip(".")


def _pause(error: Exception) -> float | None:
    """Seconds the server asks us to wait: `retry-after-ms`, or `retry-after` in seconds or as a date."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    if "retry-after-ms" in headers:
        milliseconds = retry_after(headers["retry-after-ms"])
        return None if milliseconds is None else milliseconds / 1000
    return retry_after(headers.get("retry-after", ""))
