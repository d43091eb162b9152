"""`soprag knowledge ask` and `path`: answers that are paths of quoted lines."""

from typing import TYPE_CHECKING, Any

import click

from soprag.apps.cli.knowledge_call import KnowledgeCall, common
from soprag.apps.cli.output import finish

if TYPE_CHECKING:
    from soprag.apps.cli.knowledge_pages import RepliesPage
    from soprag.tools.knowledge.connections import Connection


@click.command("ask")
@click.argument("question")
@common
def ask_command(question: str, as_json: bool, **values: Any) -> None:  # noqa: ANN401 - the shared options
    """Answer QUESTION by quoted lines that lead to each other; says so where there is no path."""

    def work() -> "RepliesPage":
        from soprag.apps.cli.knowledge_pages import RepliesPage
        from soprag.apps.compose.knowledge import ask_settings, follow_sops
        from soprag.tools.knowledge.asking import ask

        with KnowledgeCall(**values).opened() as (opened, settings):
            follow_sops(settings, opened)
            return RepliesPage(replies=ask(opened.library, question, ask_settings(settings)))

    finish("knowledge ask", as_json, work)


@click.command("path")
@click.argument("start")
@click.argument("goal")
@common
def path_command(start: str, goal: str, as_json: bool, **values: Any) -> None:  # noqa: ANN401 - the shared options
    """Show how START and GOAL are connected: at most three hops, each a quoted line that holds both of its names."""

    def work() -> "Connection":
        from soprag.apps.compose.knowledge import follow_sops
        from soprag.tools.knowledge import connections, lookup

        with KnowledgeCall(**values).opened() as (opened, settings):
            follow_sops(settings, opened)
            ends = [lookup.group_of(opened.library, name) for name in (start, goal)]
            return connections.connect(opened.library, ends[0], ends[1], settings.knowledge.hops)

    finish("knowledge path", as_json, work)
