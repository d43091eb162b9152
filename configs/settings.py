"""The settings of one process: default.toml, then a profile, then environment variables, then options.

An unknown name is an error in every layer. The sections are defined in the modules beside this one.
"""

import os
import re
import tomllib
from collections.abc import Mapping
from functools import reduce
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from soprag.configs.cluster_settings import ClusterSettings
from soprag.configs.document_settings import ExamineSettings, ParsingSettings, RunSettings
from soprag.configs.environment import read_variables
from soprag.configs.model_settings import EmbeddingSettings, LlmSettings, Method
from soprag.configs.network_settings import (
    BudgetSettings,
    CollectSettings,
    ResearchSettings,
    SearchSettings,
    WebSettings,
)
from soprag.configs.operation_settings import (
    ChatSettings,
    FlowSettings,
    ObserveSettings,
    SandboxSettings,
    ServeSettings,
    TroubleshootSettings,
)
from soprag.configs.retrieval_settings import EvaluateSettings, IndexSettings, KnowledgeSettings, RetrieverSettings
from soprag.configs.section import SettingsError, SettingsSection

__all__ = [
    "BudgetSettings", "ChatSettings", "ClusterSettings", "CollectSettings", "EmbeddingSettings", "EvaluateSettings",
    "ExamineSettings", "FlowSettings", "IndexSettings", "KnowledgeSettings", "LlmSettings", "Method",
    "ObserveSettings", "ParsingSettings", "ResearchSettings", "RetrieverSettings", "RunSettings", "SandboxSettings",
    "SearchSettings", "ServeSettings", "Settings", "SettingsError", "SettingsSection", "TroubleshootSettings",
    "WebSettings", "load", "profiles",
]  # fmt: skip

Tree = Mapping[str, Any]


class Settings(BaseModel):
    """All sections. A tool receives its own section, never the whole."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    llm: LlmSettings
    prices: dict[str, tuple[float, float]] = Field(
        description="Prices per model in US dollars per million tokens, [input, output]; no cost is shown for others."
    )
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
    knowledge: KnowledgeSettings
    troubleshoot: TroubleshootSettings
    flow: FlowSettings
    evaluate: EvaluateSettings
    run: RunSettings
    cluster: ClusterSettings
    sandbox: SandboxSettings
    chat: ChatSettings
    serve: ServeSettings
    observe: ObserveSettings


def profiles() -> list[str]:
    """The names of the profiles that `load` accepts."""
    names = (entry.name for entry in files(__package__).iterdir())
    return sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml") and name != "default.toml")


def load(
    profile: str = "offline", options: Tree | None = None, environment: Mapping[str, str] | None = None
) -> Settings:
    """The settings of `profile`, overridden by SOPRAG_* variables and these by `options` (section → key → value).

    `profile` is a name from `profiles()` or the path of a TOML file; `environment` replaces `os.environ`. Raises
    `SettingsError`.
    """
    variables = read_variables(os.environ if environment is None else environment, Settings)
    layers: list[Tree] = [_read("default"), _profile(profile), variables, options or {}]
    try:
        return Settings.model_validate(reduce(_merge, layers))
    except ValidationError as error:
        raise SettingsError(_explain(error)) from error


def _profile(profile: str) -> Tree:
    if profile in profiles():
        return _read(profile)
    file = Path(profile)
    if file.suffix != ".toml" or not file.is_file():
        names = ", ".join(profiles())
        raise SettingsError(f"There is no profile {profile!r}; choose one of {names}, or a TOML file of your own.")
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"Cannot read the profile {profile!r}: {error}.") from error


def _read(name: str) -> Tree:
    return tomllib.loads((files(__package__) / f"{name}.toml").read_text(encoding="utf-8"))


def _merge(lower: Tree, upper: Tree) -> Tree:
    merged = dict(lower)
    for key, value in upper.items():
        below = merged.get(key)
        merged[key] = _merge(below, value) if isinstance(below, Mapping) and isinstance(value, Mapping) else value
    return merged


def _explain(invalid: ValidationError) -> str:
    lines = []
    for error in invalid.errors():
        name = ".".join(str(part) for part in error["loc"])
        unknown = error["type"] == "extra_forbidden"
        reason = "no such setting" if unknown else f"{error['msg']} (got {_without_password(error['input'])})"
        lines.append(f"  {name}: {reason}")
    return "Invalid settings; docs/settings.md lists all of them:\n" + "\n".join(lines)


def _without_password(value: object) -> str:
    return re.sub(r"//[^/\s]*@", "//***@", repr(value))
