"""`soprag answer`: its options, and how an answer is printed."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from soprag.tools.procedure.page import PageBlock
    from soprag.tools.retriever.answer.answer import SopAnswer

EXAMPLES = """\b
Examples:
  soprag answer "coolant pump P-101 tripped, what now?"
  soprag answer "replace the fan of a UPS" --source 3     the lines that step [3] cites
  soprag answer "chiller does not start" --json
  soprag answer "chiller does not start" --model openai:gpt-4o-mini
"""


@click.command(epilog=EXAMPLES)
@click.argument("question")
@click.option("--index", "folder", metavar="DIR", help="Folder of the index.  [default: index]")
@click.option("--source", "number", metavar="N", type=click.IntRange(1), help="Print the lines that step [N] cites.")
@click.option("--profile", help="Settings: offline, openai, or a TOML file of your own.  [default: by the keys set]")
@click.option("--model", metavar="PROVIDER:NAME", help="Chat model, or 'rules' for none.")
@click.option("--base-url", metavar="URL", help="Any OpenAI-compatible server for the chat model.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
def answer(question: str, number: int | None, as_json: bool, **options: Any) -> None:  # noqa: ANN401 - the options above
    """Answer QUESTION with the steps of the procedure that fits.

    Every step and every warning is printed as it stands in the procedure, with its lines. Exit code 4 when no
    procedure fits.
    """
    from soprag.apps.cli.main import finish
    from soprag.apps.compose.answering import AnswerCall, ask, ask_source

    call = AnswerCall(question=question, **options)
    finish("answer", as_json, lambda: ask_source(call, number) if number else AnswerPrinter(ask(call)))


@dataclass(frozen=True)
class AnswerPrinter:
    """An answer on its way to the screen or into a pipe."""

    answer: "SopAnswer"

    def text(self) -> str:
        """Plain text: as it is in a pipe, broken between words on a terminal."""
        from soprag.tools.retriever.answer.answer_page import blocks

        return fit(blocks(self.answer))

    def model_dump(self, mode: str) -> dict[str, Any]:
        """Everything, for --json."""
        return self.answer.model_dump(mode=mode)


def fit(blocks: "list[PageBlock]") -> str:
    """The page for wherever stdout goes."""
    import shutil
    import sys

    from soprag.tools.procedure.page import fitted, raw

    return fitted(blocks, shutil.get_terminal_size().columns) if sys.stdout.isatty() else raw(blocks)
