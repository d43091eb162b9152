"""The collaborators of guided runs: the SOPs, the operator's tools, the bindings between them, and the logbook."""

import asyncio
import re
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol
from urllib.parse import quote

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from pydantic import Field

from soprag.graphs.context import Collaborator, RunContext
from soprag.tools.actions.toolbox import Toolbox
from soprag.tools.approval import HumanDecision
from soprag.tools.flow.bindings import Binding, Bindings
from soprag.tools.flow.commands import near_command
from soprag.tools.flow.cursor import PASSES, Cursor
from soprag.tools.flow.replies import spoken
from soprag.tools.flow.reply_intent import ReadIntent, no_intent
from soprag.tools.flow.requests import StepArguments
from soprag.tools.flow.required_readings import labelled_problem
from soprag.tools.flow.run import FlowRun
from soprag.tools.flow.step_card import markdown
from soprag.tools.markdown.inline import plain
from soprag.tools.procedure.plan import FlowPlan, plan
from soprag.tools.retriever.answer.answer import SopShelf
from soprag.tools.sop import FlowGraph, Sop
from soprag.tools.store.logbook import Logbook, OpenLogbooks
from soprag.tools.store.record_place import RecordPlace

if TYPE_CHECKING:
    from langchain.agents.middleware.human_in_the_loop import HITLRequest

_TELLING = 4  # letters and digits of a name that may stand inside a title
_planned = lru_cache(maxsize=32)(plan)  # an SOP is read at every reply, and planned again only when it changed


class Bind(Protocol):
    """Whoever binds the steps of a plan; `Binder` is one."""

    async def ensure(self, plan: FlowPlan, node: str = "") -> object:
        """Bind them, or the step of a node and the next ones, if that was not done yet."""
        ...

    @property
    def edition(self) -> str:
        """The rules or the model and prompt that bind, and the tools."""
        ...

    def kept(self, plan: FlowPlan) -> Bindings:
        """The bindings as they are kept."""
        ...


def _unknown(reference: str) -> str:
    return ""


async def _connected() -> None:
    pass


class GuideContext(RunContext):
    """The collaborators of the guided run; everything that blocks is called from a thread.

    `find` maps an SOP that another one names to its id, or to nothing; `intent` reads a reply that is no command.
    `sessions` is the folder in which each thread has its logbook and its drafts; None keeps neither. `record` says
    where the record of a thread lies instead. Without a `binder` every step is done by hand. `connect` brings the tools
    of servers into the `toolbox`, before they may be needed. `pages` is the address of a server with pages of the SOPs,
    for links to the lines of a step.
    """

    operator: str = Field(default="", description="Who works with the program, as the logbook names them.")
    form: Literal["plain", "markdown"] = Field(
        default="plain",
        description="`markdown` writes answers in Markdown, and each step and reply of a guided run as a message.",
    )
    pages: Collaborator[str] = ""
    shelf: Collaborator[SopShelf]
    toolbox: Collaborator[Toolbox] = Field(default_factory=Toolbox)
    connect: Collaborator[Callable[[], Awaitable[None]]] = _connected
    binder: Collaborator[Bind | None] = None
    find: Collaborator[Callable[[str], str]] = _unknown
    intent: Collaborator[ReadIntent] = no_intent
    sessions: Collaborator[Path | None] = None
    passes: Collaborator[int] = PASSES
    record: Collaborator[Callable[[str], RecordPlace] | None] = None
    books: Collaborator[OpenLogbooks] = Field(default_factory=OpenLogbooks)

    def cursor(self, sop: str) -> Cursor:
        """The cursor over an SOP as it is now; raises `UsageError` when it is not there any more."""
        return Cursor(self.planned(self.shelf.sop(sop), self.shelf.views(sop).flow), self.passes)

    async def understands(self, message: str) -> bool:
        """Whether a message that is no command is about the run itself, so that its step answers it."""
        return bool(near_command(message) or await asyncio.to_thread(self.intent, message))

    async def bind(self, run: FlowRun) -> None:
        """Bind the step that a run has come to, if that was not done yet."""
        if self.binder and run.status == "running":
            await self.connect()
            await self.binder.ensure((await asyncio.to_thread(self.cursor, run.sop)).plan, run.at)

    @property
    def edition(self) -> str:
        """The rules or the model and prompt that steps are bound with."""
        return self.binder.edition if self.binder else ""

    def binding(self, plan: FlowPlan, node: str) -> Binding:
        """How a step is carried out."""
        return self.binder.kept(plan).of(node) if self.binder else Binding(kind="human")

    @staticmethod
    def planned(sop: Sop, flow: FlowGraph) -> FlowPlan:
        """The plan of an SOP."""
        return _planned(sop, flow)

    def folder(self, thread: str) -> Path | None:
        """The folder of a thread."""
        kept = (character if character.isalnum() or character in "-_." else "-" for character in thread)
        name = "".join(kept).strip(".")
        return self.sessions / name if self.sessions and name else None

    def log(
        self, thread: str, kind: str, /, *, by: str = "", key: str = "", answer: object = None, **facts: object
    ) -> None:
        """Write into the thread's record, once per `key` however often a node runs; see `Logbook.append`."""
        book = self._book(thread)
        if book:
            book.append(kind, by=by or self.operator, key=key, answer=answer, **facts)

    def once(self, thread: str, kind: str, key: str, **facts: object) -> bool:
        """Write an entry that may be there only once; whether this was the first time."""
        book = self._book(thread)
        if book is None:
            return True
        if book.find(key):
            return False
        book.append(kind, by=self.operator, key=key, **facts)
        return True

    def _book(self, thread: str) -> Logbook | None:
        folder = self.folder(thread)
        place = self.record(thread) if self.record else folder and folder / "logbook.jsonl"
        return self.books.open(thread, place) if place else None

    def shown(self, name: str, step: StepArguments) -> list[AIMessage]:
        """What is asked, as a message of a thread that is read as messages."""
        if self.form == "plain":
            return []
        words = (
            labelled_problem("**Not taken:**", step.problem)
            if step.problem
            else markdown(name, step, self.page(step.sop))
        )
        return [note("step", words)]

    def announced(self, request: "HITLRequest") -> list[AIMessage]:
        """A call that waits for approval, as a message: chat clients show a card below the program's last message."""
        action = request["action_requests"][0]
        words = f"**{action['name']}** waits for your approval.\n\n{action.get('description', '')}"
        return [] if self.form == "plain" else [note("step", words)]

    def heard(self, messages: Sequence[AnyMessage], decision: HumanDecision) -> list[HumanMessage]:
        """A decision of a card as a message of such a thread; one that came as a message is there already."""
        words = spoken(decision).message or decision.type
        if self.form == "plain" or (messages and messages[-1].type == "human"):
            return []
        return [HumanMessage(words, additional_kwargs={"soprag": {"kind": "reply"}})]

    def page(self, sop: str) -> str:
        """The address of the page of an SOP; empty without a server that has pages."""
        return f"{self.pages.rstrip('/')}/procedures/{quote(sop, safe='')}" if self.pages else ""

    @staticmethod
    def scratch() -> Path:
        """Where drafts go when a thread has no folder."""
        return Path(tempfile.gettempdir()) / "soprag"

    def others(self, plan: FlowPlan, run: FlowRun) -> dict[str, str]:
        """The procedures that the present step names, with their ids where they are in the index."""
        names = plan.by_id[run.at].references
        references = {name: self.find(name) for name in names}
        return {name: sop for name, sop in references.items() if sop != plan.sop}


def note(kind: str, text: str, choices: list[str] | None = None) -> AIMessage:
    """A message to the operator, with the structured part that rich clients read."""
    structured = {"kind": kind, "answer": None, "sources": [], "choices": choices or []}
    return AIMessage(content=text, additional_kwargs={"soprag": structured})


def finder(titles: Callable[[], dict[str, str]]) -> Callable[[str], str]:
    """Finds an SOP by how another one names it: its id, its title, or a name that stands in one title alone."""

    def find(reference: str) -> str:
        by_id = titles()
        if reference in by_id:
            return reference
        letters = _letters(reference)
        matches = [id for id, title in by_id.items() if letters and letters in (_letters(title), _letters(id))]
        if matches or len(letters) < _TELLING:
            return matches[0] if len(matches) == 1 else ""
        mention = re.compile(rf"(?<!\w){re.escape(' '.join(reference.split()))}(?!\w)", re.IGNORECASE)
        mentioned = [id for id, title in by_id.items() if mention.search(title)]
        return mentioned[0] if len(mentioned) == 1 else ""

    return find


def _letters(text: str) -> str:
    return "".join(character for character in plain(text).casefold() if character.isalnum())
