"""The command line: `soprag COMMAND`, and how every error ends.

The module of a command is imported when the command is called, so that `soprag --help` answers at once.
"""

import json
import logging
import sys
import traceback
from importlib import import_module
from typing import Any

import click

from soprag.apps import process
from soprag.tools.errors import SopragError, UsageError

HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
INTERRUPTED = 130

COMMANDS = {
    "ask": "Ask once, for scripts and pipes: the steps of the procedure that fits.",
    "audit": "Check or read the logbook of a session.",
    "build": "Build a retrieval benchmark of SOPs from a topic, or from a folder of documents.",
    "calibrate": "Fit the weights of the query path to a benchmark.",
    "chat": "Find the procedure for a problem and follow it step by step, at this terminal.",
    "doctor": "Say what is ready on this machine, what is not, and how to get it.",
    "evaluate": "Measure retrieval on benchmarks: SOPRAG, itself without each part, and strong baselines.",
    "export": "Print a whole session: what was said, done, measured, decided and approved.",
    "flow": "Read the structure of a procedure: roles of lines, steps, ways, warnings, ranges.",
    "index": "Keep the index of SOPs that search, ask and chat work on.",
    "knowledge": "Ask a graph of facts, each quoted from the line that says it.",
    "mcp": "Serve the procedures to other programs, by the Model Context Protocol.",
    "measure": "Measure the quality of the rules and the parser on data of your choice.",
    "publish": "Write a benchmark as a Hugging Face data set and an MTEB task.",
    "research": "Research a question on the web and print a report with its sources.",
    "review": "Accept, edit or reject the questions of a benchmark, one by one.",
    "sandbox": "Maintain the sandbox, in which programs run that a model wrote.",
    "search": "Find the procedures that fit a question, the best first.",
    "serve": "Serve the web client and its server, on this machine or with a token.",
    "sessions": "List the sessions kept on this machine, the latest first.",
}


class LazyGroup(click.Group):
    """A group whose commands stand in `COMMANDS`; `soprag.apps.cli.<name>.<name>` is imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"soprag.apps.cli.{cmd_name}"), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """A line per command, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings=HELP)
@click.version_option(package_name="soprag")
@click.option("-v", "--verbose", is_flag=True, help="Log what happens inside, on stderr.")
def soprag(verbose: bool) -> None:
    """Find and follow the right standard operating procedure.

    Exit codes: 0 done, 1 a bug, 2 wrong usage, 3 wrong setting or key, 4 nothing found, 5 approval needed,
    6 a service failed, 7 documents unusable, 8 disk trouble, 130 interrupted.
    """
    logging.basicConfig(stream=sys.stderr, level=logging.INFO if verbose else logging.ERROR, format="%(message)s")


def main() -> None:
    """The one entry: every error becomes one clear line on stderr and the exit code of the error tree."""
    run(soprag)


def run(command: click.Command) -> None:
    """Run `command` with the process prepared; never returns."""
    process.own()
    process.end(_exit_code(command))


def _exit_code(command: click.Command) -> int:
    try:
        _check_arguments(sys.argv[1:])
        command(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("Interrupted; what was finished is kept. Go on with --resume.", err=True)
        return INTERRUPTED
    except SystemExit as end:  # a command that ends with a code of its own
        return int(end.code or 0)
    except SopragError as error:
        return _failed(error, error.exit_code)
    except Exception as bug:  # noqa: BLE001 - the last line of defence: a bug is reported as one, with its trace
        traceback.print_exception(bug)
        return _failed(bug, SopragError.exit_code)
    return 0


def _check_arguments(arguments: list[str]) -> None:
    """Raise `UsageError` for bytes that are not UTF-8: no record, database or model could take them."""
    for argument in arguments:
        if any("\ud800" <= character <= "\udfff" for character in argument):
            raise UsageError(f"The argument {argument!a} is not UTF-8; rename the file or folder, or name its parent.")


def _failed(exception: Exception, code: int) -> int:
    if "--json" in sys.argv:
        error: dict[str, Any] = {"type": type(exception).__name__, "message": str(exception), "exit_code": code}
        click.echo(json.dumps({"schema_version": 1, "error": error}, ensure_ascii=False, indent=1))
    click.echo(f"soprag: {type(exception).__name__}: {exception}", err=True)
    return code
