"""Which parsing engines are ready on this machine, and how to get those that are not."""

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

from soprag.configs.settings import ParsingSettings
from soprag.tools.parsing.document import Value
from soprag.tools.parsing.engines.server import ServerFault
from soprag.tools.parsing.parser import Parser
from soprag.tools.parsing.services import has_ocr, has_vlm, models_folder, open_server


class EngineReadiness(Value):
    """One engine: whether it can be used now, whether these settings need it, and how to get it."""

    name: str
    ready: bool
    needed: bool
    detail: str
    advice: str = ""


def readiness(settings: ParsingSettings) -> list[EngineReadiness]:
    """All engines in the order in which they are asked; a configured server is really called."""
    return [*_server(settings), *_mineru(settings), *_readers(settings), _fallback()]


def _server(settings: ParsingSettings) -> Iterator[EngineReadiness]:
    server = open_server(settings)
    if server is None:
        advice = "set parsing.server to the address of a mineru-api"
        yield EngineReadiness(name="mineru server", ready=False, needed=False, detail="none set", advice=advice)
        return
    try:
        detail, ready, advice = server.describe(), True, ""
    except ServerFault as error:
        detail, ready, advice = str(error), False, "start it with: mineru-api --host 127.0.0.1 --port 8000"
    yield EngineReadiness(name="mineru server", ready=ready, needed=True, detail=detail, advice=advice)


def _mineru(settings: ParsingSettings) -> Iterator[EngineReadiness]:
    release = _version("mineru")
    advice = "" if release else "pip install mineru"
    detail = f"mineru {release}, no models needed" if release else "not installed"
    yield EngineReadiness(name="mineru flash", ready=bool(release), needed=True, detail=detail, advice=advice)
    with Parser(settings) as parser:
        tiers = parser.services().ready.tiers if release else ()
    folder = models_folder(settings)
    for tier, size in (("basic", "about 0.8 GB"), ("standard", "about 2 GB")):
        ready = tier in tiers
        yield EngineReadiness(
            name=f"mineru {tier}",
            ready=ready,
            needed=settings.tier == tier or (tier == "standard" and settings.tier == "advanced"),
            detail=f"models in {folder}" if ready else f"no complete models in {folder}",
            advice="" if ready else f"mineru-kit models download --tier {tier} ({size})",
        )


def _readers(settings: ParsingSettings) -> Iterator[EngineReadiness]:
    yield EngineReadiness(
        name="scans (rapidocr)",
        ready=has_ocr(),
        needed=False,
        detail=f"rapidocr {_version('rapidocr')}" if has_ocr() else "not installed: scans are refused",
        advice="" if has_ocr() else "pip install 'soprag[ocr]'",
    )
    ready = has_vlm() and bool(settings.vlm)
    detail = settings.vlm or "no server set"
    advice = (
        "set parsing.vlm to an OpenAI-compatible server with a MinerU model"
        if has_vlm()
        else "pip install 'soprag[vlm]'"
    )
    yield EngineReadiness(
        name="scans (mineru vlm)", ready=ready, needed=bool(settings.vlm), detail=detail, advice="" if ready else advice
    )


def _fallback() -> EngineReadiness:
    release = _version("pdfplumber")
    detail = f"pdfplumber {release} and the plain Office reader"
    return EngineReadiness(name="fallbacks", ready=bool(release), needed=False, detail=detail)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
