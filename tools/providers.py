"""What can go wrong with a model provider, in our words: whose fault it is, and whether asking again may help.

Both doors to models use it. A provider's own message may hold a key: it is scrubbed, and the provider's exception is
never chained to ours.
"""

import os
import random
import re
import threading
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from tools.errors import ConfigError, ModelError, ModelRefused, ModelUnavailable, SopragError

FIRST_WAIT = 0.5  # seconds before the first retry; doubled for each one after it
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
    """A failed request: the error to raise when it is final, whether to ask again, the pause the server asks for."""

    error: SopragError
    again: bool = False
    pause: float | None = None  # seconds


@dataclass(frozen=True)
class Patience:
    """How often a failed request is sent again, and how many seconds at most are spent waiting for that."""

    retries: int
    longest_wait: float

    def pause(self, fault: Fault, attempt: int) -> float:
        """Seconds to wait after attempt number `attempt` (from 1) failed; raises the fault's error when it is final."""
        if not fault.again or attempt > self.retries:
            raise fault.error
        if fault.pause is None:
            # Doubled each time, and spread out so that many requests do not come back together.
            return float(min(self.longest_wait, FIRST_WAIT * 2 ** (attempt - 1)) * random.uniform(0.5, 1.0))
        if fault.pause > self.longest_wait:
            raise ModelUnavailable(
                f"{fault.error} It asks for a pause of {fault.pause:.0f} s, longer than longest_wait "
                f"({self.longest_wait:g} s); try again later, or ask less at once (concurrency)."
            )
        return fault.pause


def server_of(model: str, base_url: str) -> str:
    """The server that will be asked, empty for the provider's own: the setting, or what OpenAI's own variables name.

    It is part of every cache key: another server's answers and vectors are not the same.
    """
    names = ("OPENAI_API_BASE", "OPENAI_BASE_URL") if model.startswith("openai:") else ()
    return base_url or next((os.environ[name] for name in names if os.environ.get(name)), "")


def connection_options(asked: Provider) -> dict[str, Any]:
    """What LangChain has to be told about the server."""
    options: dict[str, Any] = {"base_url": asked.server} if asked.server else {}
    if asked.server and asked.model.startswith("openai:") and not os.environ.get(asked.key_variable):
        options["api_key"] = "none"  # a server of one's own rarely wants a key, and the library insists on one
    return options


# Two threads that import a library with circular imports at the same moment may see half of it: build one at a time.
BUILDING = threading.Lock()


def cannot_use(asked: Provider, fault: Exception) -> ConfigError:
    """The error for a model that could not even be built: its package is missing, or its key."""
    if isinstance(fault, ImportError):
        return ConfigError(f"Cannot use {asked.where}: {scrub(str(fault))}")
    return ConfigError(f"Cannot use {asked.where}: set {asked.key_variable} ({scrub(str(fault))}).")


def scrub(text: str) -> str:
    """`text` on one line, without the value of any secret in the environment and without what looks like a key."""
    for name, value in os.environ.items():
        if _SECRET_NAMES.search(name) and len(value) >= 6:
            text = text.replace(value, "***")
    line = " ".join(_SECRET_SHAPES.sub("***", text).split())
    return line if len(line) <= LONGEST_DETAIL else line[:LONGEST_DETAIL] + " …"


def judge(fault: Exception, asked: Provider) -> Fault:
    """What an exception of a provider's library means."""
    status = getattr(fault, "status_code", None)
    if isinstance(status, int):
        return _judge_status(status, fault, asked)
    kinds = {kind.__name__ for kind in type(fault).__mro__}
    if isinstance(fault, TimeoutError) or any("Timeout" in kind for kind in kinds):
        return Fault(ModelUnavailable(f"{asked.where} gave no answer in {asked.timeout:g} s."), again=True)
    if isinstance(fault, ConnectionError) or any("Connect" in kind or "TransportError" in kind for kind in kinds):
        return Fault(ModelUnavailable(f"{asked.where} cannot be reached: {_detail(fault)}."), again=True)
    if isinstance(fault, ValueError | LookupError | TypeError | AttributeError):
        message = f"{asked.where} sent something that is no answer ({_detail(fault)}); check base_url."
        return Fault(ModelUnavailable(message), again=True)
    return Fault(ModelError(f"{asked.where} failed: {_detail(fault)}."), again=bool(getattr(fault, "is_retryable", 0)))


def _judge_status(status: int, fault: Exception, asked: Provider) -> Fault:
    detail = _detail(fault)
    if status in (401, 403, 404):
        return Fault(ConfigError(_blame(status, detail, asked)))
    if status == 429 and "insufficient_quota" in str(fault):
        return Fault(ModelUnavailable(f"The account behind {asked.key_variable} has no credit left: {detail}."))
    if status in _RETRYABLE or status >= 500:
        said = "has too much to do (429)" if status == 429 else f"has an error of its own ({status})"
        return Fault(ModelUnavailable(f"{asked.where} {said}: {detail}."), again=True, pause=_pause(fault))
    if "content_filter" in str(fault) or "content management policy" in str(fault):
        return Fault(ModelRefused(f"{asked.where} refused the request: {detail}."))
    return Fault(ModelError(f"{asked.where} does not take the request ({status}): {detail}."))


def _blame(status: int, detail: str, asked: Provider) -> str:
    if status == 401:
        return f"{asked.where} does not accept the key in {asked.key_variable}; set a valid one."
    if status == 403:
        return f"The key in {asked.key_variable} may not use {asked.where}: {detail}."
    return f"There is no {asked.where}; check model and base_url. The server says: {detail}."


def _detail(fault: Exception) -> str:
    """What the provider says, as far as it may be shown."""
    body: Any = getattr(fault, "body", None)
    said = body.get("message") if isinstance(body, dict) else None
    cause = f"{fault} ({fault.__cause__})" if fault.__cause__ and str(fault.__cause__) else str(fault)
    return scrub(str(said or cause) or type(fault).__name__).rstrip(".")


def _pause(fault: Exception) -> float | None:
    """Seconds the server asks us to wait: `retry-after-ms`, or `retry-after` in seconds or as a date."""
    headers = getattr(getattr(fault, "response", None), "headers", None) or {}
    try:
        if "retry-after-ms" in headers:
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        return max(0.0, float(headers["retry-after"])) if "retry-after" in headers else None
    except ValueError:
        return _until(headers.get("retry-after", ""))


def _until(date: str) -> float | None:
    try:
        return max(0.0, (parsedate_to_datetime(date) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None
