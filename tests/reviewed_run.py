"""A small finished run of the benchmark builder, without parsing and without a model, for reviews and exports."""

from pathlib import Path

from soprag.configs.settings import load
from soprag.tools.sop import LEVELS, Document, Provenance, Question, Sop, Span
from soprag.tools.store.run_folder import RunFolder
from soprag.tools.store.run_records import Audited, Collected, Examined, Manifest, Parsed, Phrases
from tests.documents import PUMPS, write_procedure

QUESTIONS = ("{0} pump trip", "How is the {0} pump started again?", "The {0} flow drops, what now?")


def finished_run(folder: Path, sops: int = 2) -> RunFolder:
    """A run with `sops` procedures and three questions on each; nothing is published yet."""
    run = RunFolder(folder)
    (folder / "source").mkdir(parents=True)
    documents = [_document(run, number) for number in range(sops)]
    manifest = Manifest(
        run=run.id, created="2026-01-01T00:00:00+00:00", topic="Pumps", source="source", profile="offline",
        version="0.1.0", settings=load(environment={}).model_dump(mode="json"), editions={"questions": "rules:1"},
    )  # fmt: skip
    run.write("", "run", manifest)
    run.write("search", "phrases", Phrases(phrases=[]))
    run.write("search", "collected", Collected(source="the folder 'source'", documents=documents, duplicates=[]))
    return run


def _document(run: RunFolder, number: int) -> str:
    file = write_procedure(run.path / "source", number)
    id, markdown = f"{number:012d}", file.read_text(encoding="utf-8")
    origin = Provenance(origin="folder", location=file.name)
    document = Document(id=id, name=file.name, suffix=".md", size=len(markdown), provenance=origin)
    run.write("documents", id, document)
    run.markdown(id).parent.mkdir(exist_ok=True)
    run.markdown(id).write_text(markdown, encoding="utf-8")
    run.write("parsed", id, Parsed(document=id, engine="text", characters=len(markdown), warnings=[]))
    title, end = markdown.splitlines()[0].removeprefix("# "), markdown.count("\n")
    sop = Sop(id=f"{id}-1", title=title, text=markdown.rstrip("\n"), document=id, span=Span(start=1, end=end))
    run.write("sops", id, Audited(document=id, reason="It has steps.", confidence=0.9, sops=[sop]))
    questions = [_question(sop, number, slot) for slot in range(len(QUESTIONS))]
    run.write("questions", sop.id, Examined(sop=sop.id, wanted=3, questions=questions, dropped=[]))
    return id


def _question(sop: Sop, number: int, slot: int) -> Question:
    pump = PUMPS[number % len(PUMPS)]
    evidence = f"Clean the {pump} strainer and close its cover."
    text = QUESTIONS[slot].format(pump)
    return Question(id=f"{sop.id}-q{slot + 1}", sop=sop.id, level=LEVELS[slot], text=text, evidence=evidence)
