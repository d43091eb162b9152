"""The settings of one process: defaults, then a profile, then the environment, then options.

A name that no section knows is an error, wherever it came from.
"""

import os
import tomllib
from collections.abc import Mapping
from functools import reduce
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

PREFIX = "SOPRAG_"
Method = Literal["json_schema", "function_calling", "json_mode"]
Tree = Mapping[str, Any]
SERVER = r"^(https?://[^@\s]+)?$"  # without user:password@, which would end up in records


class SettingsError(ValueError):
    """A setting is unknown or out of range; the message names it and says where to look."""


class Section(BaseModel):
    """Frozen, and a typo in a name is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class LlmSettings(Section):
    """The door to chat models."""

    model: str = Field(pattern=r"^(rules|[\w-]+:.+)$")
    base_url: str = Field(pattern=SERVER)
    method: Method
    repairs: int = Field(ge=0, le=5)
    retries: int = Field(ge=0, le=20)
    longest_wait: float = Field(ge=0)
    timeout: float = Field(gt=0)
    temperature: float = Field(le=2)
    concurrency: int = Field(ge=1, le=256)
    requests_per_second: float = Field(ge=0)
    max_output_tokens: int = Field(ge=64)
    max_input_characters: int = Field(ge=2000)
    cache: bool
    record: str
    replay: str


class EmbeddingSettings(Section):
    """The door to embedding models."""

    model: str = Field(pattern=r"^(minilm|[\w-]+:.+)$")
    base_url: str = Field(pattern=SERVER)
    batch: int = Field(ge=1, le=2048)
    retries: int = Field(ge=0, le=20)
    longest_wait: float = Field(ge=0)
    timeout: float = Field(gt=0)
    cache: bool


class CollectSettings(Section):
    """What may enter a run."""

    threshold: float = Field(ge=0, le=1)
    limit: int = Field(ge=1)
    max_bytes: int = Field(ge=1)
    good: float = Field(ge=0, le=1)
    fair: float = Field(ge=0, le=1)
    depth: int = Field(ge=0, le=10)


class SearchSettings(Section):
    """Search engines."""

    engine: Literal["auto", "serpapi", "keyless", "none"]
    base_url: str = Field(pattern=SERVER, min_length=1)
    web: Literal["google", "google_light", "duckduckgo", "bing"]
    country: str = Field(pattern=r"^([a-z]{2})?$")
    wikipedia_url: str = Field(pattern=SERVER, min_length=1)
    stack_exchange: str = Field(pattern=r"^[a-z.]*$")
    stack_exchange_url: str = Field(pattern=SERVER, min_length=1)
    duckduckgo: bool
    timeout: float = Field(gt=0)
    retries: int = Field(ge=0, le=10)
    longest_wait: float = Field(ge=0)
    cache_hours: float = Field(ge=0)


class WebSettings(Section):
    """Fetching pages."""

    agent: str = Field(pattern=r"^[A-Za-z_-]+(/[\w.]+)?$")
    contact: str
    allow: tuple[str, ...]
    ports: tuple[int, ...]
    connect_timeout: float = Field(gt=0)
    read_timeout: float = Field(gt=0)
    deadline: float = Field(gt=0)
    slowest: int = Field(ge=0)
    attempts: int = Field(ge=1, le=10)
    redirects: int = Field(ge=0, le=20)
    delay: float = Field(ge=0)
    longest_delay: float = Field(ge=0)
    longest_pause: float = Field(ge=0)
    per_host: int = Field(ge=1, le=8)
    concurrency: int = Field(ge=1, le=64)
    max_wire: int = Field(ge=1)
    max_body: int = Field(ge=1)
    robots_hours: float = Field(gt=0)


class BudgetSettings(Section):
    """The most one run may use of the web and of models."""

    credits: int = Field(ge=0)
    fetches: int = Field(ge=0)
    bytes: int = Field(ge=0)
    seconds: float = Field(ge=0)
    tokens: int = Field(ge=0)


class ResearchSettings(Section):
    """DeepSearch: planning, searching, summarising, judging."""

    subtasks: int = Field(ge=1, le=50)
    floor: float = Field(ge=-1, le=1)
    margin: float = Field(ge=0, le=2)
    results: int = Field(ge=1, le=100)
    pages: int = Field(ge=1, le=50)
    lines: int = Field(ge=1, le=500)
    claims: int = Field(ge=1, le=50)
    facts: int = Field(ge=1, le=1000)
    concurrency: int = Field(ge=1, le=256)
    images: bool
    judges: tuple[Literal["rules", "model", "reward", "human"], ...] = Field(min_length=1)
    judge_model: str = Field(pattern=r"^(|rules|[\w-]+:.+)$")
    reward_url: str = Field(pattern=SERVER)
    reward_model: str
    weights: tuple[float, float, float, float, float]
    good_enough: float = Field(ge=0, le=4)
    versions: int = Field(ge=1, le=20)


class ParsingSettings(Section):
    """Bytes to Markdown."""

    tier: Literal["auto", "flash", "basic", "standard", "advanced"]
    models: str
    server: str = Field(pattern=r"^(https?://.+)?$")
    server_timeout: float = Field(gt=0)
    server_at_once: int = Field(ge=1, le=64)
    vlm: str = Field(pattern=r"^(https?://.+)?$")
    vlm_model: str
    described: int = Field(ge=0, le=1000)
    ocr: bool
    workers: int = Field(ge=0, le=64)
    timeout: float = Field(gt=0)
    timeout_per_page: float = Field(ge=0)
    memory: int = Field(ge=1024)
    recycle: int = Field(ge=1)
    max_bytes: int = Field(ge=1)
    max_pages: int = Field(ge=1)
    max_pixels: int = Field(ge=1)
    max_cells: int = Field(ge=1)
    max_members: int = Field(ge=1)
    max_unpacked: int = Field(ge=1)
    max_part: int = Field(ge=1)
    max_ratio: int = Field(ge=1)
    max_characters: int = Field(ge=1000)
    cache: bool


class ExamineSettings(Section):
    """Questions."""

    questions: int = Field(ge=1, le=25)
    sample: int = Field(ge=1)
    rounds: int = Field(ge=0, le=5)
    duplicate: float = Field(gt=0, le=1)
    seed: int


class IndexSettings(Section):
    """The index of SOPs."""

    folder: str = Field(min_length=1)
    chroma_url: str = Field(pattern=SERVER)
    exact_below: int = Field(ge=0)
    anchors: tuple[Literal["card", "gist", "passage"], ...]
    element_vectors: bool
    string_similarity: float = Field(gt=0, le=1)
    cosine_similarity: float = Field(gt=0, le=1)
    window: int = Field(ge=1, le=10_000)
    decoded: int = Field(ge=0)


class RetrieverSettings(Section):
    """The query path; the equations are the paper's, and stand in tools/retriever/ranking.py."""

    sim: Literal["cosine", "hybrid", "late"]
    anchors: tuple[Literal["card", "gist", "passage", "text"], ...] = Field(min_length=1)
    candidates: int = Field(ge=1, le=1000)
    keep: int = Field(ge=1, le=1000)
    card: float = Field(ge=0, le=1)
    alpha: float = Field(ge=0, le=1)
    decay: float = Field(ge=0, le=1)
    hops: int = Field(ge=1, le=20)
    rarity: float = Field(ge=0, le=2)
    passages: int = Field(ge=1, le=1000)
    prior: tuple[float, float, float]
    temperature: float = Field(ge=0)
    standardise: bool
    without: tuple[Literal["card", "entity", "causal", "flow", "router"], ...]
    abstain: float = Field(ge=0, le=1)
    separate: float = Field(ge=0)

    @field_validator("prior")
    @classmethod
    def _some(cls, prior: tuple[float, float, float]) -> tuple[float, float, float]:
        if min(prior) < 0 or not sum(prior):
            raise ValueError("the three weights are 0 or more, and not all 0")
        return prior


class TroubleshootSettings(Section):
    """The troubleshooting agent."""

    actions: int = Field(ge=1, le=50)
    repairs: int = Field(ge=0, le=20)
    repairs_per_step: int = Field(ge=0, le=10)
    seconds: float = Field(gt=0)
    remembered: int = Field(ge=2)
    search: Literal["off", "ask", "allow"]


class FlowSettings(Section):
    """Guided runs and the tools of an operator."""

    tools: str
    passes: int = Field(ge=1)


class EvaluateSettings(Section):
    """Measuring retrieval."""

    k: int = Field(ge=10)
    bootstrap: int = Field(ge=100)
    seed: int = Field(ge=0)


class RunSettings(Section):
    """A run and its folder."""

    concurrency: int = Field(ge=1, le=256)
    folder: str = Field(min_length=1)
    cache: str


class SandboxSettings(Section):
    """Running Python that a model wrote."""

    backend: Literal["wasm", "native"]
    seconds: float = Field(gt=0, le=600)
    memory: int = Field(ge=128, le=65536)
    output: int = Field(ge=100)
    calls: int = Field(ge=0)


class ChatSettings(Section):
    """The terminal chat."""

    folder: str = Field(min_length=1)
    operator: str
    approver: Literal["operator", "other"]
    bell: bool


class Settings(BaseModel):
    """All sections; hand a tool its own section, never the whole."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    llm: LlmSettings
    prices: dict[str, tuple[float, float]]
    embedding: EmbeddingSettings
    collect: CollectSettings
    search: SearchSettings
    web: WebSettings
    budget: BudgetSettings
    research: ResearchSettings
    parsing: ParsingSettings
    examine: ExamineSettings
    index: IndexSettings
    retriever: RetrieverSettings
    troubleshoot: TroubleshootSettings
    flow: FlowSettings
    evaluate: EvaluateSettings
    run: RunSettings
    sandbox: SandboxSettings
    chat: ChatSettings


def profiles() -> list[str]:
    """The names `load` takes as a profile."""
    names = (entry.name for entry in files(__package__).iterdir())
    return sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml") and name != "default.toml")


def load(
    profile: str = "offline", options: Tree | None = None, environment: Mapping[str, str] | None = None
) -> Settings:
    """The settings of `profile`, changed by SOPRAG_* variables and then by `options` (section → key → value).

    `profile` is a name from `profiles()` or the path of a TOML file. Raises `SettingsError`.
    """
    variables = _variables(os.environ if environment is None else environment)
    layers: list[Tree] = [_read("default"), _profile(profile), variables, options or {}]
    try:
        return Settings.model_validate(reduce(_merge, layers))
    except ValidationError as wrong:
        raise SettingsError(_explain(wrong)) from wrong


def _profile(profile: str) -> Tree:
    if profile in profiles():
        return _read(profile)
    file = Path(profile)
    if file.suffix != ".toml" or not file.is_file():
        names = ", ".join(profiles())
        raise SettingsError(f"There is no profile {profile!r}; choose one of {names}, or a TOML file of your own.")
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as fault:
        raise SettingsError(f"Cannot read the profile {profile!r}: {fault}.") from fault


def _read(name: str) -> Tree:
    return tomllib.loads((files(__package__) / f"{name}.toml").read_text(encoding="utf-8"))


def _variables(environment: Mapping[str, str]) -> Tree:
    tree: dict[str, dict[str, str]] = {}
    for name, value in environment.items():
        section, divider, key = name.removeprefix(PREFIX).lower().partition("__")
        if name.startswith(PREFIX) and divider:
            tree.setdefault(section, {})[key] = value
    return tree


def _merge(lower: Tree, upper: Tree) -> Tree:
    merged = dict(lower)
    for key, value in upper.items():
        below = merged.get(key)
        merged[key] = _merge(below, value) if isinstance(below, Mapping) and isinstance(value, Mapping) else value
    return merged


def _explain(wrong: ValidationError) -> str:
    lines = []
    for error in wrong.errors():
        name = ".".join(str(part) for part in error["loc"])
        unknown = error["type"] == "extra_forbidden"
        fault = "no such setting" if unknown else f"{error['msg']} (got {error['input']!r})"
        lines.append(f"  {name}: {fault}")
    return "Wrong settings; configs/default.toml lists all of them:\n" + "\n".join(lines)
