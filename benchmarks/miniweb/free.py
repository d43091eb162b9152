"""The forms of two free search services: Wikipedia's REST search and Stack Exchange's search for excerpts."""

import gzip
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from soprag.benchmarks.miniweb.index import Index
from soprag.benchmarks.miniweb.reply import Reply

Asked = dict[str, str]


def _wikipedia(index: Index, parameters: Asked) -> Reply:
    """`__late__` is told to come back in a second."""
    text = parameters.get("q", "")
    if not text:
        return _json({"httpCode": 400, "httpReason": "Bad Request"}, 400)
    if text == "__late__":
        return _json({}, 429, {"Retry-After": "900"})
    results = index.search(f"{text} site:en.wikipedia.org")[: int(parameters.get("limit", "50"))]
    pages = [
        {
            "id": number,
            "key": urlsplit(result.url).path.removeprefix("/wiki/"),
            "title": result.title,
            "excerpt": f'<span class="searchmatch">{result.title}</span> {result.snippet}',
            "matched_title": None,
            "description": None,
            "thumbnail": None,
        }
        for number, result in enumerate(results, 1)
    ]
    return _json({"pages": pages})


def _excerpts(index: Index, parameters: Asked) -> Reply:
    """`__quota__` has none left, `__backoff__` wants a pause of one second."""
    text = parameters.get("q", "")
    if text == "__quota__":
        message = "too many requests from this IP, more requests available in 4242 seconds"
        return _packed({"error_id": 502, "error_name": "throttle_violation", "error_message": message}, 400)
    if not parameters.get("site"):
        return _packed({"error_id": 400, "error_name": "bad_parameter", "error_message": "site is required"}, 400)
    results = index.search(f"{text} site:stackexchange.com") if not text.startswith("__") else []
    start, size = (
        (int(parameters.get("page", "1")) - 1) * int(parameters.get("pagesize", "30")),
        int(parameters.get("pagesize", "30")),
    )
    items = [
        {
            "item_type": "question",
            "question_id": 1000 + number,
            "title": result.title.replace("&", "&amp;"),
            "excerpt": f'<span class="highlight">{result.snippet}</span>',
            "score": 7,
            "tags": [],
        }
        for number, result in enumerate(results[start : start + size], start)
    ]
    answer: dict[str, Any] = {
        "items": items,
        "has_more": start + size < len(results),
        "quota_max": 300,
        "quota_remaining": 299,
    }
    return _packed(answer | ({"backoff": 1} if text == "__backoff__" else {}))


def _json(answer: dict[str, Any], status: int = 200, headers: dict[str, str] | None = None) -> Reply:
    return Reply(json.dumps(answer).encode(), "application/json", status, headers or {})


def _packed(answer: dict[str, Any], status: int = 200) -> Reply:
    """Stack Exchange always compresses."""
    return Reply(gzip.compress(json.dumps(answer).encode()), "application/json", status, {"Content-Encoding": "gzip"})


FREE: dict[str, Callable[[Index, Asked], Reply]] = {
    "/w/rest.php/v1/search/page": _wikipedia,
    "/2.3/search/excerpts": _excerpts,
}
