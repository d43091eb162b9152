"""`soprag ask`: its options."""

import sys
from typing import Any

import click

from soprag.apps.cli import options
from soprag.apps.terminal.ask_call import AskCall, Form, ask_once
from soprag.apps.terminal.session_start import ChatCall

EXAMPLES = """\b
Examples:
  soprag ask "coolant pump P1 tripped, low flow"
  soprag ask "replace the fan of a UPS" --steps                the whole procedure
  soprag ask "replace the fan of a UPS" --source 3             the lines that step [3] cites
  tail -50 alarms.log | soprag ask "what do I do first?"       the piped text is context
  soprag ask "what do I do first?" - < alarms.log              the same
  soprag ask --resume 20260101 "the one with the VFD"          the next turn of a session
  soprag ask "chiller does not start" --json
"""


@click.command(epilog=EXAMPLES)
@click.argument("question")
@click.argument("context", required=False, type=click.Choice(["-"]), metavar="[-]")
@click.option("--steps", is_flag=True, help="Print all steps of the procedure, not only those to do now.")
@click.option("--source", metavar="N", type=click.IntRange(1), help="Print the lines that step [N] cites.")
@click.option("--resume", metavar="ID", help="The next turn of a session: its id, its beginning, or 'latest'.")
@options.index_options
@options.OPERATOR
@options.JSON
@click.option("--jsonl", is_flag=True, help="Print every event as one line of JSON, as it happens.")
@options.QUIET
def ask(question: str, context: str | None, **values: Any) -> None:  # noqa: ANN401 - the options above
    """Ask QUESTION once, for scripts and pipes: the answer goes to stdout, progress to stderr.

    Printed are the answer and the steps to do now behind their warnings, as they stand in the procedure. Nobody can be
    asked here, so nothing that needs a decision is done: exit code 5 then, and `soprag chat --resume` goes on with the
    session. Exit code 4 when no procedure fits.
    """
    as_json, jsonl = values.pop("as_json"), values.pop("jsonl")
    form: Form = "jsonl" if jsonl else "json" if as_json else "text"
    quiet, source, whole = values.pop("quiet"), values.pop("source"), values.pop("steps")
    sys.exit(ask_once(AskCall(ChatCall(**values), question, context == "-", form, quiet, source, whole)))
