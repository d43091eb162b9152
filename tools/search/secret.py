"""Redacts an API key from messages, logs and records."""

import logging
import re
from dataclasses import dataclass
from urllib.parse import quote

_PARAMETER = re.compile(r"(api_key=)[^&\s'\")>]+")
HIDDEN = "[key]"


@dataclass(frozen=True, repr=False)
class Secret:
    """A key; printing it shows nothing of it."""

    value: str

    def __repr__(self) -> str:
        return f"Secret({HIDDEN})"

    def hide(self, text: str) -> str:
        """`text` without the key, however it is spelled there."""
        for spelling in {self.value, quote(self.value, safe="")} - {""}:
            text = text.replace(spelling, HIDDEN)
        return _PARAMETER.sub(rf"\1{HIDDEN}", text)

    def guard(self, *names: str) -> None:
        """Hide the key in what these loggers write: HTTP libraries log whole addresses when told to be verbose."""
        for name in names:
            logger = logging.getLogger(name)
            if not any(isinstance(existing, _Veil) and existing.secret == self for existing in logger.filters):
                logger.addFilter(_Veil(self))


class _Veil(logging.Filter):
    def __init__(self, secret: Secret) -> None:
        super().__init__()
        self.secret = secret

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = self.secret.hide(record.getMessage()), None
        return True
