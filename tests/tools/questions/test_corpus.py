"""The SOPs of a run side by side: siblings, and vectors that are made once."""

import numpy as np

from soprag.tools.embedding import Vectors
from soprag.tools.questions import Corpus
from soprag.tools.questions.corpus import passages
from soprag.tools.sop import Sop, Span
from tests.hash_seeds import printed


class CountingEmbedder:
    """Remembers how many texts it was asked for."""

    name = "counting"

    def __init__(self) -> None:
        self.asked = 0

    def embed(self, texts: list[str]) -> Vectors:
        self.asked += len(texts)
        return np.full((len(texts), 4), 0.5, np.float32)


def sop(id: str, title: str, body: str) -> Sop:
    return Sop(id=id, title=title, text=body, document="d", span=Span(start=1, end=9))


SOPS = (
    sop("ahu1", "AHU-1 Filter Change", "Stop the air handling unit. Pull the pocket filters. Note 250 Pa."),
    sop("lift", "Release of Trapped Passengers", "Open the landing door. Level the car with the brake."),
    sop("ahu2", "AHU-2 Filter Change", "Stop the air handling unit. Pull the pocket filters and the HEPA cells."),
)


def test_the_twin_is_the_first_sibling() -> None:
    corpus = Corpus(SOPS, CountingEmbedder())
    assert [one.id for one in corpus.siblings("ahu1", 2)] == ["ahu2", "lift"]


TWINS = """
from soprag.tools.questions import Corpus
from soprag.tools.sop import Sop, Span
words = "pump valve strainer tank level pressure panel alarm trip restart supervisor cover discharge flow".split()
sops = [Sop(id=f"{n:02}", title=f"Restart {n}", text=" ".join(words[n % 5:] + [f"P-{n}"]), document="d",
            span=Span(start=1, end=9)) for n in range(30)]
corpus = Corpus(tuple(sops), None)
print([[twin.id for twin in corpus.siblings(one.id)] for one in sops])
"""


def test_siblings_that_are_equally_near_are_the_same_in_every_process() -> None:
    assert len(printed(TWINS, "1234")) == 1


def test_a_corpus_of_one_has_no_siblings() -> None:
    assert Corpus(SOPS[:1], CountingEmbedder()).siblings("ahu1") == ()


def test_only_compared_sops_are_embedded_and_each_once() -> None:
    embedder = CountingEmbedder()
    corpus = Corpus(SOPS, embedder)
    vector = np.array([1, 0, 0, 0], np.float32)
    for _ in range(3):
        corpus.fit("how are the pocket filters pulled", vector, corpus.sop("ahu1"))
    assert embedder.asked == 1


def test_words_that_only_one_sop_has_weigh_more() -> None:
    corpus = Corpus(SOPS, CountingEmbedder())
    assert corpus.rarity("hepa") > corpus.rarity("filter")
    assert corpus.coverage("HEPA cells", corpus.sop("ahu2")) == 1
    assert corpus.coverage("HEPA cells", corpus.sop("ahu1")) == 0


def test_neighbouring_words_are_quoted_where_they_stand_side_by_side_in_a_line() -> None:
    corpus = Corpus(SOPS, CountingEmbedder())
    assert corpus.quoted("Where are the pocket filters?", corpus.sop("ahu1")) == 1
    assert corpus.quotes("Where are the pocket filters?", corpus.sop("ahu1")) == 1
    assert corpus.quoted("filters of the pocket handling", corpus.sop("ahu1")) == 0


def test_words_of_one_passage_fit_better_than_the_same_words_far_apart() -> None:
    lines = "".join(f"Turn valve V{number} a quarter turn and wait for the lamp.\n" for number in range(12))
    near = sop("near", "Near", f"Grease the spindle bearing.\n{lines}Close the lid.")
    far = sop("far", "Far", f"Grease the spindle.\n{lines}Close the bearing lid.")
    corpus, vector = Corpus((near, far), CountingEmbedder()), np.full(4, 0.5, np.float32)
    assert corpus.fit("spindle bearing", vector, near) > corpus.fit("spindle bearing", vector, far)


def test_alert_names_are_found_by_their_parts() -> None:
    alert = sop("kube", "KubeNodeNotReady", "Check the kubelet.")
    corpus = Corpus((alert, *SOPS), CountingEmbedder())
    assert corpus.coverage("node not ready", alert) == 1


def test_every_line_of_the_body_is_in_one_passage() -> None:
    body = "\n".join(f"Step {number}: turn valve V{number} a quarter turn and wait." for number in range(60))
    found = passages(sop("long", "Long", body))
    assert "\n".join(passage.removeprefix("Long\n") for passage in found) == body
    assert len(found) > 3
