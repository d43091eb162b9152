"""What a run has used of its budget, kept in its folder, so that going on does not begin to count anew."""

from pathlib import Path

from tools.sqlite import Cache
from tools.web.budget import RESOURCES, Amounts, Budget, Limits, Resource

_TABLE = "CREATE TABLE IF NOT EXISTS spent (resource TEXT PRIMARY KEY, amount REAL NOT NULL)"


def open_budget(limits: Limits, file: Path) -> Budget:
    """The budget of the run whose spending is kept in `file`."""
    cache = Cache(file, _TABLE)

    def record(resource: Resource, total: float) -> None:
        rows = [(resource, total), ("seconds", budget.spent("seconds"))]
        with cache.open() as connection:
            connection.executemany("INSERT OR REPLACE INTO spent VALUES (?, ?)", rows)

    with cache.open() as connection:
        known = dict(connection.execute("SELECT resource, amount FROM spent").fetchall())
    spent: Amounts = {resource: known[resource] for resource in RESOURCES if resource in known}
    budget = Budget(limits, spent, record)
    return budget
