"""`soprag doctor`: what is ready on this machine, what is not, and how to get it. It asks no service anything."""

import asyncio
import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import click

from soprag.apps.cli import options
from soprag.apps.cli.output import finish
from soprag.apps.compose import example_index
from soprag.apps.compose.index import open_index
from soprag.apps.compose.settings import cache_folder, choose_profile, open_settings
from soprag.configs.settings import Settings
from soprag.tools.errors import ConfigError, SopragError, StorageError, UsageError
from soprag.tools.llm.trust import ModelTrust
from soprag.tools.sop import Frozen
from soprag.tools.text.sanitize import one_line

ENOUGH = 1_000_000_000  # bytes free for runs and caches


@click.command()
@options.INDEX
@options.PROFILE
@click.option("--model", "check", is_flag=True, help="Ask the chat model ten small graded tasks, and keep the result.")
@options.JSON
def doctor(folder: str | None, profile: str | None, check: bool, as_json: bool) -> None:
    """Say what is ready on this machine, what is not, and how to get it."""
    if check:
        finish("doctor", as_json, lambda: check_chat_model(open_settings(choose_profile(profile), {})))
        return
    diagnosis = diagnose(profile, folder)
    finish("doctor", as_json, lambda: diagnosis)
    if not diagnosis.healthy:
        sys.exit(ConfigError.exit_code)


class ReadinessCheck(Frozen):
    """One thing that was looked at; `needed` ones must be ready for this profile to work."""

    name: str
    ready: bool
    needed: bool
    detail: str


class Diagnosis(Frozen):
    """All checks; healthy when everything needed is ready."""

    profile: str
    healthy: bool
    checks: list[ReadinessCheck]

    def text(self) -> str:
        """A line per check, for a person."""
        marks = {(True, True): "ok", (True, False): "ok", (False, True): "MISSING", (False, False): "no"}
        lines = [f"{marks[check.ready, check.needed]:<8} {check.name:<22} {check.detail}" for check in self.checks]
        verdict = "Everything needed is ready." if self.healthy else "Something needed is missing; see above."
        return "\n".join([f"profile {self.profile}", *lines, verdict])


class ModelDiagnosis(ModelTrust):
    """The self-check of the chat model, as it is shown."""

    def text(self) -> str:
        """A line per task, for a person."""
        lines = [
            f"{'trusted' if entry.passed else 'RULES':<8} {entry.task:<22} {one_line(entry.reason, 200)}".rstrip()
            for entry in self.tasks
        ]
        passed = sum(entry.passed for entry in self.tasks)
        others = "and all unchecked ones" if self.weak else "it answers the unchecked ones"
        verdict = (
            f"{self.model} passed {passed} of {len(self.tasks)} tasks; the rules answer those it failed, {others}."
        )
        return "\n".join([*lines, verdict])


def check_chat_model(settings: Settings) -> ModelDiagnosis:
    """Ask the chat model the graded tasks and keep what it is trusted with; raises `ConfigError` without a model."""
    from soprag.agents.model_check import check_model
    from soprag.agents.model_check_cases import cases
    from soprag.apps.compose.services import model_trust_file, open_chat_model
    from soprag.tools.llm.trust import write_trust
    from soprag.tools.providers import server_of

    if settings.llm.model == "rules":
        raise ConfigError("There is no chat model to check; name one with the setting llm.model.")
    outcomes = asyncio.run(check_model(open_chat_model(settings), cases()))
    server = server_of(settings.llm.model, settings.llm.base_url)
    diagnosis = ModelDiagnosis(model=settings.llm.model, server=server, tasks=outcomes)
    write_trust(model_trust_file(settings), diagnosis)
    return diagnosis


def diagnose(profile: str | None, folder: str | None = None) -> Diagnosis:
    """Look at everything the profile needs; raises `ConfigError` when the settings themselves are wrong."""
    chosen = choose_profile(profile)
    settings = open_settings(chosen, {"index": {"folder": folder}})
    checks = list(_checks(settings))
    healthy = all(check.ready or not check.needed for check in checks)
    return Diagnosis(profile=chosen, healthy=healthy, checks=checks)


def _checks(settings: Settings) -> Iterator[ReadinessCheck]:
    from soprag.tools.parsing import readiness

    yield ReadinessCheck(
        name="python", ready=True, needed=True, detail=f"{platform.python_version()} on {platform.platform()}"
    )
    yield _chat(settings)
    yield _embedding(settings)
    yield _search(settings)
    for engine in readiness(settings.parsing):
        detail = engine.detail if engine.ready else f"{engine.detail}; {engine.advice}".rstrip("; ")
        yield ReadinessCheck(name=engine.name, ready=engine.ready, needed=engine.needed, detail=detail)
    yield _check("example library", lambda: f"{_count_library()} documents")
    yield _index(settings)
    yield _extra("engineering tools", "engineering", ("CoolProp", "fluids", "ht", "scipy"))
    yield _extra("evaluation", "evaluation", ("ir_measures",))
    yield _sandbox(settings)
    yield _check("cache", lambda: _writable(cache_folder(settings)))
    yield _check("runs", lambda: _writable(Path(settings.run.folder)))


def _chat(settings: Settings) -> ReadinessCheck:
    from soprag.tools.providers import Provider

    if settings.llm.model == "rules":
        return ReadinessCheck(name="chat model", ready=True, needed=True, detail="rules; no key and no network needed")
    key = Provider(settings.llm.model, settings.llm.base_url, settings.llm.timeout).key_variable
    is_set = bool(os.environ.get(key))
    detail = f"{settings.llm.model}; {key} is {'set' if is_set else 'not set; put it into .env'}"
    return ReadinessCheck(name="chat model", ready=is_set, needed=True, detail=detail)


def _embedding(settings: Settings) -> ReadinessCheck:
    if settings.embedding.model != "minilm":
        return ReadinessCheck(name="embeddings", ready=True, needed=True, detail=settings.embedding.model)

    def look() -> str:
        from soprag.tools.embedding.weights import check_weights, find_weights

        check_weights(find_weights())
        return "MiniLM, weights verified"

    return _check("embeddings", look)


def _search(settings: Settings) -> ReadinessCheck:
    from soprag.tools.search.registry import KEYS, which

    advice = f"put a SerpAPI key into {KEYS[0]} (.env), or set search.engine to keyless; everything else works without"
    try:
        chosen = which(settings.search)
        names = _engine_names(settings) if chosen != "none" else advice
    except SopragError as fault:
        return ReadinessCheck(name="web search", ready=False, needed=True, detail=str(fault))
    return ReadinessCheck(name="web search", ready=chosen != "none", needed=False, detail=names)


def _engine_names(settings: Settings) -> str:
    from soprag.tools.search.registry import keyless_web, open_engines

    engines = open_engines(settings.search, cache_folder(settings)).every
    names = dict.fromkeys(engine.name for engine in engines)
    credits = f"; at most {settings.budget.credits} paid searches in a run"
    if any(name.startswith("serpapi") for name in names):
        return ", ".join(names) + credits
    return f"{', '.join(names)}; without a key: the web by {keyless_web(settings.search)}, at a low rate"


def _index(settings: Settings) -> ReadinessCheck:
    """The index that search, ask and chat work on; without one of the operator's own, the example library stands in."""
    if example_index.has_index(settings):
        return _check("index", lambda: _describe_index(settings))
    try:
        example_index.on_examples(settings)
    except UsageError as fault:
        return ReadinessCheck(name="index", ready=False, needed=True, detail=str(fault))
    state = "is built" if example_index.example_is_built(settings) else "is built at its first use, in a minute or two"
    detail = f"none in {settings.index.folder!r}; the example library stands in and {state}; `soprag index add DIR`"
    return ReadinessCheck(name="index", ready=False, needed=False, detail=detail)


def _describe_index(settings: Settings) -> str:
    with closing(open_index(settings, embed=False)) as index:
        if findings := index.verify():
            raise StorageError(f"{index.name!r} has faults: {findings[0]}; see `soprag index verify`.")
        return f"{index.size} SOPs in {index.name}, nothing wrong"


def _sandbox(settings: Settings) -> ReadinessCheck:
    """Whether programs can run; the default sandbox is prepared at its first run, so that not yet is no error."""
    from soprag.tools.sandbox.component import compiled_file

    if settings.sandbox.backend == "native":
        return ReadinessCheck(
            name="sandbox", ready=True, needed=False, detail="native; tests itself before its first run"
        )
    try:
        prepared = compiled_file(cache_folder(settings) / "sandbox").is_file()
    except SopragError as missing:
        return ReadinessCheck(name="sandbox", ready=False, needed=False, detail=str(missing))
    detail = "wasm, prepared" if prepared else "wasm; is prepared at its first run, in up to half a minute"
    return ReadinessCheck(name="sandbox", ready=True, needed=False, detail=detail)


def _extra(name: str, extra: str, modules: Sequence[str]) -> ReadinessCheck:
    """Whether the packages of an extra are installed."""
    missing = [module for module in modules if find_spec(module) is None]
    advice = f"{', '.join(missing)} not installed; `pip install soprag[{extra}]`, or `uv sync --extra {extra}`"
    return ReadinessCheck(name=name, ready=not missing, needed=False, detail=advice if missing else ", ".join(modules))


def _check(name: str, look: Callable[[], str]) -> ReadinessCheck:
    try:
        return ReadinessCheck(name=name, ready=True, needed=True, detail=look())
    except (SopragError, OSError) as fault:
        return ReadinessCheck(name=name, ready=False, needed=True, detail=str(fault))


def _count_library() -> int:
    from soprag.tools.search.library import catalogue

    return len(catalogue())


def _writable(folder: Path) -> str:
    existing = next(parent for parent in (folder.absolute(), *folder.absolute().parents) if parent.exists())
    if not os.access(existing, os.W_OK):
        raise ConfigError(f"{str(folder)!r} cannot be written; choose another in the settings [run].")
    free = shutil.disk_usage(existing).free
    if free < ENOUGH:
        raise ConfigError(f"{str(folder)!r} has {free / 1e9:.1f} GB left; {ENOUGH / 1e9:.0f} GB are advised.")
    return f"{folder}, {free / 1e9:.0f} GB free"
