"""The graph in the formats of other programs holds every name and every fact."""

import io
import json
import re
from pathlib import Path

import networkx
import pytest

from soprag.tools.knowledge.export import export
from soprag.tools.knowledge.library import KnowledgeLibrary
from soprag.tools.knowledge.lookup import all_facts
from soprag.tools.knowledge.picture import picture
from tests.tools.knowledge.plant import LAYOUT, PUMP, add, document, follow, open_plant, sop


@pytest.fixture
def library(tmp_path: Path) -> KnowledgeLibrary:
    index, library = open_plant(tmp_path, sop("pump", PUMP))
    follow(library, index)
    add(library, document("layout", LAYOUT + '\nThe "Blue & <Green>" Pump feeds the Tank.\n'))
    return library


def facts(library: KnowledgeLibrary) -> list[tuple[str, str, str, str]]:
    with library.database.reading() as db:
        return sorted((fact.subject.text, fact.relation, fact.object.text, fact.quote) for fact, _, _ in all_facts(db))


def test_networkx_reads_every_fact_from_the_graphml(library: KnowledgeLibrary) -> None:
    text = "\n".join(export(library, "graphml")).encode()
    graph = networkx.MultiDiGraph(networkx.read_graphml(io.BytesIO(text), force_multigraph=True))
    read = [
        (graph.nodes[source]["text"], data["relation"], graph.nodes[target]["text"], data["quote"])
        for source, target, data in graph.edges(data=True)
    ]
    assert sorted(read) == facts(library)


def test_every_line_of_the_ntriples_is_a_triple(library: KnowledgeLibrary) -> None:
    lines = list(export(library, "ntriples"))
    term = r'(?:<[^<>"{}|^`\\\s]+>|_:f\d+|"(?:[^"\\\n]|\\.)*")'
    assert all(re.fullmatch(rf"{term} <[^<>\s]+> {term} \.", line) for line in lines)
    assert sum(":quote>" in line for line in lines) == len(facts(library))


def test_cypher_merges_names_and_creates_facts(library: KnowledgeLibrary) -> None:
    lines = list(export(library, "cypher"))
    assert sum(line.startswith("MATCH") for line in lines) == len(facts(library))
    assert all(line.endswith(";") and "\n" not in line for line in lines)
    assert json.dumps("P-101") in "\n".join(lines)


def test_a_picture_escapes_what_it_quotes(library: KnowledgeLibrary) -> None:
    with library.database.reading() as db:
        page = picture("P-101 <b>", [fact for fact, _, _ in all_facts(db)], {})
    assert "<b>" not in page and "<Green>" not in page and page.count("<line") > 1
