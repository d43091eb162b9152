"""What the parts of an index take on disk, in kB per SOP; reads an index of any version.

    soprag index add ../shared/data/runbooks --index runbooks-index
    uv run python -m soprag.benchmarks.index_bytes runbooks-index

A line for every table with its indexes, with pages that are not full, and below it the content of its largest columns.
"""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

from soprag.tools.retriever.index.sqlite_store import FILE

_LEAST = 0.05  # kB per SOP of what is shown


def main() -> None:
    """Print the table of every index folder named."""
    for folder in sys.argv[1:]:
        sys.stdout.write(f"{folder}\n{table(Path(folder) / FILE)}\n")


def table(file: Path) -> str:
    """The table of one index file."""
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as db:
        sops = db.execute("SELECT count(*) FROM sop").fetchone()[0]
        unit = 1000 * max(sops, 1)
        owners = "SELECT tbl_name, sum(pgsize) FROM dbstat JOIN sqlite_schema USING (name) GROUP BY 1 ORDER BY 2 DESC"
        tables = [(name, size / unit) for name, size in db.execute(owners)]
        lines = [f"  {'all tables':<28}{sum(size for _, size in tables):>9.2f} kB per SOP, {sops} SOPs"]
        for name, size in tables:
            if size >= _LEAST:
                lines.append(f"  {name:<28}{size:>9.2f}")
                lines += [f"    {column:<26}{part:>9.2f}" for column, part in _columns(db, name, unit)]
    return "\n".join(lines)


def _columns(db: sqlite3.Connection, name: str, unit: int) -> list[tuple[str, float]]:
    columns = [row[1] for row in db.execute(f"PRAGMA table_info({name})")]
    sums = ", ".join(f"total(length(CAST({column} AS BLOB)))" for column in columns)
    sizes = db.execute(f"SELECT {sums} FROM {name}").fetchone()
    return [(column, size / unit) for column, size in zip(columns, sizes, strict=True) if size / unit >= _LEAST]


if __name__ == "__main__":
    main()
