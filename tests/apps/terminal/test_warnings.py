"""Every warning of every SOP reaches the screen word for word, before its step: in chat, ask, export and guided run."""

import asyncio
import io
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage

from soprag.apps.compose.settings import open_settings
from soprag.apps.compose.sources import LocalReading, read_source
from soprag.apps.terminal.dialogue import Spoken, read_spoken
from soprag.apps.terminal.export import render
from soprag.apps.terminal.message_page import message_page
from soprag.apps.terminal.pages import page_of
from soprag.apps.terminal.requests import StepRequest, WarningRequest, read_waiting
from soprag.apps.terminal.screen import PlainScreen, RichScreen, Screen
from soprag.apps.terminal.sessions import Sessions
from soprag.tools.flow.commands import StepReply
from soprag.tools.flow.cursor import Cursor
from soprag.tools.flow.request_builder import next_request
from soprag.tools.procedure.page import raw
from soprag.tools.procedure.plan import plan
from soprag.tools.procedure.rendered_steps import lines_of
from soprag.tools.retriever.answer.answer import Answerer, SopAnswer
from soprag.tools.retriever.answer.answer_page import blocks, whole_procedure
from soprag.tools.retriever.answer.answer_page import card as answer_card
from soprag.tools.retriever.answer.search_result import SearchResult, SopHit
from soprag.tools.retriever.index.extraction import Extractor
from soprag.tools.retriever.index.loaders import read_benchmark, read_text
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.sop import Sop, Step, Views
from soprag.tools.store.logbook import Logbook
from tests.apps.terminal.desk import card
from tests.apps.terminal.terminals import spoken

ROOT = Path(__file__).parents[3]
LIBRARY = ROOT / "examples" / "library"
SHARED = ROOT.parent / "shared" / "data"
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


@dataclass(frozen=True)
class Shelf:
    held: Sop
    seen: Views

    def sop(self, id: str) -> Sop:
        return self.held

    def views(self, id: str) -> Views:
        return self.seen

    async def search(self, question: str, keep: int) -> SearchResult:
        return SearchResult(hits=(SopHit(sop=self.held.id, title=self.held.title, score=1.0),))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def texts() -> list[Sop]:
    files = sorted(LIBRARY.rglob("*.md"))
    return [read_text(file.read_bytes(), file.relative_to(LIBRARY).as_posix(), 1_000_000) for file in files]


async def library() -> list[Sop]:
    settings = open_settings("offline", {})
    return (await read_source(LIBRARY, LocalReading(settings, RulesLlm()), lambda event: None)).sops


def corpora() -> list[Sop]:
    return [sop for name in ("runbooks", "observatory") for sop in read_benchmark(SHARED / name)]


@pytest.mark.slow
def test_no_warning_of_the_library_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert asyncio.run(lost(texts(), tmp_path, monkeypatch)) >= 20


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_no_warning_of_the_whole_library_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert asyncio.run(lost(asyncio.run(library()), tmp_path, monkeypatch)) >= 100


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(not SHARED.is_dir(), reason="the corpora are not on this machine")
def test_no_warning_of_hundreds_of_public_sops_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert asyncio.run(lost(corpora(), tmp_path, monkeypatch)) >= 100


async def lost(sops: list[Sop], folder: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """Fail with the first warning that does not reach a screen; gives how many there are."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "100")
    count = 0
    for sop in sops:
        seen = await Extractor(RulesLlm()).extract(sop)
        answer = await Answerer(Shelf(sop, seen), Shelf(sop, seen), RulesLlm()).answer("what do I do now?")
        cursor = Cursor(plan(sop, seen.flow))
        for step, shown in zip(seen.flow.steps, answer.steps, strict=True):
            count += len(step.warnings)
            assert [spoken(one.text) for one in step.warnings] == [spoken(one.text) for one in shown.warnings]
        for page in (*answered(answer, monkeypatch), exported(answer, cursor, folder / str(count))):
            check(page, answer)
        carded(answer, monkeypatch)
        guided(cursor, seen.flow.steps, monkeypatch)
    return count


def answered(answer: SopAnswer, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The whole answer as `ask --steps` and `/steps` print it, on a terminal and in a pipe."""
    message = spoken_answer(answer)
    for page in (message_page(message, whole=True), list(whole_procedure(answer))):
        for terminal in (False, True):
            out, screen = opened(terminal, monkeypatch)
            screen.page(page)
            yield ESCAPE.sub("", out.getvalue())


def spoken_answer(answer: SopAnswer) -> Spoken:
    parts = {"soprag": {"kind": "answer", "answer": answer.model_dump(mode="json")}}
    return read_spoken(AIMessage(raw(blocks(answer)), additional_kwargs=parts))


def carded(answer: SopAnswer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The card has every serious warning up to the steps that it shows, before them, and nothing else of the answer."""
    page = message_page(spoken_answer(answer))
    assert page == answer_card(answer)
    shown = [step for step in answer.steps if f"[{step.number}: {lines_of(step.lines)}]" in [b.text for b in page]]
    assert bool(shown) == bool(answer.steps)
    out, screen = opened(True, monkeypatch)
    screen.page(page)
    told = spoken(ESCAPE.sub("", out.getvalue()))
    for step in answer.steps[: shown[-1].number] if shown else ():
        place = told.find(f"[{max(step.number, shown[0].number)}: ")
        for warning in step.warnings:
            if warning.kind != "note" or step in shown:
                assert 0 <= told.find(spoken(warning.text)) < place, (answer.sop, warning.text)


def opened(terminal: bool, monkeypatch: pytest.MonkeyPatch) -> tuple[io.StringIO, Screen]:
    if not terminal:
        out = io.StringIO()
        return out, PlainScreen(out, None)
    out = Terminal()
    monkeypatch.setattr(sys, "stdout", out)
    return out, RichScreen()


def exported(answer: SopAnswer, cursor: Cursor, folder: Path) -> str:
    """A session in which the answer was given and every step shown, exported as Markdown."""
    session = Sessions(folder).new(card())
    book = Logbook(session.logbook)
    book.append("answer", text=raw(blocks(answer)))
    for step in cursor.plan.steps[:3]:
        book.append("step shown", text=step.text, warnings=[one.model_dump(mode="json") for one in step.warnings])
    return render(session, "md")


def check(page: str, answer: SopAnswer) -> None:
    """Every warning stands on the page, and each before the step it protects."""
    page = spoken(page)
    for step in answer.steps:
        place = page.find(spoken(f"[{step.number}: {step.citation}]"))
        assert place >= 0, step.citation
        for warning in step.warnings:
            assert 0 <= page.find(spoken(warning.text)) < place, (answer.sop, warning.text)


def guided(cursor: Cursor, steps: tuple[Step, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step as a guided run asks it: its warnings alone first, to be acknowledged, then the step with them."""
    out, screen = opened(True, monkeypatch)
    for step in steps:
        run = cursor.begin().model_copy(update={"at": step.id})
        out.seek(out.truncate(0))
        asked = read_waiting("1", next_request(cursor, run, [], {})).requests[0]
        if step.warnings:
            assert isinstance(asked, WarningRequest)
            screen.page(page_of(asked))
            told = spoken(ESCAPE.sub("", out.getvalue()))
            shown = cursor.plan.by_id[step.id]
            assert all(spoken(one.text) in told for one in shown.warnings), (cursor.plan.sop, step.id)
            run = cursor.reply(run, StepReply("ack")).run
            asked = read_waiting("1", next_request(cursor, run, [], {})).requests[0]
        if isinstance(asked, WarningRequest):  # those at the head of a section
            run = cursor.reply(run, StepReply("ack")).run
            asked = read_waiting("1", next_request(cursor, run, [], {})).requests[0]
        assert isinstance(asked, StepRequest)
        in_order(screen, out, asked)


def in_order(screen: Screen, out: io.StringIO, asked: StepRequest) -> None:
    out.seek(out.truncate(0))
    screen.page(page_of(asked))
    told = spoken(ESCAPE.sub("", out.getvalue()))
    place = told.rfind(spoken(asked.step.text))
    assert place >= 0, asked.step.text
    assert all(0 <= told.find(spoken(one.text)) <= place for one in asked.step.warnings)
