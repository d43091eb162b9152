"""A small shelf of SOPs and an operator with scripted answers, for tests of guided runs."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from soprag.graphs.flow.context import GuideContext, finder
from soprag.graphs.flow.graph import GuidedRun
from soprag.tools.actions.policy import ToolsFile
from soprag.tools.actions.toolbox import Toolbox, builtin
from soprag.tools.errors import UsageError
from soprag.tools.flow.binder import ToolBinder
from soprag.tools.flow.bindings import BindingFolder
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.sop import Sop, Span, Views
from tests.tools.rules.reading import views

COOLANT = """# Restore coolant pressure

> **WARNING:** Hot surfaces.

1. Notify the shift supervisor (shift@plant.example).
2. Read the pressure: between 4 and 6 bar.
   - **CAUTION:** Do not open V-3 under pressure.
3. If the pressure is below 5 bar, go to step 5.
4. Close the valve.
5. Open the case. See [Reset pump P-101](reset.md).
"""
RESET = "# Reset pump P-101\n\n1. Press RESET.\n2. Log the reset in the log book.\n"


@dataclass
class Books:
    """SOPs by id, which a test may change; the index in small."""

    texts: dict[str, tuple[str, str]] = field(
        default_factory=lambda: {
            "coolant": ("Restore coolant pressure", COOLANT),
            "reset": ("Reset pump P-101", RESET),
        }
    )

    def sop(self, id: str) -> Sop:
        if id not in self.texts:
            raise UsageError(f"There is no SOP {id!r} in this index; `soprag index list` names all.")
        title, body = self.texts[id]
        return Sop(id=id, title=title, text=body, document="d", span=Span(start=1, end=body.count("\n") + 1))

    def views(self, id: str) -> Views:
        return views(self.sop(id).body, self.sop(id).title)


def desk(folder: Path, books: Books, toolbox: Toolbox | None = None) -> GuideContext:
    tools = toolbox or builtin(ToolsFile())
    return GuideContext(
        shelf=books,
        toolbox=tools,
        binder=ToolBinder(RulesLlm(), BindingFolder(folder / "bindings"), tools),
        find=finder(lambda: {id: title for id, (title, _) in books.texts.items()}),
        sessions=folder / "sessions",
        operator="ann",
    )


@dataclass
class Operator:
    """Answers what a thread asks; `asked` is the request that waits now."""

    graph: GuidedRun
    thread: str = "t1"
    result: dict[str, Any] = field(default_factory=dict)

    @property
    def config(self) -> RunnableConfig:
        return {"configurable": {"thread_id": self.thread}}

    async def begin(self, procedure: str) -> "Operator":
        self.result = await self.graph.ainvoke({"procedure": procedure, "messages": []}, self.config)
        return self

    async def decide(self, **decision: Any) -> "Operator":
        resumed = Command(resume={"decisions": [decision]})
        self.result = await self.graph.ainvoke(resumed, self.config)
        return self

    async def say(self, *replies: str) -> "Operator":
        for reply in replies:
            await self.decide(type="respond", message=reply)
        return self

    @property
    def request(self) -> dict[str, Any]:
        return self.result["__interrupt__"][0].value if "__interrupt__" in self.result else {}

    @property
    def asked(self) -> str:
        return self.request["action_requests"][0]["name"] if self.request else ""

    @property
    def args(self) -> dict[str, Any]:
        action = self.request["action_requests"][0]
        return dict(action.get("soprag") or action["args"])

    @property
    def said(self) -> str:
        return str(self.result["messages"][-1].content)
