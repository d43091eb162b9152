"""What the commands of `soprag measure` share: their options and the form of a report."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from soprag.benchmarks.quality.choice import JudgesReport
    from soprag.benchmarks.quality.support import SupportReport

FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)
FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
DATA = click.option(
    "--data", metavar="DIR", required=True, type=FOLDER, help="Corpora: <name>/docs with corpus.jsonl, and decoys/docs."
)


@dataclass(frozen=True)
class Measured:
    """A report and its rendering, as `finish` prints them."""

    report: Any
    lines: str

    def text(self) -> str:
        """For a person."""
        return self.lines

    def model_dump(self, *, mode: str) -> Any:  # noqa: ANN401 - whatever the report holds
        """For --json."""
        from pydantic import TypeAdapter

        return TypeAdapter(type(self.report)).dump_python(self.report, mode=mode)  # type: ignore[arg-type]


def rendered(report: Any) -> Measured:  # noqa: ANN401 - any report that renders itself
    """`report` in its own words."""
    return Measured(report, report.render())


def listed(report: "JudgesReport | SupportReport") -> Measured:
    """`report` in its own lines."""
    return Measured(report, "\n".join(report.render()))
