"""The settings of a process: the profile, and the options of a command that override it."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from soprag.configs.settings import RetrieverSettings, Settings, SettingsError, load
from soprag.tools.errors import ConfigError
from soprag.tools.store.postgres_url import shown_name

Options = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class CallOptions:
    """The options that commands share; None stands for an option that was left out.

    `folder` is the index, `base_url` the server of the chat model.
    """

    folder: str | None = None
    profile: str | None = None
    model: str | None = None
    base_url: str | None = None

    def settings(self, **sections: Mapping[str, Any]) -> Settings:
        """The settings of this call; `sections` are further options by section and key. Raises `ConfigError`."""
        options = {"llm": {"model": self.model, "base_url": self.base_url}, "index": {"folder": self.folder}}
        return open_settings(choose_profile(self.profile, self.model), {**options, **sections})


def choose_profile(profile: str | None, model: str | None = None) -> str:
    """The profile that was named; else `openai` when its key is set and no other model was named, else `offline`.

    Naming a model, say on a local server, changes nothing else: texts are still embedded on this machine.
    """
    return profile or ("openai" if os.environ.get("OPENAI_API_KEY") and not model else "offline")


def open_settings(profile: str, options: Options) -> Settings:
    """The settings of this process; an option that is None was left out. Raises `ConfigError`.

    Logs, traces and metrics begin here, with the first settings that name them.
    """
    try:
        settings = load(profile, drop_unset(options))
    except SettingsError as error:
        raise ConfigError(str(error)) from error
    if settings.observe.anything:
        from soprag.apps.compose.observation import begin_observation

        begin_observation(settings.observe)
    return settings


def drop_unset(options: Options) -> dict[str, dict[str, Any]]:
    """The options (section, key, value) without those that are None."""
    return {
        section: {key: value for key, value in keys.items() if value is not None} for section, keys in options.items()
    }


def recorded_settings(settings: Settings) -> dict[str, Any]:
    """The settings as a run records them: without the password in the URL of an index or of the sessions."""
    record = settings.model_dump(mode="json")
    record["index"]["folder"] = shown_name(settings.index.folder)
    record["serve"]["sessions"] = shown_name(settings.serve.sessions)
    return record


def paper_retriever() -> RetrieverSettings:
    """The query path as the paper writes it, whatever else is set."""
    return load("paper", environment={}).retriever


def cache_folder(settings: Settings) -> Path:
    """Where answers and vectors are kept between runs."""
    import platformdirs

    return Path(settings.run.cache) if settings.run.cache else platformdirs.user_cache_path("soprag")


def input_window(settings: Settings) -> int:
    """How many characters of a document the chat model takes at once; 0 for rules, which take any length."""
    return 0 if settings.llm.model == "rules" else settings.llm.max_input_characters


def answer_window(settings: Settings) -> int:
    """How many characters of a procedure the answering model is shown; 0 for rules, which take any length."""
    return min(input_window(settings), settings.retriever.answer_characters)
