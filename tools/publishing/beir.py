"""The BEIR layout: `corpus.jsonl`, `queries.jsonl`, `qrels/test.tsv`."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from soprag.tools.publishing.facts import Facts
from soprag.tools.publishing.reviewed import ReviewedQuestion
from soprag.tools.sop import LEVELS, Sop
from soprag.tools.store.review_record import QuestionReview
from soprag.tools.store.run_folder import write_whole


def write_beir(folder: Path, facts: Facts) -> None:
    """Write the three files; every SOP is in the corpus, the sampled ones have questions."""
    write_whole(folder / "corpus.jsonl", _lines(_passage(facts, sop) for sop in facts.sops))
    published = [reviewed for reviewed in facts.reviewed if reviewed.published]
    write_whole(folder / "queries.jsonl", _lines(_query(facts, reviewed) for reviewed in published))
    rows = [f"{question.id}\t{question.sop}\t1" for question in facts.questions]
    write_whole(folder / "qrels" / "test.tsv", "\n".join(["query-id\tcorpus-id\tscore", *rows, ""]).encode())


def _passage(facts: Facts, sop: Sop) -> dict[str, Any]:
    document = facts.documents[sop.document]
    origin = {
        "document": document.id,
        "name": document.name,
        "location": document.provenance.location,
        "licence": document.provenance.licence,
        "lines": [sop.span.start, sop.span.end],
        "language": sop.language,
    }
    return {"_id": sop.id, "title": sop.title, "text": sop.body, "metadata": origin}


def _query(facts: Facts, reviewed: ReviewedQuestion) -> dict[str, Any]:
    question = reviewed.question
    metadata: dict[str, Any] = {
        "level": LEVELS.index(question.level) + 1,
        "kind": question.level,
        "evidence": question.evidence,
        "author": facts.author,
    }
    if reviewed.reviews:
        metadata["reviews"] = [_review(review) for review in reviewed.reviews]
    if reviewed.edited:
        metadata["drafted"] = reviewed.drafted.text
    return {"_id": question.id, "text": question.text, "metadata": metadata}


def _review(review: QuestionReview) -> dict[str, str]:
    row = {"reviewer": review.reviewer, "decision": review.decision, "decided": review.decided}
    return row | ({"reason": review.reason} if review.reason else {})


def _lines(rows: Iterable[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
