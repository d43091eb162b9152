"""MinerU in this process: the flash tier without models, the others when their models are on this machine."""

import re
from pathlib import Path

from soprag.tools.parsing.document import Extract
from soprag.tools.parsing.engines import DocumentRefused
from soprag.tools.parsing.jobs import MineruTier, ParseJob, TellPages
from soprag.tools.parsing.kinds import IMAGES
from soprag.tools.parsing.repair import EngineDraft, repair

_ENCRYPTED = re.compile(r"password", re.IGNORECASE)
_NOT_READY = re.compile(r"is not ready under")


def parse(job: ParseJob, tell: TellPages) -> Extract:
    """The file through `mineru.parse`, which says nothing of pages, with the known defects repaired page by page."""
    from mineru.parser import parse as run
    from mineru.version import __version__

    path = Path(job.path)
    try:
        result = run(path, tier=job.tier, ocr_mode="auto")
    except FileNotFoundError as missing:
        # A text PDF with little text is taken for a scan, which needs models; a second look as text costs little.
        if not _NOT_READY.search(str(missing)) or job.kind in IMAGES:
            raise
        result = run(path, tier=job.tier, ocr_mode="txt")
    except Exception as error:
        if _ENCRYPTED.search(str(error)):
            raise DocumentRefused("it is encrypted; save it without a password") from error
        raise
    pages = len(result.pages) if job.kind == "pdf" else 0
    draft = EngineDraft.beside(result.markdown(), job.kind, job.path, tell)
    return repair(draft, version=__version__, pages=pages, limits=job.limits)


def ready_tiers() -> tuple[MineruTier, ...]:
    """The tiers whose models are complete on this machine; flash needs none."""
    from mineru.model.download import verify_model_repo
    from mineru.model.registry import model_repos_for_tier

    tiers: list[MineruTier] = ["flash"]
    for tier in ("basic", "standard"):
        if all(verify_model_repo(repo).ready for repo in model_repos_for_tier(tier)):
            tiers.append(tier)
    if "standard" in tiers:
        tiers.append("advanced")
    return tuple(tiers)
