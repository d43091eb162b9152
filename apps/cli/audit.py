"""`soprag audit`: check a logbook for tampering, or read it."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from soprag.apps.cli import options
from soprag.apps.cli.output import finish
from soprag.apps.compose.settings import choose_profile, open_settings
from soprag.apps.terminal.sessions import SessionFolder
from soprag.apps.terminal.stored_state import read_shared_state, read_state
from soprag.tools.errors import StorageError, UsageError
from soprag.tools.flow.state_check import StateFindings, ThreadState, compare
from soprag.tools.sop import Frozen
from soprag.tools.store import logbook_audit
from soprag.tools.store.log_entry import LogEntry, head_file
from soprag.tools.store.logbook import Logbook
from soprag.tools.store.postgres_record import PostgresRecord
from soprag.tools.store.postgres_url import is_url
from soprag.tools.store.record_place import FileRecord
from soprag.tools.store.session_database import SessionDatabase
from soprag.tools.text.sanitize import one_line

FILE = "logbook.jsonl"
LATEST = "latest"
_LONGEST = 160  # characters of the facts of an entry

EXAMPLES = """\b
Examples:
  soprag audit verify sessions/20260101-120000/logbook.jsonl
  soprag audit verify latest                    or the id of a session
  soprag audit verify FILE --head 3f9c...       against a hash that was noted elsewhere
  soprag audit show 20260101-120000 --kind approved
  soprag audit verify THREAD --sessions postgresql://plant@db/soprag?schema=sessions
"""
SESSIONS = click.option(
    "--sessions",
    metavar="DIR|URL",
    help="Folder of the sessions, or the database of a server.  [default: the folder of the settings]",
)


@click.group(epilog=EXAMPLES)
def audit() -> None:
    """Check or read the logbook of a session."""


@audit.command()
@click.argument("logbook")
@click.option("--head", default="", metavar="HEAD", help="NUMBER:HASH or HASH as noted elsewhere.")
@SESSIONS
@options.JSON
def verify(logbook: str, head: str, sessions: str | None, as_json: bool) -> None:
    """Say whether LOGBOOK (a file, a session folder or a session id) is as it was written; exit code 8 if not."""
    verdict = verify_logbook(logbook, sessions, head)
    finish("audit verify", as_json, lambda: verdict)
    if not verdict.sound:
        raise StorageError(f"The logbook {verdict.file!r} was tampered with or damaged: {verdict.faults[0]}.")


@audit.command()
@click.argument("logbook")
@click.option("--kind", metavar="KIND", help="Only entries of this kind, such as 'approved' or 'skipped'.")
@SESSIONS
@options.JSON
def show(logbook: str, kind: str | None, sessions: str | None, as_json: bool) -> None:
    """Print the entries of LOGBOOK: when, who, what."""

    def work() -> Entries:
        place = shared_record(logbook, sessions) or FileRecord(file_of(logbook, sessions))
        entries = [entry for entry in Logbook(place).entries() if kind in (None, entry.kind)]
        return Entries(file=place.name, entries=entries, faults=logbook_audit.verify(place).faults)

    finish("audit show", as_json, work)


class Entries(Frozen):
    """The entries of a logbook, and whether they can be believed."""

    file: str
    entries: list[LogEntry]
    faults: tuple[str, ...]

    def text(self) -> str:
        """A line per entry; what is wrong comes first."""
        rows = [f"! {finding}" for finding in self.faults]
        rows += [_row(entry) for entry in self.entries]
        return "\n".join([*rows, f"{len(self.entries)} entries in {self.file}"])


def verify_logbook(logbook: str, sessions: str | None, head: str = "") -> logbook_audit.LogbookVerdict:
    """The verdict about a record: its chain, the heads noted elsewhere and on the session's card, and the state.

    Raises `UsageError` when there is no such record.
    """
    shared = shared_record(logbook, sessions)
    if shared:
        verdict = logbook_audit.verify(shared, [head.strip()])
        return _compared(verdict, partial(_shared_findings, shared))
    file = file_of(logbook, sessions)
    folder = SessionFolder(file.parent)
    verdict = logbook_audit.verify(file, [head.strip(), folder.describe().record])
    return _compared(verdict, partial(_findings, folder, Logbook(file).entries()))


def _compared(
    verdict: logbook_audit.LogbookVerdict, compared: Callable[[], StateFindings]
) -> logbook_audit.LogbookVerdict:
    """The verdict with what record and state do not agree on."""
    try:
        findings = compared()
    except StorageError as error:
        reason = f"the record could not be compared with the state: {str(error).rstrip('.')}"
        findings = StateFindings(faults=(reason,))
    faults, notices = (*verdict.faults, *findings.faults), (*verdict.notices, *findings.notices)
    return verdict.model_copy(update={"faults": faults, "notices": notices})


def _shared_findings(record: PostgresRecord) -> StateFindings:
    state = read_shared_state(record.database, record.thread)
    missing = StateFindings(notices=("The thread has no state in the database, so none to compare the record with.",))
    return compare(Logbook(record).entries(), state) if state else missing


def _findings(folder: SessionFolder, entries: list[LogEntry]) -> StateFindings:
    state = read_state(folder)
    return compare(entries, state) if state else _without_state(folder, entries)


def _without_state(folder: SessionFolder, entries: list[LogEntry]) -> StateFindings:
    """What a session without a state says; a record outside a session folder has none to be compared with."""
    if folder.describe().turns:
        return StateFindings(faults=("the session has no state any more, though turns were taken",))
    if not folder.has_card:
        return StateFindings(notices=("There is no session beside the record, so no state to compare it with.",))
    return compare(entries, ThreadState(turns=0))


def shared_record(logbook: str, sessions: str | None) -> PostgresRecord | None:
    """The record of a thread in the database that `sessions` names; None where the sessions are in a folder."""
    return PostgresRecord(SessionDatabase.of(sessions or ""), logbook) if is_url(sessions) else None


def file_of(logbook: str, sessions: str | None) -> Path:
    """The file that was meant: itself, that of a session folder or id, or of the `latest` session."""
    path = Path(logbook)
    sessions = sessions or open_settings(choose_profile(None), {}).chat.folder
    session = _latest(Path(sessions)) if logbook == LATEST else Path(sessions) / logbook
    candidates = (path, path / FILE, session / FILE)
    # The head tells of a logbook that was there and is not any more.
    existing = next((file for file in candidates if file.is_file() or head_file(file).is_file()), None)
    folders = [folder for folder in map(SessionFolder, (path, session)) if folder.has_card]
    if existing is None and folders and folders[0].describe().turns:
        raise StorageError(f"The record of the session {folders[0].id!r} is gone, with its head: it was deleted.")
    if existing is None:
        raise UsageError(f"There is no logbook {logbook!r}; give a {FILE}, a session folder, or an id in {sessions!r}.")
    return existing


def _latest(sessions: Path) -> Path:
    """The session folder whose logbook was written last."""
    written = sorted(sessions.glob(f"*/{FILE}"), key=lambda file: file.stat().st_mtime)
    return written[-1].parent if written else sessions / LATEST


def _row(entry: LogEntry) -> str:
    facts = ", ".join(f"{name}={_shown(value)}" for name, value in entry.facts.items() if value not in ("", None, []))
    return f"{entry.number:>5}  {entry.time}  {entry.by or '-'}  {entry.kind}  {one_line(facts, _LONGEST)}"


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
