"""`soprag index`: add, update, remove, list, show, bindings, move, verify."""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from soprag.apps.cli import options
from soprag.apps.cli.index_pages import BindingPage, IndexCheck, Listing, MovePage, SopPage
from soprag.apps.cli.output import finish, say
from soprag.apps.compose import guided_run
from soprag.apps.compose.example_index import choose_index
from soprag.apps.compose.index import open_index
from soprag.apps.compose.ingest import IndexReport, IndexTally, IngestPlan, absolute, ingest
from soprag.apps.compose.settings import CallOptions
from soprag.apps.progress import open_progress
from soprag.configs.settings import Settings
from soprag.tools.errors import StorageError, UsageError
from soprag.tools.retriever.index.loaders import kind_of
from soprag.tools.store.postgres_url import shown_name

EXAMPLES = """\b
Examples:
  soprag index add ./procedures               a folder of Markdown, text, PDF, Word ... files
  soprag index add runs/pump-station/benchmark
  soprag index add /shared/procedures --scheduler tcp://10.0.0.5:8786
  soprag index update                         all sources again: what is new, changed or gone
  soprag index update --reembed               after another embedding model was chosen
  soprag index show pumps/p-101-start-up
  soprag index remove pumps/p-101-start-up
  soprag index move --to postgresql://plant@db/sops
"""

Command = Callable[..., None]


def common(command: Command) -> Command:
    """The options that every command of the group takes."""
    return options.INDEX(options.PROFILE(options.JSON(options.QUIET(command))))


def model(command: Command) -> Command:
    """The options of commands that ask a model."""
    return options.MODEL(options.BASE_URL(command))


@dataclass(frozen=True)
class IndexCall(CallOptions):
    """The options that the commands of the group share, as given."""

    quiet: bool = False
    workers: int | None = None
    scheduler: str | None = None

    def readable(self) -> Settings:
        """The settings of a command that only reads: without an index, those of the example library."""
        with open_progress(self.quiet) as progress:
            return choose_index(self.settings(), say, progress.note)


@click.group(epilog=EXAMPLES)
def index() -> None:
    """Keep the index of SOPs that search, ask and chat work on."""


@index.command("add")
@click.argument("source")
@click.option("--keep", is_flag=True, help="Add files also that the Auditor finds to be no SOPs.")
@options.cluster_options
@model
@common
def add_command(source: str, keep: bool, as_json: bool, **values: Any) -> None:  # noqa: ANN401 - the shared options
    """Add the SOPs of SOURCE: a folder of files, a benchmark folder, or a run folder.

    A Markdown or text file is one SOP, word for word; other formats are parsed and cut into SOPs. Files that are no
    SOPs are left out and named with the reason. What is in the index and has not changed costs nothing; what has
    changed is replaced.
    """
    finish("index add", as_json, lambda: _ingest(IndexCall(**values), [source], IngestPlan(keep=keep)))


@index.command("update")
@click.argument("sources", nargs=-1)
@click.option("--reembed", is_flag=True, help="Embed everything again with the present embedding model.")
@options.cluster_options
@model
@common
def update_command(sources: tuple[str, ...], reembed: bool, as_json: bool, **values: Any) -> None:  # noqa: ANN401 - the shared options
    """Read SOURCES again, or all sources: add the new, replace the changed, remove what is gone."""
    call = IndexCall(**values)
    finish("index update", as_json, lambda: _reembed(call) if reembed else _update(call, sources))


@index.command("remove")
@click.argument("ids", nargs=-1)
@click.option("--source", metavar="DIR", help="Remove all SOPs that came from this source.")
@common
def remove_command(ids: tuple[str, ...], source: str | None, as_json: bool, **values: Any) -> None:  # noqa: ANN401 - the shared options
    """Remove SOPs by id."""
    finish("index remove", as_json, lambda: _remove(IndexCall(**values), ids, source))


@index.command("list")
@common
def list_command(as_json: bool, **values: Any) -> None:  # noqa: ANN401 - the shared options
    """List the SOPs with version, date and source."""

    def work() -> Listing:
        with closing(open_index(IndexCall(**values).readable(), embed=False)) as index:
            return Listing(index=index.name, sops=index.listing())

    finish("index list", as_json, work)


@index.command("show")
@click.argument("id")
@common
def show_command(id: str, as_json: bool, **values: Any) -> None:  # noqa: ANN401 - the shared options
    """Show one SOP as the index knows it: card, views and history."""

    def work() -> SopPage:
        with closing(open_index(IndexCall(**values).readable(), embed=False)) as index:
            return SopPage(sop=index.sop(id), views=index.views(id), history=index.history(id))

    finish("index show", as_json, work)


@index.command("bindings")
@click.argument("ids", nargs=-1)
@model
@common
def bindings_command(ids: tuple[str, ...], as_json: bool, **values: Any) -> None:  # noqa: ANN401 - the shared options
    """Show how the steps of SOPs are carried out: by a tool, by hand, by deciding.

    They are bound once, by rule or by a model, and kept in a file per SOP that you may edit. Without IDS: all SOPs.
    """

    def work() -> BindingPage:
        settings = IndexCall(**values).readable()
        with closing(open_index(settings)) as index:
            return BindingPage(sops=asyncio.run(guided_run.bind(settings, index, ids)))

    finish("index bindings", as_json, work)


@index.command("move")
@click.option("--to", "target", required=True, metavar="DIR|URL", help="An empty folder, or a postgresql:// URL.")
@common
def move_command(target: str, as_json: bool, **values: Any) -> None:  # noqa: ANN401 - the shared options
    """Copy the index to another folder or database, and compare both sides.

    After an interruption the same command goes on.
    """
    finish("index move", as_json, lambda: _move(IndexCall(**values), target))


@index.command("verify")
@common
def verify_command(as_json: bool, **values: Any) -> None:  # noqa: ANN401 - the shared options
    """Check the whole index; exit code 8 when something is wrong."""

    def work() -> IndexCheck:
        with closing(open_index(IndexCall(**values).readable(), embed=False)) as index:
            if findings := index.verify():
                raise StorageError(f"The index {index.name!r} has faults: {'; '.join(findings)}.")
            return IndexCheck(index=index.name, size=index.size)

    finish("index verify", as_json, work)


def _ingest(call: IndexCall, sources: Sequence[str], plan: IngestPlan) -> IndexReport:
    settings = call.settings(cluster={"workers": call.workers, "scheduler": call.scheduler})
    for source in sources:
        kind_of(Path(source))  # before anything is created
    with closing(open_index(settings, create=not plan.mirror)) as index, open_progress(call.quiet) as progress:

        async def work() -> IndexReport:
            from soprag.apps.cluster.index_runner import open_index_runner

            async with open_index_runner(settings, index.embedder, progress.note) as runner:
                return await ingest(index, sources, settings, progress.note, plan, runner)

        return asyncio.run(work())


def _update(call: IndexCall, sources: Sequence[str]) -> IndexReport:
    """Bring the index to what the sources, or all it knows, hold now."""
    if not sources:
        with closing(open_index(call.settings(), embed=False)) as index:
            sources = sorted({sop.source for sop in index.listing() if sop.source})
    if not sources:
        raise UsageError("The index knows no source to update from; add one with `soprag index add`.")
    return _ingest(call, sources, IngestPlan(mirror=True))


def _reembed(call: IndexCall) -> IndexReport:
    tally = IndexTally()
    with closing(open_index(call.settings())) as index, open_progress(call.quiet) as progress:
        progress.note({"stage": "index", "total": index.size})
        count = index.reembed(lambda id: progress.note({"stage": "index", "item": id, "outcome": "embedded"}))
        tally.counts = Counter(embedded=count)
        return tally.report(index)


def _move(call: IndexCall, target: str) -> MovePage:
    with closing(open_index(call.settings(), embed=False)) as index, open_progress(call.quiet) as progress:

        def note(standing: str) -> None:
            progress.note({"stage": "move", "item": shown_name(target), "standing": standing})

        return MovePage(index=index.name, target=shown_name(target), tables=index.move(target, note))


def _remove(call: IndexCall, ids: Sequence[str], source: str | None) -> IndexReport:
    """Remove SOPs by id, or all of one source."""
    tally = IndexTally()
    with closing(open_index(call.settings(), embed=False)) as index:
        listed = {sop.id: sop.source for sop in index.listing()}
        unknown = [id for id in ids if id not in listed]
        if unknown:
            raise UsageError(f"There is no SOP {unknown[0]!r} in this index; `soprag index list` names all.")
        theirs = [id for id, origin in listed.items() if source and origin == absolute(source)]
        if not ids and not theirs:
            raise UsageError("Name SOPs by id, or a source that the index knows with --source.")
        tally.counts = Counter(removed=len(index.remove([*ids, *theirs])))
        return tally.report(index)
