"""What the settings say of logs, traces and metrics, begun once in a process."""

import logging
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from soprag.apps import process
from soprag.tools.errors import ConfigError, StorageError
from soprag.tools.observe.spans import listen

if TYPE_CHECKING:
    from soprag.configs.settings import ObserveSettings

_log = logging.getLogger(__name__)
_lock = threading.Lock()
_begun: "list[ObserveSettings]" = []
_endings: list[Callable[[], object]] = []


def begin_observation(settings: "ObserveSettings") -> None:
    """Begin what is set; the settings that come first in a process count. Raises `ConfigError` without the extra."""
    with _lock:
        if _begun:
            return
        _begun.append(settings)
        if settings.log:
            _log_as_json(settings.log)
        try:
            if settings.traces:
                _send_spans(settings.traces)
            if settings.metrics:
                _serve_metrics(settings.metrics)
        except ModuleNotFoundError as missing:
            raise ConfigError("Traces and metrics need an extra: pip install 'soprag[observe]'.") from missing
        if _endings:
            process.send_last(end_observation)


def end_observation() -> None:
    """Send what waits and end all of it; it may block for as long as a collector does."""
    with _lock:
        while _endings:
            _endings.pop()()
        _begun.clear()


def _log_as_json(place: str) -> None:
    """All log lines from INFO on of this package, and warnings of others, to a file, or to stderr in place of text."""
    from soprag.tools.observe.json_log import JsonFormatter, log_turn

    root, ours = logging.getLogger(), logging.getLogger("soprag")
    before, level = list(root.handlers), ours.level
    for text in before:
        text.setLevel(max(text.level, root.level))  # the terminal shows what it showed before
    handler = _handler(place)
    handler.setFormatter(JsonFormatter())
    handler.addFilter(lambda line: line.name.startswith("soprag") or line.levelno >= logging.WARNING)
    root.handlers = [handler] if place == "-" else [*before, handler]
    ours.setLevel(logging.INFO)
    silent = listen(log_turn)

    def end() -> None:
        silent()
        root.handlers = before
        ours.setLevel(level)
        handler.close()

    _endings.append(end)


def _handler(place: str) -> logging.Handler:
    if place == "-":
        return logging.StreamHandler(sys.stderr)
    try:
        Path(place).parent.mkdir(parents=True, exist_ok=True)
        return logging.FileHandler(place, encoding="utf-8")
    except OSError as error:
        raise StorageError(f"Cannot write the log {place!r}: {error}.") from error


def _send_spans(endpoint: str) -> None:
    from soprag.tools.observe.otlp import SpanSender

    sender = SpanSender(endpoint)
    _endings.append(sender.close)
    _endings.append(listen(sender))


def _serve_metrics(address: str) -> None:
    """Serve `/metrics`; a second process on the same address does without, which is said."""
    from soprag.tools.observe.metrics import SpanMetrics

    metrics = SpanMetrics()
    host, _, port = address.rpartition(":")
    try:
        server = metrics.serve(host.strip("[]"), int(port))
    except OSError as error:
        _log.warning("No metrics at %s: %s", address, error)
        return
    _endings.extend([server.server_close, server.shutdown, listen(metrics)])
