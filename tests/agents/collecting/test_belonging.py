from agents.collecting.belonging import Belonging, Member

NEAR, FAR = 0.35, 0.10


def page(close: float, *groups: str, told: bool | None = None) -> Member:
    return Member(close, procedure=True, groups=frozenset(groups), told=told)


def on_topic(members: dict[str, Member]) -> set[str]:
    belonging = Belonging()
    belonging.learn(members)
    return {key for key in members if belonging.chance(key) >= 0.5}


def two_sites() -> dict[str, Member]:
    """Six pages of the topic on one host and six of another field on another; every fifth shows it by its words."""
    ours = {f"ours{at}": page(NEAR, "host a") for at in range(5)} | {"silent": page(FAR, "host a")}
    return ours | {f"theirs{at}": page(FAR, "host b") for at in range(6)}


def test_a_page_that_does_not_name_the_field_belongs_to_its_neighbours() -> None:
    members = two_sites()
    assert on_topic(members) == {key for key, member in members.items() if "host a" in member.groups}


def test_without_neighbours_its_own_words_decide() -> None:
    members = two_sites() | {"silent": page(FAR)}
    assert "silent" not in on_topic(members)


def test_a_host_with_a_bit_of_everything_says_nothing() -> None:
    near = {f"near{at}": page(NEAR, "host c", f"page ours{at}") for at in range(6)}
    far = {f"far{at}": page(FAR, "host c", f"page theirs{at}") for at in range(6)}
    lists = {f"ours{at}": page(NEAR, f"page ours{at}") for at in range(6)}
    lists |= {f"theirs{at}": page(FAR, f"page theirs{at}") for at in range(6)}
    belonging = Belonging()
    belonging.learn(near | far | lists)
    assert on_topic(near | far | lists) == {*near, *(key for key in lists if key.startswith("ours"))}
    assert abs(belonging.lean({"host c"})) < 0.5


def test_what_its_groups_say_is_known_of_a_page_that_nobody_has_read() -> None:
    belonging = Belonging()
    assert belonging.lean({"host a"}) == 0
    belonging.learn(two_sites())
    assert belonging.lean({"host b"}) < -1
    assert belonging.lean({"host a"}) > 1
    assert belonging.lean({"host nobody has seen"}) == 0


def test_what_a_model_said_is_not_outvoted() -> None:
    members = two_sites()
    members["ours0"] = page(NEAR, "host a", told=False)
    members["theirs0"] = page(FAR, "host b", told=True)
    kept = on_topic(members)
    assert "ours0" not in kept
    assert "theirs0" in kept


def test_the_same_pages_are_judged_the_same() -> None:
    assert on_topic(two_sites()) == on_topic(two_sites())
