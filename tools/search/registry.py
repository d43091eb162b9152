"""Selects the search engines of this process from the settings and the presence of a SerpAPI key."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from soprag.configs.settings import SearchSettings
from soprag.tools.errors import ConfigError
from soprag.tools.retries import RetryPolicy
from soprag.tools.search.cache import CachedEngine, SearchCache
from soprag.tools.search.engine import Kind, SearchEngine
from soprag.tools.search.secret import Secret

if TYPE_CHECKING:
    from soprag.tools.search.json_api import JsonApi

KEYS = ("SERPAPI_API_KEY", "SERPAPI_KEY")
AGENT = "soprag/0.1"


@dataclass(frozen=True)
class ReadyEngines:
    """The engines that are ready; empty when nothing may be asked."""

    every: tuple[SearchEngine, ...] = ()

    @property
    def kinds(self) -> frozenset[Kind]:
        """What can be looked for."""
        return frozenset(kind for engine in self.every for kind in engine.kinds)

    def for_kind(self, kind: Kind) -> SearchEngine | None:
        """Who looks for this kind, if anybody does."""
        return next((engine for engine in self.every if kind in engine.kinds), None)


def find_key(environment: Mapping[str, str] | None = None) -> Secret | None:
    """The SerpAPI key of the environment, if one is set."""
    variables = os.environ if environment is None else environment
    value = next((key for name in KEYS if (key := variables.get(name, "").strip())), "")
    return Secret(value) if value else None


def which(settings: SearchSettings, environment: Mapping[str, str] | None = None) -> str:
    """`serpapi`, `keyless` or `none`: what the settings come to; `auto` asks nobody unless a key is set."""
    if settings.engine != "auto":
        return settings.engine
    return "serpapi" if find_key(environment) else "none"


def open_engines(
    settings: SearchSettings, cache_folder: Path, agent: str = AGENT, environment: Mapping[str, str] | None = None
) -> ReadyEngines:
    """The engines of these settings, behind the cache; `agent` introduces us to free services.

    Raises `ConfigError` when SerpAPI is wanted and its key is not set. Nothing is asked yet.
    """
    match which(settings, environment):
        case "serpapi":
            engines = _serpapi(settings, environment)
        case "keyless":
            engines = _keyless(settings, agent)
        case _:
            engines = ()
    if settings.cache_hours:
        cache = SearchCache(cache_folder / "searches.sqlite", settings.cache_hours)
        edition = f"{settings.base_url}\n{settings.country}\n{settings.stack_exchange}\n{settings.searxng_url}"
        engines = tuple(CachedEngine(engine, cache, edition) for engine in engines)
    return ReadyEngines(engines)


def _serpapi(settings: SearchSettings, environment: Mapping[str, str] | None) -> tuple[SearchEngine, ...]:
    from soprag.tools.search.serpapi import SerpApiConnection, engines

    key = find_key(environment)
    if key is None:
        raise ConfigError(
            f"Searching through SerpAPI needs a key: put {KEYS[0]} into .env (get one at "
            "https://serpapi.com/manage-api-key), or choose another search.engine: keyless or none."
        )
    retry_policy = RetryPolicy(settings.retries, settings.first_wait, settings.longest_wait)
    return engines(
        SerpApiConnection(settings.base_url, key, settings.timeout, retry_policy), settings.web, settings.country
    )


def _keyless(settings: SearchSettings, agent: str) -> tuple[SearchEngine, ...]:
    from soprag.tools.search.json_api import JsonApi
    from soprag.tools.search.stack_exchange import StackExchange
    from soprag.tools.search.wikipedia import Wikipedia

    def api(title: str, base_url: str) -> JsonApi:
        retry_policy = RetryPolicy(settings.retries, settings.first_wait, settings.longest_wait)
        return JsonApi(title, base_url, agent, settings.timeout, retry_policy, settings.max_bytes)

    engines: tuple[SearchEngine, ...] = (Wikipedia(api("Wikipedia", settings.wikipedia_url)),)
    if settings.stack_exchange:
        site = api("Stack Exchange", settings.stack_exchange_url)
        engines += (StackExchange(site, settings.stack_exchange, settings.stack_exchange_results),)
    return engines + _keyless_web(settings, api)


def keyless_web(settings: SearchSettings) -> str:
    """The service that searches the web without a key: `searxng`, `duckduckgo`, `marginalia` or `none`.

    `auto` takes the SearXNG instance of the settings, else DuckDuckGo when its package is installed, else Marginalia.
    """
    if settings.keyless_web != "auto":
        return settings.keyless_web
    if settings.searxng_url:
        return "searxng"
    return "duckduckgo" if find_spec("ddgs") else "marginalia"


def _keyless_web(settings: SearchSettings, api: Callable[[str, str], "JsonApi"]) -> tuple[SearchEngine, ...]:
    from soprag.tools.search.duckduckgo import DuckDuckGo
    from soprag.tools.search.open_web import MARGINALIA, SEARXNG, OpenWebSearch

    pause = settings.keyless_pause
    match keyless_web(settings):
        case "searxng":
            if not settings.searxng_url:
                raise ConfigError("search.keyless_web is searxng: set search.searxng_url to the URL of an instance.")
            return (OpenWebSearch(api("SearXNG", settings.searxng_url), SEARXNG, "searxng", pause),)
        case "duckduckgo":
            return (DuckDuckGo(settings.timeout, pause, settings.duckduckgo_empties),)
        case "marginalia":
            service = replace(api("Marginalia", settings.marginalia_url), headers=(("API-Key", "public"),))
            return (OpenWebSearch(service, MARGINALIA, "marginalia", pause),)
        case _:
            return ()
