"""The turn of `soprag ask`, with nobody to ask: the answer goes to stdout, progress to stderr, the rest is the code.

Exit codes: 0 answered, 4 no procedure fits, 5 a person has to decide, 6 the agent could not do it.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import IO, Any

from soprag.apps.terminal.ask_call import AskCall
from soprag.apps.terminal.dialogue import AnswerBlock, Dialogue, Event, GraphStatus, Spoken
from soprag.apps.terminal.interrupts import INTERRUPTED, Stopping
from soprag.apps.terminal.library import Library, StepSource
from soprag.apps.terminal.message_page import message_page
from soprag.apps.terminal.pages import page_of, where
from soprag.apps.terminal.progress import ExpertProgress
from soprag.apps.terminal.requests import ActionRequest, Request
from soprag.apps.terminal.screen import PlainScreen, RichScreen, Screen, capable_terminal
from soprag.apps.terminal.session_start import Setup
from soprag.tools.errors import ApprovalNeeded, NothingFound, ServiceError, SopragError, UsageError
from soprag.tools.procedure.page import raw
from soprag.tools.store.postgres_url import shown_name
from soprag.tools.text.sanitize import sanitize

_CODES = {"nothing": NothingFound.exit_code, "error": ServiceError.exit_code}


@dataclass
class TurnOutcome:
    """What one turn came to."""

    session: str
    index: str = ""
    source: StepSource | None = None
    spoken: list[Spoken] = field(default_factory=list)
    request: Request | None = None
    unfinished: bool = False

    @property
    def code(self) -> int:
        """The exit code."""
        if self.request:
            return ApprovalNeeded.exit_code
        if self.unfinished:
            return INTERRUPTED
        return _CODES.get(self.spoken[-1].kind, 0) if self.spoken else ServiceError.exit_code

    def data(self) -> dict[str, Any]:
        """For --json."""
        last = self.spoken[-1] if self.spoken else Spoken(text="")
        return {
            "session": self.session,
            "index": self.index,
            "kind": last.kind,
            "text": "\n\n".join(message.text for message in self.spoken),
            "answer": last.answer.model_dump(mode="json") if last.answer else None,
            "sources": [source.model_dump(mode="json") for source in last.sources],
            "source": self.source.model_dump(mode="json") if self.source else None,
            "choices": [choice.model_dump(mode="json") for choice in last.choices],
            "waiting": as_data(self.request) if self.request else None,
            "exit_code": self.code,
        }


def run_turn(setup: Setup, call: AskCall, text: str) -> int:
    """Ask `text` and print what comes of it; gives the exit code."""
    emit = _Lines(sys.stdout) if call.form == "jsonl" else None
    try:
        outcome = asyncio.run(_turn(setup, call, text, emit))
    except SopragError as error:
        if emit:
            emit({"type": "error", "error": type(error).__name__, "message": str(error), "exit_code": error.exit_code})
        raise
    if emit:
        emit({"type": "result", **outcome.data()})
    elif call.form == "json":
        envelope = {"schema_version": 1, "command": "ask", "data": outcome.data()}
        sys.stdout.write(json.dumps(envelope, ensure_ascii=False, indent=1) + "\n")
    if not call.quiet:
        sys.stderr.write(_afterwards(outcome) + "\n")
    return outcome.code


async def _turn(setup: Setup, call: AskCall, text: str, emit: "Callable[[dict[str, Any]], None] | None") -> TurnOutcome:
    folder = setup.start()
    outcome = TurnOutcome(folder.id, shown_name(setup.settings.index.folder))
    screen = PlainScreen(sys.stdout, None if call.quiet else sys.stderr)
    with folder.held():
        async with setup.open(setup.settings, folder, setup.operator) as opened:
            if emit:
                emit({"type": "session", "schema_version": 1, "session": folder.id, "question": sanitize(text)})
            before = await opened.dialogue.standing()
            _refuse_waiting(before, folder.id)
            page = RichScreen(bell=False) if capable_terminal() else screen
            output = _Shown(outcome, screen, page, emit, call.form == "text" and not call.source, call.whole)
            finished = await Stopping().run(output.follow(opened.dialogue.ask(text)))
            await _settle(opened.dialogue, output, finished)
            if call.source:
                outcome.source = cited(opened.library, outcome, call.source)
                if call.form == "text":
                    screen.say(outcome.source.text())
            folder.turned(question=call.question, position=_at(outcome))
    return outcome


def cited(library: Library, outcome: TurnOutcome, number: int) -> StepSource:
    """The lines that step `number` of the answer cites; raises `UsageError` when there is no such step."""
    answers = [spoken for spoken in outcome.spoken if spoken.sources or spoken.answer]
    source = library.cited(answers[-1], number) if answers else None
    if source is None:
        raise UsageError(f"The answer cites nothing under [{number}].")
    return source


async def _settle(dialogue: Dialogue, output: "_Shown", finished: bool) -> None:
    """See what is waited for now, and show it."""
    standing = await dialogue.standing()
    outcome = output.outcome
    outcome.unfinished = not finished
    if standing.waiting:
        outcome.request = standing.waiting[0].requests[0]
        if output.emit:
            output.emit({"type": "request", **as_data(outcome.request)})
        elif output.printing:
            output.pages.page(page_of(outcome.request))


@dataclass
class _Shown:
    """Prints or emits the events of a turn."""

    outcome: TurnOutcome
    screen: PlainScreen
    pages: Screen
    emit: "Callable[[dict[str, Any]], None] | None"
    printing: bool
    whole: bool

    async def follow(self, events: AsyncIterator[Event]) -> None:
        """All of them."""
        with self.screen.working() as working:
            async for event in events:
                if isinstance(event, ExpertProgress):
                    working.note(event)
                self._emit(event)
                if isinstance(event, Spoken):
                    self.outcome.spoken.append(event)
                    if self.printing:
                        self.pages.page(message_page(event, whole=self.whole))

    def _emit(self, event: Event) -> None:
        if self.emit:
            kind = {ExpertProgress: "progress", AnswerBlock: "block", Spoken: "message"}[type(event)]
            self.emit({"type": kind, **event.model_dump(mode="json")})


@dataclass(frozen=True)
class _Lines:
    """JSON, a line per event, at once."""

    out: IO[str]

    def __call__(self, event: dict[str, Any]) -> None:
        self.out.write(json.dumps(event, ensure_ascii=False) + "\n")
        self.out.flush()


def as_data(request: Request) -> dict[str, Any]:
    """A request as data."""
    if isinstance(request, ActionRequest):
        return {"name": request.name, "args": dict(request.arguments), "description": request.description}
    name = "step" if type(request).__name__ == "StepRequest" else "warning"
    return {"name": name, "args": request.step.model_dump(mode="json"), "description": raw(page_of(request))}


def _refuse_waiting(standing: GraphStatus, session: str) -> None:
    """A step or an approval is never answered from a pipe."""
    if standing.waiting:
        raise ApprovalNeeded(
            f"The session {session!r} waits for a person's decision; decide it with `soprag chat --resume {session}`."
        )


def _at(outcome: TurnOutcome) -> str:
    if outcome.request is None:
        return ""
    return (
        f"waits for approval: {outcome.request.name}"
        if isinstance(outcome.request, ActionRequest)
        else where(outcome.request.step)
    )


def _afterwards(outcome: TurnOutcome) -> str:
    if outcome.request:
        return f"A person has to decide this; nothing was done. Go on with: soprag chat --resume {outcome.session}"
    following = f'The next turn: soprag ask --resume {outcome.session} "..."'
    if not any(spoken.answer for spoken in outcome.spoken):
        return following
    return f"More: all steps with --steps · step by step with soprag chat --resume {outcome.session}\n{following}"
