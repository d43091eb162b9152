"""An OpenTelemetry collector on loopback: takes OTLP over HTTP as protobuf, and keeps the spans."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)


@dataclass
class Collector:
    """Where it listens, and what it has received: spans by id."""

    address: str
    spans: dict[bytes, Any] = field(default_factory=dict)
    requests: list[tuple[str, str]] = field(default_factory=list)  # (path, content type)

    def named(self, name: str) -> list[Any]:
        return [span for span in self.spans.values() if span.name == name]

    def path(self, span: Any) -> list[str]:
        """The names from the root to a span."""
        above = self.spans.get(span.parent_span_id)
        return [*(self.path(above) if above else []), span.name]

    @staticmethod
    def attributes(span: Any) -> dict[str, Any]:
        return {pair.key: getattr(pair.value, str(pair.value.WhichOneof("value"))) for pair in span.attributes}


@contextmanager
def collecting(*, answers: bool = True) -> Iterator[Collector]:
    """A running collector; without `answers` it accepts requests and never replies."""
    over = threading.Event()

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            collector.requests.append((self.path, self.headers["Content-Type"]))
            if not answers:
                over.wait(60)
                return
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                for scope in resource.scope_spans:
                    collector.spans.update({span.span_id: span for span in scope.spans})
            reply = ExportTraceServiceResponse().SerializeToString()
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    collector = Collector(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield collector
    finally:
        over.set()
        server.shutdown()
        server.server_close()
        thread.join()
