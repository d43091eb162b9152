"""`soprag knowledge measure`: retrieval over several passages, and what is said where nothing answers."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from soprag.apps.cli.knowledge_call import KnowledgeCall, common
from soprag.apps.cli.output import finish, say

if TYPE_CHECKING:
    from soprag.benchmarks.quality.knowledge import KnowledgeFigures

FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)


@click.command("measure")
@click.option("--data", metavar="DIR", type=FOLDER, help="HotpotQA and MuSiQue samples (`*_train.json.gz`).")
@common
def measure_command(data: Path | None, as_json: bool, **values: Any) -> None:  # noqa: ANN401 - the shared options
    """Measure answers on the index, and with --data retrieval beside BM25, dense and hybrid search."""

    def work() -> "KnowledgeFigures":
        from soprag.apps.compose import services
        from soprag.apps.compose.knowledge import follow_sops
        from soprag.benchmarks.quality.knowledge import measure_index
        from soprag.benchmarks.quality.multihop import measure_multihop

        with KnowledgeCall(**values).opened() as (opened, settings):
            follow_sops(settings, opened)
            figures = measure_index(opened.library)
            tools = services.open_embedder(settings), services.open_rules()
            rows = asyncio.run(measure_multihop(data, settings, tools, say)) if data else []
            return figures.model_copy(update={"retrieval": tuple(rows)})

    finish("knowledge measure", as_json, work)
