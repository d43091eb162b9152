"""The graph in formats of other programs: GraphML, N-Triples and Cypher; own writers, so that nothing is lost."""

import json
from collections.abc import Callable, Iterator
from typing import Literal, get_args
from urllib.parse import quote as percent
from xml.sax.saxutils import escape, quoteattr

from soprag.tools.knowledge.library import KnowledgeLibrary
from soprag.tools.knowledge.lookup import all_facts
from soprag.tools.knowledge.records import NameRef, QuotedFact

ExportFormat = Literal["graphml", "ntriples", "cypher"]
FORMATS: tuple[ExportFormat, ...] = get_args(ExportFormat)
_BASE = "urn:soprag:"


def export(library: KnowledgeLibrary, form: ExportFormat) -> Iterator[str]:
    """The lines of the export: names, facts with quotes, and documents; the same for any order of adding."""
    with library.database.reading() as db:
        facts = [fact for fact, _, _ in all_facts(db)]
        rows = db.execute("SELECT kind, text FROM kg_name ORDER BY kind, text").fetchall()
        names = [NameRef.model_validate({"kind": kind, "text": text}) for kind, text in rows]
    writers: dict[ExportFormat, Callable[[list[NameRef], list[QuotedFact]], Iterator[str]]] = {
        "graphml": _graphml,
        "ntriples": _ntriples,
        "cypher": _cypher,
    }
    return writers[form](names, facts)


def _graphml(names: list[NameRef], facts: list[QuotedFact]) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    for target, keys in (("node", ("kind", "text")), ("edge", ("relation", "quote", "document", "lines", "origin"))):
        for key in keys:
            yield f'<key id="{key}" for="{target}" attr.name="{key}" attr.type="string"/>'
    yield '<graph edgedefault="directed">'
    for name in names:
        yield f"<node id={quoteattr(_id(name))}>{_data('kind', name.kind)}{_data('text', name.text)}</node>"
    for fact in facts:
        ends = f"source={quoteattr(_id(fact.subject))} target={quoteattr(_id(fact.object))}"
        values = ("relation", fact.relation), ("quote", fact.quote), ("document", fact.document)
        more = ("lines", f"{fact.first}-{fact.last}"), ("origin", fact.origin)
        yield f"<edge {ends}>{''.join(_data(key, value) for key, value in (*values, *more))}</edge>"
    yield "</graph></graphml>"


def _data(key: str, value: str) -> str:
    printable = "".join(sign for sign in value if sign in "\t\n" or ord(sign) >= 32)  # XML knows no other signs
    return f'<data key="{key}">{escape(printable)}</data>'


def _ntriples(names: list[NameRef], facts: list[QuotedFact]) -> Iterator[str]:
    """Each fact as a triple, and as a statement with its quote and its source."""
    for name in names:
        yield f"<{_iri(name)}> <http://www.w3.org/2000/01/rdf-schema#label> {_literal(name.text)} ."
        yield f"<{_iri(name)}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{_BASE}kind:{name.kind}> ."
    for number, fact in enumerate(facts, 1):
        relation = f"{_BASE}relation:{percent(fact.relation, safe='')}"
        statement = f"_:f{number}"
        yield f"<{_iri(fact.subject)}> <{relation}> <{_iri(fact.object)}> ."
        yield f"{statement} <{_RDF}subject> <{_iri(fact.subject)}> ."
        yield f"{statement} <{_RDF}predicate> <{relation}> ."
        yield f"{statement} <{_RDF}object> <{_iri(fact.object)}> ."
        yield f"{statement} <{_BASE}quote> {_literal(fact.quote)} ."
        yield f"{statement} <{_BASE}source> {_literal(f'{fact.document}:{fact.first}-{fact.last}')} ."


_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"


def _cypher(names: list[NameRef], facts: list[QuotedFact]) -> Iterator[str]:
    for name in names:
        values = {"id": _id(name), "kind": name.kind, "text": name.text}
        yield f"MERGE (:Name {{{', '.join(f'{key}: {json.dumps(value)}' for key, value in values.items())}}});"
    for fact in facts:
        match = (
            f"MATCH (s:Name {{id: {json.dumps(_id(fact.subject))}}}), (o:Name {{id: {json.dumps(_id(fact.object))}}})"
        )
        properties = {
            "relation": fact.relation, "quote": fact.quote, "document": fact.document, "first": fact.first,
            "last": fact.last, "origin": fact.origin,
        }  # fmt: skip
        body = ", ".join(f"{key}: {json.dumps(value)}" for key, value in properties.items())
        yield f"{match} CREATE (s)-[:FACT {{{body}}}]->(o);"


def _id(name: NameRef) -> str:
    return f"{name.kind}:{name.text}"


def _iri(name: NameRef) -> str:
    return f"{_BASE}name:{name.kind}:{percent(name.text, safe='')}"


def _literal(text: str) -> str:
    return json.dumps(text)  # the escapes of JSON strings are those of N-Triples
