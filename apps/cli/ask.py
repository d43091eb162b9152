"""`soprag ask`: its options."""

import sys
from typing import Any

import click

from soprag.apps.cli import options
from soprag.apps.terminal.one_turn import AskCall, Form, ask_once
from soprag.apps.terminal.session_start import ChatCall

EXAMPLES = """\b
Examples:
  soprag ask "coolant pump P-101 tripped, what now?"
  soprag ask "replace the fan of a UPS" --source 3             the lines that step [3] cites
  tail -50 alarms.log | soprag ask "what do I do first?"       the piped text is context
  soprag ask "what do I do first?" - < alarms.log              the same
  soprag ask --resume 20260101 "the one with the VFD"          the next turn of a session
  soprag ask "chiller does not start" --json
"""


@click.command(epilog=EXAMPLES)
@click.argument("question")
@click.argument("context", required=False, type=click.Choice(["-"]), metavar="[-]")
@click.option("--source", metavar="N", type=click.IntRange(1), help="Print the lines that step [N] cites.")
@click.option("--resume", metavar="ID", help="The next turn of a session: its id, its beginning, or 'latest'.")
@options.index_options
@options.OPERATOR
@options.JSON
@click.option("--jsonl", is_flag=True, help="Print every event as one line of JSON, as it happens.")
@options.QUIET
def ask(
    question: str,
    context: str | None,
    source: int | None,
    as_json: bool,
    jsonl: bool,
    quiet: bool,
    **chat: Any,  # noqa: ANN401 - the options above
) -> None:
    """Ask QUESTION once, for scripts and pipes: the answer goes to stdout, progress to stderr.

    Every step and every warning is printed as it stands in the procedure, with its lines. Nobody can be asked here, so
    nothing that needs a decision is done: exit code 5 then, and `soprag chat --resume` goes on with the session. Exit
    code 4 when no procedure fits.
    """
    form: Form = "jsonl" if jsonl else "json" if as_json else "text"
    sys.exit(ask_once(AskCall(ChatCall(**chat), question, context == "-", form, quiet, source)))
