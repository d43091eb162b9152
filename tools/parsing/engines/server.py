"""A MinerU server, 4.x (`/v1`) or 3.x: bytes go up, Markdown comes back. It is never given an address to fetch from."""

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import httpx2

from soprag.tools.parsing.engines.deadline import deadline_transport
from soprag.tools.parsing.jobs import MineruTier

_POLL = (0.1, 2.0)
_BEST_FIRST: tuple[MineruTier, ...] = ("standard", "basic", "flash")
_NO_MODELS = ("is not ready", "connection failed", "name or service not known", "quality_tier_unavailable")
Version = Literal[3, 4]
Json = dict[str, Any]


class ServerFault(Exception):
    """The server did not parse this document; the message says why."""


class ServerDown(ServerFault):
    """The server cannot be reached at all; asking again soon is of no use."""


@dataclass(frozen=True)
class ServerResponse:
    """What the server made of a document."""

    markdown: str
    version: str
    tier: str


@dataclass(frozen=True)
class ServerRequest:
    """A document for the server; `stopped` is asked while waiting and may raise."""

    name: str
    data: bytes
    tier: str
    stopped: Callable[[], None]


@dataclass
class MineruServer:
    """One server; what it is and which tiers it can really serve is learnt once and kept."""

    url: str
    key: str = field(repr=False, default="")
    timeout: float = 600.0  # seconds for one document
    rest: float = 30.0  # seconds without requests after it could not be reached
    _version: Version | None = field(init=False, default=None)
    _release: str = field(init=False, default="")
    _tiers: tuple[str, ...] = field(init=False, default=())
    _unready: set[str] = field(init=False, default_factory=set)
    _down_until: float = field(init=False, default=0.0)

    def parse(self, question: ServerRequest) -> ServerResponse:
        """The Markdown of the document; raises `ServerFault` when there is none."""
        if time.monotonic() < self._down_until:
            raise ServerDown(f"{self.url} could not be reached a moment ago")
        try:
            with self._client() as client:
                if self._detect(client) == 3:
                    return _ask_v3(client, question, self._release, self.timeout)
                return self._ask_v4(client, question)
        except httpx2.TimeoutException as late:
            raise ServerFault(f"{self.url} gave no answer in time") from late
        except httpx2.HTTPError as error:
            self._down_until = time.monotonic() + self.rest
            raise ServerDown(f"{self.url} cannot be reached ({error})") from error

    def describe(self) -> str:
        """What the server is, for a readiness report; raises `ServerFault` when it is none."""
        try:
            with self._client() as client:
                version = self._detect(client)
        except httpx2.HTTPError as error:
            raise ServerDown(f"{self.url} cannot be reached ({error})") from error
        return f"MinerU {self._release or version}" + (f", tiers {', '.join(self._tiers)}" if self._tiers else "")

    def _client(self) -> httpx2.Client:
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        # No proxies from the environment: documents go to this server and nowhere else.
        return httpx2.Client(
            base_url=self.url.rstrip("/"), headers=headers, timeout=httpx2.Timeout(60.0, connect=5.0), trust_env=False,
            transport=deadline_transport(),
        )  # fmt: skip

    def _detect(self, client: httpx2.Client) -> Version:
        if self._version is None:
            answer = client.get("/v1/health")
            if answer.status_code == httpx2.codes.NOT_FOUND:
                if client.get("/health").status_code != httpx2.codes.OK:
                    raise ServerFault(f"{self.url} is no MinerU server")
                self._version, self._release = 3, "3"
            else:
                self._release = str(_json(answer).get("version", "4"))
                self._tiers = tuple(str(tier["id"]) for tier in _json(client.get("/v1/tiers")).get("data", []))
                self._version = 4
        return self._version

    def _ask_v4(self, client: httpx2.Client, question: ServerRequest) -> ServerResponse:
        failure = ServerFault(f"{self.url} offers no tier that fits")
        for tier in self._tiers_for(question.tier):
            try:
                return _ask_v4(client, question, tier, self.timeout)
            except ServerFault as failed:
                # A server offers tiers whose models it lacks and finds out with the first document.
                if not any(sign in str(failed).lower() for sign in _NO_MODELS):
                    raise
                self._unready.add(tier)
                failure = failed
        raise failure

    def _tiers_for(self, requested: str) -> list[str]:
        order = _BEST_FIRST if requested == "auto" else (requested,)
        return [tier for tier in order if tier in self._tiers and tier not in self._unready]


def _ask_v4(client: httpx2.Client, question: ServerRequest, tier: str, timeout: float) -> ServerResponse:
    upload = {"files": (question.name, question.data, "application/octet-stream")}
    query = {"output_formats": "markdown", "tier": tier}
    task = _json(client.post("/v1/tasks", params=query, files=upload, timeout=300.0))
    address = f"/v1/tasks/{_known(task, 'task_id')}"
    with _cancelled_on_error(client, address):
        result = _wait(client, f"{address}/result", question, timeout)
    file = (result.get("files") or [{}])[0]
    if file.get("status") != "completed":
        error = file.get("error") or {}
        raise ServerFault(str(error.get("message") or f"the task ended as {result.get('status')!r}"))
    content = file.get("content") or {}
    if not isinstance(content.get("markdown"), str):
        raise ServerFault("the server's answer holds no Markdown")
    version = (file.get("parse") or {}).get("parser_version") or "4"
    return ServerResponse(content["markdown"], str(version), str(result.get("tier", tier)))


def _ask_v3(client: httpx2.Client, question: ServerRequest, release: str, timeout: float) -> ServerResponse:
    backend = {"standard": "hybrid-engine", "advanced": "vlm-engine"}.get(question.tier, "pipeline")
    form = {"backend": backend, "parse_method": "auto", "return_md": "true", "return_images": "false"}
    upload = {"files": (question.name, question.data, "application/octet-stream")}
    task = _json(client.post("/tasks", data=form, files=upload, timeout=300.0))
    result = _wait(client, f"/tasks/{_known(task, 'task_id')}/result", question, timeout)
    documents = result.get("results")
    first = next(iter(documents.values()), None) if isinstance(documents, dict) else None
    markdown = first.get("md_content") if isinstance(first, dict) else None
    if not isinstance(markdown, str):
        raise ServerFault(f"the server's answer holds no Markdown ({result.get('status', 'no status')})")
    return ServerResponse(markdown, str(result.get("version", release)), backend)


def _wait(client: httpx2.Client, address: str, question: ServerRequest, timeout: float) -> Json:
    """Poll until the task has ended; 202 means not yet, 409 a task that failed and says why."""
    end, pause = time.monotonic() + timeout, _POLL[0]
    while time.monotonic() < end:
        answer = client.get(address)
        result = _json(answer, also=(httpx2.codes.CONFLICT,))
        if answer.status_code != httpx2.codes.ACCEPTED and result.get("status") not in ("queued", "running", "pending"):
            return result
        question.stopped()
        time.sleep(pause)
        pause = min(2 * pause, _POLL[1])
    raise ServerFault(f"no result within {timeout:.0f} s (parsing.server_timeout)")


@contextlib.contextmanager
def _cancelled_on_error(client: httpx2.Client, address: str) -> Any:  # noqa: ANN401
    try:
        yield
    except BaseException:
        # The server should not go on with what nobody waits for; if it cannot be told, it ends by itself.
        with contextlib.suppress(httpx2.HTTPError):
            client.delete(address)
        raise


def _json(answer: httpx2.Response, also: tuple[int, ...] = ()) -> Json:
    """The JSON object of an answer; a refusal becomes a `ServerFault` with the server's own words."""
    try:
        body = answer.json()
    except ValueError as broken:
        raise ServerFault(f"the server's answer ({answer.status_code}) is no JSON or was cut off") from broken
    if not isinstance(body, dict):
        raise ServerFault(f"the server's answer ({answer.status_code}) is no JSON object")
    error = body.get("error")
    if isinstance(error, dict):
        code = str(error.get("code", ""))
        hint = "; set MINERU_API_KEY" if answer.status_code == httpx2.codes.UNAUTHORIZED else ""
        raise ServerFault(f"{error.get('message') or 'refused'} ({code or answer.status_code}){hint}")
    if answer.is_error and answer.status_code not in also:
        raise ServerFault(f"the server refused with {answer.status_code}: {str(body.get('detail', ''))[:200]}")
    return body


def _known(task: Json, key: str) -> str:
    value = task.get(key)
    if not isinstance(value, str) or not value.replace("_", "").replace("-", "").isalnum():
        raise ServerFault("the server's answer holds no task id")
    return value
