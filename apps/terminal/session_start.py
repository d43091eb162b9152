"""From the options of a call to a session: its folder, its settings, its index, and the graph on its checkpoint."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from soprag.apps.compose.settings import choose_profile, open_settings
from soprag.apps.terminal.sessions import SessionCard, SessionFolder, Sessions, new_id, now, operator
from soprag.apps.terminal.stored_state import check_state
from soprag.configs.settings import Settings
from soprag.tools.retriever.index.places import lasting_name
from soprag.tools.tasks.cost import Ledger
from soprag.tools.text.sanitize import sanitize

if TYPE_CHECKING:
    from soprag.apps.terminal.dialogue import Dialogue
    from soprag.apps.terminal.library import Library


@dataclass(frozen=True)
class ChatCall:
    """The options of `soprag chat` and `soprag ask`, as given."""

    resume: str | None = None
    folder: str | None = None
    profile: str | None = None
    model: str | None = None
    base_url: str | None = None
    operator: str | None = None
    plain: bool = False
    full_screen: bool = False

    def settings(self, card: SessionCard | None = None) -> Settings:
        """The settings of this call; of a session that is resumed, its own where nothing else was said."""
        kept_model = card.model if card and not self.profile else None
        model, base_url = self.model or kept_model, self.base_url or (card.base_url if card and kept_model else None)
        index = self.folder or (card.index if card else None)
        options = {"llm": {"model": model, "base_url": base_url}, "index": {"folder": index}}
        return open_settings(self.profile_name(card), options)

    def profile_name(self, card: SessionCard | None = None) -> str:
        """The profile of this call."""
        session_profile = card.profile if card and not self.model else None
        return choose_profile(self.profile or session_profile, self.model)


@dataclass(frozen=True)
class Opened:
    """A session that is ready."""

    folder: SessionFolder
    dialogue: "Dialogue"
    library: "Library"
    ledger: Callable[[], Ledger] = Ledger  # what the chat model was asked so far


Open = Callable[[Settings, SessionFolder, str], AbstractAsyncContextManager[Opened]]


@dataclass(frozen=True)
class Setup:
    """What is known before anything heavy is opened."""

    call: ChatCall
    settings: Settings
    sessions: Sessions
    operator: str
    open: Open
    folder: SessionFolder | None = None  # of the session to go on with

    def start(self) -> SessionFolder:
        """The folder of the session: the one to go on with, or a new one."""
        return self.folder or self.sessions.new(
            SessionCard(
                id=new_id(),
                created=now(),
                updated=now(),
                operator=self.operator,
                profile=self.call.profile_name(),
                model=self.call.model,
                base_url=self.call.base_url,
                index=lasting_name(self.settings.index.folder),
            )
        )


def set_up(call: ChatCall, open: "Open | None" = None) -> Setup:
    """Settings and session of the call; raises `ConfigError` and `UsageError`."""
    settings = call.settings()
    sessions = Sessions(Path(settings.chat.folder))
    folder = sessions.find(call.resume) if call.resume else None
    if folder:
        settings = call.settings(folder.read())
        check_state(folder)
    who = sanitize(operator(call.operator or settings.chat.operator))
    return Setup(call, settings, sessions, who, open or open_session, folder)


@asynccontextmanager
async def open_session(settings: Settings, folder: SessionFolder, operator: str) -> AsyncIterator[Opened]:
    """The troubleshooting graph on the session's checkpoint."""
    from soprag.apps.compose.troubleshooter import open_conversation
    from soprag.apps.terminal.dialogue import Dialogue
    from soprag.apps.terminal.library import Library
    from soprag.tools.retriever.query.retriever import Retriever

    async with open_conversation(settings, folder.path) as session:
        library = Library(Retriever.open(session.index, session.context.llm, settings.retriever))
        dialogue = Dialogue(session.graph, folder.id, {"operator": operator})
        yield Opened(folder, dialogue, library, lambda: session.context.llm.ledger)
