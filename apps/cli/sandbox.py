"""`soprag sandbox build`: build the component of the sandbox from the guest and the installed libraries."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from soprag.apps.cli import options
from soprag.apps.cli.output import finish, say

if TYPE_CHECKING:
    from soprag.tools.sandbox.component import ComponentManifest


@dataclass(frozen=True)
class BuiltComponent:
    """Where the component was written, and what it was made of."""

    folder: Path
    manifest: "ComponentManifest"

    def text(self) -> str:
        """A line per fact."""
        versions = [f"{name} {version}" for name, version in self.manifest.versions.items()]
        return "\n".join([f"{self.folder}: {self.manifest.memory >> 20} MiB of memory at the start", *versions])

    def model_dump(self, *, mode: str) -> dict[str, Any]:
        """For --json."""
        return {"folder": str(self.folder), "manifest": self.manifest.model_dump(mode=mode)}


@click.group()
def sandbox() -> None:
    """Maintain the sandbox, in which programs run that a model wrote."""


@sandbox.command()
@click.option("--out", metavar="DIR", type=click.Path(path_type=Path), help="Folder.  [default: inside the package]")
@options.JSON
def build(out: Path | None, as_json: bool) -> None:
    """Build the Python component from the guest and the installed libraries; needs the extra sandbox-build."""
    from soprag.tools.sandbox.build import build_component
    from soprag.tools.sandbox.component import FOLDER

    folder = out or FOLDER
    finish("sandbox build", as_json, lambda: BuiltComponent(folder, build_component(say, folder)))
