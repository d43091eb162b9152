"""`soprag ask`: its options."""

from typing import Any

import click

EXAMPLES = """\b
Examples:
  soprag ask "coolant pump P-101 tripped, what now?"
  tail -50 alarms.log | soprag ask "what do I do first?"       the piped text is context
  soprag ask "what do I do first?" - < alarms.log              the same
  soprag ask --resume 20260101 "the one with the VFD"          the next turn of a session
  soprag ask "chiller does not start" --json
"""


@click.command(epilog=EXAMPLES)
@click.argument("question")
@click.argument("context", required=False, type=click.Choice(["-"]), metavar="[-]")
@click.option("--resume", metavar="ID", help="The next turn of a session: its id, its beginning, or 'latest'.")
@click.option("--index", "folder", metavar="DIR", help="Folder of the index.  [default: index]")
@click.option("--profile", help="Settings: offline, openai, or a TOML file of your own.  [default: by the keys set]")
@click.option("--model", metavar="PROVIDER:NAME", help="Chat model, or 'rules' for none.")
@click.option("--base-url", metavar="URL", help="Any OpenAI-compatible server for the chat model.")
@click.option("--operator", metavar="NAME", help="Who asks, for the record.  [default: the account]")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.option("--jsonl", is_flag=True, help="Print every event as one line of JSON, as it happens.")
@click.option("--quiet", is_flag=True, help="No progress on stderr.")
def ask(question: str, context: str | None, as_json: bool, jsonl: bool, quiet: bool, **options: Any) -> None:  # noqa: ANN401 - the options above
    """Ask QUESTION once, for scripts and pipes: the answer goes to stdout, progress to stderr.

    Nobody can be asked here, so nothing that needs a decision is done: exit code 5 then, and the session can be taken
    up with `soprag chat --resume`. Exit code 4 when no procedure fits.
    """
    import sys

    from soprag.apps.terminal.one_turn import AskCall, Form, ask_once
    from soprag.apps.terminal.session_start import ChatCall

    form: Form = "jsonl" if jsonl else "json" if as_json else "text"
    call = AskCall(ChatCall(**options), question, context_required=context == "-", form=form, quiet=quiet)
    sys.exit(ask_once(call))
