"""The command line: `soprag COMMAND`, its options, and how every error ends.

Nothing heavy is imported here, so that `soprag --help` answers at once.
"""

import json
import logging
import sys
import traceback
from collections.abc import Callable
from typing import Any

import click

from soprag.apps import process
from soprag.apps.cli.answer import answer
from soprag.apps.cli.ask import ask
from soprag.apps.cli.audit import audit
from soprag.apps.cli.calibrate import calibrate
from soprag.apps.cli.chat import chat, export, sessions
from soprag.apps.cli.evaluate import evaluate
from soprag.apps.cli.flow import flow
from soprag.apps.cli.index import index
from soprag.apps.cli.measure import measure
from soprag.apps.cli.research import research
from soprag.apps.cli.search import search
from soprag.tools.errors import SopragError

HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
INTERRUPTED = 130

BUILD_EXAMPLES = """\b
Examples:
  soprag build --topic "Data Center Maintenance"
  soprag build --topic "Pump station" --source ./documents --questions 3
  soprag build --topic "Chiller plant" --search serpapi --credits 20
  soprag build --topic "Data Center Maintenance" --model openai:gpt-4o-mini
  soprag build --topic "Chillers" --model openai:qwen3 --base-url http://127.0.0.1:8000/v1
  soprag build --resume                 go on with the latest run
  soprag build --resume runs/pump-station-20260101-120000-000
"""


@click.group(context_settings=HELP)
@click.version_option(package_name="soprag")
@click.option("-v", "--verbose", is_flag=True, help="Log what happens inside, on stderr.")
def soprag(verbose: bool) -> None:
    """Find and follow the right standard operating procedure.

    Exit codes: 0 done, 1 a bug, 2 wrong usage, 3 wrong setting or key, 4 nothing found, 5 approval needed,
    6 a service failed, 7 documents unusable, 8 disk trouble, 130 interrupted.
    """
    logging.basicConfig(stream=sys.stderr, level=logging.INFO if verbose else logging.ERROR, format="%(message)s")


@soprag.command(epilog=BUILD_EXAMPLES)
@click.option("--topic", help="The industrial topic, such as 'Data Center Maintenance'.")
@click.option(
    "--source", metavar="DIR", help="Folder with documents; without it, the web or the embedded library is searched."
)
@click.option(
    "--search",
    type=click.Choice(["auto", "serpapi", "keyless", "none"]),
    help="Collect from the web, and by whom to search it.  [default: auto, serpapi when SERPAPI_API_KEY is set]",
)
@click.option("--credits", type=click.IntRange(0), help="Most paid searches.  [default: 50]")
@click.option("--fetches", type=click.IntRange(0), help="Most requests to web sites.  [default: 400]")
@click.option("--profile", help="Settings: offline, openai, or a TOML file of your own.  [default: by the keys set]")
@click.option("--model", metavar="PROVIDER:NAME", help="Chat model, or 'rules' for none.")
@click.option("--base-url", metavar="URL", help="Any OpenAI-compatible server for the chat model.")
@click.option("--questions", type=click.IntRange(1, 25), help="Questions per SOP.  [default: 5]")
@click.option("--sample", type=click.IntRange(1), help="SOPs that get questions.  [default: 50]")
@click.option("--seed", type=int, help="Seed of every random choice.  [default: 7]")
@click.option("--limit", type=click.IntRange(1), help="Most documents to collect.  [default: 200]")
@click.option("--concurrency", type=click.IntRange(1, 256), help="Items under way at once.  [default: 8]")
@click.option("--out", metavar="DIR", help="Folder of this run.  [default: runs/<topic>-<time>]")
@click.option(
    "--resume",
    is_flag=False,
    flag_value="latest",
    metavar="[RUN]",
    help="Go on with a run: its id or folder, or none for the latest.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@click.option("--quiet", is_flag=True, help="No progress on stderr.")
def build(as_json: bool, quiet: bool, **options: object) -> None:
    """Build a retrieval benchmark of SOPs from a topic, or from a folder of documents."""
    from soprag.apps.cli.build import BuildCall, build_benchmark

    finish("build", as_json, lambda: build_benchmark(BuildCall.model_validate(options), quiet=quiet))


soprag.add_command(answer)
soprag.add_command(ask)
soprag.add_command(audit)
soprag.add_command(calibrate)
soprag.add_command(chat)
soprag.add_command(evaluate)
soprag.add_command(export)
soprag.add_command(flow)
soprag.add_command(index)
soprag.add_command(research)
soprag.add_command(search)
soprag.add_command(measure)
soprag.add_command(sessions)


@soprag.command()
@click.option("--profile", help="Settings: offline, openai, or a TOML file of your own.  [default: by the keys set]")
@click.option("--json", "as_json", is_flag=True, help="Print the checks as JSON.")
def doctor(profile: str | None, as_json: bool) -> None:
    """Say what is ready on this machine, what is not, and how to get it."""
    from soprag.apps.cli.doctor import diagnose
    from soprag.tools.errors import ConfigError

    diagnosis = diagnose(profile)
    finish("doctor", as_json, lambda: diagnosis)
    if not diagnosis.healthy:
        sys.exit(ConfigError.exit_code)


def finish(command: str, as_json: bool, work: Callable[[], Any]) -> None:
    """Do `work` and print what it returns: as text, or with --json in an envelope."""
    result = work()
    if as_json:
        envelope = {"schema_version": 1, "command": command, "data": result.model_dump(mode="json")}
        click.echo(json.dumps(envelope, ensure_ascii=False, indent=1))
    else:
        click.echo(result.text())


def main() -> None:
    """The one entry: every error becomes one clear line on stderr and the exit code of the error tree."""
    run(soprag)


def run(command: click.Command) -> None:
    """Run `command` with the process prepared; never returns."""
    process.own()
    try:
        command(standalone_mode=False)
    except click.ClickException as wrong:
        wrong.show()
        sys.exit(wrong.exit_code)
    except (KeyboardInterrupt, click.Abort):
        click.echo("Interrupted; what was finished is kept. Go on with --resume.", err=True)
        sys.exit(INTERRUPTED)
    except SopragError as known:
        _fail(known, known.exit_code)
    except Exception as bug:  # noqa: BLE001 - the last line of defence: a bug is reported as one, with its trace
        traceback.print_exception(bug)
        _fail(bug, SopragError.exit_code)
    sys.exit(0)


def _fail(exception: Exception, code: int) -> None:
    if "--json" in sys.argv:
        error = {"type": type(exception).__name__, "message": str(exception), "exit_code": code}
        click.echo(json.dumps({"schema_version": 1, "error": error}, ensure_ascii=False, indent=1))
    click.echo(f"soprag: {type(exception).__name__}: {exception}", err=True)
    sys.exit(code)
