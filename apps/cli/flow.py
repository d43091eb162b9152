"""`soprag flow`: the structure of a procedure, read without a model: its exchange form and its completeness."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from soprag.apps.cli import options
from soprag.apps.cli.output import finish

if TYPE_CHECKING:
    from soprag.tools.procedure.completeness import Completeness
    from soprag.tools.procedure.procedure import ProcedureFlow

NARRATIVE = click.option(
    "--narrative/--no-narrative",
    default=None,
    help="Whether the text tells what people do, sentence by sentence.  [default: by its share of lists and orders]",
)
FILE = click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))


@dataclass(frozen=True)
class FlowDocument:
    """A procedure in an exchange form, as JSON."""

    data: dict[str, Any]

    def text(self) -> str:
        """The JSON itself: this command has no other form."""
        import json

        return json.dumps(self.data, ensure_ascii=False, indent=1)

    def model_dump(self, *, mode: str) -> dict[str, Any]:
        """For --json."""
        return self.data


@click.group()
def flow() -> None:
    """Read the structure of a procedure: roles of lines, steps, ways, warnings, ranges."""


@flow.command()
@FILE
@click.option(
    "--form",
    type=click.Choice(["full", "gold"]),
    default="full",
    help="full: with labels and words; gold: as hand-annotated flows are written.  [default: full]",
)
@NARRATIVE
@options.JSON
def export(file: Path, form: str, narrative: bool | None, as_json: bool) -> None:
    """Print the flow of the Markdown FILE as JSON."""

    def work() -> FlowDocument:
        from soprag.tools.procedure.export import gold

        read = _read(file, narrative)[1]
        return FlowDocument(gold(read) if form == "gold" else read.model_dump(mode="json"))

    finish("flow export", as_json, work)


@flow.command()
@FILE
@NARRATIVE
@options.JSON
def check(file: Path, narrative: bool | None, as_json: bool) -> None:
    """Say what became of every line of the Markdown FILE; exit code 7 when one is unaccounted for."""
    from soprag.tools.errors import DocumentError

    accounts: list[Completeness] = []

    def work() -> "Completeness":
        from soprag.tools.procedure.completeness import completeness

        accounts.append(completeness(*_read(file, narrative)))
        return accounts[0]

    finish("flow check", as_json, work)
    if not accounts[0].complete:
        raise SystemExit(DocumentError.exit_code)


def _read(file: Path, narrative: bool | None) -> "tuple[str, ProcedureFlow]":
    from soprag.tools.errors import DocumentError
    from soprag.tools.procedure.reader import read_procedure

    try:
        markdown = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as fault:
        raise DocumentError(f"{str(file)!r} is not Markdown; convert it first, with `soprag index add`") from fault
    return markdown, read_procedure(markdown, narrative)
