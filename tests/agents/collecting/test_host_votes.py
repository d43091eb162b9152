import numpy as np

from soprag.agents.collecting.host_votes import host_votes

SITES = ["a", "a", "a", "a", "b", "b", "b", "b", "c", "c", "c", "c"]


def test_where_every_host_is_of_one_field_a_doubtful_page_follows_its_host() -> None:
    chances = np.array([0.9, 0.9, 0.9, 0.5, 0.1, 0.1, 0.1, 0.5, 0.9, 0.9, 0.9, 0.9])
    votes = host_votes(SITES, chances)
    assert votes[3] > 0.5
    assert votes[7] < -0.5


def test_hosts_that_write_about_everything_have_no_vote() -> None:
    chances = np.array([0.9, 0.1, 0.9, 0.1] * 3)
    assert not host_votes(SITES, chances).any()


def test_the_only_host_has_no_vote() -> None:
    assert not host_votes(["a"] * 6, np.array([0.9, 0.8, 0.1, 0.2, 0.7, 0.5])).any()


def test_a_host_that_holds_nearly_everything_says_less_than_many_that_agree() -> None:
    large = host_votes(["a"] * 9 + ["b"] * 3, np.array([0.9] * 9 + [0.1] * 3))
    many = host_votes(["a", "a", "a", "b", "b", "b", "c", "c", "c", "d", "d", "d"], np.array([0.9] * 9 + [0.1] * 3))
    assert 0 < -large[-1] < -many[-1]


def test_nothing_fetched_has_no_votes() -> None:
    assert host_votes([], np.zeros(0)).shape == (0,)
