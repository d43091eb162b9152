"""Guided runs composed: an index, the operator's tools and the session folders become the context of `graphs/flow`."""

import asyncio
import getpass
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import Field

from soprag.apps.compose import services
from soprag.apps.compose.example_index import example_library, has_index
from soprag.apps.compose.index import open_index
from soprag.configs.settings import Settings
from soprag.tools.errors import UsageError
from soprag.tools.flow.bindings import Bindings
from soprag.tools.sop import Frozen, Sop, Span, Views, digest
from soprag.tools.text.sanitize import one_line

if TYPE_CHECKING:
    from soprag.graphs.flow.context import GuideContext
    from soprag.tools.actions.mcp_servers import McpServers
    from soprag.tools.actions.toolbox import Toolbox
    from soprag.tools.flow.binder import ToolBinder
    from soprag.tools.flow.bindings import BindingFolder
    from soprag.tools.flow.reply_intent import ReadIntent
    from soprag.tools.procedure.plan import FlowPlan
    from soprag.tools.retriever.index.index import Index

BINDINGS = "bindings"  # the folder beside the index
_SHORT = 70  # characters of a step in a listing


async def open_guide(settings: Settings, index: "Index", sessions: Path | None) -> "GuideContext":
    """The context of guided runs over an index.

    `sessions` is the folder where the logbook and the drafts of each thread are kept.
    """
    from soprag.graphs.flow.context import GuideContext, finder

    servers = await asyncio.to_thread(open_tools, settings)
    return GuideContext(
        shelf=index,
        toolbox=servers.toolbox,
        connect=servers.connect,
        binder=await asyncio.to_thread(open_binder, settings, index, servers.toolbox),
        find=finder(lambda: {listed.id: listed.title for listed in index.listing()}),
        intent=await asyncio.to_thread(_intents, index),
        sessions=sessions,
        operator=operator(settings),
        passes=settings.flow.passes,
    )


def _intents(index: "Index") -> "ReadIntent":
    """What reads the intent of a reply with the vectors of the index, when they are those that it was fitted to."""
    from soprag.tools.flow.reply_intent import FITTED_TO, intent_reader, no_intent

    return intent_reader(index.embedder.embed) if index.model_name == FITTED_TO else no_intent


def open_tools(settings: Settings) -> "McpServers":
    """The tools of the operator, as `tools.toml` says; those of MCP servers are there once it has connected."""
    from soprag.tools.actions.mcp_servers import McpServers
    from soprag.tools.actions.policy import read_tools
    from soprag.tools.actions.toolbox import builtin

    file = read_tools(Path(settings.flow.tools))
    return McpServers(builtin(file), file)


def open_binder(settings: Settings, index: "Index", toolbox: "Toolbox") -> "ToolBinder":
    """Whoever binds steps to tools, with the file of each SOP beside the index."""
    from soprag.tools.flow.binder import ToolBinder

    llm = services.with_fallback(services.open_llm(settings))
    return ToolBinder(llm, binding_folder(index), toolbox)


def binding_folder(index: "Index") -> "BindingFolder":
    """Where the bindings of an index are kept."""
    from soprag.tools.flow.bindings import BindingFolder

    return BindingFolder(index.folder / BINDINGS)


def operator(settings: Settings) -> str:
    """Who works with the program, as the logbook names them."""
    try:
        return settings.chat.operator or getpass.getuser()
    except (KeyError, OSError):  # no name for this user id, as in a container
        return "operator"


class SopBindings(Frozen):
    """The bindings of one SOP and the file they are kept in."""

    title: str
    file: str
    bindings: Bindings
    steps: dict[str, str] = Field(description="node -> the words of its step, in short")

    def text(self) -> str:
        """A line per step."""
        rows = [f"{self.bindings.sop}  {self.title}", f"  {self.file}"]
        for node, binding in self.bindings.nodes.items():
            how = f"{binding.kind}:{binding.tool}" if binding.tool else binding.kind
            rows.append(f"  {node:<5} {how:<14} {binding.by:<8} {self.steps.get(node, '')}")
        return "\n".join(rows)


async def bind(settings: Settings, index: "Index", ids: Sequence[str]) -> list[SopBindings]:
    """The bindings of the SOPs, made where they are missing or out of date; of all SOPs without `ids`."""
    from soprag.tools.procedure.plan import plan

    tools = open_tools(settings)
    await tools.connect()
    binder = open_binder(settings, index, tools.toolbox)
    results = []
    for id in ids or [listed.id for listed in index.listing()]:
        planned = plan(index.sop(id), index.views(id).flow)
        steps = {step.id: one_line(step.text, _SHORT) for step in planned.steps}
        bindings = await binder.ensure(planned)
        file = str(binder.folder.file(id))
        results.append(SopBindings(title=one_line(planned.title), file=file, bindings=bindings, steps=steps))
    return results


EXAMPLE = "hot-aisle-temperature-alarm"  # what is shown where there is no index


def example(name: str = EXAMPLE) -> tuple[Sop, Views]:
    """A Markdown file of the embedded library as one SOP, with its views made by rule."""
    from soprag.tools.retriever.index.extraction import Extractor

    file = next(example_library().rglob(f"{name}.md"), None)
    if file is None:
        raise UsageError(f"The embedded library has no Markdown file {name!r}.")
    body = file.read_text(encoding="utf-8")
    title = next((line.lstrip("# ").strip() for line in body.split("\n") if line.startswith("#")), name)
    span = Span(start=1, end=body.count("\n") + 1)
    sop = Sop(id=name, title=title, text=body, document=digest(body), span=span)
    return sop, asyncio.run(Extractor(services.open_rules()).extract(sop))


def open_plan(settings: Settings, id: str = "") -> "FlowPlan":
    """The plan of an SOP: the one of that id, else the first of the index, else one of the library."""
    from soprag.tools.procedure.plan import plan

    if not id and not has_index(settings):
        sop, views = example()
        return plan(sop, views.flow)
    with closing(open_index(settings, embed=False)) as index:
        id = id or index.listing()[0].id
        return plan(index.sop(id), index.views(id).flow)
