"""Is the example library what its gold standard says it is?"""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from soprag.examples.build_library import GOLD, LIBRARY, SOURCES, describe, find_stale, render
from soprag.examples.rendering.source import Source, SourceError, load_source, load_sources

DOMAINS = {"airline-ground-services", "building-management", "data-center-maintenance", "liquid-cooling"}


@pytest.fixture(scope="module")
def sources() -> list[Source]:
    return load_sources(SOURCES)


@pytest.fixture(scope="module")
def gold() -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = json.loads(GOLD.read_text(encoding="utf-8"))
    return records


def test_the_library_is_up_to_date_with_its_sources(sources: list[Source]) -> None:
    assert find_stale(sources, LIBRARY, GOLD) == []


def test_gold_names_every_file_with_its_hash(gold: list[dict[str, Any]]) -> None:
    on_disk = {path.relative_to(LIBRARY).as_posix() for path in LIBRARY.glob("*/*")}
    assert {record["file"] for record in gold} == on_disk
    for record in gold:
        assert record["file_sha256"] == hashlib.sha256((LIBRARY / record["file"]).read_bytes()).hexdigest()


def test_gold_repeats_the_front_matter(gold: list[dict[str, Any]], sources: list[Source]) -> None:
    declared = {
        source.target: (source.domain, source.about.format, source.about.kind, source.about.sops, source.sha256)
        for source in sources
    }
    for record in gold:
        facts = (record["domain"], record["format"], record["kind"], tuple(record["sops"]), record["source_sha256"])
        assert facts == declared[record["file"]]


def test_every_sop_title_stands_in_the_body_of_its_source(sources: list[Source]) -> None:
    missing = [(each.target, title) for each in sources for title in each.about.sops if title not in each.body]
    assert missing == []


def test_the_sop_titles_of_a_file_stand_in_order(sources: list[Source]) -> None:
    for source in sources:
        places = [source.body.rindex(f"{title}\n") for title in source.about.sops]
        assert places == sorted(places), source.target


def test_the_library_has_four_domains_with_decoys_and_manuals(gold: list[dict[str, Any]]) -> None:
    assert {record["domain"] for record in gold} == DOMAINS
    assert {record["format"] for record in gold} == {"pdf", "docx", "pptx", "xlsx", "html", "md"}
    assert sum(record["kind"] == "not-sop" for record in gold) >= 6
    assert sum(len(record["sops"]) > 1 for record in gold) >= 4
    for domain in DOMAINS:
        assert sum(record["domain"] == domain for record in gold) >= 8


@pytest.mark.parametrize("form", ["pdf", "docx", "pptx", "xlsx", "html", "md"])
def test_building_twice_gives_the_same_bytes(form: str, sources: list[Source]) -> None:
    source = next(each for each in sources if each.about.format == form)
    assert render(source) == render(source)


def test_a_changed_source_makes_the_library_stale(sources: list[Source], tmp_path: Path) -> None:
    gold = tmp_path / "gold.json"
    gold.write_text(describe(sources, LIBRARY).replace(sources[0].sha256, "0" * 64), encoding="utf-8")
    assert find_stale(sources, LIBRARY, gold) != []
    assert find_stale(sources[1:], LIBRARY, GOLD) == [
        f"{sources[0].target} has no source",
        "catalogue.json does not match the sources",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "# No front matter\n",
        '+++\nformat = "md"\ntitle = "T"\nkind = "sop"\n+++\n# T\n',
        '+++\nformat = "md"\ntitle = "T"\nkind = "not-sop"\ncolour = "red"\n+++\n# T\n',
    ],
)
def test_a_source_with_wrong_front_matter_names_its_file(text: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.md"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SourceError, match=r"wrong\.md"):
        load_source(path)
