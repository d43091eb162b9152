"""What a run has used of its budget, kept in its folder, so that going on does not begin to count anew."""

import asyncio
from pathlib import Path

from soprag.tools.store.sqlite import SqliteFile
from soprag.tools.web.budget import RESOURCES, Amounts, BudgetLimits, Resource, RunBudget

_TABLE = "CREATE TABLE IF NOT EXISTS spent (resource TEXT PRIMARY KEY, amount REAL NOT NULL)"


def open_budget(limits: BudgetLimits, file: Path, behind: bool = False) -> RunBudget:
    """The budget of the run whose spending is kept in `file`.

    It is written down before it is used. A server whose event loop may never wait for a disk writes `behind` instead:
    killed, it may have written a request less than it sent.
    """
    cache = SqliteFile(file, _TABLE)

    def write(rows: list[tuple[str, float]]) -> None:
        with cache.open() as connection:
            connection.executemany("INSERT OR REPLACE INTO spent VALUES (?, ?)", rows)

    def record(resource: Resource, total: float) -> None:
        rows: list[tuple[str, float]] = [(resource, total), ("seconds", budget.spent("seconds"))]
        if behind and _in_loop():
            asyncio.get_running_loop().run_in_executor(None, write, rows)
        else:
            write(rows)

    with cache.open() as connection:
        stored = dict(connection.execute("SELECT resource, amount FROM spent").fetchall())
    spent: Amounts = {resource: stored[resource] for resource in RESOURCES if resource in stored}
    budget = RunBudget(limits, spent, record)
    return budget


def _in_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
