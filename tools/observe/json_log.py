"""Log lines as JSON, each with the trace id of the turn it belongs to."""

import json
import logging
from datetime import UTC, datetime
from typing import Any

from soprag.tools.observe.spans import TraceSpan, current_span

log = logging.getLogger(__name__)


class JsonFormatter(logging.Formatter):
    """One JSON object per line: time (UTC), level, logger, message, and `trace` and `span` inside a turn."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        present = current_span()
        line |= {"trace": present.trace, "span": present.id} if present else {}
        line |= getattr(record, "fields", {})
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def log_turn(span: TraceSpan) -> None:
    """A listener that logs each turn at its end, with what it came to."""
    if span.parent is None:
        fields = {**span.attributes, "trace": span.trace, "span": span.id, "seconds": round(span.seconds, 3)}
        log.info("%s ended%s", span.name, f" ({span.error})" if span.error else "", extra={"fields": fields})
