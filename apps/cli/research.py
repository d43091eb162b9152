"""`soprag research`: its options, and how a report is printed."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from soprag.tools.publishing.research import ResearchReport

EXAMPLES = """\b
Examples:
  soprag research "How is a chiller plant started after a power failure, and what are the hazards?"
  soprag research "Why do centrifugal pumps cavitate?" --search keyless --budget fetches=30
  soprag research "Nitric acid plants: diagrams and patents" --search serpapi --model openai:gpt-4o
  soprag research "UPS battery replacement" --judge rules --judge human
  soprag research --resume                      go on with the latest
  soprag research --resume RUN --reject "the hazards of hydrogen are missing"
"""


@click.command(epilog=EXAMPLES)
@click.argument("question", required=False)
@click.option(
    "--search",
    type=click.Choice(["serpapi", "keyless", "library"]),
    help="Where to look.  [default: serpapi when its key is set, else the embedded library]",
)
@click.option(
    "--judge",
    "judges",
    multiple=True,
    type=click.Choice(["rules", "model", "reward", "human"]),
    help="Who judges; may be given several times.  [default: rules; with a key also model]",
)
@click.option(
    "--budget",
    "budgets",
    multiple=True,
    metavar="WHAT=N",
    help="Most credits, fetches, bytes, seconds or tokens, such as credits=5; may be given several times.",
)
@click.option("--versions", type=click.IntRange(1, 20), help="Most versions of the report.  [default: 3]")
@click.option("--profile", help="Settings: offline, openai, or a TOML file of your own.  [default: by the keys set]")
@click.option("--model", metavar="PROVIDER:NAME", help="Chat model, or 'rules' for none.")
@click.option("--base-url", metavar="URL", help="Any OpenAI-compatible server for the chat model.")
@click.option("--out", metavar="DIR", help="Folder of this run.  [default: runs/research-<question>-<time>]")
@click.option(
    "--resume",
    is_flag=False,
    flag_value="latest",
    metavar="[RUN]",
    help="Go on with a run: its id or folder, or none for the latest.",
)
@click.option("--approve", is_flag=True, help="Accept the report that waits for a person.")
@click.option("--reject", metavar="TEXT", help="Send the report that waits back, with what is missing or wrong.")
@click.option("--json", "as_json", is_flag=True, help="Print the report with all citations as JSON.")
@click.option("--quiet", is_flag=True, help="No progress on stderr.")
def research(as_json: bool, quiet: bool, **options: Any) -> None:  # noqa: ANN401 - the options above
    """Research QUESTION on the web and print a report in which every sentence names its sources.

    Without a search key the embedded library is searched. The run folder gets report.md, report.html and report.json.
    Exit code 4 when nothing was found, 5 when a person must judge and nobody can be asked.
    """
    from soprag.apps.cli.main import finish
    from soprag.apps.cli.researching import ResearchCall, find_out

    call = ResearchCall.model_validate(options)
    finish("research", as_json, lambda: find_out(call, quiet) if as_json else ReportPrinter(find_out(call, quiet)))


@dataclass(frozen=True)
class ReportPrinter:
    """A report on its way to the screen or into a pipe."""

    report: "ResearchReport"

    def text(self) -> str:
        """The report, and where its files are."""
        report = self.report
        marks = ", ".join(f"{judgement.judge} {judgement.score:.1f}" for judgement in report.judgements)
        foot = (
            f"Version {report.version} of {report.versions}, {report.score:.1f} of 4 ({marks}). {report.ledger.text()}."
        )
        return f"{report.text()}\n\n{foot}\nRead it: {report.run}/report/report.html"
