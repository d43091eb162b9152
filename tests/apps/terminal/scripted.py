"""A troubleshooter by script: a real graph with real interrupts that asks and answers as the product's graph does.

It knows one procedure of three steps: an action behind a warning, a decision, and a reading with a range; at the second
step an e-mail is offered. Questions: "which" is answered by a question, "nothing" by none, "long" by a procedure of 18
steps, "slow" takes its time, "fail" fails, "guide" begins the guided run, anything else is answered in two blocks.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any, TypedDict

from langchain_core.messages import AIMessage, AnyMessage
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.config import get_stream_writer
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Command, interrupt

from soprag.apps.terminal.dialogue import Dialogue
from soprag.apps.terminal.library import Library
from soprag.apps.terminal.session_start import Opened
from soprag.apps.terminal.sessions import SessionFolder
from soprag.configs.settings import Settings
from soprag.tools.errors import ModelUnavailable
from tests.tools.retriever.test_answer import LONG, answered, library

WARNING = "**WARNING:** Close <V-101> and *wait* [red].\x1b[2J\n| bar | 5*3*2 |"
SLOW = 30.0
STEPS = ["Open <V-101> and *wait* [red].", "Is the lamp on?", "Read the pressure."]
MAIL = {"to": "shift@plant", "subject": "P-101", "body": "Pump tripped.\nCome.", "copies": 2}


class State(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], add_messages]
    history: list[dict[str, Any]]
    flow: dict[str, Any] | None
    at: int
    warned: bool
    problem: str
    using: str
    reply: dict[str, Any]
    seen: list[Any]


def said(text: str, kind: str = "note", **parts: Any) -> AIMessage:
    return AIMessage(text, additional_kwargs={"soprag": {"kind": kind, **parts}})


async def answer(state: State) -> Command[Any]:
    question = str(state["messages"][-1].text)
    write = get_stream_writer()
    write({"kind": "progress", "expert": "retrieval", "step": "s1", "phase": "begin", "text": "look", "seconds": 0})
    if "slow" in question:
        await asyncio.sleep(SLOW)
    if "fail" in question:
        raise ModelUnavailable("The model gave no answer.")
    write({"kind": "progress", "expert": "retrieval", "step": "s1", "phase": "end", "text": "found", "seconds": 0.4})
    history = [{"step": "s1", "tool": "retrieval", "task": "look", "status": "ok", "seconds": 0.4}]
    if "guide" in question:
        return Command(update={"at": 0, "warned": False, "problem": "", "history": history}, goto="present")
    if "which" in question:
        message = said("Which pump: A or B?", "question", choices=[{"n": 1, "sop": "a", "title": "A"}])
    elif "nothing" in question:
        near = [{"n": n, "sop": title, "title": title} for n, title in enumerate(("Pump A", "Pump B"), 1)]
        message = said("Nothing fits. The nearest are:\n1. Pump A\n2. Pump B", "nothing", choices=near)
    elif "long" in question:
        found = await asyncio.to_thread(lambda: answered("acid leaks from a flange", library(LONG, "Boiler")))
        message = said("Boiler", "answer", answer=found.model_dump(mode="json"))
    else:
        blocks = ["Reset the fan (fan)", f"! {WARNING}\n1. Lock out *FAN-2*.\n[1: Reset the fan, line 5]"]
        for block in blocks:
            write({"kind": "block", "text": block})
        source = {"n": 1, "sop": "fan", "title": "Reset the fan", "lines": [5, 5]}
        message = said("\n\n".join(blocks), "answer", sources=[source])
    return Command(update={"messages": [message], "history": history}, goto=END)


def present(state: State) -> Command[Any]:
    return Command(goto="ask" if state["at"] < len(STEPS) else "close")


def asking(state: State) -> dict[str, Any]:
    at = state["at"]
    place: dict[str, Any] = {"sop": "fan", "sop_title": "Reset the fan", "node": f"n{at}", "number": at + 1, "of": 3}
    place |= {"label": str(at + 1), "lines": [5 + at, 5 + at], "problem": state["problem"], "section": "Start"}
    warning = {"kind": "warning", "text": WARNING, "lines": [3, 3]}
    if state["using"]:
        return request(state["using"], MAIL, "Write an e-mail.", ["approve", "edit", "reject"])
    if at == 0 and not state["warned"]:
        return request("warning", {**place, "warnings": [warning]}, WARNING, ["approve", "respond"])
    ways = [{"to": 3, "condition": "the lamp is on"}, {"to": 1, "condition": ""}] if at == 1 else []
    step = {**place, "text": STEPS[at], "warnings": [warning] if at == 0 else [], "ways": ways}
    step |= {"kind": "decision" if ways else "action", "tools": ["email"] if at == 1 else []}
    limits = {"low": 2.0, "high": 6.0, "unit": "bar", "words": "2 to 6 bar"}
    return request("step", {**step, "range": limits if at == 2 else None}, STEPS[at], ["approve", "reject", "respond"])


def request(name: str, args: dict[str, Any], description: str, allowed: list[str]) -> dict[str, Any]:
    return {
        "action_requests": [{"name": name, "args": args, "soprag": args, "description": description}],
        "review_configs": [{"action_name": name, "allowed_decisions": allowed}],
    }


def ask(state: State) -> dict[str, Any]:
    return {"reply": interrupt(asking({"using": "", **state}))["decisions"][0]}


def take(state: State) -> Command[Any]:
    reply = state["reply"]
    seen = [*state.get("seen", []), reply]
    update: State = {"problem": "", "seen": seen, "using": ""}
    word, _, rest = str(reply.get("message", "")).partition(" ")
    at = state["at"]
    if state.get("using"):
        outcome = said("Not written." if reply["type"] == "reject" else f"Written: {reply['type']}.")
        return Command(update={**update, "messages": [outcome]}, goto="present")
    if at == 0 and not state["warned"]:
        return Command(update={**update, "warned": True}, goto="present")
    changes: State = {"at": at + 1}
    if word in ("ask", "what", "where", "why") or rest.startswith("pressure"):
        changes = {"messages": [said(f"About the step: {rest}")]}
    elif word == "use":
        changes = {"using": rest or "email"}
    elif word == "back":
        changes = {"at": at - 1}
    elif at == 2 and word == "done" and rest != "4 bar":
        changes = {"problem": f"{rest!r} is outside '2 to 6 bar'."}
    return Command(update={**update, **changes}, goto="close" if word == "stop" else "present")


def close(state: State) -> dict[str, Any]:
    return {"messages": [said("The run has ended.")], "flow": None}


def compiled(saver: BaseCheckpointSaver[Any]) -> Any:
    graph = StateGraph(State)
    for node in (answer, present, ask, take, close):
        graph.add_node(node)  # type: ignore[call-overload]
    graph.add_edge(START, "answer")
    graph.add_edge("ask", "take")
    graph.add_edge("close", END)
    return graph.compile(checkpointer=saver)


class Shelf:
    """Stands for the library of the chat."""

    size = 1

    def titles(self) -> list[str]:
        return ["Reset the fan (fan)"]

    async def find(self, words: str) -> list[str]:
        return [f"found {words}", "another"]

    async def reasons(self, words: str) -> str:
        return f"found {words} because"

    source = Library.source

    @property
    def retriever(self) -> Any:
        raise AssertionError("the tests bring their own lines")


class Lines(Shelf):
    cited = Library.cited

    def source(self, sop: str, number: int, lines: tuple[int, int] | None = None) -> Any:
        class Text:
            def text(self) -> str:
                return f"{sop} {number} {lines}"

        return Text()


@asynccontextmanager
async def open_scripted(settings: Settings, folder: SessionFolder, operator: str) -> AsyncIterator[Opened]:
    async with AsyncSqliteSaver.from_conn_string(str(folder.checkpoint)) as saver:
        yield Opened(folder, Dialogue(compiled(saver), folder.id, {"operator": operator}), Lines())  # type: ignore[arg-type]
