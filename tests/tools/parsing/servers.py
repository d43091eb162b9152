"""MinerU servers for tests, on loopback: one that behaves and answers as told, 4.x or 3.x."""

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

GOOD = "# SOP-1 Pump start\n\n1. Open valve V-1.\n\n2. Start pump P-101.\n"


@dataclass
class Script:
    """What the server does: how often a task is not ready yet, what it says in the end."""

    markdown: str = GOOD
    polls: int = 2
    fault: str = ""
    key: str = ""
    release: int = 4
    tiers: tuple[str, ...] = ("flash", "basic", "standard", "advanced")
    unready: tuple[str, ...] = ()
    cut: bool = False
    calls: list[str] = field(default_factory=list)
    uploads: list[bytes] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)


@contextlib.contextmanager
def serve(script: Script) -> Iterator[str]:
    """Run the server; gives its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(script))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def _handler(script: Script) -> type[BaseHTTPRequestHandler]:  # noqa: C901 (one class that closes over the script)
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *words: object) -> None:
            pass

        def do_GET(self) -> None:
            path = urlsplit(self.path).path
            script.calls.append(f"GET {path}")
            answers: dict[str, Callable[[], None]] = {
                "/v1/health": self._health,
                "/health": lambda: self._send(200, {"status": "ok"}),
                "/v1/tiers": lambda: self._send(200, {"object": "list", "data": [{"id": one} for one in script.tiers]}),
            }
            answers.get(path, self._result)()

        def do_DELETE(self) -> None:
            script.calls.append(f"DELETE {self.path}")
            self._send(200, {})

        def do_POST(self) -> None:
            address = urlsplit(self.path)
            body = self.rfile.read(int(self.headers["Content-Length"]))
            script.calls.append(f"POST {address.path}")
            script.keys.append(self.headers.get("Authorization", ""))
            if script.key and self.headers.get("Authorization") != f"Bearer {script.key}":
                return self._send(401, {"error": {"code": "invalid_api_key", "message": "Invalid or missing API key"}})
            script.uploads.append(body)
            script.asked.append(parse_qs(address.query).get("tier", ["?"])[0])
            return self._send(202, {"status": "queued", "task_id": "job_1"})

        def _health(self) -> None:
            if script.release == 3:
                return self._send(404, {"detail": "Not Found"})
            return self._send(200, {"status": "ok", "version": "4.0.12"})

        def _result(self) -> None:
            tier = script.asked[-1]
            if script.polls > 0:
                script.polls -= 1
                return self._send(202, {"status": "running", "task_id": "job_1"})
            if script.release == 3:
                return self._send(
                    200, {"status": "completed", "results": {"document": {"md_content": script.markdown}}}
                )
            fault = script.fault or ("Model repo is not ready under /models" if tier in script.unready else "")
            file = {"status": "failed" if fault else "completed", "error": {"code": "parse_failed", "message": fault}}
            if not fault:
                file |= {"content": {"markdown": script.markdown}, "parse": {"parser_version": "4.0.12"}, "error": None}
            status = "failed" if fault else "completed"
            return self._send(409 if fault else 200, {"status": status, "tier": tier, "files": [file]})

        def _send(self, code: int, body: object) -> None:
            data = json.dumps(body).encode()
            self.send_response(code)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            if script.cut and b"markdown" in data:
                self.close_connection = True
                data = data[: len(data) // 2]
            self.wfile.write(data)

    return Handler
