"""The chat: reads a line, sends it or does what it commands, shows what comes of it, and asks what has to be asked.

Drawing and asking never overlap: whatever is drawn while a turn runs has ended before the next line is read.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from soprag.apps.terminal import actions
from soprag.apps.terminal.approval import Approval, Policy
from soprag.apps.terminal.commands import Mistyped, TypedCommand, parse
from soprag.apps.terminal.dialogue import AnswerBlock, Dialogue, Event, GraphStatus, SourceRef, Spoken, read_spoken
from soprag.apps.terminal.interrupts import INTERRUPTED, TWICE, Stopping
from soprag.apps.terminal.library import Library
from soprag.apps.terminal.line_readers import LineSource
from soprag.apps.terminal.message_page import message_page
from soprag.apps.terminal.pages import page_of, problem_of, where
from soprag.apps.terminal.progress import ExpertProgress
from soprag.apps.terminal.replies import reply_called, reply_typed, respond
from soprag.apps.terminal.requests import ActionRequest, Request, StepRequest, WarningRequest
from soprag.apps.terminal.screen import Screen
from soprag.apps.terminal.sessions import SessionFolder, Sessions
from soprag.apps.terminal.turn_account import tokens_used
from soprag.tools.approval import HumanDecision
from soprag.tools.errors import ApprovalNeeded, SopragError, StorageError
from soprag.tools.procedure.page import PageBlock
from soprag.tools.store.logbook import Logbook
from soprag.tools.tasks.cost import Ledger, Spent

_log = logging.getLogger(__name__)
_MORE = "More: `guide me` step by step · /steps all its steps · /source N the original lines"


class Leave(Exception):  # not a fault: how a command ends the chat
    """The chat ends with this exit code, or goes on with another session."""

    def __init__(self, code: int = 0, session: str | None = None) -> None:
        super().__init__(code)
        self.code, self.session = code, session


@dataclass(frozen=True)
class Room:
    """What the chat works with."""

    session: SessionFolder
    sessions: Sessions
    dialogue: Dialogue
    library: Library
    reader: LineSource
    screen: Screen
    logbook: Logbook
    operator: str = "operator"
    policy: Policy = "operator"
    ledger: Callable[[], Ledger] = Ledger  # what the chat model was asked so far


@dataclass
class TerminalChat:
    """One session at the terminal."""

    room: Room
    stopping: Stopping = field(default_factory=Stopping)
    standing: GraphStatus = field(default_factory=GraphStatus)
    answered: Spoken | None = None
    listed: tuple[str, ...] = ()  # titles of the procedures listed last, to be picked by number
    decided: list[HumanDecision] = field(default_factory=list)
    approval: Approval | None = None
    hinted: bool = False
    passage: str = ""  # the item that was printed last with one of its steps
    above: Request | None = None  # what was asked last, while it still stands right above

    @property
    def screen(self) -> Screen:
        """Where it prints."""
        return self.room.screen

    @property
    def request(self) -> Request | None:
        """What is to be decided now."""
        if not self.standing.waiting:
            return None
        return self.standing.waiting[0].requests[len(self.decided)]

    @property
    def sources(self) -> tuple[SourceRef, ...]:
        """The numbered sources of the last answer that has some."""
        return self.answered.sources if self.answered else ()

    async def run(self) -> int:
        """Talk until the person leaves; gives the exit code."""
        try:
            await self.look()
            if self.request and not await self._announced_edit():
                with self.room.reader.deaf():
                    self.show_request()
            while True:
                await self._once()
        except Leave as leaving:
            if leaving.session is not None:
                raise
            return leaving.code

    async def look(self) -> None:
        """Take up the session where its checkpoint stands."""
        self.standing = await self.room.dialogue.standing()
        for message in self.standing.messages:
            if message.type == "ai" and message.text:
                self._remember(read_spoken(message))
        if self.standing.unfinished:
            self.screen.say("The last turn was not finished; /resume goes on with it, or ask something else.", "bold")

    async def _announced_edit(self) -> bool:
        """Say that the procedure of the waiting run was changed, before anything of its old edition is shown.

        The empty reply lets the graph compare the editions and ask whether to go on; True when that was done.
        """
        run = self.standing.flow
        if run is None or not isinstance(self.request, StepRequest | WarningRequest):
            return False
        if not await asyncio.to_thread(self.room.library.is_edited, run):
            return False
        self.screen.say(f"{run.title!r} was changed since this session was left.", "bold")
        await self.decide(respond(""))
        return True

    async def _once(self) -> None:
        """Read a line and do what it says."""
        try:
            line = (await self._read()).strip()
            if line or isinstance(self.request, ActionRequest):
                await self.take(line)
        except Mistyped as wrong:
            self.screen.say(str(wrong), "bold")
        except EOFError:
            raise Leave from None
        except KeyboardInterrupt:
            if self.stopping.pressed():
                raise Leave(INTERRUPTED) from None
            self.screen.say(f"Ctrl+C again within {TWICE:.0f} s leaves; so does Ctrl+D.", "dim")
        except ApprovalNeeded:
            raise
        except SopragError as fault:
            self.screen.say(f"{type(fault).__name__}: {fault}", "bold red")

    async def _read(self) -> str:
        request, reader = self.request, self.room.reader
        if isinstance(request, ActionRequest):
            return await reader.answer(self._approval(request).prompt)
        if isinstance(request, WarningRequest):
            return await reader.line(f"{where(request.step)}, warnings: ack when read> ")
        return await reader.line(f"{where(request.step)}> " if request else "> ")

    async def take(self, line: str) -> None:
        """A command, a decision, or something to ask."""
        call = parse(line)
        if call and not call.command.at_step:
            if call.command.name != "note":
                self.above = None  # what it prints stands between
            await actions.act(self, call)
        elif self.request is None:
            await self._free(call, line)
        elif isinstance(self.request, ActionRequest):
            await self.decide(await self._approval(self.request).take(_word(call) if call else line))
        else:
            await self.decide(reply_called(call, self.request) if call else reply_typed(line, self.request))

    async def _free(self, call: TypedCommand | None, line: str) -> None:
        """Nothing waits: yes and no answer the agent's question, other words of a guided run have no meaning."""
        if call and call.command.name not in ("yes", "no"):
            raise Mistyped(f"/{call.command.name} answers a step; no guided run is waiting for one.")
        message = call.command.name if call else self._picked(line)
        await self.turn(self.room.dialogue.ask(message), question=message)

    def _picked(self, line: str) -> str:
        """The title behind the number of a procedure listed last; a question with choices reads its numbers itself."""
        number = int(line) if line.isdecimal() else 0
        return self.listed[number - 1] if 0 < number <= len(self.listed) else line

    async def decide(self, decision: HumanDecision | None) -> None:
        """Collect decisions until all that was asked at once is decided, then send them."""
        if decision is None:
            return
        waiting = self.standing.waiting[0]
        self.decided.append(decision)
        self.approval = None
        if len(self.decided) < len(waiting.requests):
            self.show_request()
            return
        decisions, self.decided = [self.decided], []
        await self.turn(self.room.dialogue.decide([waiting], decisions))

    def _account(self, before: Spent) -> None:
        """Say what the model was sent since `before`."""
        if used := tokens_used(before, self.room.ledger().total):
            self.screen.say(used, "dim")

    async def turn(self, events: AsyncIterator[Event], question: str = "") -> None:
        """Let the graph work, show what it says, and see where it stands then."""

        async def work() -> None:
            with self.room.reader.deaf(), self.screen.working() as working:
                async for event in events:
                    if isinstance(event, ExpertProgress):
                        working.note(event)
                    else:
                        self._show(event)

        before = self.room.ledger().total
        try:
            finished = await self.stopping.run(work())
        except SopragError as fault:
            self.screen.say(f"{type(fault).__name__}: {fault}", "bold red")
            finished = True
        except Exception as bug:  # noqa: BLE001 - a fault in one turn must not take the session from the operator
            _log.exception("The turn failed")
            self.screen.say(f"This turn failed ({type(bug).__name__}: {bug}); the session is kept.", "bold red")
            finished = True
        if not finished:
            self.screen.say("Cancelled; what was finished is kept. /resume goes on with it.", "bold")
        self.approval, self.standing = None, await self.room.dialogue.standing()
        self._hint()
        self._account(before)
        try:
            self.room.session.turned(question=question, position=self.at)
        except StorageError as error:  # the card only; what was asked is still shown
            self.screen.say(str(error), "bold red")
        self.show_request()
        self.screen.bell()

    def _show(self, event: AnswerBlock | Spoken) -> None:
        """Show a message; its blocks were sent before it, for clients that show nothing but text."""
        if isinstance(event, Spoken):
            self.screen.page(message_page(event))
            self._remember(event)

    def _remember(self, spoken: Spoken) -> None:
        self.above = None
        self.listed = tuple(choice.title for choice in spoken.choices) if spoken.kind != "question" else ()
        if spoken.sources or spoken.answer:
            self.answered = spoken

    def _hint(self) -> None:
        """Once, after the first procedure: what else can be had of it."""
        if self.answered and not self.hinted and self.request is None:
            self.hinted = True
            self.screen.say(f"\n{_MORE}", "dim")

    def show_request(self) -> None:
        """Print what is asked; where nobody can decide, that is the end."""
        request, above = self.request, self.above
        self.above = request
        if request is None:
            return
        if isinstance(request, ActionRequest) or not _same_step(above, request):
            self.screen.page(page_of(request, passage=self.passage))
        elif type(above) is not type(request):
            self.screen.page(page_of(request, warned=True, passage=self.passage))
        else:  # it stands right above
            self.screen.page(problem_of(request) or [PageBlock(f"Still at {where(request.step)}.")])
        if isinstance(request, StepRequest):
            self.passage = request.step.passage
        if not self.room.reader.attended:
            raise ApprovalNeeded(
                "A person has to decide this and nobody is at a terminal; nothing was done. Go on with "
                f"`soprag chat --resume {self.room.session.id}`."
            )

    def _approval(self, request: ActionRequest) -> Approval:
        room = self.room
        self.approval = self.approval or Approval(request, room.reader, room.screen, room.operator, room.policy)
        return self.approval

    def leave(self, session: str | None = None) -> None:
        """End the chat, or this session for another one; an empty id means a new one."""
        raise Leave(session=session)

    @property
    def at(self) -> str:
        """Where the session stands, for the list of sessions."""
        request = self.request
        if isinstance(request, StepRequest | WarningRequest):
            return f"{where(request.step)} of {request.step.sop_title or request.step.sop}"
        if request:
            return f"waits for approval: {request.name}"
        return "unfinished" if self.standing.unfinished else ""


def _same_step(above: Request | None, request: Request) -> bool:
    if above is None or isinstance(above, ActionRequest) or isinstance(request, ActionRequest):
        return False
    return (above.step.sop, above.step.node) == (request.step.sop, request.step.node)


def _word(call: TypedCommand) -> str:
    return f"{call.command.name} {call.rest}".strip()
