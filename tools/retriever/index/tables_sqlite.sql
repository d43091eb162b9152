CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sop (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL, source TEXT NOT NULL,
    digest TEXT NOT NULL, edition TEXT NOT NULL, version INTEGER NOT NULL, added TEXT NOT NULL, updated TEXT NOT NULL,
    length INTEGER NOT NULL, passages INTEGER NOT NULL, posted INTEGER NOT NULL
);
CREATE INDEX sop_source ON sop (source);
CREATE TABLE total (sops INTEGER NOT NULL, passages INTEGER NOT NULL, length INTEGER NOT NULL);
INSERT INTO total VALUES (0, 0, 0);
CREATE TRIGGER sop_in AFTER INSERT ON sop BEGIN UPDATE total SET
    sops = sops + 1, passages = passages + new.passages, length = length + new.length; END;
CREATE TRIGGER sop_out AFTER DELETE ON sop BEGIN UPDATE total SET
    sops = sops - 1, passages = passages - old.passages, length = length - old.length; END;
CREATE TABLE gist (number INTEGER PRIMARY KEY REFERENCES sop ON DELETE CASCADE, vector BLOB NOT NULL);
CREATE TABLE element (
    number INTEGER PRIMARY KEY REFERENCES sop ON DELETE CASCADE, layout BLOB NOT NULL, vectors BLOB NOT NULL,
    content BLOB NOT NULL, tokens BLOB NOT NULL
);
CREATE TABLE change (seq INTEGER PRIMARY KEY AUTOINCREMENT, number INTEGER NOT NULL, gone INTEGER NOT NULL);
CREATE TABLE history (
    id TEXT NOT NULL, version INTEGER NOT NULL, event TEXT NOT NULL, at TEXT NOT NULL, digest TEXT NOT NULL,
    edition TEXT NOT NULL
);
CREATE INDEX history_id ON history (id);
CREATE TABLE posting (id INTEGER PRIMARY KEY, records BLOB NOT NULL, counts BLOB NOT NULL);
