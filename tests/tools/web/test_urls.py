import pytest

from soprag.tools.web import urls


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://Plant.test:80/a/../b", "https://plant.test/b"),
        ("http://plant.test/a?utm_source=x&id=1", "http://plant.test/a?id=1#part"),
        ("http://plant.test/a?b=2&a=1", "http://plant.test/a?a=1&b=2"),
        ("http://plant.test/a;jsessionid=99", "http://plant.test/a"),
        ("http://plant.test/a?sid=1f", "http://plant.test/a?sid=2e"),
    ],
)
def test_two_spellings_of_one_address_have_one_key(one: str, other: str) -> None:
    assert urls.key(urls.normalise(one)) == urls.key(urls.normalise(other))


def test_parameters_that_choose_the_page_are_kept() -> None:
    assert urls.key("http://plant.test/a?page=1") != urls.key("http://plant.test/a?page=2")
    assert urls.key("http://plant.test/a?ref=P-101") != urls.key("http://plant.test/a?ref=P-102")


def test_relative_addresses_are_made_absolute() -> None:
    assert urls.normalise("../c.pdf#x", "http://plant.test/a/b/") == "http://plant.test/a/c.pdf"


@pytest.mark.parametrize(
    "url", ["mailto:a@plant.test", "http://a:b@plant.test/", "//", "http://plant.test:99999/", "x" * 3000]
)
def test_what_cannot_be_fetched_is_empty(url: str) -> None:
    assert urls.normalise(url) == ""


def test_the_pages_of_a_calendar_have_one_template() -> None:
    assert urls.template("http://plant.test/calendar/2026/05") == urls.template("http://plant.test/calendar/1999/12")
    assert urls.template("http://plant.test/c?month=1") == urls.template("http://plant.test/c?month=12")


def test_a_page_is_of_the_same_kind_under_a_session_or_with_tracking() -> None:
    plain = urls.template("http://plant.test/topic.php?t=7")
    assert urls.template("http://plant.test/topic.php?t=8&sid=9b31d40f6bb9") == plain
    assert urls.template("http://plant.test/topic.php?utm_source=mail&t=9") == plain
    assert urls.template("http://plant.test/topic.php?t=9&view=print") != plain
