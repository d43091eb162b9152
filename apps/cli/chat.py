"""`soprag chat`, `soprag sessions` and `soprag export`: their options."""

from typing import Any

import click

EXAMPLES = """\b
Examples:
  soprag chat                                   on the index in ./index; without one the example library is offered
  soprag chat --resume                          go on with the latest session, at the same step
  soprag chat --resume 20260101-120000-3f2a     go on with that one
  soprag chat --model openai:gpt-4o-mini
  soprag chat --plain                           for screen readers: no colours, nothing drawn twice
"""


@click.command(epilog=EXAMPLES)
@click.option(
    "--resume",
    is_flag=False,
    flag_value="latest",
    metavar="[ID]",
    help="Go on with a session: its id or the beginning of it, or none for the latest.",
)
@click.option("--index", "folder", metavar="DIR", help="Folder of the index.  [default: index]")
@click.option("--profile", help="Settings: offline, openai, or a TOML file of your own.  [default: by the keys set]")
@click.option("--model", metavar="PROVIDER:NAME", help="Chat model, or 'rules' for none.")
@click.option("--base-url", metavar="URL", help="Any OpenAI-compatible server for the chat model.")
@click.option("--operator", metavar="NAME", help="Who is at the terminal, for the record.  [default: the account]")
@click.option("--plain", is_flag=True, help="Plain lines: no colours, no completion, nothing drawn.")
def chat(**options: Any) -> None:  # noqa: ANN401 - the options above
    """Find the procedure for a problem and follow it step by step, at this terminal.

    Nothing outside this program happens without your yes. Type /help for what can be typed. The session is kept after
    every step; when the terminal is gone, --resume goes on at the same step.
    """
    import sys

    from soprag.apps.terminal.chat import talk
    from soprag.apps.terminal.session_start import ChatCall

    sys.exit(talk(ChatCall(**options)))


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the sessions as JSON.")
@click.option("--profile", help="Settings: offline, openai, or a TOML file of your own.  [default: by the keys set]")
def sessions(as_json: bool, profile: str | None) -> None:
    """List the sessions kept on this machine, the latest first."""
    from soprag.apps.cli.main import finish
    from soprag.apps.terminal.stored_sessions import list_sessions

    finish("sessions", as_json, lambda: list_sessions(profile))


@click.command()
@click.argument("id", default="latest")
@click.option("--format", "form", type=click.Choice(["md", "json"]), default="md", help="[default: md]")
@click.option("--out", metavar="FILE", help="Write to this file instead of the screen.")
@click.option("--profile", help="Settings: offline, openai, or a TOML file of your own.  [default: by the keys set]")
def export(id: str, form: str, out: str | None, profile: str | None) -> None:
    """Print a whole session: what was said, shown, done, measured, decided and approved.

    ID is that of `soprag sessions` or its beginning; without it the latest is taken.
    """
    from soprag.apps.terminal.stored_sessions import export_session

    text = export_session(profile, id, "json" if form == "json" else "md", out)
    click.echo(text, nl=not text.endswith("\n"))
