"""Waiting before a failed request is sent again."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from soprag.tools.retries import RetryPolicy, retry_after


def test_waits_double_up_to_the_longest_and_end() -> None:
    policy = RetryPolicy(retries=8, first_wait=0.5, longest_wait=10.0)
    pauses = [policy.pause(attempt) or 0.0 for attempt in range(1, 9)]
    assert all(0.5 * 0.5 * 2**power <= pause <= 0.5 * 2**power for power, pause in enumerate(pauses[:4]))
    assert max(pauses) <= 10.0
    assert policy.pause(9) is None


def test_a_requested_pause_is_kept_unless_it_is_too_long() -> None:
    policy = RetryPolicy(retries=2, first_wait=0.5, longest_wait=10.0)
    assert policy.pause(1, requested=7.0) == 7.0
    assert policy.pause(1, requested=0.0) == 0.0
    assert policy.pause(1, requested=10.1) is None
    assert policy.pause(3, requested=1.0) is None


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("12", 12.0),
        (" 0.5 ", 0.5),
        ("-3", 0.0),
        ("9" * 400, float("inf")),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
        ("Thu, 01 Jan 0001 00:00:00 +2359", 0.0),
        ("soon", None),
        ("nan", None),
        ("1e9", None),
        ("\u00b2", None),
        ("", None),
    ],
)
def test_a_retry_after_is_a_number_or_a_date(header: str, seconds: float | None) -> None:
    assert retry_after(header) == seconds


def test_a_date_is_counted_from_now() -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    pause = retry_after(date)
    assert pause is not None
    assert 25 < pause <= 30
