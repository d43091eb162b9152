"""`soprag knowledge export`: the graph for other programs, and a picture of a part of it."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from soprag.apps.cli.knowledge_call import KnowledgeCall, common
from soprag.apps.cli.output import finish
from soprag.tools.errors import UsageError

if TYPE_CHECKING:
    from soprag.apps.cli.knowledge_pages import ExportedGraph
    from soprag.tools.knowledge.library import KnowledgeLibrary
    from soprag.tools.knowledge.records import QuotedFact


ENDINGS = {".graphml": "graphml", ".nt": "ntriples", ".cypher": "cypher", ".html": "html"}


@click.command("export")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(dict.fromkeys(ENDINGS.values()))),
    help="[default: by the ending of FILE: .graphml, .nt, .cypher, .html]",
)
@click.option("--about", metavar="NAME", default="", help="Of the picture: the facts around this name only.")
@click.option("--out", "file", metavar="FILE", required=True, type=click.Path(path_type=Path, dir_okay=False))
@common
def export_command(form: str | None, about: str, file: Path, as_json: bool, **values: Any) -> None:  # noqa: ANN401 - the shared options
    """Write the graph to FILE: for Gephi, an RDF store or Neo4j, or as a picture in HTML."""

    def work() -> "ExportedGraph":
        from soprag.apps.cli.knowledge_pages import ExportedGraph
        from soprag.tools.knowledge.export import FORMATS, export
        from soprag.tools.store.run_folder import write_whole

        wanted = form or _form_of(file)
        with KnowledgeCall(**values).opened() as (opened, _):
            chosen = next((name for name in FORMATS if name == wanted), None)
            text = "\n".join(export(opened.library, chosen)) + "\n" if chosen else _picture(opened.library, about)
            write_whole(file, text.encode())
            return ExportedGraph(file=str(file), size=len(text))

    finish("knowledge export", as_json, work)


def _form_of(file: Path) -> str:
    form = ENDINGS.get(file.suffix.lower())
    if form is None:
        raise UsageError(
            f"Which format {str(file)!r} should have is not clear: end it with {', '.join(ENDINGS)} or give --format."
        )
    return form


def _picture(library: "KnowledgeLibrary", about: str) -> str:
    from soprag.tools.knowledge import community_store, lookup
    from soprag.tools.knowledge.picture import picture

    with library.database.reading() as db:
        facts = [fact for fact, _, _ in lookup.all_facts(db)]
        top = [entry for entry in community_store.stored_communities(db) if entry.level == 0]
    communities = {name: number for number, entry in enumerate(top) for name in entry.members}
    if about:
        facts = neighbourhood(library, about)
    return picture(about or "Knowledge graph", facts, communities)


def neighbourhood(library: "KnowledgeLibrary", name: str) -> "list[QuotedFact]":
    """The facts about a name, and about the names in these."""
    from soprag.tools.knowledge import lookup

    near = lookup.facts_of(library, lookup.group_of(library, name))
    snapshot = library.snapshot()
    ends = {end.text for fact in near for end in (fact.subject, fact.object) if end.kind != "step"}
    groups = {group for text in sorted(ends) for group in snapshot.linked(text)}
    further = [fact for group in sorted(groups) for fact in lookup.facts_of(library, group)]
    return list(dict.fromkeys([*near, *further]))
