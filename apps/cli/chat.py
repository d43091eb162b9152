"""`soprag chat`: its options."""

import sys
from typing import Any

import click

from soprag.apps.cli import options
from soprag.apps.terminal.chat import talk
from soprag.apps.terminal.session_start import ChatCall

EXAMPLES = """\b
Examples:
  soprag chat                                   on the index in ./index; without one the example library is offered
  soprag chat --resume                          go on with the latest session, at the same step
  soprag chat --resume 20260101-120000-3f2a     go on with that one
  soprag chat --model openai:gpt-4o-mini
  soprag chat --full-screen                     the step that waits beside the conversation (extra `panes`)
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
@options.index_options
@options.OPERATOR
@click.option("--full-screen", is_flag=True, help="Two panes: the conversation, and the step that waits.")
@click.option("--plain", is_flag=True, help="Plain lines: no colours, no completion, nothing drawn.")
def chat(**values: Any) -> None:  # noqa: ANN401 - the options above
    """Find the procedure for a problem and follow it step by step, at this terminal.

    Nothing outside this program happens without your yes. Type /help for what can be typed. The session is kept after
    every step; when the terminal is gone, --resume goes on at the same step.
    """
    sys.exit(talk(ChatCall(**values)))
