"""A run as a folder for a data set hub: Parquet files, a card with the hub's YAML header, and an MTEB retrieval task.

`datasets.load_dataset(folder, "corpus" | "queries" | "qrels")` reads it, MTEB runs `mteb_task.py`, and nothing in the
folder is a link: it can be uploaded as it is.
"""

import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field

from soprag.tools.errors import ConfigError, UsageError
from soprag.tools.publishing.datasheet import render
from soprag.tools.publishing.facts import Facts, gather
from soprag.tools.publishing.licences import NOT_STATED
from soprag.tools.publishing.personal_data import mask_personal
from soprag.tools.publishing.reviewed import ReviewedQuestion
from soprag.tools.sop import LEVELS, Frozen, Sop, digest
from soprag.tools.store.run_folder import RunFolder, write_whole

if TYPE_CHECKING:
    import pyarrow

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_SCRIPTS = {  # ISO 639-1 → ISO 639-3 and ISO 15924, as MTEB writes languages
    "en": "eng-Latn", "de": "deu-Latn", "fr": "fra-Latn", "es": "spa-Latn", "it": "ita-Latn", "nl": "nld-Latn",
    "pt": "por-Latn", "pl": "pol-Latn", "sv": "swe-Latn", "da": "dan-Latn", "cs": "ces-Latn", "ru": "rus-Cyrl",
    "zh": "zho-Hans", "ja": "jpn-Jpan", "ko": "kor-Hang", "ar": "arb-Arab", "tr": "tur-Latn", "th": "tha-Thai",
}  # fmt: skip
_MTEB_LICENCES = frozenset(
    ("mit", "apache-2.0", "cc0-1.0", "cc-by-3.0", "cc-by-4.0", "cc-by-sa-3.0", "cc-by-sa-4.0", "cc-by-nc-4.0")
)


class HubFolder(Frozen):
    """What was written."""

    folder: str
    sops: int
    questions: int
    masked: int = Field(description="texts in which personal data was masked")

    def text(self) -> str:
        """A few lines for a person."""
        masked = f"; personal data masked in {self.masked} texts" if self.masked else ""
        return (
            f"{self.sops} SOPs and {self.questions} questions in {self.folder}{masked}\n"
            "  README.md is the card; data/*.parquet are the configs corpus, queries and qrels; mteb_task.py is a task."
        )


def write_hub(run: RunFolder, folder: Path, *, mask: bool) -> HubFolder:
    """Write the folder of a finished run; the same run gives the same bytes with the same pyarrow.

    Raises `ConfigError` without pyarrow, and `UsageError` for a run without questions or a folder that is not empty.
    """
    _pyarrow()
    facts = gather(run)
    if not facts.questions:
        raise UsageError(f"Run {run.id!r} has no questions; finish it with soprag build --resume first.")
    if folder.exists() and any(folder.iterdir()):
        raise UsageError(f"{str(folder)!r} is not empty; name another folder.")
    masking, by_id = _Masking(mask), {sop.id: sop for sop in facts.sops}
    tables = {
        "corpus": [_document(facts, sop, masking) for sop in facts.sops],
        "queries": [
            _query(facts, each, by_id[each.question.sop], masking) for each in facts.reviewed if each.published
        ],
        "qrels": [{"query-id": each.id, "corpus-id": each.sop, "score": 1} for each in facts.questions],
    }
    contents = {name: _parquet(rows) for name, rows in tables.items()}
    for name, data in contents.items():
        write_whole(folder / "data" / f"{name}.parquet", data)
    licence, size = _licence(facts), sum(map(len, tables.values()))
    more = {"masked": mask, "licence": licence, "size": next((name for most, name in _SIZES if size < most), "n>1M")}
    write_whole(folder / "README.md", render("card.md.j2", facts, **more).encode())
    revision = digest(b"".join(contents.values()))
    write_whole(folder / "mteb_task.py", render("mteb_task.py.j2", facts, **_task(facts, licence, revision)).encode())
    return HubFolder(folder=str(folder), sops=len(facts.sops), questions=len(facts.questions), masked=masking.changed)


class _Masking:
    """Masks texts where that is wanted, and counts those it changed."""

    def __init__(self, wanted: bool) -> None:
        self.wanted, self.changed = wanted, 0

    def __call__(self, text: str, sop: Sop) -> str:
        masked = mask_personal(text, sop.body) if self.wanted else text
        self.changed += masked != text
        return masked


def _document(facts: Facts, sop: Sop, masked: _Masking) -> dict[str, Any]:
    document = facts.documents[sop.document]
    return {
        "_id": sop.id,
        "title": masked(sop.title, sop),
        "text": masked(sop.body, sop),
        "document": document.name,
        "location": document.provenance.location,
        "licence": facts.licences[document.id].licence,
        "language": sop.language,
        "first_line": sop.span.start,
        "last_line": sop.span.end,
    }


def _query(facts: Facts, reviewed: ReviewedQuestion, sop: Sop, masked: _Masking) -> dict[str, Any]:
    question = reviewed.question
    return {
        "_id": question.id,
        "text": masked(question.text, sop),
        "level": LEVELS.index(question.level) + 1,
        "kind": question.level,
        "evidence": masked(question.evidence, sop),
        "author": facts.author,
        "reviews": "; ".join(f"{review.reviewer}: {review.decision}" for review in reviewed.reviews),
    }


def _licence(facts: Facts) -> str:
    """The one licence of all documents as the hub writes it; `unknown` where one states none, `other` for several."""
    names = {facts.licences[document.id].licence for document in facts.kept}
    if NOT_STATED in names:
        return "unknown"
    [*one] = names
    return one[0].lower() if len(one) == 1 and re.fullmatch(r"[\w.+-]+", one[0]) else "other"


def _task(facts: Facts, licence: str, revision: str) -> dict[str, object]:
    """The values of the MTEB task that the data sheet lacks."""
    languages = {_SCRIPTS[sop.language] for sop in facts.sops if sop.language in _SCRIPTS}
    name = "".join(word.capitalize() for word in re.findall(r"[A-Za-z0-9]+", facts.summary.topic))
    return {
        "task": f"{name}Sops",
        "task_class": f"Sop{name}Retrieval",
        "eval_langs": sorted(languages) or ["eng-Latn"],
        "task_licence": licence if licence in _MTEB_LICENCES else "not specified",
        "revision": revision,
        "day": facts.manifest.created[:10],
    }


def _parquet(rows: Sequence[dict[str, Any]]) -> bytes:
    from pyarrow import parquet

    table, out = _pyarrow().Table.from_pylist(list(rows)), io.BytesIO()
    parquet.write_table(table, out)
    return out.getvalue()


def _pyarrow() -> "pyarrow":
    try:
        import pyarrow
    except ImportError as missing:
        raise ConfigError("Parquet files need pyarrow: `pip install 'soprag[hub]'`.") from missing
    return pyarrow
