"""Communities do not depend on order, and a change touches few of them."""

import random
from pathlib import Path

import pytest

from soprag.tools.knowledge import community_store
from soprag.tools.knowledge.communities import Clustering, LinkedFact, cluster, cluster_again, modularity
from tests.hash_seeds import printed
from tests.tools.knowledge.plant import add, document, open_plant

HOW = Clustering(1.0, 40)


def synthetic(groups: int, seed: int = 3) -> list[LinkedFact]:
    """Facts of `groups` plants: close inside, a few between neighbours."""
    chance = random.Random(seed)
    facts = []
    for group in range(groups):
        names = [f"n{group}-{number}" for number in range(7)]
        facts += [_fact(*chance.sample(names, 2), number) for number in range(14)]
        if chance.random() < 0.3:
            facts.append(_fact(names[0], f"n{(group + 1) % groups}-1", 99))
    return facts


def _fact(subject: str, target: str, number: int) -> LinkedFact:
    return LinkedFact(subject, target, f"{subject} {number} {target}")


def test_shuffled_facts_give_the_same_communities() -> None:
    facts = synthetic(60)
    expected = cluster(facts, HOW)
    for seed in range(3):
        shuffled = random.Random(seed).sample(facts, len(facts))
        assert cluster(shuffled, HOW) == expected


@pytest.mark.slow
def test_another_hash_seed_gives_the_same_communities() -> None:
    code = (
        "from tests.tools.knowledge.test_communities import *; "
        "print([(entry.id, entry.digest) for entry in cluster(synthetic(20), HOW)])"
    )
    assert len(printed(code, ("0", "1", "42"))) == 1


def test_one_document_among_many_invalidates_at_most_a_tenth_of_the_summaries() -> None:
    facts = synthetic(300)
    before = cluster(facts, HOW)
    added = [*facts, _fact("n5-0", "new-1", 1), _fact("new-1", "new-2", 2), _fact("n17-3", "new-2", 3)]
    after = cluster_again(added, before, HOW)
    known = {entry.digest for entry in before}
    large = [entry for entry in after if len(entry.members) >= community_store.SMALLEST]
    changed = sum(entry.digest not in known for entry in large)
    assert 0 < changed <= len(large) / 10
    assert {name for entry in after for name in entry.members} == {node for fact in added for node in fact.edge}
    assert modularity(added, after, 1.0) > modularity(added, cluster(added, HOW), 1.0) - 0.05


def test_a_removed_document_leaves_no_member_behind() -> None:
    facts = synthetic(40)
    rest = [fact for fact in facts if not fact.subject.startswith("n7-") and not fact.target.startswith("n7-")]
    after = cluster_again(rest, cluster(facts, HOW), HOW)
    assert {name for entry in after for name in entry.members} == {node for fact in rest for node in fact.edge}


def test_summaries_are_made_once_and_kept_while_the_facts_stay(tmp_path: Path) -> None:
    _, library = open_plant(tmp_path)
    add(library, document("loop", "# Loop\n\nThe pump P-1 feeds the tank T-1. The tank T-1 feeds the pump P-2.\n"))
    assert community_store.recluster(library, HOW).invalid == 1
    [(digest, ask)] = community_store.summary_asks(library).items()
    community_store.keep_summary(library, digest, " ".join(fact.quote for fact in ask.facts), "rules")
    assert community_store.recluster(library, HOW).invalid == 0
    assert community_store.missing_summaries(library) == []
    [page] = community_store.pages(library)
    assert "The pump P-1 feeds the tank T-1." in page.summary
    add(library, document("other", "# Other\n\nThe fan F-1 cools the rack R-1. The rack R-1 feeds the fan F-2.\n"))
    assert community_store.recluster(library, HOW).invalid == 1


def test_a_new_name_joins_the_community_of_its_neighbour_and_changes_no_other() -> None:
    facts = synthetic(40)
    before = cluster(facts, HOW)
    after = cluster_again([*facts, _fact("n5-0", "new-1", 1)], before, HOW)
    home = next(entry for entry in before if "n5-0" in entry.members)
    assert any({*home.members, "new-1"} == {*entry.members} for entry in after)
    known = {entry.digest for entry in before}
    assert all("n5-0" in entry.members for entry in after if entry.digest not in known)
