"""Sessions on disk: one folder each, with a small card that says what it is about, kept by one process at a time."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import Field

from soprag.tools.errors import StorageError, UsageError
from soprag.tools.sop import Frozen
from soprag.tools.store.log_entry import parse_head
from soprag.tools.store.record_place import FileRecord
from soprag.tools.text.sanitize import one_line

_CARD = "session.json"
_RECORD = "logbook.jsonl"
_LONGEST_TITLE = 80


class SessionCard(Frozen):
    """What a list of sessions shows, and what resuming needs to open the same thing again."""

    id: str
    created: str
    updated: str
    title: str = Field(default="", description="the first question")
    operator: str = ""
    at: str = Field(default="", description="where it stands, in a few words")
    turns: int = 0
    profile: str = ""
    model: str | None = None
    base_url: str | None = None
    index: str = Field(default="", description="folder of the index it works on")
    record: str = Field(default="", description="head of the record after the last turn, as `Head.anchor` spells it")
    problem: str = Field(default="", description="why the card on disk cannot be read; set in lists only")


@dataclass(frozen=True)
class SessionFolder:
    """The folder of one session."""

    path: Path

    @property
    def id(self) -> str:
        """Its name, which is the thread id of the graph."""
        return self.path.name

    @property
    def checkpoint(self) -> Path:
        """The state of the graph after every step."""
        return self.path / "checkpoint.sqlite"

    @property
    def logbook(self) -> Path:
        """The record."""
        return self.path / _RECORD

    @property
    def drafts(self) -> Path:
        """What was approved and written."""
        return self.path / "drafts"

    @property
    def has_card(self) -> bool:
        """Whether there is a card, readable or not."""
        return (self.path / _CARD).is_file()

    def read(self) -> SessionCard:
        """Its card; raises `StorageError`."""
        try:
            return SessionCard.model_validate_json((self.path / _CARD).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else f"{_CARD} is not a session card any more"
            raise StorageError(
                f"The card of the session {self.id!r} cannot be read ({reason}), so it cannot be gone on with. Its "
                f"record can still be read: `soprag export {self.id}`. `soprag chat` begins a new session."
            ) from error

    def describe(self) -> SessionCard:
        """Its card for a list or an export; for a damaged card, one that says so."""
        try:
            return self.read()
        except StorageError as error:
            files = [file for file in (self.logbook, self.path) if file.exists()]
            changed = datetime.fromtimestamp(files[0].stat().st_mtime, UTC).isoformat(timespec="seconds")
            return SessionCard(id=self.id, created="", updated=changed, problem=str(error))

    def write(self, card: SessionCard) -> None:
        """Keep the card, whole or not at all."""
        file, fresh = self.path / _CARD, self.path / f"{_CARD}.new"
        try:
            fresh.write_text(card.model_dump_json(indent=1) + "\n", encoding="utf-8")
            fresh.replace(file)
        except OSError as error:
            raise StorageError(f"The session {self.id!r} cannot be kept: {error.strerror}.") from error

    def turned(self, *, question: str = "", position: str = "") -> None:
        """Note on the card that a turn was taken and where the session stands after it."""
        card = self.read()
        title = card.title or one_line(question, _LONGEST_TITLE)
        turns = card.turns + bool(question)
        head = parse_head(FileRecord(self.logbook).head())
        update = {
            "title": title,
            "at": position,
            "turns": turns,
            "updated": now(),
            "record": head.anchor() if head else "",
        }
        self.write(card.model_copy(update=update))

    @contextmanager
    def held(self) -> Iterator[None]:
        """For this process alone; raises `UsageError` when another one has it."""
        from filelock import FileLock, Timeout

        lock = FileLock(self.path / "lock", timeout=0)
        try:
            lock.acquire()
        except Timeout as busy:
            raise UsageError(f"The session {self.id!r} is open in another window; end that one first.") from busy
        try:
            yield
        finally:
            lock.release()


@dataclass(frozen=True)
class Sessions:
    """All sessions below one folder."""

    folder: Path

    def new(self, card: SessionCard) -> SessionFolder:
        """A folder for a new session, readable by its owner only."""
        session = SessionFolder(self.folder / card.id)
        try:
            session.path.mkdir(parents=True, mode=0o700)
        except OSError as error:
            raise StorageError(f"Cannot make the session folder {str(session.path)!r}: {error.strerror}.") from error
        session.write(card)
        return session

    def cards(self) -> list[SessionCard]:
        """Of all sessions, the latest first; one whose card is damaged has a `problem`."""
        files = [file for name in (_CARD, _RECORD) for file in self.folder.glob(f"*/{name}")]
        folders = [SessionFolder(path) for path in dict.fromkeys(file.parent for file in files)]
        cards = [folder.describe() for folder in folders]
        return sorted(cards, key=lambda card: (card.updated, card.id), reverse=True)

    def find(self, id: str = "") -> SessionFolder:
        """The session with that id or the only one that begins so; the latest without an id; raises `UsageError`."""
        ids = [card.id for card in self.cards()]
        if not ids:
            raise UsageError(f"There is no session in {str(self.folder)!r} yet; begin one with `soprag chat`.")
        matches = (
            ids[:1]
            if id in ("", "latest")
            else [candidate for candidate in ids if candidate == id] or _starting(ids, id)
        )
        if len(matches) == 1:
            return SessionFolder(self.folder / matches[0])
        if matches:
            raise UsageError(f"{id!r} could be {', '.join(matches[:5])}; give more of it.")
        raise UsageError(f"There is no session {id!r}; `soprag sessions` lists all.")


def new_id() -> str:
    """A name that sorts by time and that no other session has."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"


def now() -> str:
    """This moment in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def operator(name: str = "") -> str:
    """Who is at the terminal: the name given, or that of the account."""
    import getpass

    if name:
        return name
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return str(os.environ.get("USER") or "operator")


def _starting(ids: list[str], id: str) -> list[str]:
    return [candidate for candidate in ids if candidate.startswith(id)]
