"""What this machine and its servers offer for parsing, found out once."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from soprag.configs.settings import ParsingSettings
from soprag.tools.parsing.chain import Ready
from soprag.tools.parsing.engines.server import MineruServer
from soprag.tools.parsing.engines.vlm import VlmServer
from soprag.tools.parsing.jobs import MineruTier


@dataclass(frozen=True)
class Services:
    """The engines beyond the parser processes, and what those processes can do."""

    server: MineruServer | None
    vlm: VlmServer | None
    ready: Ready


def open_services(settings: ParsingSettings, ask_tiers: Callable[[], tuple[MineruTier, ...]]) -> Services:
    """Connects to nothing; `ask_tiers` is called only when there is a folder of models to look into."""
    tiers = ask_tiers() if models_folder(settings).is_dir() else ("flash",)
    return Services(
        server=open_server(settings),
        vlm=open_vlm(settings),
        ready=Ready(tiers=tiers, ocr=has_ocr(), vlm=has_vlm()),
    )


def open_server(settings: ParsingSettings) -> MineruServer | None:
    """The configured MinerU server."""
    key = os.environ.get("MINERU_API_KEY", "")
    if not settings.server:
        return None
    return MineruServer(settings.server, key, settings.server_timeout, settings.server_rest)


def open_vlm(settings: ParsingSettings) -> VlmServer | None:
    """The configured server of a MinerU vision model."""
    key = os.environ.get("MINERU_VLM_API_KEY", "")
    return VlmServer(settings.vlm, settings.vlm_model, key, settings.server_timeout) if settings.vlm else None


def models_folder(settings: ParsingSettings) -> Path:
    """Where MinerU's models are, or would be."""
    if configured := settings.models or os.environ.get("MINERU_MODEL_BASE_DIR"):
        return Path(configured).expanduser()
    home = os.environ.get("MINERU_HOME")
    return (Path(home).expanduser() if home else Path.home() / ".mineru") / "models"


def has_ocr() -> bool:
    """Whether the `ocr` extra is installed."""
    return find_spec("rapidocr") is not None


def has_vlm() -> bool:
    """Whether the `vlm` extra is installed."""
    return find_spec("mineru_vl_utils") is not None
