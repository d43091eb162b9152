"""Spans to an OpenTelemetry collector, by OTLP over HTTP with protobuf; needs the extra `observe`."""

import logging
from typing import TYPE_CHECKING

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import SpanContext, TraceFlags
from opentelemetry.trace.status import Status, StatusCode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from soprag.tools.observe.spans import TraceSpan

log = logging.getLogger(__name__)

_SCOPE = InstrumentationScope("soprag")
_SECONDS = 2.0  # for one request to the collector


class SpanSender:
    """A listener that sends spans to `endpoint`, such as http://127.0.0.1:4318, in batches and from its own thread.

    Headers, such as a token, are read from OTEL_EXPORTER_OTLP_HEADERS. A collector that is down costs spans, no turn.
    """

    def __init__(self, endpoint: str) -> None:
        logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)  # `_SaidOnce` says it, without a trace
        exporter = OTLPSpanExporter(f"{endpoint.rstrip('/')}/v1/traces", timeout=_SECONDS)
        self._resource = Resource.create({"service.name": "soprag"})
        self._batches = BatchSpanProcessor(_SaidOnce(exporter, endpoint), schedule_delay_millis=1000)

    def __call__(self, span: "TraceSpan") -> None:
        """Put an ended span into the next batch."""
        self._batches.on_end(
            ReadableSpan(
                name=span.name,
                context=_context(span),
                parent=_context(span.parent) if span.parent else None,
                resource=self._resource,
                attributes=span.attributes,
                status=Status(StatusCode.ERROR, span.error) if span.error else Status(StatusCode.UNSET),
                start_time=span.began,
                end_time=span.began + int(span.seconds * 1e9),
                instrumentation_scope=_SCOPE,
            )
        )

    def close(self) -> None:
        """Send what waits; it may block for as long as the collector does."""
        self._batches.shutdown()  # type: ignore[no-untyped-call]


class _SaidOnce(SpanExporter):
    """An exporter that logs its first failure only."""

    def __init__(self, exporter: SpanExporter, endpoint: str) -> None:
        self._exporter, self._endpoint, self._silent = exporter, endpoint, False

    def export(self, spans: "Sequence[ReadableSpan]") -> SpanExportResult:
        """Send one batch."""
        result = self._exporter.export(spans)
        if result is not SpanExportResult.SUCCESS and not self._silent:
            self._silent = True
            log.warning("The collector at %s took no traces; they are lost until it does.", self._endpoint)
        return result

    def shutdown(self) -> None:
        """End the exporter."""
        self._exporter.shutdown()


def _context(span: "TraceSpan") -> SpanContext:
    return SpanContext(int(span.trace, 16), int(span.id, 16), is_remote=False, trace_flags=TraceFlags(1))
