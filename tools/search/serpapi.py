"""SerpAPI: the one place that speaks to it. Its key leaves this file only towards the service.

The official client has no timeout of its own, no retries and no async; it writes the key into the dictionary it is
given, into the text of its exceptions and, when asked for the next page, to whatever host the answer names. So every
call here works on a copy, in a thread, with a deadline; pages are counted by us; exceptions are replaced, not chained.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from soprag.tools.errors import ConfigError, CreditsSpent, SearchError, SopragError, Throttled
from soprag.tools.retries import RetryPolicy
from soprag.tools.search.engine import Kind, ResultPage, SearchQuery
from soprag.tools.search.retry import Again, aside, insist
from soprag.tools.search.secret import Secret
from soprag.tools.search.serpapi_answers import FORMS, read

log = logging.getLogger(__name__)
Web = Literal["google", "google_light", "duckduckgo", "bing"]
Answer = Mapping[str, Any]
LOGGERS = ("urllib3.connectionpool", "requests")
AN_HOUR = 3600.0
_LONGEST = 200  # characters of a server's message that are shown
_SITES: dict[Kind, str] = {"wiki": "site:{language}.wikipedia.org", "answers": "site:stackexchange.com"}
_ENGINES: dict[Kind, str] = {"images": "google_images", "scholar": "google_scholar", "patents": "google_patents"}


@dataclass(frozen=True)
class SerpApiConnection:
    """How the service is reached; `timeout` is seconds for one try."""

    base_url: str
    key: Secret
    timeout: float
    retry_policy: RetryPolicy


@dataclass(frozen=True)
class SerpApi:
    """One kind of search through SerpAPI; `engine` is their name of it, `country` their `gl`."""

    kind: Kind
    engine: str
    line: SerpApiConnection
    country: str = ""
    kinds: frozenset[Kind] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "kinds", frozenset({self.kind}))

    @property
    def name(self) -> str:
        """Such as `serpapi:google`."""
        return f"serpapi:{self.engine}"

    async def search(self, query: SearchQuery) -> ResultPage:
        """One page of results; it costs one credit."""
        parameters = self._parameters(query)
        answer = await insist(self.line.retry_policy, lambda: self._ask(parameters))
        return read(self.engine, answer)

    def _parameters(self, query: SearchQuery) -> dict[str, str]:
        site = _SITES.get(self.kind, "").format(language=query.language)
        form = FORMS[self.engine]
        parameters = {"engine": self.engine, "q": f"{query.text} {site}".strip(), **form.amount, **form.at(query.page)}
        if self.engine.startswith("google") and self.engine != "google_patents":
            parameters |= {"hl": query.language} | ({"gl": self.country} if self.country else {})
        return parameters

    async def _ask(self, parameters: dict[str, str]) -> Answer:
        """One try."""
        try:
            answer, failure = await aside(lambda: _call(self.line, parameters), self.line.timeout)
        except TimeoutError:
            answer, failure = {}, _late(self.line)
        if failure is not None:
            raise failure
        return answer


def engines(line: SerpApiConnection, web: Web, country: str) -> tuple[SerpApi, ...]:
    """An engine for every kind of search; `web` is the one asked for pages."""
    line.key.guard(*LOGGERS)
    kinds: tuple[Kind, ...] = ("web", "images", "scholar", "patents", "wiki", "answers")
    return tuple(SerpApi(kind, _ENGINES.get(kind, _general(kind, web)), line, country) for kind in kinds)


def _general(kind: Kind, web: Web) -> str:
    return web if kind == "web" else "google"


Failure = SopragError | Again


def _call(line: SerpApiConnection, parameters: dict[str, str]) -> tuple[Answer, Failure | None]:
    """The answer, or what to raise. Failures are values, so that none carries the client's exception as its context."""
    import requests
    import serpapi

    client = serpapi.Client(api_key=line.key.value, timeout=line.timeout)
    client.BASE_DOMAIN = line.base_url.rstrip("/")
    client.session.max_redirects = 0  # an address with the key in it is sent to nobody else
    try:
        answer = client.search(dict(parameters))
        if isinstance(answer, str):
            return {}, _broken(line)
        return _judge(line, answer.as_dict())
    except serpapi.HTTPConnectionError:
        return {}, _unreachable(line)
    except serpapi.HTTPError as error:
        return {}, _failure(line, error.status_code, line.key.hide(str(error.error or "")), client)
    except (serpapi.TimeoutError, requests.Timeout):
        return {}, _late(line)
    except (requests.RequestException, AttributeError, TypeError, ValueError):
        return {}, _broken(line)  # what the client raises for JSON that is no object, and for bodies cut off
    finally:
        client.session.close()


def _judge(line: SerpApiConnection, answer: dict[str, Any]) -> tuple[Answer, Failure | None]:
    """Status 200 with an `error` and without results is an empty page, unless the search itself failed."""
    status = (answer.get("search_metadata") or {}).get("status", "Success")
    if status == "Success":
        return answer, None
    reason = line.key.hide(str(answer.get("error", "")))[:_LONGEST]
    return {}, Again(SearchError(f"SerpAPI did not finish the search (status {status}): {reason or 'no reason given'}"))


def _failure(line: SerpApiConnection, status: int, reason: str, client: Any) -> Failure:  # noqa: ANN401 - serpapi has no types
    reason = reason[:_LONGEST]
    match status:
        case 401:
            return ConfigError("SerpAPI does not know this key; put the right one into SERPAPI_API_KEY (.env).")
        case 403:
            return ConfigError(f"SerpAPI refuses this account: {reason or 'no reason given'}")
        case 429:
            return _too_many(line, reason, client)
        case 400 | 404 | 410:
            return SearchError(f"SerpAPI cannot do this search: {reason or f'status {status}'}")
    return Again(SearchError(f"SerpAPI failed with status {status}: {reason or 'no reason given; try again later.'}"))


def _too_many(line: SerpApiConnection, reason: str, client: Any) -> Failure:  # noqa: ANN401
    """Status 429 is both: no searches left, and too many in this hour; the text tells, or else the account does."""
    hurried = any(word in reason.lower() for word in ("hour", "throughput", "rate limit"))
    if "run out of searches" in reason.lower() or (not hurried and _searches_left(client) == 0):
        return CreditsSpent("The searches of your SerpAPI plan are used up; wait for the next month or extend it.")
    return Again(Throttled(f"SerpAPI was asked too often: {reason or 'too many requests'}", retry_after=AN_HOUR))


def _searches_left(client: Any) -> int | None:  # noqa: ANN401
    """From the account, which costs nothing; None when it does not say. The answer holds the key and stays here."""
    import requests

    try:
        remaining = client.account().get("total_searches_left")
    except (requests.RequestException, AttributeError, ValueError):
        return None
    return remaining if isinstance(remaining, int) else None


def _late(line: SerpApiConnection) -> Again:
    return Again(SearchError(f"SerpAPI gave no answer in {line.timeout:g} s; raise search.timeout or try again later."))


def _unreachable(line: SerpApiConnection) -> Again:
    return Again(SearchError(f"SerpAPI cannot be reached at {line.base_url}; check the network and search.base_url."))


def _broken(line: SerpApiConnection) -> Again:
    return Again(SearchError(f"SerpAPI at {line.base_url} answered with something that is not JSON; try again later."))
