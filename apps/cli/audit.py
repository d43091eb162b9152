"""`soprag audit`: check a logbook for tampering, or read it."""

from typing import Any

import click

EXAMPLES = """\b
Examples:
  soprag audit verify sessions/20260101-120000/logbook.jsonl
  soprag audit verify latest                    or the id of a session
  soprag audit verify FILE --head 3f9c...       against a hash that was noted elsewhere
  soprag audit show 20260101-120000 --kind approved
"""
SESSIONS = click.option("--sessions", metavar="DIR", help="Folder of the sessions.  [default: as in the settings]")
JSON = click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")


@click.group(epilog=EXAMPLES)
def audit() -> None:
    """Check or read the logbook of a session."""


@audit.command()
@click.argument("logbook")
@click.option("--head", default="", metavar="HEAD", help="NUMBER:HASH or HASH as noted elsewhere.")
@SESSIONS
@JSON
def verify(logbook: str, head: str, sessions: str | None, as_json: bool) -> None:
    """Say whether LOGBOOK (a file, a session folder or a session id) is as it was written; exit code 8 if not."""
    from soprag.apps.cli import auditing
    from soprag.apps.cli.main import finish
    from soprag.tools.errors import StorageError

    verdict = auditing.verify(logbook, sessions, head)
    finish("audit verify", as_json, lambda: verdict)
    if not verdict.sound:
        raise StorageError(f"The logbook {verdict.file!r} was tampered with or damaged: {verdict.faults[0]}.")


@audit.command()
@click.argument("logbook")
@click.option("--kind", metavar="KIND", help="Only entries of this kind, such as 'approved' or 'skipped'.")
@SESSIONS
@JSON
def show(logbook: str, kind: str | None, sessions: str | None, as_json: bool) -> None:
    """Print the entries of LOGBOOK: when, who, what."""
    from soprag.apps.cli import auditing
    from soprag.apps.cli.main import finish

    work: Any = lambda: auditing.show(logbook, sessions, kind)  # noqa: E731 - opened late, for its errors
    finish("audit show", as_json, work)
