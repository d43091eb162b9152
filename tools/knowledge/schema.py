"""The tables of the knowledge graph in `index.sqlite`, with a schema version of their own.

    kg_document   a document; `sop` points to the indexed SOP it repeats, and goes with it
    kg_chunk      a window of its lines with its context, terms and vector
    kg_name       a name, by kind and text, with its vector; goes with its last mention; `compared` once `merge_names`
                  has seen it; a step has no vector and is compared with nothing
    kg_same       pairs of names that denote the same thing
    kg_mention    where a chunk mentions a name
    kg_fact       subject, relation, object, the quoted lines that hold both, origin and edition
    kg_artefact   tables, rows, images and code of a document
    kg_summary    summaries by the digest of the facts that they summarise
    kg_community  the communities of names, derived; `kg_member` are their names

Everything below a document is deleted by cascade, in whichever way the document is deleted.
"""

import sqlite3

from soprag.tools.errors import StorageError
from soprag.tools.retriever.index.sqlite_store import SqliteStore

SCHEMA = 4
_KEY = "knowledge"

_TABLES = """
CREATE TABLE kg_document (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL, kind TEXT NOT NULL,
    source TEXT NOT NULL, digest TEXT NOT NULL, edition TEXT NOT NULL, body TEXT NOT NULL, dropped INTEGER NOT NULL,
    sop INTEGER UNIQUE REFERENCES sop (number) ON DELETE CASCADE
);
CREATE INDEX kg_document_source ON kg_document (source);
CREATE TABLE kg_chunk (
    number INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL REFERENCES kg_document ON DELETE CASCADE,
    first INTEGER NOT NULL, last INTEGER NOT NULL, context TEXT NOT NULL, terms BLOB NOT NULL, vector BLOB NOT NULL,
    UNIQUE (document, first)
);
CREATE TABLE kg_name (
    id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, text TEXT NOT NULL, key TEXT NOT NULL,
    compared INTEGER NOT NULL, vector BLOB, UNIQUE (kind, text)
);
CREATE INDEX kg_name_key ON kg_name (key);
CREATE INDEX kg_name_new ON kg_name (kind, text) WHERE NOT compared;
CREATE TABLE kg_same (
    name INTEGER NOT NULL REFERENCES kg_name ON DELETE CASCADE,
    twin INTEGER NOT NULL REFERENCES kg_name ON DELETE CASCADE, PRIMARY KEY (name, twin)
) WITHOUT ROWID;
CREATE INDEX kg_same_twin ON kg_same (twin);
CREATE TABLE kg_mention (
    chunk INTEGER NOT NULL REFERENCES kg_chunk ON DELETE CASCADE, name INTEGER NOT NULL REFERENCES kg_name,
    line INTEGER NOT NULL, PRIMARY KEY (chunk, name, line)
) WITHOUT ROWID;
CREATE INDEX kg_mention_name ON kg_mention (name);
CREATE TABLE kg_fact (
    id INTEGER PRIMARY KEY AUTOINCREMENT, chunk INTEGER NOT NULL REFERENCES kg_chunk ON DELETE CASCADE,
    subject INTEGER NOT NULL REFERENCES kg_name, relation TEXT NOT NULL, object INTEGER NOT NULL REFERENCES kg_name,
    first INTEGER NOT NULL, last INTEGER NOT NULL, quote TEXT NOT NULL, origin TEXT NOT NULL,
    UNIQUE (chunk, subject, relation, object, first)
);
CREATE INDEX kg_fact_subject ON kg_fact (subject);
CREATE INDEX kg_fact_object ON kg_fact (object);
CREATE TABLE kg_artefact (
    id INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL REFERENCES kg_document ON DELETE CASCADE,
    kind TEXT NOT NULL, path TEXT NOT NULL, parent TEXT NOT NULL, name TEXT NOT NULL, properties TEXT NOT NULL,
    text TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, UNIQUE (document, path)
);
CREATE TABLE kg_summary (
    digest TEXT PRIMARY KEY, text TEXT NOT NULL, vector BLOB NOT NULL, edition TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE kg_community (
    id TEXT PRIMARY KEY, level INTEGER NOT NULL, parent TEXT NOT NULL, digest TEXT NOT NULL,
    incident TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE kg_member (
    community TEXT NOT NULL REFERENCES kg_community ON DELETE CASCADE, name TEXT NOT NULL,
    PRIMARY KEY (community, name)
) WITHOUT ROWID;
CREATE INDEX kg_member_name ON kg_member (name);
CREATE TRIGGER kg_name_unused AFTER DELETE ON kg_mention BEGIN
    DELETE FROM kg_name WHERE id = old.name AND NOT EXISTS (SELECT 1 FROM kg_mention WHERE name = old.name); END;
CREATE TRIGGER kg_mention_gone BEFORE DELETE ON kg_chunk BEGIN
    DELETE FROM kg_fact WHERE chunk = old.number; DELETE FROM kg_mention WHERE chunk = old.number; END;
INSERT INTO meta VALUES ('kg_changes', '0');
CREATE TRIGGER kg_document_added AFTER INSERT ON kg_document BEGIN
    UPDATE meta SET value = value + 1 WHERE key = 'kg_changes'; END;
CREATE TRIGGER kg_document_gone AFTER DELETE ON kg_document BEGIN
    UPDATE meta SET value = value + 1 WHERE key = 'kg_changes'; END
"""


def prepare(database: SqliteStore) -> None:
    """Create the tables where they are missing, or are of another version and hold nothing but SOPs of the index.

    Raises `StorageError` for another version that holds other documents.
    """
    if database.meta(_KEY) == str(SCHEMA):
        return
    with database.transaction() as db:
        present = _version(db)  # another process may have been faster
        if present == str(SCHEMA):
            return
        if present and db.execute("SELECT 1 FROM kg_document WHERE sop IS NULL").fetchone():
            raise StorageError(
                f"The knowledge graph of {str(database.file)!r} has schema {present} and this version reads {SCHEMA}; "
                "make a new index and add the documents to it."
            )
        _drop(db)
        for statement in _statements():
            db.execute(statement)
        db.execute("INSERT INTO meta VALUES (?, ?)", (_KEY, str(SCHEMA)))


def _drop(db: sqlite3.Connection) -> None:
    """Delete all tables of the graph; those that refer to others first."""
    query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'kg\\_%' ESCAPE '\\' ORDER BY rowid DESC"
    for (table,) in db.execute(query).fetchall():
        db.execute(f"DROP TABLE {table}")
    db.execute("DELETE FROM meta WHERE key IN (?, 'kg_changes')", (_KEY,))


def _version(db: sqlite3.Connection) -> str:
    row = db.execute("SELECT value FROM meta WHERE key = ?", (_KEY,)).fetchone()
    return str(row[0]) if row else ""


def _statements() -> list[str]:
    """The statements of `_TABLES`; a trigger holds semicolons of its own."""
    statements: list[str] = []
    for part in _TABLES.strip().split(";\n"):
        if statements and statements[-1].startswith("CREATE TRIGGER") and not statements[-1].endswith("END"):
            statements[-1] += f";\n{part}"
        else:
            statements.append(part)
    return statements
