-- The records of sessions: a row per line, where it begins, and the head; and the turns under way.
CREATE TABLE IF NOT EXISTS record_line (
    thread text NOT NULL,
    start bigint NOT NULL,
    line bytea NOT NULL,
    PRIMARY KEY (thread, start)
);
CREATE TABLE IF NOT EXISTS record_head (
    thread text PRIMARY KEY,
    head bytea NOT NULL
);
CREATE TABLE IF NOT EXISTS turn (
    thread text PRIMARY KEY,
    graph text NOT NULL,
    began timestamptz NOT NULL DEFAULT now(),
    tries integer NOT NULL DEFAULT 1
);
