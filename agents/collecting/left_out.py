"""Writes the fetched procedures that were not accepted to a folder, with the reason for each.

`left_out/list.json` names URL, title, reason, topic probability and file of each; the files of procedures that are off
the topic lie beside it. The folder can be the source of another run.
"""

import json
from collections.abc import Sequence
from pathlib import Path

from soprag.agents.collecting.selection import CollectedDocument
from soprag.tools.store.run_folder import write_whole
from soprag.tools.web.journal import Journal


def write_left_out(folder: Path, documents: Sequence[CollectedDocument], journal: Journal) -> None:
    """Write the list and the files; raises `StorageError`. Copies and excerpts are listed without a file."""
    rows = []
    for document in documents:
        reading = document.reading
        file = f"{reading.sha256[:12]}-{reading.name}" if document.chance else ""
        if file:
            write_whole(folder / file, journal.body(reading.sha256))
        rows.append({
            "url": reading.final_url, "title": reading.title, "reason": document.reason,
            "probability": round(document.chance, 3), "sha256": reading.sha256, "file": file,
        })  # fmt: skip
    write_whole(folder / "list.json", json.dumps(rows, indent=1, ensure_ascii=False).encode())
