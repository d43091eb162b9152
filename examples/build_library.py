"""Builds the example library from its sources: `python -m soprag.examples.build_library`.

Beside the files it writes `gold.json`, which says what each holds, and `catalogue.json`, the register a search goes
through: it knows titles and openings, as a document system would, and nothing of what the gold standard says.
"""

import argparse
import hashlib
import json
import re
from pathlib import Path

from soprag.examples.rendering.source import Source, load_sources

HERE = Path(__file__).resolve().parent  # an editable install is a tree of links
SOURCES, LIBRARY, GOLD = HERE / "sources", HERE / "library", HERE / "gold.json"
CATALOGUE = HERE / "catalogue.json"
OPENING = 400  # characters of plain text


def render(source: Source) -> bytes:
    """The bytes of the file a source stands for."""
    # Each writer needs a library of its own and only the builder has them all.
    match source.about.format:
        case "pdf":
            from soprag.examples.rendering.pdf import render_pdf as draw
        case "docx":
            from soprag.examples.rendering.word import render_docx as draw
        case "pptx":
            from soprag.examples.rendering.slides import render_pptx as draw
        case "xlsx":
            from soprag.examples.rendering.sheets import render_xlsx as draw
        case "html":
            from soprag.examples.rendering.webpage import render_html as draw
        case "md":
            return source.body.encode()
    return draw(source)


def describe(sources: list[Source], library: Path) -> str:
    """The gold standard as JSON: what each built file is and which SOPs it holds, in order."""
    records = [
        {
            "file": source.target,
            "domain": source.domain,
            "format": source.about.format,
            "title": source.about.title,
            "kind": source.about.kind,
            "sops": list(source.about.sops),
            "source_sha256": source.sha256,
            "file_sha256": _hash(library / source.target),
        }
        for source in sources
    ]
    return json.dumps(records, indent=2, ensure_ascii=False) + "\n"


def register(sources: list[Source]) -> str:
    """The catalogue as JSON: where each document is, its domain, title and opening words."""
    entries = [
        {"location": one.target, "domain": one.domain, "title": one.about.title, "opening": _opening(one.body)}
        for one in sources
    ]
    return json.dumps(entries, indent=2, ensure_ascii=False) + "\n"


def build(sources: list[Source], library: Path) -> None:
    """Write every file of the library and remove those without a source."""
    for source in sources:
        target = library / source.target
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(render(source))
    for name in _files(library) - {source.target for source in sources}:
        (library / name).unlink()


def find_stale(sources: list[Source], library: Path, gold: Path) -> list[str]:
    """What is out of date, by hash: it asks nothing of the installed document libraries."""
    wanted = {source.target for source in sources}
    stale = [f"{name} is not in the library" for name in sorted(wanted - _files(library))]
    stale += [f"{name} has no source" for name in sorted(_files(library) - wanted)]
    if not stale and (not gold.exists() or gold.read_text(encoding="utf-8") != describe(sources, library)):
        stale.append(f"{gold.name} does not match the sources and the built files")
    if not CATALOGUE.exists() or CATALOGUE.read_text(encoding="utf-8") != register(sources):
        stale.append(f"{CATALOGUE.name} does not match the sources")
    return stale


def main() -> None:
    """Build the library, or with --check only say whether it is up to date."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit 1 when the library is out of date with its sources")
    sources = load_sources(SOURCES)
    if parser.parse_args().check:
        if stale := find_stale(sources, LIBRARY, GOLD):
            raise SystemExit("\n".join([*stale, "run: python -m soprag.examples.build_library"]))
        return
    build(sources, LIBRARY)
    GOLD.write_text(describe(sources, LIBRARY), encoding="utf-8")
    CATALOGUE.write_text(register(sources), encoding="utf-8")


def _files(library: Path) -> set[str]:
    return {path.relative_to(library).as_posix() for path in library.glob("*/*") if path.is_file()}


def _opening(body: str) -> str:
    words = re.sub(r"[#|>*_`\[\]-]+", " ", body)
    return " ".join(words.split())[:OPENING]


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else ""


if __name__ == "__main__":
    main()
