"""A search service on the loopback interface with the form and the faults of SerpAPI, and of two free services.

The key chooses a fault that concerns the account, the query one that concerns the search:

    test-key     works while there are credits        __503__       upstream failure, full envelope
    bad          401                                   __500__       an HTML page
    deleted      403                                   __broken__    JSON cut off
    empty        429, out of searches                  __html__      200 with an HTML page
    throttled    429, too many in this hour            __empty__     200 without results
                                                       __slow__      answers after 30 s
                                                       __drip__      a byte every 0.2 s, without end
                                                       __busy__      429, throughput, twice; then fine
"""

import hashlib
import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlencode

from soprag.benchmarks.miniweb.free import FREE
from soprag.benchmarks.miniweb.index import Index
from soprag.benchmarks.miniweb.reply import Reply, Request
from soprag.benchmarks.miniweb.server import Site
from soprag.benchmarks.miniweb.shapes import ENGINES, shape

KEY = "test-key-0123456789abcdef"
SPENT = "Your account has run out of searches."
HURRIED = "You are exceeding the hourly throughput limit of your plan."
WRONG = "Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key"
FAILED = "We couldn't get valid results for this search. Please try again later."
Answer = dict[str, Any]


@dataclass(frozen=True)
class Call:
    """One search that came in; `charged` when it cost a credit. The key is not kept."""

    parameters: dict[str, str]
    charged: bool
    status: int
    at: float


@dataclass
class Endpoint:
    """The service; lives as long as the `with` block."""

    index: Index
    credits: int = 1000
    hourly: int = 10_000
    delay: float = 0.0
    fault: str = ""  # one of the faults above, for every search
    hour: bool = True  # whether the same search again is free, as it is within an hour
    key: str = KEY
    calls: list[Call] = field(default_factory=list)
    asked: Counter[str] = field(default_factory=Counter)
    _kept: dict[str, Answer] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __enter__(self) -> Self:
        self._site = Site(self.answer).__enter__()
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._site.__exit__(error_type, error, trace)

    @property
    def url(self) -> str:
        """Its base address."""
        return f"http://127.0.0.1:{self._site.port}"

    @property
    def spent(self) -> int:
        """Credits that were charged since the last `calls.clear()`."""
        return sum(call.charged for call in self.calls)

    def answer(self, request: Request) -> Reply:
        """What a request gets."""
        parameters = {name: values[-1] for name, values in parse_qs(request.query, keep_blank_values=True).items()}
        key = parameters.pop("api_key", "")
        if request.path in FREE:
            return FREE[request.path](self.index, parameters)
        refusal = self._refuse(key)
        if request.path in ("/account", "/account.json") and (refusal is None or key == "empty"):
            return _json(self._account(key))
        if refusal is None and request.path not in ("/search", "/search.json"):
            refusal = 404, "Not found"
        if refusal is not None:
            return self._note(parameters, _error(*refusal))
        time.sleep(self.delay)
        return self._search(parameters)

    def _refuse(self, key: str) -> tuple[int, str] | None:
        faults = {
            "deleted": (403, "Your account has been deleted."),
            "empty": (429, SPENT),
            "throttled": (429, HURRIED),
        }
        return faults.get(key) or (None if key == self.key else (401, WRONG))

    def _account(self, key: str) -> Answer:
        remaining = 0 if key == "empty" else self.credits
        return {
            "account_id": "5ac54d6adefb2f1dba1663f5", "api_key": key, "account_email": "demo@example.test",
            "account_status": "Active", "plan_name": "Developer", "searches_per_month": 5000,
            "plan_searches_left": remaining, "extra_credits": 0, "total_searches_left": remaining,
            "this_month_usage": self.spent, "last_hour_searches": self.spent,
            "account_rate_limit_per_hour": self.hourly,
        }  # fmt: skip

    def _search(self, parameters: dict[str, str]) -> Reply:
        text, engine = parameters.get("q", ""), parameters.get("engine", "google")
        if engine not in ENGINES:
            return self._note(parameters, _error(400, f"Unsupported `{engine}` search engine."))
        if not text:
            return self._note(parameters, _error(400, "Missing query `q` parameter."))
        failure = self._fault(self.fault or text, parameters)
        return self._note(parameters, failure) if failure else self._results(parameters, engine, text)

    def _fault(self, text: str, parameters: dict[str, str]) -> Reply | None:
        self.asked[text] += 1
        if text == "__busy__" and self.asked[text] <= 2:
            return _error(429, HURRIED)
        meta = {
            "search_metadata": {"id": "0" * 24, "status": "Error"},
            "search_parameters": parameters,
            "error": FAILED,
        }
        faults = {
            "__503__": _json(meta, 503),
            "__500__": Reply(b"<html>Internal Server Error</html>", status=500),
            "__broken__": Reply(b'{"search_metadata": {"id": "64', "application/json; charset=utf-8"),
            "__html__": Reply(b"<html>Please wait</html>"),
            "__slow__": Reply(b"{}", "application/json", delay=30),
            "__drip__": Reply(stream=_drip, mime="application/json"),
        }
        return faults.get(text)

    def _results(self, parameters: dict[str, str], engine: str, text: str) -> Reply:
        """One page; the same search again within the hour is free."""
        mark = json.dumps({name: value for name, value in parameters.items() if name != "no_cache"}, sort_keys=True)
        with self._lock:
            cached = self._kept.get(mark)
            if cached is not None and self.hour:
                return self._note(parameters, _json(cached))
            if self.credits <= 0:
                return self._note(parameters, _error(429, SPENT))
            if self.spent >= self.hourly:
                return self._note(parameters, _error(429, HURRIED))
            self.credits -= 1
            answer = self._kept[mark] = self._page(parameters, engine, text)
        return self._note(parameters, _json(answer), charged=True)

    def _page(self, parameters: dict[str, str], engine: str, text: str) -> Answer:
        form = ENGINES[engine]
        results = [] if "__empty__" in (text, self.fault) else self.index.search(text, form.kind)
        start, size = form.start(parameters), form.size(parameters)
        page = results[start : start + size]
        number = hashlib.sha256(json.dumps(parameters, sort_keys=True).encode()).hexdigest()[:24]
        answer: Answer = {
            "search_metadata": {"id": number, "status": "Success", "total_time_taken": 0.01},
            "search_parameters": {"engine": engine, **parameters},
            "search_information": {
                "query_displayed": text,
                "organic_results_state": "Results for exact spelling" if page else "Fully empty",
            },
        }
        if not page:
            return answer | {"error": f"{form.title} hasn't returned any results for this query."}
        answer[form.key] = [shape(engine, position, result) for position, result in enumerate(page, 1)]
        pages: Answer = {"current": start // size + 1}
        if start + size < len(results):
            following = {**parameters, "engine": engine, form.offset: str(form.following(parameters))}
            pages["next"] = f"{self.url}/search.json?{urlencode(following)}"
        return answer | {"serpapi_pagination": pages}

    def _note(self, parameters: dict[str, str], reply: Reply, charged: bool = False) -> Reply:
        self.calls.append(Call(parameters, charged, reply.status, time.time()))
        return reply


def _json(answer: Answer, status: int = 200) -> Reply:
    return Reply(json.dumps(answer).encode(), "application/json; charset=utf-8", status)


def _error(status: int, text: str) -> Reply:
    return _json({"error": text}, status)


def _drip() -> Iterator[bytes]:
    for _ in range(300):
        yield b" "
        time.sleep(0.2)
