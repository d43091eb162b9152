"""The graphs as LangGraph Studio and `langgraph dev` load them: compiled, without a checkpointer of their own."""

from pathlib import Path

from apps import compose, process
from graphs.benchmark import Nodes, Request, compile_graph


def _start(request: Request) -> Path:
    process.prepare()
    profile = compose.choose_profile(None)
    settings = compose.open_settings(profile, {})
    return compose.start_run(request["topic"], request.get("source", ""), profile, settings).path


benchmark = compile_graph(Nodes(compose.studio_workshop, _start))
