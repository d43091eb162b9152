"""`soprag search`: finds procedures, and with --explain says why."""

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from soprag.configs.settings import Settings
    from soprag.tools.retriever.query.results import Ranking

EXAMPLES = """\b
Examples:
  soprag search "coolant pump P-101 tripped"
  soprag search "why does the chiller not start" --explain -k 3
  soprag search "replace the fan of a UPS" --index ./plant-2 --json
"""


@click.command(epilog=EXAMPLES)
@click.argument("question")
@click.option("--index", "folder", metavar="DIR", help="Folder of the index.  [default: index]")
@click.option("-k", "keep", metavar="N", type=click.IntRange(1, 1000), help="Procedures to show.  [default: 5]")
@click.option("--explain", is_flag=True, help="Say what speaks for each: parts, names, state, step, lines.")
@click.option(
    "--profile", help="Settings: offline, openai, paper, or a TOML file of your own.  [default: by the keys set]"
)
@click.option("--model", metavar="PROVIDER:NAME", help="Chat model that routes, or 'rules' for none.")
@click.option("--base-url", metavar="URL", help="Any OpenAI-compatible server for the chat model.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON, reasons included.")
def search(question: str, explain: bool, as_json: bool, **options: Any) -> None:  # noqa: ANN401 - the options above
    """Find the procedures that fit QUESTION, the best first.

    Where none fits it says so, names the nearest, and ends with exit code 4; where several differ in one point it asks
    for that point.
    """
    from soprag.apps.cli.main import finish
    from soprag.tools.errors import NothingFound

    ranking = find(SearchCall(question=question, **options))
    finish("search", as_json, lambda: ranking if as_json else RankingPrinter(ranking, explain))
    if ranking.abstained:
        sys.exit(NothingFound.exit_code)


@dataclass(frozen=True)
class SearchCall:
    """The options of `soprag search`, as given."""

    question: str
    folder: str | None = None
    keep: int | None = None
    profile: str | None = None
    model: str | None = None
    base_url: str | None = None

    def settings(self) -> "Settings":
        """The settings of this call."""
        from soprag.apps.compose import components

        overrides: dict[str, dict[str, Any]] = {
            "llm": {"model": self.model, "base_url": self.base_url},
            "index": {"folder": self.folder},
            "retriever": {"keep": self.keep},
        }
        options = {name: {k: v for k, v in keys.items() if v is not None} for name, keys in overrides.items()}
        return components.open_settings(components.choose_profile(self.profile, self.model), options)


@dataclass(frozen=True)
class RankingPrinter:
    """A ranking on its way to the screen."""

    ranking: "Ranking"
    explain: bool

    def text(self) -> str:
        """A line per hit, with `explain` also the reasons."""
        from soprag.tools.retriever.query.formatting import tell

        return tell(self.ranking, reasons=self.explain)


def find(call: SearchCall) -> "Ranking":
    """Search the index of this call."""
    from soprag.apps.compose.retriever import open_retriever

    with open_retriever(call.settings()) as retriever:
        return retriever.find(call.question)
