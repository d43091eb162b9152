"""One document on its way through the engines until one result is good enough; nothing happens silently."""

import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from soprag.configs.settings import ParsingSettings
from soprag.tools.errors import DocumentError
from soprag.tools.parsing.budget import TimeBudget
from soprag.tools.parsing.cancellation import ParseCall
from soprag.tools.parsing.captions import add_captions, undescribed
from soprag.tools.parsing.chain import EngineCandidate, plan
from soprag.tools.parsing.document import Attempt, Extract, Image, Outcome, ParsedDocument
from soprag.tools.parsing.engines.server import ServerFault, ServerRequest
from soprag.tools.parsing.engines.vlm import VlmFault
from soprag.tools.parsing.jobs import (
    EngineName,
    ParseJob,
    ParseLimits,
    Probe,
    ProbeJob,
    RenderJob,
    RepairJob,
    WorkerReply,
)
from soprag.tools.parsing.kinds import IMAGES, Kind
from soprag.tools.parsing.pool import Workplace
from soprag.tools.parsing.quality import count_letters, find_defect, rank
from soprag.tools.parsing.services import Services

CORES_PER_JOB = 4
_SLOW_READING = 15.0
_KINDS: dict[str, Kind] = {"image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/bmp": "bmp"}


@dataclass(frozen=True)
class WorkerSlot:
    """Where a document is worked on: a folder with its parser process, and the cores that all of them share."""

    workplace: Workplace
    cores: threading.BoundedSemaphore


@dataclass
class Attempts:
    """The tries for one file; `run` ends with a document or with `DocumentError`."""

    kind: Kind
    path: Path
    name: str
    settings: ParsingSettings
    services: Services
    desk: WorkerSlot
    call: ParseCall
    budget: TimeBudget = field(init=False)
    share: float = field(init=False, default=1.0)
    trail: list[Attempt] = field(default_factory=list)
    defective: list[tuple[EngineCandidate, Extract]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.budget = TimeBudget(self.settings.timeout)

    def run(self) -> ParsedDocument:
        """Try the engines in order; the first good result is taken, or at last the best of the others."""
        probe = self._probe()
        candidates = plan(self.kind, probe, self.settings, self.services.ready)
        able = [candidate for candidate in candidates if not candidate.missing]
        self.budget.widen(max((self._seconds(candidate, probe) for candidate in able), default=0.0))
        for candidate in candidates:
            if candidate.missing:
                self._note(candidate, "unavailable", candidate.missing)
                continue
            if self.budget.spent:
                self._note(candidate, "failed", f"no time left of {self.budget.seconds:.0f} s (parsing.timeout)")
                continue
            self.share = 1.0 if candidate is able[-1] else self.settings.engine_share
            begun = time.monotonic()
            self.call.begin(candidate.name, probe.pages)
            reply = self._try(candidate, probe)
            seconds = time.monotonic() - begun
            if reply.refused:
                raise DocumentError(f"{self.name!r} cannot be used: {reply.refused}.")
            if reply.extract is None:
                self._note(candidate, "failed", reply.failed, seconds)
            elif defect := find_defect(reply.extract, probe):
                self._note(candidate, "rejected", defect, seconds)
                self.defective += [(candidate, reply.extract)] if count_letters(reply.extract.markdown) else []
            else:
                self._note(candidate, "accepted", "", seconds)
                return self._document(candidate, self._caption(reply.extract), probe)
        return self._least_damaged(probe)

    def _least_damaged(self, probe: Probe) -> ParsedDocument:
        """The best of the results that all have a defect, and a warning that says so."""
        if not self.defective:
            raise DocumentError(self._explain(probe))
        candidate, extract = max(self.defective, key=lambda pair: rank(pair[1]))
        defect = extract.damage.describe() if extract.damage else find_defect(extract, probe)
        warning = f"{candidate.name} was taken, the best of {len(self.defective)}: {defect}"
        return self._document(candidate, extract.model_copy(update={"warnings": (*extract.warnings, warning)}), probe)

    def _probe(self) -> Probe:
        self.share = self.settings.probe_share
        reply = self._ask(ProbeJob(kind=self.kind, path=str(self.path), limits=self._limits()))
        if reply.probe is None:
            raise DocumentError(f"{self.name!r} cannot be used: {reply.refused or reply.failed}.")
        if reply.probe.prepared:
            self.path = Path(reply.probe.prepared)
        return reply.probe

    def _try(self, candidate: EngineCandidate, probe: Probe) -> WorkerReply:
        self.call.check()
        match candidate.route:
            case "server":
                return self._ask_server(probe)
            case "vlm":
                return self._ask_vlm(probe)
            case "mineru" | "pdfplumber" | "pdfium" | "office" | "ocr":
                return self._parse(candidate.route, candidate)

    def _parse(self, engine: EngineName, candidate: EngineCandidate) -> WorkerReply:
        tier = candidate.tier or "flash"
        limits = self._limits()
        return self._ask(ParseJob(kind=self.kind, path=str(self.path), engine=engine, tier=tier, limits=limits))

    def _ask_server(self, probe: Probe) -> WorkerReply:
        assert self.services.server is not None
        tier = self.settings.tier if self.kind == "pdf" or probe.scanned_pages else "flash"
        question = ServerRequest(f"document.{self.kind}", self.path.read_bytes(), tier, self.call.check)
        try:
            answer = self.services.server.parse(question)
        except ServerFault as error:
            return WorkerReply(failed=str(error))
        return self._repair(answer.markdown, f"{answer.version} {answer.tier}", probe)

    def _ask_vlm(self, probe: Probe) -> WorkerReply:
        assert self.services.vlm is not None
        drawn = self._ask(RenderJob(kind=self.kind, path=str(self.path), limits=self._limits()))
        if drawn.extract is None:
            return drawn
        try:
            markdown = self.services.vlm.read(drawn.extract.images, self.call.note_pages)
        except VlmFault as error:
            return WorkerReply(failed=str(error))
        return self._repair(markdown, self.settings.vlm_model or "mineru vlm", probe)

    def _repair(self, markdown: str, version: str, probe: Probe) -> WorkerReply:
        job = RepairJob(
            kind=self.kind,
            path=str(self.path),
            markdown=markdown,
            version=version,
            pages=probe.pages if self.kind == "pdf" or self.kind in IMAGES else 0,
            limits=self._limits(),
        )
        return self._ask(job)

    def _caption(self, extract: Extract) -> Extract:
        """With the vision model's words for pictures that the document says nothing of; without it as it is."""
        server = self.services.vlm if self.services.ready.vlm else None
        if server is None or not extract.images:
            return extract
        try:
            redrawn = {image.name: self._redraw(image) for image in undescribed(extract.images)}
            descriptions = {name: server.describe(drawn) for name, drawn in redrawn.items() if drawn}
            captioned = add_captions(extract.markdown, extract.images, descriptions)
        except VlmFault as error:
            warning = f"pictures were not described ({error})"
            return extract.model_copy(update={"warnings": (*extract.warnings, warning)})
        return extract.model_copy(update={"markdown": captioned.markdown, "images": captioned.images})

    def _redraw(self, picture: Image) -> Image | None:
        """The picture as a parser process draws it: nothing else opens what came out of a document."""
        self.call.check()
        kind = _KINDS.get(picture.media_type)
        if kind is None:
            return None
        path = self.path.with_name(f"picture.{kind}")
        path.write_bytes(picture.data)
        drawn = self._ask(RenderJob(kind=kind, path=str(path), limits=self._limits()))
        return drawn.extract.images[0] if drawn.extract and drawn.extract.images else None

    def _ask(self, job: ParseJob | ProbeJob | RenderJob | RepairJob) -> WorkerReply:
        with self.desk.cores, self.call.using(self.desk.workplace.process()) as process:
            reply = process.ask(job, self.budget.remaining(self.share), self.call.note_pages)
        self.budget.charge(reply.seconds)
        return reply

    def _seconds(self, candidate: EngineCandidate, probe: Probe) -> float:
        slow = candidate.route == "ocr" or candidate.tier not in (None, "flash")
        return self.settings.timeout + self.settings.timeout_per_page * probe.pages * (_SLOW_READING if slow else 1)

    def _limits(self) -> ParseLimits:
        chosen = self.settings
        return ParseLimits(
            memory=chosen.memory,
            seconds=self.budget.remaining(self.share) * CORES_PER_JOB,
            pages=chosen.max_pages,
            pixels=chosen.max_pixels,
            cells=chosen.max_cells,
            characters=chosen.max_characters,
        )

    def _note(self, candidate: EngineCandidate, outcome: Outcome, reason: str, seconds: float = 0.0) -> None:
        self.trail.append(Attempt(engine=candidate.name, outcome=outcome, reason=reason, seconds=round(seconds, 3)))

    def _document(self, candidate: EngineCandidate, extract: Extract, probe: Probe) -> ParsedDocument:
        setbacks = [
            f"{attempt.engine}: {attempt.reason}" for attempt in self.trail if attempt.outcome in ("failed", "rejected")
        ]
        unread = [f"{probe.scanned_pages} of {probe.pages} pages are pictures and may be missing"]
        partly = 0 < probe.scanned_pages < probe.pages and candidate.route in ("mineru", "pdfplumber", "pdfium")
        return ParsedDocument(
            markdown=extract.markdown,
            engine=candidate.name.removesuffix(f" {candidate.tier}"),
            version=extract.version,
            tier=candidate.tier or "",
            pages=extract.pages or probe.pages,
            images=extract.images,
            damage=extract.damage,
            warnings=(*extract.warnings, *setbacks, *(unread if partly else ())),
            trail=tuple(self.trail),
        )

    def _explain(self, probe: Probe) -> str:
        if probe.pages and probe.scanned_pages > probe.pages / 2:
            ways = "; ".join(f"{attempt.engine}: {attempt.reason}" for attempt in self.trail if attempt.reason)
            return f"{self.name!r} is a scan and nothing here could read it ({ways})."
        tried = "; ".join(f"{attempt.engine}: {attempt.reason}" for attempt in self.trail)
        return f"{self.name!r} could not be turned into Markdown ({tried})."
