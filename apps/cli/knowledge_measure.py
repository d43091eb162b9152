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
@click.option("--questions", metavar="DIR", type=FOLDER, multiple=True, help="Benchmark whose questions are for SOPs.")
@click.option("--communities", is_flag=True, help="Measure the search in communities too (paper 001).")
@common
def measure_command(
    data: Path | None,
    questions: tuple[Path, ...],
    communities: bool,
    as_json: bool,
    **values: Any,  # noqa: ANN401 - the shared options
) -> None:
    """Measure answers on the index, and with --data retrieval beside BM25, dense and hybrid search."""

    def work() -> "KnowledgeFigures":
        from soprag.apps.compose import services
        from soprag.benchmarks.quality.knowledge import measure_index, routed_away
        from soprag.benchmarks.quality.multihop import measure_multihop

        call = KnowledgeCall(**values)
        call.build({"communities": communities})
        with call.opened() as (opened, settings):
            figures = measure_index(opened.library, settings.knowledge.communities if communities else 0)
            tools = services.open_embedder(settings), services.open_rules()
            work = measure_multihop(data, settings, tools, say, communities=communities) if data else None
            rows = asyncio.run(work) if work else []
            return figures.model_copy(update={"retrieval": tuple(rows), "routed": routed_away(questions)})

    finish("knowledge measure", as_json, work)
