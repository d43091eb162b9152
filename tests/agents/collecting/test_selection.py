import random

import numpy as np

from soprag.agents.collecting.candidate_urls import CandidateUrl, Discovery
from soprag.agents.collecting.page_filter import PageJudgement
from soprag.agents.collecting.selection import select

WORDS = [f"word{number}" for number in range(400)]


def procedure(
    name: str, text: str, close: float = 0.4, meaning: tuple[float, ...] = (1.0, 0.0), form: float = 3.0
) -> tuple[CandidateUrl, PageJudgement]:
    url = f"http://a.test/{name}"
    lead = CandidateUrl(url, url, 0, [Discovery(name, "", query="q")])
    reading = PageJudgement(
        kind="document",
        reason="",
        title=name,
        text=text,
        close=close,
        sha256=name,
        meaning=meaning,
        form=form,
    )
    return lead, reading


def text(first: int, last: int) -> str:
    return " ".join(WORDS[first:last])


PAGES = [
    procedure("whole", text(0, 100)),
    procedure("copy", text(0, 100) + " mirror"),
    procedure("excerpt", text(5, 30)),
    procedure("another", text(200, 300)),
    *(procedure(f"off{start}", text(start, start + 9), -0.1, (0.0, 1.0)) for start in range(300, 400, 9)),
]


def test_copies_excerpts_and_other_topics_are_left_out_with_the_reason() -> None:
    selection = select(PAGES)
    assert {document.reading.title for document in selection.accepted} == {"copy", "another"}
    reasons = {document.reading.title: document.reason for document in selection.left_out}
    assert reasons["whole"] == "a copy of http://a.test/copy"
    assert reasons["excerpt"] == "an excerpt of http://a.test/copy"
    assert reasons["off300"].startswith("off the topic")


def test_the_order_of_the_pages_changes_nothing() -> None:
    shuffled = list(PAGES)
    random.Random(2).shuffle(shuffled)
    assert select(shuffled) == select(PAGES)


def test_what_is_hardly_a_procedure_is_left_out_although_it_is_on_the_topic() -> None:
    doubtful = procedure("doubtful", text(100, 200), form=0.2)
    selection = select([*PAGES, doubtful])
    assert "doubtful" not in {document.reading.title for document in selection.accepted}
    reasons = {document.reading.title: document.reason for document in selection.left_out}
    assert reasons["doubtful"].startswith("hardly a procedure")


def test_nothing_fetched_is_nothing_selected() -> None:
    assert select([]).accepted == ()


def test_a_document_is_as_close_to_the_topic_as_the_closest_of_its_copies() -> None:
    far, near = procedure("longer-without-title", text(100, 200) + " end", 0.0), procedure("titled", text(100, 200))
    others = PAGES[4:]
    alone, both = select([far, *others]), select([far, near, *others])
    assert not alone.accepted
    assert [document.reading.title for document in both.accepted] == ["longer-without-title"]


def field(name: str, first: int, close: float, count: int) -> list[tuple[CandidateUrl, PageJudgement]]:
    """Procedures of one field: each has most of its sixty words, and forty of its own; all mean the same."""
    draw = random.Random(name)
    return [
        procedure(name + str(n), " ".join([*draw.sample(WORDS[first : first + 60], 40), *_own(f"{name}{n}")]), close)
        for n in range(count)
    ]


def _own(name: str) -> list[str]:
    return [f"{name}x{number}" for number in range(40)]


def test_procedures_of_a_neighbouring_field_with_words_of_their_own_are_left_out() -> None:
    pages = [*field("named", 0, 0.3, 6), *field("silent", 0, 0.14, 4), *field("other", 100, 0.14, 12)]
    accepted = {document.reading.title for document in select(pages).accepted}
    assert {f"silent{n}" for n in range(4)} <= accepted
    assert not {title for title in accepted if title.startswith("other")}


def kinds(name: str, close: float, middle: int, count: int) -> list[tuple[CandidateUrl, PageJudgement]]:
    """Procedures of one field, more or less alike in meaning, in four kinds that share most of their words."""
    draw, words = random.Random(name), [WORDS[80 * kind : 80 * kind + 60] for kind in range(4)]
    pages = []
    for n in range(count):
        meaning = np.array([draw.gauss(float(place == middle), 0.3) for place in range(6)])
        own = " ".join([*draw.sample(words[n % 4], 55), *_own(f"{name}{n}")[:8]])
        pages.append(procedure(f"{name}{n}", own, close, tuple(meaning / np.linalg.norm(meaning))))
    return pages


def test_procedures_of_a_field_that_shares_its_wording_are_told_apart_by_their_meaning() -> None:
    pages = [*kinds("named", 0.3, 0, 12), *kinds("silent", 0.16, 0, 4), *kinds("other", 0.13, 1, 16)]
    accepted = {document.reading.title for document in select(pages).accepted}
    assert {f"silent{n}" for n in range(4)} <= accepted
    assert not {title for title in accepted if title.startswith("other")}
