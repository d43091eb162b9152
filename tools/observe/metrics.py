"""Prometheus metrics, counted from the ended spans; needs the extra `observe`."""

from collections.abc import Callable
from http.server import HTTPServer

from prometheus_client import CollectorRegistry, Counter, Histogram, start_http_server

from soprag.tools.observe.spans import TraceSpan

_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300)
_CLIENTS = ("terminal", "server", "mcp")
_OUTCOMES = ("answer", "question", "nothing", "step", "note", "waiting", "error")
_TOKENS = {"tokens_in": "in", "tokens_out": "out"}


class SpanMetrics:
    """A listener that counts spans; `registry` is what `/metrics` shows."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._turns = self._counter("turns", "Turns by client and outcome.", "client", "outcome")
        self._searches = self._counter("searches", "Searches, by whether nothing fitted.", "abstained")
        self._approvals = self._counter("approvals", "Decisions of persons about tool calls.", "tool", "decision")
        self._parses = self._counter("parses", "Documents read, by outcome.", "outcome")
        self._requests = self._counter("model_requests", "Questions to a model.", "task", "model", "outcome")
        self._tokens = self._counter("model_tokens", "Tokens of a model.", "task", "model", "direction")
        self._dollars = self._counter("model_cost_dollars", "Cost of a model, where its price is set.", "task", "model")
        self._seconds = Histogram(
            "soprag_span_seconds", "Seconds by kind of span.", ["span", "kind"], registry=self.registry,
            buckets=_SECONDS,
        )  # fmt: skip
        self._count: dict[str, Callable[[TraceSpan], None]] = {
            "turn": self._turn,
            "search": lambda span: self._searches.labels(_word(span, "abstained")).inc(),
            "approval": lambda span: self._approvals.labels(_word(span, "tool"), _word(span, "decision")).inc(),
            "parse": lambda span: self._parses.labels(span.error or "read").inc(),
            "model": self._model,
        }
        self._begin_at_zero()

    def __call__(self, span: TraceSpan) -> None:
        """Count an ended span."""
        kind = _word(span, "expert") if span.name == "expert" else ""
        self._seconds.labels(span.name, kind).observe(span.seconds)
        if span.name in self._count:
            self._count[span.name](span)

    def serve(self, host: str, port: int) -> HTTPServer:
        """Serve `/metrics` from a thread of its own; raises `OSError` when the port is taken."""
        server, _ = start_http_server(port, host, self.registry)
        return server

    def _begin_at_zero(self) -> None:
        """Show what was not counted yet as zero: Prometheus sees no increase in a series that begins at one."""
        for abstained in ("true", "false"):
            self._searches.labels(abstained)
        self._parses.labels("read")
        for client in _CLIENTS:
            for outcome in _OUTCOMES:
                self._turns.labels(client, outcome)

    def _counter(self, name: str, description: str, *labels: str) -> Counter:
        return Counter(f"soprag_{name}", description, labels, registry=self.registry)

    def _turn(self, span: TraceSpan) -> None:
        self._turns.labels(_word(span, "client"), span.error or _word(span, "outcome") or "waiting").inc()

    def _model(self, span: TraceSpan) -> None:
        task, model = _word(span, "task"), _word(span, "model")
        self._requests.labels(task, model, span.error or "answered").inc()
        for attribute, direction in _TOKENS.items():
            self._tokens.labels(task, model, direction).inc(_amount(span, attribute))
        self._dollars.labels(task, model).inc(_amount(span, "dollars"))


def _word(span: TraceSpan, name: str) -> str:
    value = span.attributes.get(name, "")
    return str(value).lower() if isinstance(value, bool) else str(value)


def _amount(span: TraceSpan, name: str) -> float:
    return float(span.attributes.get(name, 0))
