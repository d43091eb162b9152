"""Which tasks a failing model is not asked for a while, so that a question does not wait for it again and again."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from soprag.tools.errors import AnswerCut, AnswerInvalid, ModelError, ModelUnavailable

EVERY = ""  # stands for all tasks
_UNAVAILABLE = 30.0  # seconds without a request after the model gave no answer
_MALFORMED = 300.0  # seconds after it could not keep to the agreed form


@dataclass
class Circuit:
    """Opens for a task when its answer stays malformed after every repair, and for all tasks when the model gives no
    answer, or nothing in the agreed form since it was opened. Refused and truncated answers depend on the input and
    open nothing.
    """

    clock: Callable[[], float] = time.monotonic
    _until: dict[str, tuple[float, str]] = field(default_factory=dict)  # task → its end and why
    _has_answered: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def reason(self, task: str) -> str:
        """Why the model is not to be asked this task now, such as `gave no answer`; empty when it is."""
        now = self.clock()
        with self._lock:
            reasons = [self._until[name] for name in (EVERY, task) if name in self._until]
        return next((outcome for end, outcome in reasons if end > now), "")

    def answered(self) -> None:
        """The model gave a valid answer."""
        with self._lock:
            self._has_answered = True

    def failed(self, task: str, error: ModelError) -> str:
        """Take note of a failure; gives what follows from it, as words for the log, or nothing."""
        if isinstance(error, ModelUnavailable):
            name, seconds = EVERY, _UNAVAILABLE
        elif isinstance(error, AnswerInvalid) and not isinstance(error, AnswerCut):
            name, seconds = (task if self._has_answered else EVERY), _MALFORMED
        else:
            return ""
        with self._lock:
            self._until[name] = (self.clock() + seconds, error.outcome)
        return f" For {seconds:.0f} s the rules answer {name or 'every task'}."
