"""Annotated flows without their words: lines, roles, steps and ways of texts that are not the project's to copy.

`python -m soprag.benchmarks.quality.annotated_flows.shapes OUT.jsonl DIR ...` writes those of folders of NAME.json.
A shape names its source below the data folder and the SHA-256 of it, so that the words can be had back from there.
"""

import hashlib
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from soprag.benchmarks.quality.annotated_flows.document import AnnotatedFlow, parse
from soprag.tools.errors import UsageError

_FOLDER = Path(__file__).parent
FIRST = "shapes.jsonl"
SECOND = "second_readings.jsonl"  # of some of the texts, by readers who had not seen the first annotation
_DATA = "shared/data/"  # what the annotators' paths have before the part below the data folder
_STEP = ("id", "lines", "kind")
_EDGE = ("from", "to", "inferred")


@dataclass(frozen=True)
class ShapedText:
    """An annotated text; `source` is its file name."""

    name: str
    source: str
    markdown: str
    flow: AnnotatedFlow

    @property
    def half(self) -> str:
        """The half of the texts it belongs to, "A" to tune on or "B" to report on: the parity of its name's SHA-256."""
        return "AB"[hashlib.sha256(self.name.encode()).digest()[-1] % 2]


def shape(data: dict[str, Any], name: str, markdown: bytes) -> dict[str, Any]:
    """An annotation of the gold form without its words; `markdown` is the annotated text."""
    return {
        "name": name,
        "source": data["source"].rpartition(_DATA)[2],
        "sha256": hashlib.sha256(markdown).hexdigest(),
        "roles": [[line["n"], line["role"]] for line in data["lines"]],
        "steps": [{key: one[key] for key in _STEP} | {"only_if": bool(one.get("only_if"))} for one in data["steps"]],
        "edges": [{key: one[key] for key in _EDGE if one.get(key)} for one in data["edges"]],
        "entry_points": [one["step"] for one in data["entry_points"]],
        "alternatives": [one["entries"] for one in data["alternatives"]],
        "warnings": [{"lines": one["lines"], "protects": one["protects"]} for one in data["warnings"]],
    }


def shaped(data: Path, file: str = FIRST) -> Iterator[ShapedText]:
    """Every shape of a file with its text.

    Raises UsageError when a source below `data` is not the annotated one.
    """
    for one in map(json.loads, (_FOLDER / file).read_text(encoding="utf-8").splitlines()):
        path = data / one["source"]
        markdown = path.read_bytes() if path.is_file() else b""
        if hashlib.sha256(markdown).hexdigest() != one["sha256"]:
            raise UsageError(f"{str(path)!r} is not the text that was annotated: fetch the data folder again")
        yield ShapedText(one["name"], path.name, markdown.decode("utf-8"), _flow(one))


def _flow(one: dict[str, Any]) -> AnnotatedFlow:
    return parse(
        {
            "lines": [{"n": line, "role": role} for line, role in one["roles"]],
            "steps": one["steps"],
            "edges": one["edges"],
            "entry_points": [{"step": step} for step in one["entry_points"]],
            "alternatives": [{"entries": entries} for entries in one["alternatives"]],
            "warnings": one["warnings"],
        }
    )


def main(out: Path, folders: list[Path]) -> None:
    """Writes the shapes of all annotations in the folders, by name."""
    paths = sorted((path for folder in folders for path in folder.glob("*.json")), key=lambda path: path.stem)
    found = [
        shape(json.loads(path.read_text(encoding="utf-8")), path.stem, path.with_suffix(".md").read_bytes())
        for path in paths
    ]
    out.write_text("".join(json.dumps(one, separators=(",", ":")) + "\n" for one in found), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(folder) for folder in sys.argv[2:]])
