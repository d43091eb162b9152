"""READMEs, licence texts and change logs of the installed Python packages: documents that are no procedures.

They are hard negatives for the document filter: many of them give instructions and commands. The packages are divided
by a hash of their names into one half for fitting and one half for measuring. Nothing of them is copied anywhere.
"""

import re
from collections.abc import Iterator
from hashlib import sha256
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Literal

from soprag.benchmarks.quality.corpora import LabelledDocument

Half = Literal["fitted", "measured"]

CORPUS = "packages"
_TEXTS = re.compile(
    r"(?:^|/)(?:licen[sc]e|copying|notice|change|history|news|readme|contributing)[^/]*$", re.IGNORECASE
)
_PROGRAMS = (".py", ".pyc", ".js", ".h", ".so", ".json")
_COPYRIGHT = re.compile(r"^.*copyright.*$", re.IGNORECASE | re.MULTILINE)
_FEWEST_WORDS = 15
_LONGEST = 100_000  # characters


def read_packages(half: Half) -> list[LabelledDocument]:
    """The documents of one half of the installed packages, in the order of their names, each text once."""
    documents: dict[str, LabelledDocument] = {}
    for distribution in sorted(distributions(), key=lambda package: package.metadata["Name"] or ""):
        package = distribution.metadata["Name"] or ""
        if half_of(package) != half:
            continue
        for name, text in _texts(distribution):
            if len(text.split()) >= _FEWEST_WORDS:
                document = LabelledDocument(CORPUS, f"{package}/{name}", text[:_LONGEST], is_sop=False)
                documents.setdefault(_fingerprint(text), document)
    return list(documents.values())


def half_of(package: str) -> Half:
    """The half a package belongs to."""
    return "fitted" if sha256(package.casefold().encode()).digest()[0] % 2 else "measured"


def _texts(distribution: Distribution) -> Iterator[tuple[str, str]]:
    description = distribution.metadata.get("Description") or distribution.metadata.get_payload()  # type: ignore[attr-defined]  # a message
    yield "README.md", str(description or "")
    for file in distribution.files or ():
        if _TEXTS.search(str(file)) and not file.name.endswith(_PROGRAMS):
            try:
                yield file.name, Path(str(distribution.locate_file(file))).read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError):
                continue


def _fingerprint(text: str) -> str:
    """Equal for texts that differ in their copyright lines, spaces and punctuation only, as licences do."""
    return re.sub(r"\W+", "", _COPYRIGHT.sub("", text)).casefold()[:3000]
