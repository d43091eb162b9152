"""`soprag knowledge`: the graph of documents, names and quoted facts beside the SOPs of the index."""

import asyncio
from typing import TYPE_CHECKING, Any

import click

from soprag.apps.cli.knowledge_answers import ask_command, path_command
from soprag.apps.cli.knowledge_call import KnowledgeCall, common
from soprag.apps.cli.knowledge_communities import communities_command, recluster_command
from soprag.apps.cli.knowledge_export import export_command
from soprag.apps.cli.knowledge_measure import measure_command
from soprag.apps.cli.output import finish
from soprag.tools.errors import StorageError, UsageError

if TYPE_CHECKING:
    from soprag.apps.cli.knowledge_pages import DocumentList, DryRun, GraphCheck, NamePage, RemovedDocuments
    from soprag.tools.knowledge.report import KnowledgeReport

EXAMPLES = """\b
Examples:
  soprag knowledge add                        the SOPs of the index; asks no model
  soprag knowledge add ./manuals --dry-run    what reading further documents would cost
  soprag knowledge add runs/why-do-pumps-trip the report and the sources of a research run
  soprag knowledge ask "which steps need a second person?"
  soprag knowledge path P-101 HX-2
  soprag knowledge show P-101
"""


@click.group(epilog=EXAMPLES)
def knowledge() -> None:
    """Ask a graph of facts, each quoted from the line that says it."""


knowledge.add_command(ask_command)
knowledge.add_command(path_command)
knowledge.add_command(measure_command)
knowledge.add_command(export_command)
knowledge.add_command(communities_command)
knowledge.add_command(recluster_command)


@knowledge.command("add")
@click.argument("sources", nargs=-1)
@click.option("--dry-run", is_flag=True, help="Say what it would cost, and change nothing.")
@common
def add_command(sources: tuple[str, ...], dry_run: bool, as_json: bool, **values: Any) -> None:  # noqa: ANN401 - the shared options
    """Add documents: files, folders or research runs; without SOURCES the SOPs of the index, from their views."""
    finish("knowledge add", as_json, lambda: _add(KnowledgeCall(**values), sources, dry_run=dry_run))


@knowledge.command("update")
@common
def update_command(as_json: bool, **values: Any) -> None:  # noqa: ANN401 - the shared options
    """Read the SOPs and all sources again: add what is new, replace what has changed, remove what is gone."""
    finish("knowledge update", as_json, lambda: KnowledgeCall(**values).build({"update": True}))


@knowledge.command("remove")
@click.argument("ids", nargs=-1, required=True)
@common
def remove_command(ids: tuple[str, ...], as_json: bool, **values: Any) -> None:  # noqa: ANN401 - the shared options
    """Remove documents by id, with all facts and names that only they contributed."""

    def work() -> "RemovedDocuments":
        from soprag.apps.cli.knowledge_pages import RemovedDocuments

        with KnowledgeCall(**values).opened() as (opened, _):
            gone = opened.library.remove(ids)
            if missing := sorted(set(ids) - set(gone)):
                raise UsageError(
                    f"There is no document {missing[0]!r} in the graph; `soprag knowledge list` names all."
                )
            return RemovedDocuments(removed=gone)

    finish("knowledge remove", as_json, work)


@knowledge.command("list")
@common
def list_command(as_json: bool, **values: Any) -> None:  # noqa: ANN401 - the shared options
    """List the documents of the graph."""

    def work() -> "DocumentList":
        from soprag.apps.cli.knowledge_pages import DocumentList

        with KnowledgeCall(**values).opened() as (opened, _):
            return DocumentList(documents=opened.library.documents())

    finish("knowledge list", as_json, work)


@knowledge.command("show")
@click.argument("name")
@common
def show_command(name: str, as_json: bool, **values: Any) -> None:  # noqa: ANN401 - the shared options
    """Show one name: what it is also called, its facts, and the lines that name it."""

    def work() -> "NamePage":
        from soprag.apps.cli.knowledge_pages import NamePage
        from soprag.tools.knowledge import lookup

        with KnowledgeCall(**values).opened() as (opened, _):
            group = lookup.group_of(opened.library, name)
            texts = opened.library.snapshot().groups[group]
            return NamePage(
                name=name,
                aliases=[text for text in texts if text != name],
                facts=lookup.facts_of(opened.library, group),
                lines=[line.text() for line in lookup.lines_naming(opened.library, group)],
            )

    finish("knowledge show", as_json, work)


@knowledge.command("verify")
@common
def verify_command(as_json: bool, **values: Any) -> None:  # noqa: ANN401 - the shared options
    """Check the whole graph; exit code 8 when something is wrong."""

    def work() -> "GraphCheck":
        from soprag.apps.cli.knowledge_pages import GraphCheck
        from soprag.tools.knowledge.verify import verify

        with KnowledgeCall(**values).opened() as (opened, _):
            if findings := verify(opened.library.database):
                raise StorageError(f"The knowledge graph has faults: {'; '.join(findings[:10])}.")
            documents = opened.library.documents()
            return GraphCheck(documents=len(documents), facts=sum(document.facts for document in documents))

    finish("knowledge verify", as_json, work)


def _add(call: KnowledgeCall, sources: tuple[str, ...], *, dry_run: bool) -> "KnowledgeReport | DryRun":
    if not dry_run:
        return call.build({"sources": list(sources)})
    from soprag.apps.cli.knowledge_pages import DryRun
    from soprag.apps.compose.knowledge import estimate
    from soprag.tools.tasks.cost import price

    with call.opened() as (opened, settings):
        documents, asked, tokens = asyncio.run(estimate(settings, opened, sources))
        cost = price(tokens, 0, settings.prices.get(settings.llm.model)) if asked else 0.0
        return DryRun(documents=documents, calls=asked, tokens=tokens, price=cost)
