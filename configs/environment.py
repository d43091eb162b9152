"""Environment variables: SOPRAG_SECTION__KEY for each setting, and the catalogue of keys of services."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from soprag.configs.section import SettingsError

PREFIX = "SOPRAG_"


class EnvironmentKey(NamedTuple):
    """An environment variable that is no setting: a secret, or a variable of another program that is read too."""

    name: str
    description: str


KEYS = (
    EnvironmentKey("OPENAI_API_KEY", "OpenAI, chat and embedding models; with it the profile openai is the default."),
    EnvironmentKey("OPENAI_BASE_URL", "Server for models of openai when base_url is empty."),
    EnvironmentKey("OPENAI_API_BASE", "Older name of OPENAI_BASE_URL; it takes precedence."),
    EnvironmentKey("AZURE_OPENAI_API_KEY", "Models of azure_openai; any other PROVIDER:NAME reads PROVIDER_API_KEY."),
    EnvironmentKey("GOOGLE_API_KEY", "Models of google_genai."),
    EnvironmentKey("MISTRAL_API_KEY", "Models of mistralai."),
    EnvironmentKey("SERPAPI_API_KEY", "SerpAPI: Google, Bing, DuckDuckGo, scholar, patents, images."),
    EnvironmentKey("SERPAPI_KEY", "Other name of SERPAPI_API_KEY, which takes precedence."),
    EnvironmentKey("WOLFRAM_ALPHA_APPID", "Wolfram|Alpha, as a tool of the math expert."),
    EnvironmentKey("MINERU_API_KEY", "The MinerU server of parsing.server."),
    EnvironmentKey("MINERU_VLM_API_KEY", "The vision model of parsing.vlm."),
    EnvironmentKey("MINERU_MODEL_BASE_DIR", "Folder with MinerU's models when parsing.models is empty."),
    EnvironmentKey("MINERU_HOME", "Folder whose subfolder models holds MinerU's models when neither of both is set."),
    EnvironmentKey("SOPRAG_REWARD_API_KEY", "The reward model of research.reward_url."),
    EnvironmentKey("SOPRAG_TOKEN", "What clients of soprag serve send as x-api-key; needed off loopback."),
)


def read_variables(environment: Mapping[str, str], settings: type[BaseModel]) -> dict[str, Any]:
    """The settings in `environment` as section → key → value; values are text except for lists and tables.

    A list is a JSON array, or items separated by commas. A table without fixed names (`prices`) is a JSON object in
    SOPRAG_TABLE. Unknown names are included, for validation to report them. Raises `SettingsError` for a value that is
    not valid JSON.
    """
    tree: dict[str, Any] = {}
    for name, value in environment.items():
        section, divider, key = name.removeprefix(PREFIX).lower().partition("__")
        if not name.startswith(PREFIX):
            continue
        annotation = settings.model_fields[section].annotation if section in settings.model_fields else None
        fields: Mapping[str, FieldInfo] | None = getattr(annotation, "model_fields", None)
        if divider:
            tree.setdefault(section, {})[key] = _decode(name, value, (fields or {}).get(key))
        elif annotation and fields is None:
            tree[section] = _parse(name, value)
    return tree


def _decode(name: str, value: str, field: FieldInfo | None) -> object:
    if field is None or get_origin(field.annotation) is not tuple:
        return value
    if value.lstrip().startswith("["):
        return _parse(name, value)
    return [item.strip() for item in value.split(",") if item.strip()]


def _parse(name: str, value: str) -> object:
    try:
        return json.loads(value)
    except ValueError as error:
        raise SettingsError(f"{name} is not valid JSON: {error}.") from error
