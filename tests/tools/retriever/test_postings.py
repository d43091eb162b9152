"""Terms and full text: what counts as a word, and BM25 against a plain computation of it."""

import math
import random
from collections import Counter
from pathlib import Path

import pytest

from soprag.tools.retriever.index.bm25 import FullText, Scored, WeighedTerm, Weights
from soprag.tools.retriever.index.places import open_store
from soprag.tools.retriever.index.postings import Records, counted, post, unpost
from soprag.tools.retriever.index.storage import Store
from soprag.tools.text.terms import terms, with_pairs

WORDS = ["pump", "valve", "trip", "leak", "seal", "motor", "drain", "close", "open", "check"]


@pytest.mark.parametrize("written", ["KubeAPIDown", "kube_api_down", "kube-api-down", "Kube.API.Down"])
def test_an_identifier_is_found_however_it_is_written(written: str) -> None:
    assert terms(written) == ["kube", "api", "down", "kubeapidown"]


def test_terms_are_stemmed_without_accents_and_stop_words_but_with_negations() -> None:
    assert terms("The valves are NOT closing at the café") == ["valv", "not", "close", "cafe"]
    assert terms("冷却水") == ["冷却", "却水"]
    assert terms("") == terms("\x00 ; --") == []


def documents(count: int) -> dict[int, list[str]]:
    chance = random.Random(1)
    return {number: chance.choices(WORDS, k=chance.randint(1, 30)) for number in range(1, count + 1)}


def written(place: str | Path, texts: dict[int, list[str]]) -> Store:
    database = open_store(place, create=True)
    with database.transaction() as db:
        for number, words in texts.items():
            row = (number, str(number), len(words))
            db.execute("INSERT INTO sop VALUES (?, ?, '', '', '', '', 1, '', '', ?, 0, 0)", row)
            db.execute("INSERT INTO change (number, gone) VALUES (?, 0)", (number,))
            post(db, number, [], words)
    return database


def postings(database: Store) -> list[tuple[int, int, int]]:
    """All postings; how many rows they take is the business of the database."""
    with database.reading() as db:
        records = Records.read(db.execute("SELECT id, records, counts FROM posting").fetchall())
    return sorted(zip(records.keys.tolist(), records.numbers.tolist(), records.counts.tolist(), strict=True))


def plainly(texts: dict[int, list[str]], question: list[str], weights: Weights) -> dict[int, float]:
    """BM25 as in the textbook."""
    counts = {number: Counter(with_pairs(words)) for number, words in texts.items()}
    mean = sum(map(len, texts.values())) / len(texts)
    scores: Counter[int] = Counter()
    for term in set(with_pairs(question)):
        often = sum(term in count for count in counts.values())
        rarity = math.log(1 + (len(texts) - often + 0.5) / (often + 0.5))
        for number, count in counts.items():
            length = 1 - weights.b + weights.b * len(texts[number]) / mean
            gain = rarity * count[term] * (weights.k1 + 1) / (count[term] + weights.k1 * length)
            scores[number] += gain  # type: ignore[assignment]
    return {number: score for number, score in scores.items() if score}


def test_scores_are_those_of_bm25(place: str | Path) -> None:
    texts = documents(2500)  # more than one block
    database = written(place, texts)
    question = ["pump", "valve", "trip"]
    for weights in (Weights(), Weights(k1=1.2, b=0.75)):
        with database.reading() as db:
            scored = FullText(weights).score(db, question, ["pump_valve", "nothing"])
        assert scored.best(3000) == pytest.approx(plainly(texts, question, weights))
        assert scored.frequencies == {
            word: sum(word in with_pairs(words) for words in texts.values()) for word in (*question, "pump_valve")
        }


def exhaustively(scored: Scored, k: int, highest: int) -> dict[int, float]:
    """The best `k` and all that tie with the last of them, by the scores of all SOPs."""
    every = dict(enumerate(scored.of(range(highest + 1)).tolist()))
    last = sorted(every.values(), reverse=True)[min(k, highest) - 1]
    return {number: score for number, score in every.items() if score >= last and score > 0}


@pytest.mark.parametrize("seed", range(4))
def test_the_best_are_those_of_all_scores(place: str | Path, seed: int) -> None:
    chance = random.Random(seed)
    words = [f"w{rank}" for rank in range(chance.choice([6, 60, 600]))]
    shares = [1 / (rank + 1) for rank in range(len(words))]  # some in nearly every SOP, most in few
    texts = {
        number: chance.choices(words, shares, k=chance.randint(1, 40)) for number in chance.sample(range(1, 5000), 250)
    }
    database, ranking = written(place, texts), FullText(Weights(b=chance.choice([0.0, 0.75, 1.0])))
    for _ in range(30):
        question, k = chance.choices(words, k=chance.randint(1, 12)), chance.choice([1, 2, 10, 30, 1000])
        with database.reading() as db:
            scored = ranking.score(db, question)
        assert scored.best(k) == exhaustively(scored, k, 5000)


def test_frequent_terms_are_scored_for_few_procedures(place: str | Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {number: ["common"] * (number % 3 + 1) + [f"rare{number % 100}"] for number in range(1, 601)}
    database, looked_at = written(place, texts), list[int]()
    gains = WeighedTerm.gains
    monkeypatch.setattr(
        WeighedTerm,
        "gains",
        lambda term, places: looked_at.append(len(found := gains(term, places))) or found,
    )
    with database.reading() as db:
        scored = FullText().score(db, ["rare7", "common"])
        assert set(scored.best(3)) <= {number for number in texts if number % 100 == 7}
    assert sum(looked_at) < 40 < len(scored.terms[0].numbers) + len(scored.terms[1].numbers)


def test_what_is_taken_out_leaves_no_trace(place: str | Path) -> None:
    texts = documents(20)
    database = written(place, texts)
    before = postings(database)
    with database.transaction() as db:
        post(db, 600, ["pump"], ["pump", "quite", "new"] + ["valve"] * 70)
        assert counted(db)[600] == 8
        unpost(db, 600)
    assert postings(database) == before
    database.settle()
    assert postings(database) == before
