"""The stages of the benchmark builder: each takes items of the run folder and leaves new ones there."""

import asyncio
import random
from collections.abc import Awaitable, Callable

from soprag.graphs.benchmark.context import BuildContext, StageItem
from soprag.graphs.benchmark.runner import Emit
from soprag.tools import errors
from soprag.tools.errors import DocumentError, NothingFound, SopragError
from soprag.tools.evaluation.panel import PANEL
from soprag.tools.evaluation.retrieval.benchmark import benchmark_of
from soprag.tools.publishing import RunSummary, publish_benchmark
from soprag.tools.publishing.facts import gather
from soprag.tools.search import FoundDocument
from soprag.tools.sop import Document, digest
from soprag.tools.store.panel_record import PANEL_FILE
from soprag.tools.store.run_folder import write_whole
from soprag.tools.store.run_records import Audited, Collected, Failure, Parsed, Phrases, Rejected, Stage
from soprag.tools.text.words import normalised
from soprag.tools.web.duplicates import Duplicates


async def collect(build: BuildContext, topic: str, emit: Emit) -> list[str]:
    """Search phrases, documents, their bytes; the ids of the documents."""
    failed = await asyncio.to_thread(build.run.keys, "failed/collect")
    if not failed and not build.collector.includes and await asyncio.to_thread(build.run.has, "search", "collected"):
        return (await asyncio.to_thread(build.run.read, "search", "collected", Collected)).documents
    candidates = await _find(build, topic, emit)
    emit({"stage": "collect", "total": len(candidates)})
    outcomes = await asyncio.gather(*(_keep(build, candidate, emit) for candidate in candidates))
    documents = [id for id in dict.fromkeys(outcomes) if id != "failed"]
    if not documents:
        raise _all_failed(build, "collect", f"None of the {len(candidates)} documents could be read.", DocumentError)
    names = [candidate.name for index, candidate in enumerate(candidates) if outcomes[index] in outcomes[:index]]
    collected = Collected(source=build.collector.source.description, documents=documents, duplicates=names)
    await asyncio.to_thread(build.run.write, "search", "collected", collected)
    return documents


async def _find(build: BuildContext, topic: str, emit: Emit) -> list[FoundDocument]:
    """The candidates of the source; the web source has a journal of its own, so that nothing is paid for twice."""
    gathered = await build.collector.gather(topic, emit)
    if gathered is None:
        return await asyncio.to_thread(build.collector.find, await _phrases(build, topic))
    candidates, summary = gathered
    await asyncio.to_thread(build.run.write, "search", "web", summary)
    await asyncio.to_thread(build.run.write, "search", "phrases", Phrases(phrases=summary.queries))
    return candidates


async def _phrases(build: BuildContext, topic: str) -> list[str]:
    if await asyncio.to_thread(build.run.has, "search", "phrases"):
        return (await asyncio.to_thread(build.run.read, "search", "phrases", Phrases)).phrases
    phrases = await build.collector.phrases(topic)
    await asyncio.to_thread(build.run.write, "search", "phrases", Phrases(phrases=phrases))
    return phrases


async def _keep(build: BuildContext, candidate: FoundDocument, emit: Emit) -> str:
    async def work() -> str:
        document, data = await asyncio.to_thread(build.collector.read, candidate)
        await asyncio.to_thread(write_whole, build.run.raw(document.id, document.suffix), data)
        await asyncio.to_thread(build.run.write, "documents", document.id, document)
        return document.id

    key = digest(candidate.provenance.location)[:16]
    outcome = await build.attempt(StageItem("collect", key, candidate.provenance.location), work)
    emit({"stage": "collect", "item": candidate.name, "outcome": "failed" if outcome == "failed" else "kept"})
    return outcome


async def archive(build: BuildContext, id: str, emit: Emit) -> list[str]:
    """Bytes to Markdown; the document's id, or nothing when it failed."""

    def tell(standing: str) -> None:
        emit({"stage": "archive", "item": document.name, "standing": standing})

    async def work() -> str:
        if await asyncio.to_thread(build.run.has, "parsed", id):
            return "parsed"
        parsed = await build.archivist.parse(build.run.raw(id, document.suffix), document.name, tell)
        for image in parsed.images:
            await asyncio.to_thread(write_whole, build.run.markdown(id).parent / image.name, image.data)
        await asyncio.to_thread(write_whole, build.run.markdown(id), parsed.markdown.encode())
        record = Parsed(
            document=id, engine=parsed.engine, characters=len(parsed.markdown), warnings=list(parsed.warnings)
        )
        await asyncio.to_thread(build.run.write, "parsed", id, record)
        return "parsed"

    document = await asyncio.to_thread(build.run.read, "documents", id, Document)
    return await _finish(build, StageItem("archive", id, document.name), work, emit)


def merge(build: BuildContext, ids: list[str]) -> list[str]:
    """Documents with the same words, or nearly in another format (a plan kept as PDF and as DOCX), become one.

    Returns the ids that stay. In one format nearly the same words may be the sheets of two machines.
    """
    if not ids:
        raise _all_failed(build, "archive", "No document could be turned into Markdown.", DocumentError)
    distinct, staying = Duplicates(), []
    for id in ids:
        document, text = build.run.read("documents", id, Document), _markdown(build, id)
        twin_id = distinct.add(id, text)
        twin = build.run.read("documents", twin_id, Document) if twin_id else None
        same = twin is not None and normalised(_markdown(build, twin.id)) == normalised(text)
        if twin is None or not (same or twin.suffix != document.suffix):
            staying.append(id)
            continue
        reason = f"It has {'' if same else 'nearly '}the same words as {twin.name!r}."
        copy = Rejected(document=id, name=document.name, reason=reason, confidence=1, is_copy=True)
        build.run.write("rejected", id, copy)
    return sorted(staying)


def _markdown(build: BuildContext, id: str) -> str:
    return build.run.markdown(id).read_text(encoding="utf-8")


async def audit(build: BuildContext, id: str, emit: Emit) -> list[str]:
    """Keep or reject, and split; the document's id when it holds SOPs."""

    async def work() -> str:
        if await asyncio.to_thread(build.run.has, "sops", id):
            return "kept"
        if await asyncio.to_thread(build.run.has, "rejected", id):
            return "rejected"
        markdown = await asyncio.to_thread(build.run.markdown(id).read_text, encoding="utf-8")
        audit = await build.auditor.audit(document, markdown)
        verdict, sops = audit.verdict, list(audit.sops)
        if not verdict.is_sop:
            rejected = Rejected(document=id, name=document.name, reason=verdict.reason, confidence=verdict.confidence)
            await asyncio.to_thread(build.run.write, "rejected", id, rejected)
            return "rejected"
        preamble_text = next((sop.preamble_text for sop in sops if sop.preamble), "")
        audited = Audited(
            document=id, reason=verdict.reason, confidence=verdict.confidence, preamble_text=preamble_text, sops=sops
        )
        await asyncio.to_thread(build.run.write, "sops", id, audited)
        return "kept"

    document = await asyncio.to_thread(build.run.read, "documents", id, Document)
    audited = await _finish(build, StageItem("audit", id, document.name), work, emit)
    if audited and build.idles:
        build.embed_ahead(id)
    return audited


def sample(build: BuildContext, ids: list[str]) -> list[str]:
    """A seeded choice of the SOPs that get questions; their ids."""
    sops = sorted(sop.id for id in ids for sop in build.run.read("sops", id, Audited).sops)
    if not sops:
        rejected = build.run.read_all("rejected", Rejected)
        example = f" For example {rejected[0].name!r}: {rejected[0].reason}" if rejected else ""
        verdict = f"None of the documents is an SOP.{example}" if rejected else "No document could be judged."
        raise _all_failed(build, "audit", verdict, NothingFound)
    count = min(build.examiner.settings.sample, len(sops))
    return sorted(random.Random(build.examiner.settings.seed).sample(sops, count))


async def examine(build: BuildContext, id: str, emit: Emit) -> list[str]:
    """Questions for one SOP; its id when it has some."""

    async def work() -> str:
        if not await asyncio.to_thread(build.run.has, "questions", id):
            corpus = await build.corpus()
            examined = await build.examiner.examine(corpus.sop(id), corpus)
            await asyncio.to_thread(build.run.write, "questions", id, examined)
        return "questioned"

    return await _finish(build, StageItem("examine", id, id), work, emit)


async def measure(build: BuildContext, emit: Emit) -> None:
    """Try the panel of systems on the questions, once for the same questions; a failure costs the benchmark nothing."""
    panel = build.panel
    if panel is None or not await asyncio.to_thread(build.run.keys, "questions"):
        return

    loop = asyncio.get_running_loop()

    def tell(system: str) -> None:  # from the thread of the panel
        loop.call_soon_threadsafe(emit, {"stage": "measure", "item": system, "outcome": "measured"})

    async def work() -> str:
        facts = await asyncio.to_thread(gather, build.run)
        if facts.panel_is_current:
            return "measured"
        benchmark = benchmark_of(facts.sops, facts.questions, build.run.path / "benchmark")
        emit({"stage": "measure", "total": len(PANEL)})
        record = await asyncio.to_thread(panel.measure, benchmark, tell)
        await asyncio.to_thread(build.run.write, "", PANEL_FILE, record)
        return "measured"

    await build.attempt(StageItem("measure", "panel", "panel of systems"), work)


def publish(build: BuildContext) -> RunSummary:
    """Write the benchmark folder; its summary."""
    if not build.run.keys("questions"):
        raise _all_failed(build, "examine", "No SOP got a question.", NothingFound)
    return publish_benchmark(build.run)


async def _finish(build: BuildContext, item: StageItem, work: Callable[[], Awaitable[str]], emit: Emit) -> list[str]:
    outcome = await build.attempt(item, work)
    emit({"stage": item.stage, "item": item.name, "outcome": outcome})
    return [] if outcome in ("failed", "rejected") else [item.key]


def _all_failed(build: BuildContext, stage: Stage, message: str, otherwise: type[SopragError]) -> SopragError:
    """The error for a stage without results, of the class of its first failure."""
    failures = build.run.read_all(f"failed/{stage}", Failure)
    if not failures:
        return otherwise(message)
    kind = getattr(errors, failures[0].error, otherwise)
    return kind(f"{message} The first of {len(failures)} failures, {failures[0].name!r}: {failures[0].message}")
