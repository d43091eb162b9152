"""Guided runs composed: an index, the operator's tools and the session folders become the desk of `graphs/flow.py`."""

import asyncio
import getpass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from apps import compose
from configs.settings import Settings

if TYPE_CHECKING:
    from graphs.flow import Compiled
    from graphs.flow_desk import FlowDesk
    from tools.actions.toolbox import Toolbox
    from tools.flow.binder import Binder
    from tools.flow.bindings import BindingFolder
    from tools.retriever.index import Index

BINDINGS = "bindings"  # the folder beside the index


async def open_desk(settings: Settings, index: "Index", sessions: Path | None) -> "FlowDesk":
    """The desk over an index; `sessions` is where the logbook and the drafts of each thread are kept."""
    from graphs.flow_desk import FlowDesk, finder

    toolbox = await open_toolbox(settings)
    return FlowDesk(
        shelf=index,
        toolbox=toolbox,
        binder=await asyncio.to_thread(open_binder, settings, index, toolbox),
        find=finder(lambda: {listed.id: listed.title for listed in index.listing()}),
        sessions=sessions,
        operator=operator(settings),
        passes=settings.flow.passes,
    )


async def open_toolbox(settings: Settings) -> "Toolbox":
    """The tools of the operator, as `tools.toml` says."""
    from tools.actions.policy import read_tools
    from tools.actions.toolbox import builtin

    file = await asyncio.to_thread(read_tools, Path(settings.flow.tools))
    return builtin(file)


def open_binder(settings: Settings, index: "Index", toolbox: "Toolbox") -> "Binder":
    """Whoever binds steps to tools, with the file of each SOP beside the index."""
    from tools.flow.binder import Binder

    return Binder(compose.open_llm(settings), binding_folder(index), toolbox)


def binding_folder(index: "Index") -> "BindingFolder":
    """Where the bindings of an index are kept."""
    from tools.flow.bindings import BindingFolder

    return BindingFolder(index.folder / BINDINGS)


def operator(settings: Settings) -> str:
    """Who works with the program, as the logbook names them."""
    try:
        return settings.flow.operator or getpass.getuser()
    except (KeyError, OSError):  # no name for this user id, as in a container
        return "operator"


@cache
def studio_graph() -> "Compiled":
    """The guided run of this process (LangGraph Studio and its server), on the index of the environment's settings."""
    from apps import process
    from apps.troubleshooting import open_index
    from graphs.flow import compile_graph

    process.prepare()
    settings = compose.open_settings(compose.choose_profile(None), {})
    index = open_index(settings)
    return compile_graph(asyncio.run(open_desk(settings, index, Path("sessions"))))
