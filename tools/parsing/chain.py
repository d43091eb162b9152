"""Which engines are asked for a document, and in what order."""

from dataclasses import dataclass
from typing import Literal

from soprag.configs.settings import ParsingSettings
from soprag.tools.parsing.jobs import MineruTier, Probe
from soprag.tools.parsing.kinds import IMAGES, Kind

Route = Literal["server", "mineru", "vlm", "ocr", "pdfplumber", "pdfium", "office"]
_OFFICE: frozenset[Kind] = frozenset({"docx", "pptx", "xlsx", "odt", "odp", "ods", "html"})
_BEST_FIRST: tuple[MineruTier, ...] = ("standard", "basic", "flash")


@dataclass(frozen=True)
class EngineCandidate:
    """One engine that could parse the document; `missing` says why it cannot right now."""

    route: Route
    tier: MineruTier | None = None
    missing: str = ""

    @property
    def name(self) -> str:
        """How the trail calls it."""
        return f"{_NAMES[self.route]} {self.tier}" if self.tier else _NAMES[self.route]


_NAMES: dict[Route, str] = {
    "server": "mineru server",
    "mineru": "mineru",
    "vlm": "mineru vlm",
    "ocr": "rapidocr",
    "pdfplumber": "pdfplumber",
    "pdfium": "pdfium",
    "office": "office",
}


@dataclass(frozen=True)
class Ready:
    """What is there on this machine."""

    tiers: tuple[MineruTier, ...] = ("flash",)
    ocr: bool = False
    vlm: bool = False


def plan(kind: Kind, probe: Probe, settings: ParsingSettings, ready: Ready) -> list[EngineCandidate]:
    """The engines for this document, best first; scans go to those that read pictures."""
    scan = kind in IMAGES or probe.scanned_pages > probe.pages / 2
    candidates = [EngineCandidate("server")] if settings.server else []
    candidates += _mineru(kind, scan, settings, ready)
    if scan:
        candidates += _readers(settings, ready)
    elif kind == "pdf":
        candidates += [EngineCandidate("pdfplumber"), EngineCandidate("pdfium")]
    elif kind in _OFFICE:
        candidates.append(EngineCandidate("office"))
    return candidates


def _mineru(kind: Kind, scan: bool, settings: ParsingSettings, ready: Ready) -> list[EngineCandidate]:
    if kind != "pdf" and kind not in IMAGES:
        return [EngineCandidate("mineru", "flash")]
    best = next(tier for tier in _BEST_FIRST if tier in ready.tiers)
    chosen: MineruTier = best if settings.tier == "auto" else settings.tier
    missing = "" if chosen in ready.tiers else f"its models are not here: mineru-kit models download --tier {chosen}"
    candidates = [EngineCandidate("mineru", chosen, missing)] if chosen != "flash" else []
    return [*candidates, EngineCandidate("mineru", "flash", "it reads no scans" if scan else "")]


def _readers(settings: ParsingSettings, ready: Ready) -> list[EngineCandidate]:
    candidates = []
    if settings.vlm:
        candidates.append(EngineCandidate("vlm", missing="" if ready.vlm else "pip install 'soprag[vlm]'"))
    off = "" if settings.ocr else "parsing.ocr is off"
    candidates.append(EngineCandidate("ocr", missing=off or ("" if ready.ocr else "pip install 'soprag[ocr]'")))
    return candidates
