"""`soprag search`: finds procedures, and with --explain says why."""

import sys
from dataclasses import dataclass
from typing import Any

import click

from soprag.apps.cli import options
from soprag.apps.cli.output import finish, say
from soprag.apps.compose.example_index import choose_index
from soprag.apps.compose.index import open_retriever
from soprag.apps.compose.settings import CallOptions
from soprag.apps.progress import open_progress
from soprag.tools.errors import NothingFound
from soprag.tools.retriever.query.formatting import tell
from soprag.tools.retriever.query.results import Ranking

EXAMPLES = """\b
Examples:
  soprag search "coolant pump P1 tripped, low flow"
  soprag search "why does the chiller not start" --explain -k 3
  soprag search "replace the fan of a UPS" --index ./plant-2 --json
"""


@click.command(epilog=EXAMPLES)
@click.argument("question")
@click.option("-k", "keep", metavar="N", type=click.IntRange(1, 1000), help="Procedures to show.  [default: 5]")
@click.option("--explain", is_flag=True, help="Say what speaks for each: parts, names, state, step, lines.")
@options.index_options
@options.JSON
def search(question: str, keep: int | None, explain: bool, as_json: bool, **values: Any) -> None:  # noqa: ANN401 - the options above
    """Find the procedures that fit QUESTION, the best first.

    Where none fits it says so, names the nearest, and ends with exit code 4; where several differ in one point it asks
    for that point.
    """
    ranking = find(CallOptions(**values), question, keep)
    finish("search", as_json, lambda: RankingPrinter(ranking, explain))
    if ranking.abstained:
        sys.exit(NothingFound.exit_code)


@dataclass(frozen=True)
class RankingPrinter:
    """A ranking on its way to the screen; with `explain` also the reasons."""

    ranking: Ranking
    explain: bool

    def text(self) -> str:
        """A line per hit, and its reasons."""
        return tell(self.ranking, reasons=self.explain)

    def model_dump(self, *, mode: str) -> dict[str, Any]:
        """Everything, for --json."""
        return self.ranking.model_dump(mode=mode)


def find(call: CallOptions, question: str, keep: int | None = None) -> Ranking:
    """Search the index of this call, or without one that of the example library; `keep` is the number of hits."""
    settings = call.settings(retriever={"keep": keep})
    with open_progress(quiet=False) as progress:
        settings = choose_index(settings, say, progress.note)
    with open_retriever(settings) as retriever:
        return retriever.find(question)
