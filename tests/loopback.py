"""An OpenAI-compatible server on the loopback interface: the real wire, with answers of the test's choosing.

    with Loopback(fails(429, headers={"retry-after": "0"}), says({"is_sop": True})) as server: ...  # in order
    with Loopback(answer=lambda body: {"is_sop": True}, delay=1.0) as server: ...  # always

`server.url` is the base URL, `server.requests` what came in, `server.peak` how many were under way at once.
"""

import hashlib
import json
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

Body = dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """The bytes of one response, and how badly they are delivered."""

    data: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    cut: bool = False  # the connection ends in the middle of the body


@dataclass(frozen=True)
class Received:
    """One request as it came in, with the time it came."""

    path: str
    body: Body
    headers: Mapping[str, str]
    at: float

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The conversation so far."""
        return list(self.body["messages"])


Step = Callable[[Body], Reply]


def says(value: object, *, finish: str = "stop", refusal: str | None = None, tokens: tuple[int, int] = (11, 7)) -> Step:
    """The model answers `value`: a string as it is, anything else as JSON, as a tool call where one is asked for."""
    text = value if isinstance(value, str) or value is None else json.dumps(value)

    def step(body: Body) -> Reply:
        message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": refusal}
        if body.get("tools") and not refusal:
            names = [tool["function"]["name"] for tool in body["tools"]]
            chosen = value.get("tool") if isinstance(value, dict) else None
            arguments = text
            if chosen is not None and isinstance(value, dict):
                arguments = json.dumps({key: item for key, item in value.items() if key != "tool"})
            function = {"name": str(chosen or names[0]), "arguments": arguments}
            call = {"id": "call-1", "type": "function", "function": function}
            message |= {"content": None, "tool_calls": [call]}
        return as_json(completion([{"index": 0, "finish_reason": finish, "message": message}], tokens))

    return step


def completion(choices: list[dict[str, Any]], tokens: tuple[int, int] = (11, 7)) -> dict[str, Any]:
    """A chat completion with these choices."""
    usage = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)}
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": choices, "usage": usage}


def embeds(body: Body) -> Reply:
    """A vector of four numbers per text that depends on its words only; deliberately not of length 1."""
    texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
    rows = [[byte + 1.0 for byte in hashlib.sha256(str(text).encode()).digest()[:4]] for text in texts]
    data = [{"object": "embedding", "index": at, "embedding": row} for at, row in enumerate(rows)]
    usage = {"prompt_tokens": len(texts), "total_tokens": len(texts)}
    return as_json({"object": "list", "model": "m", "data": data, "usage": usage})


def fails(
    status: int, message: str = "no", *, code: str | None = None, headers: Mapping[str, str] | None = None
) -> Step:
    """The server reports an error."""
    return lambda _: as_json({"error": {"message": message, "type": "t", "code": code}}, status, headers)


def sends(data: bytes | object, status: int = 200) -> Step:
    """The server sends these bytes, or this JSON."""
    return lambda _: Reply(data, status) if isinstance(data, bytes) else as_json(data, status)


def stalls(seconds: float) -> Step:
    """The server takes the request and stays silent that long."""
    return lambda _: Reply(delay=seconds)


def cuts() -> Step:
    """The connection ends in the middle of a good answer."""
    return lambda body: Reply(says({"good": True})(body).data, cut=True)


def as_json(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    """`value` as a JSON response."""
    return Reply(json.dumps(value).encode(), status, {"content-type": "application/json", **(headers or {})})


class Loopback:
    """The server; a context manager that listens on a free port while it is open.

    Requests take the `steps` in order; when none is left, `answer(body)` gives a `Reply` or the value to say. Requests
    for embeddings are served by `embeds` unless a step is left. Each response is held back for `delay` seconds.
    """

    def __init__(self, *steps: Step, answer: Callable[[Body], object] | None = None, delay: float = 0.0) -> None:
        self.steps = deque(steps)
        self.answer = answer
        self.delay = delay
        self.requests: list[Received] = []
        self.peak = 0
        self._under_way = 0
        self._lock = threading.Lock()
        self._closing = threading.Event()

    def __enter__(self) -> Self:
        self._server = _Server(("127.0.0.1", 0), _speak_for(self))
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """The base URL, as `llm.base_url` takes it."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    @property
    def count(self) -> int:
        """How many requests have come in."""
        with self._lock:
            return len(self.requests)

    def reply(self, received: Received) -> Reply:
        """The response to one request, after its delay."""
        with self._lock:
            self.requests.append(received)
            self._under_way += 1
            self.peak = max(self.peak, self._under_way)
            step = self.steps.popleft() if self.steps else None
        try:
            reply = self._choose(step, received)
            self._closing.wait(self.delay + reply.delay)
            return reply
        finally:
            with self._lock:
                self._under_way -= 1

    def _choose(self, step: Step | None, received: Received) -> Reply:
        if step is not None:
            return step(received.body)
        if received.path.endswith("/embeddings"):
            return embeds(received.body)
        if self.answer is None:
            return fails(500, "the test has no answer left")(received.body)
        answered = self.answer(received.body)
        return answered if isinstance(answered, Reply) else says(answered)(received.body)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256


def _speak_for(owner: Loopback) -> type[BaseHTTPRequestHandler]:
    class Speaker(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # or the body waits 40 ms until the head is known to have arrived

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            reply = owner.reply(Received(self.path, body, dict(self.headers), time.monotonic()))
            try:
                self._send(reply)
            except OSError:  # the client has given up waiting
                self.close_connection = True

        def _send(self, reply: Reply) -> None:
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(reply.data)))
            self.end_headers()
            self.wfile.write(reply.data[: len(reply.data) // 2] if reply.cut else reply.data)
            self.close_connection = reply.cut or self.close_connection

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    return Speaker
