import random

import numpy as np

from soprag.agents.collecting.topic_model import Member, TopicModel

NEAR, MIDDLE, FAR = 0.35, 0.17, 0.02
OURS, THEIRS = np.eye(4, dtype=np.float32)[:2]


def page(close: float, *groups: str, meaning: object = OURS, verdict: bool | None = None) -> Member:
    return Member(close, frozenset(groups), np.asarray(meaning, np.float32), verdict)


def judged(members: dict[str, Member]) -> TopicModel:
    model = TopicModel()
    model.learn(members)
    return model


def on_topic(members: dict[str, Member]) -> set[str]:
    model = judged(members)
    return {key for key in members if model.chance(key) >= 0.5}


def two_fields() -> dict[str, Member]:
    ours = {f"ours{number}": page(NEAR, "host a") for number in range(8)}
    return ours | {f"theirs{number}": page(FAR, "host b", meaning=THEIRS) for number in range(12)}


def test_a_page_that_does_not_name_the_field_is_judged_by_its_list() -> None:
    members = two_fields() | {"silent": page(MIDDLE, "host a"), "stranger": page(MIDDLE, "host b", meaning=THEIRS)}
    accepted = on_topic(members)
    assert "silent" in accepted
    assert "stranger" not in accepted


def test_a_page_on_a_mixed_host_is_judged_by_the_pages_most_like_it() -> None:
    members = {f"ours{number}": page(NEAR, "host c") for number in range(9)}
    members |= {f"theirs{number}": page(FAR, "host c", meaning=THEIRS) for number in range(9)}
    members |= {"ours": page(MIDDLE, "host c"), "theirs": page(MIDDLE, "host c", meaning=THEIRS)}
    accepted = on_topic(members)
    assert "ours" in accepted
    assert "theirs" not in accepted


def test_when_everything_that_was_read_is_on_the_topic_all_of_it_is_accepted() -> None:
    members = {f"ours{number}": page(NEAR, "host a") for number in range(40)}
    assert on_topic(members) == set(members)


def test_a_text_close_to_the_topic_stands_among_many_that_are_not() -> None:
    members = {f"theirs{number}": page(FAR, "host b", meaning=THEIRS) for number in range(200)}
    assert "lonely" in on_topic(members | {"lonely": page(0.5, "host a")})


def test_procedures_of_another_field_on_the_same_list_are_not_accepted() -> None:
    members = {f"ours{number}": page(NEAR, "host a", "page list") for number in range(30)}
    members |= {f"other{number}": page(0.0, "host a", "page list", meaning=THEIRS) for number in range(10)}
    assert not {key for key in on_topic(members) if key.startswith("other")}


def test_a_verdict_of_a_model_is_not_outvoted() -> None:
    members = two_fields()
    members["ours0"] = page(NEAR, "host a", verdict=False)
    members["theirs0"] = page(FAR, "host b", meaning=THEIRS, verdict=True)
    accepted = on_topic(members)
    assert "ours0" not in accepted
    assert "theirs0" in accepted


def test_the_order_of_the_pages_changes_nothing() -> None:
    members = two_fields() | {"silent": page(MIDDLE, "host a")}
    keys = list(members)
    random.Random(1).shuffle(keys)
    first, second = judged(members), judged({key: members[key] for key in keys})
    assert [first.chance(key) for key in keys] == [second.chance(key) for key in keys]


def test_the_outlook_for_an_unread_page_follows_its_list() -> None:
    model = judged(two_fields())
    assert model.outlook(0.25, frozenset({"host b"})) < 0.3
    assert model.outlook(0.25, frozenset({"host a"})) > 0.7


def test_the_outlook_for_an_unread_page_follows_links_of_like_texts() -> None:
    members = {f"ours{number}": Member(NEAR, frozenset(), OURS, link=OURS) for number in range(6)}
    members |= {f"theirs{number}": Member(FAR, frozenset(), THEIRS, link=THEIRS) for number in range(6)}
    model = judged(members)
    assert (
        model.outlook(0.2, frozenset(), THEIRS)
        < model.outlook(0.2, frozenset())
        < model.outlook(0.2, frozenset(), OURS)
    )
