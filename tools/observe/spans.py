"""Spans: the parts of a turn with their times, under one trace id.

    with span("search", keep=5) as searching:
        searching.set(abstained=True)

Ended spans go to the listeners (`otlp.py`, `metrics.py`). Without one nothing is kept and a span costs microseconds;
the trace id is there all the same, for the record and the log. Attributes hold names and numbers, never the words of
a document or a person.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TypeAlias

Attribute: TypeAlias = str | int | float | bool


@dataclass
class TraceSpan:
    """One timed part of the work; ids are hex digits as in W3C Trace Context, times ns since 1970."""

    name: str
    parent: "TraceSpan | None" = None
    attributes: dict[str, Attribute] = field(default_factory=dict)
    id: str = field(default_factory=lambda: os.urandom(8).hex())
    trace: str = ""
    error: str = ""
    began: int = field(default_factory=time.time_ns)
    seconds: float = 0.0

    def __post_init__(self) -> None:
        self.trace = self.trace or (self.parent.trace if self.parent else os.urandom(16).hex())

    @property
    def root(self) -> "TraceSpan":
        """The span that began the trace."""
        return self.parent.root if self.parent else self

    def set(self, **attributes: Attribute) -> None:
        """Set attributes."""
        self.attributes.update(attributes)

    def add(self, **amounts: float) -> None:
        """Add to numeric attributes."""
        for name, amount in amounts.items():
            self.attributes[name] = float(self.attributes.get(name, 0)) + amount


Listener = Callable[[TraceSpan], None]

_current: ContextVar[TraceSpan | None] = ContextVar("span", default=None)
_listeners: list[Listener] = []


@contextmanager
def span(name: str, **attributes: Attribute) -> Iterator[TraceSpan]:
    """A span around what happens inside; below the present one, else the root of a new trace.

    An exception that leaves it is its error, by the name of its class.
    """
    before = _current.get()
    opened, began = TraceSpan(name, before, attributes), time.perf_counter()
    _current.set(opened)
    try:
        yield opened
    except BaseException as error:
        opened.error = type(error).__name__
        raise
    finally:
        _current.set(before)  # no token: a generator may be closed in another context than it was begun in
        opened.seconds = time.perf_counter() - began
        for listener in _listeners:
            listener(opened)


def mark(name: str, **attributes: Attribute) -> None:
    """A span without a duration: something that was decided or happened."""
    with span(name, **attributes):
        pass


def current_span() -> TraceSpan | None:
    """The span that this code runs in."""
    return _current.get()


def current_trace() -> str:
    """The trace id, 32 hex digits; empty outside any span."""
    present = _current.get()
    return present.trace if present else ""


def describe_turn(**attributes: Attribute) -> None:
    """Set attributes of the root of the present trace."""
    present = _current.get()
    if present:
        present.root.set(**attributes)


def is_listened_to() -> bool:
    """Whether anybody receives the spans."""
    return bool(_listeners)


def listen(listener: Listener) -> Callable[[], None]:
    """Send every ended span of this process to `listener`; gives the function that ends it."""
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)
