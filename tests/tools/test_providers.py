"""What a provider's failure means, and that nothing secret is repeated."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from types import SimpleNamespace

import pytest

from soprag.tools.errors import ConfigError, ModelError, ModelRefused, ModelUnavailable, NotAnAnswer
from soprag.tools.providers import Fault, Provider, judge, pause_before_retry, scrub, server_of
from soprag.tools.retries import RetryPolicy

ASKED = Provider("openai:gpt-4o", "", 30.0)


class StatusError(Exception):
    def __init__(self, status: int, message: str = "no", headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.status_code = status
        self.response = SimpleNamespace(headers=headers or {})


class ReadTimeout(Exception):
    """Named as in httpx."""


class Retryable(Exception):
    is_retryable = True


@pytest.mark.parametrize(
    ("fault", "error", "again"),
    [
        (StatusError(400), ModelError, False),
        (StatusError(400, "code: content_filter"), ModelRefused, False),
        (StatusError(401), ConfigError, False),
        (StatusError(403), ConfigError, False),
        (StatusError(404), ConfigError, False),
        (StatusError(408), ModelUnavailable, True),
        (StatusError(429), ModelUnavailable, True),
        (StatusError(429, "code: insufficient_quota"), ModelUnavailable, False),
        (StatusError(529), ModelUnavailable, True),
        (TimeoutError(), ModelUnavailable, True),
        (ReadTimeout(), ModelUnavailable, True),
        (ConnectionResetError("reset"), ModelUnavailable, True),
        (IndexError("list index out of range"), NotAnAnswer, True),
        (Retryable("later"), ModelError, True),
        (RuntimeError("unheard of"), ModelError, False),
    ],
)
def test_every_failure_has_one_meaning(fault: Exception, error: type[Exception], again: bool) -> None:
    judged = judge(fault, ASKED)
    assert type(judged.error) is error
    assert judged.again is again
    assert "gpt-4o" in str(judged.error) or "OPENAI_API_KEY" in str(judged.error)


@pytest.mark.parametrize(
    ("headers", "pause"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "7", "retry-after-ms": "250"}, 0.25),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_the_pause_a_server_asks_for(headers: dict[str, str], pause: float | None) -> None:
    assert judge(StatusError(429, headers=headers), ASKED).pause == pause


def test_a_pause_may_be_a_date() -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    pause = judge(StatusError(503, headers={"retry-after": date}), ASKED).pause
    assert pause is not None and 25 < pause <= 30


def test_the_last_fault_is_raised() -> None:
    policy = RetryPolicy(retries=1, first_wait=0.5, longest_wait=10.0)
    busy = Fault(ModelUnavailable("busy."), again=True)
    assert 0.25 <= pause_before_retry(policy, busy, 1) <= 0.5
    with pytest.raises(ModelUnavailable, match=r"^busy\.$"):
        pause_before_retry(policy, busy, 2)
    with pytest.raises(ModelUnavailable, match="no retry"):
        pause_before_retry(policy, Fault(ModelUnavailable("no retry")), 1)


def test_a_pause_longer_than_the_longest_wait_is_an_error_that_names_it() -> None:
    policy = RetryPolicy(retries=3, first_wait=0.5, longest_wait=10.0)
    with pytest.raises(ModelUnavailable, match="pause of 60 s, longer than longest_wait"):
        pause_before_retry(policy, Fault(ModelUnavailable("busy."), again=True, pause=60.0), 1)


def test_no_secret_is_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_SERVICE_API_KEY", "hunter2-hunter2")
    said = "key hunter2-hunter2 or sk-proj-abcdef123 or\nAuthorization: Bearer abc.def.ghi"
    assert scrub(said) == "key *** or *** or Authorization: Bearer ***"


def test_the_server_is_the_setting_or_what_openai_s_variables_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_BASE", raising=False)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://gateway/v1")
    assert server_of("openai:gpt-4o", "") == "http://gateway/v1"
    assert server_of("openai:gpt-4o", "http://mine/v1") == "http://mine/v1"
    assert server_of("anthropic:claude", "") == ""
