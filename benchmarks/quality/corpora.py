"""The labelled documents of a data folder: one folder for each corpus of SOPs, and one of other documents.

`<name>/docs/*.md` with `<name>/corpus.jsonl` are SOPs, and the documents in `decoys/docs/*.md` are none.
"""

from dataclasses import dataclass
from pathlib import Path

from soprag.tools.errors import UsageError

_DECOYS = "decoys"


@dataclass(frozen=True)
class LabelledDocument:
    """One document of a corpus, and whether it is an SOP."""

    corpus: str
    name: str
    markdown: str
    is_sop: bool


def read_corpora(data: Path) -> list[LabelledDocument]:
    """Every document below `data` with its label, in the order of their paths; raises `UsageError` without SOPs."""
    documents: list[LabelledDocument] = []
    for folder in sorted(path for path in data.glob("*") if (path / "docs").is_dir()):
        is_sop = (folder / "corpus.jsonl").is_file()
        if is_sop or folder.name == _DECOYS:
            for path in sorted((folder / "docs").glob("*.md")):
                documents.append(LabelledDocument(folder.name, path.name, path.read_text(encoding="utf-8"), is_sop))
    if not any(document.is_sop for document in documents):
        raise UsageError(f"No SOPs below {str(data)!r}: it needs folders with docs/*.md and corpus.jsonl.")
    return documents
