import dataclasses

import numpy as np

from soprag.agents.collecting.topic_model import Member, Sort, TopicModel

NEAR, FAR = 0.35, 0.10
NOWHERE = np.zeros(4, np.float32)
OURS, THEIRS = np.eye(4, dtype=np.float32)[:2]


def page(
    close: float, *groups: str, told: bool | None = None, meaning: object = NOWHERE, sort: Sort = "procedure"
) -> Member:
    return Member(close, sort, frozenset(groups), np.asarray(meaning, np.float32), verdict=told)


def judged(members: dict[str, Member]) -> TopicModel:
    belonging = TopicModel(NOWHERE, unread_pages=500)
    belonging.learn(members)
    return belonging


def on_topic(members: dict[str, Member]) -> set[str]:
    belonging = judged(members)
    return {key for key in members if belonging.chance(key) >= 0.5}


def two_sites() -> dict[str, Member]:
    """Six pages of the topic on one host and six of another field on another; one of ours does not show it."""
    ours = {f"ours{at}": page(NEAR, "host a") for at in range(5)} | {"silent": page(FAR, "host a")}
    return ours | {f"theirs{at}": page(FAR, "host b") for at in range(6)}


def test_a_page_that_does_not_name_the_field_belongs_to_its_neighbours() -> None:
    members = two_sites()
    assert on_topic(members) == {key for key, member in members.items() if "host a" in member.groups}


def test_without_neighbours_its_own_words_decide() -> None:
    members = {f"ours{at}": page(NEAR, "host a") for at in range(5)}
    members |= {f"theirs{at}": page(FAR, "host b") for at in range(12)}
    assert "silent" not in on_topic(members | {"silent": page(FAR)})
    assert "loud" in on_topic(members | {"loud": page(NEAR)})


def test_a_page_on_a_host_with_a_bit_of_everything_belongs_to_what_is_like_it() -> None:
    members = {f"near{at}": page(NEAR, "host c", meaning=OURS) for at in range(6)}
    members |= {f"far{at}": page(FAR, "host c", meaning=THEIRS) for at in range(6)}
    between = (NEAR + FAR) / 2
    members |= {
        "ours": page(between, "host c", meaning=OURS),
        "theirs": page(between, "host c", meaning=THEIRS),
    }
    kept = on_topic(members)
    assert "ours" in kept
    assert "theirs" not in kept


def test_a_host_with_a_bit_of_everything_says_nothing() -> None:
    near = {f"near{at}": page(NEAR, "host c", f"page ours{at}") for at in range(6)}
    far = {f"far{at}": page(FAR, "host c", f"page theirs{at}") for at in range(6)}
    lists = {f"ours{at}": page(NEAR, f"page ours{at}") for at in range(6)}
    lists |= {f"theirs{at}": page(FAR, f"page theirs{at}") for at in range(6)}
    middle = (NEAR + FAR) / 2
    stranger = {"stranger": page(middle, "host c", sort="unread"), "nobody": page(middle, sort="unread")}
    belonging = judged(near | far | lists | stranger)
    assert abs(belonging.chance("stranger") - belonging.chance("nobody")) < 0.15


def test_words_of_the_topic_speak_for_a_page_and_their_absence_not_against_it() -> None:
    middle, words = (NEAR + FAR) / 2, (True, False)
    ours = {f"ours{at}": dataclasses.replace(page(NEAR, "host a"), names=words) for at in range(8)}
    theirs = {f"theirs{at}": dataclasses.replace(page(FAR, "host b"), names=(False, False)) for at in range(8)}
    pair = {"named": dataclasses.replace(page(middle), names=words)}
    pair |= {"silent": dataclasses.replace(page(middle), names=(False, False))}
    belonging = judged(ours | theirs | pair)
    assert belonging.chance("named") > belonging.chance("silent") + 0.1
    assert belonging.chance("silent") > 0.5


def test_what_its_groups_say_of_a_page_that_nobody_has_read() -> None:
    heard = {at: page(0.25, f"host {at}", sort="unread") for at in "abc"}
    belonging = judged(two_sites() | heard)
    assert belonging.chance("b") < 0.1 < belonging.chance("c") < 0.9 < belonging.chance("a")


def test_pages_that_nobody_has_read_speak_for_their_host() -> None:
    heard = {f"heard{at}": page(FAR, "host c", sort="unread") for at in range(5)}
    between = {"between": page((NEAR + FAR) / 2, "host c")}
    assert "between" in on_topic(two_sites() | between)
    assert "between" not in on_topic(two_sites() | between | heard)


def test_of_thousands_that_nobody_has_read_the_farthest_only_have_their_closeness() -> None:
    heard = {f"heard{at}": page(0.3, "host b", sort="unread") for at in range(500)}
    belonging = judged(two_sites() | heard | {"far": page(0.2, "host a", sort="unread")})
    assert belonging.chance("far") == judged(heard | {"far": page(0.2, "host c", sort="unread")}).chance("far") < 0.5


def test_what_a_model_said_is_not_outvoted() -> None:
    members = two_sites()
    members["ours0"] = page(NEAR, "host a", told=False)
    members["theirs0"] = page(FAR, "host b", told=True)
    kept = on_topic(members)
    assert "ours0" not in kept
    assert "theirs0" in kept


def test_the_same_pages_are_judged_the_same() -> None:
    assert on_topic(two_sites()) == on_topic(two_sites())
