"""Where typed lines come from: prompt_toolkit on a capable terminal, plain lines elsewhere.

Every reader raises `EOFError` when there is nothing more (Ctrl-D) and `KeyboardInterrupt` on Ctrl-C.
"""

import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

from soprag.apps.terminal import keyboard
from soprag.apps.terminal.completion import Offers, endings
from soprag.apps.terminal.interrupts import interruptible
from soprag.tools.text.sanitize import sanitize

if TYPE_CHECKING:
    from prompt_toolkit.completion import Completer
    from prompt_toolkit.key_binding import KeyBindings

_SHORT = 40  # characters of a value that fits into a prompt


class LineSource(Protocol):
    """Asks the person at the terminal, if there is one."""

    @property
    def attended(self) -> bool:
        """Whether a person is there who can decide."""
        ...

    def deaf(self) -> AbstractContextManager[None]:
        """While it is open nothing is read, and what was typed meanwhile is forgotten."""
        ...

    async def line(self, prompt: str, default: str = "") -> str:
        """A message or command; `default` may be edited."""
        ...

    async def answer(self, prompt: str, default: str = "") -> str:
        """A short answer that belongs in no history."""
        ...


class LineReader:
    """Lines from a stream, as they come."""

    def __init__(self, source: IO[str] | None = None, *, attended: bool | None = None) -> None:
        self.source = source or sys.stdin
        self._attended = self.source.isatty() if attended is None else attended
        if self._attended and self.source is sys.stdin:
            import contextlib

            with contextlib.suppress(ImportError):
                import readline  # noqa: F401 - gives `input` its history and Ctrl-R

    @property
    def attended(self) -> bool:
        """Whether the stream is a terminal."""
        return self._attended

    def deaf(self) -> AbstractContextManager[None]:
        """A terminal is not listened to; lines of a pipe are kept."""
        return keyboard.deaf() if self._attended and self.source is sys.stdin else nullcontext()

    async def line(self, prompt: str, default: str = "") -> str:
        """The next line; a `default` is named, and taken by an empty line."""
        with interruptible():
            if self._attended and self.source is sys.stdin:
                return sanitize(input(_offering(prompt, default))) or default
            line = self.source.readline()
        if not line:
            raise EOFError
        return sanitize(line.rstrip("\n")) or default

    async def answer(self, prompt: str, default: str = "") -> str:
        """The next line."""
        return await self.line(prompt, default)


def _offering(prompt: str, default: str) -> str:
    """The prompt with what an empty line means; a long text stands above it already."""
    if not default:
        return prompt
    short = len(default) <= _SHORT and "\n" not in default
    return f"{prompt.rstrip('> ')} [{default if short else 'Enter keeps it'}]> "


class PromptReader:
    """A prompt with history, suggestions, completion, several lines and an editor."""

    attended = True

    def __init__(self, history: Path, offers: Offers, **terminal: Any) -> None:  # noqa: ANN401 - input and output of tests
        from prompt_toolkit import PromptSession
        from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
        from prompt_toolkit.history import FileHistory

        history.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.session: PromptSession[str] = PromptSession(
            history=FileHistory(str(history)),
            auto_suggest=AutoSuggestFromHistory(),
            completer=command_completer(offers),
            complete_while_typing=True,
            key_bindings=keys(),
            multiline=True,
            prompt_continuation="... ",
            enable_open_in_editor=True,
            reserve_space_for_menu=4,
            **terminal,
        )
        self.short: PromptSession[str] = PromptSession(key_bindings=keys(), multiline=True, **terminal)

    @contextmanager
    def deaf(self) -> Iterator[None]:
        """The terminal is not listened to, and what was read ahead is forgotten."""
        from prompt_toolkit.input.typeahead import clear_typeahead

        with keyboard.deaf():
            yield
        clear_typeahead(self.session.app.input)

    async def line(self, prompt: str, default: str = "") -> str:
        """A message or command."""
        return sanitize(await self.session.prompt_async([("", "\n"), ("bold", prompt)], default=default))

    async def answer(self, prompt: str, default: str = "") -> str:
        """A short answer."""
        return sanitize(await self.short.prompt_async([("bold", prompt)], default=default))


def keys() -> "KeyBindings":
    """Enter sends, Alt+Enter and Ctrl+J begin a new line; a paste keeps its lines."""
    from prompt_toolkit.filters import completion_is_selected, is_searching
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    bound = KeyBindings()

    @bound.add("enter", filter=~completion_is_selected & ~is_searching)
    def _send(event: KeyPressEvent) -> None:
        event.current_buffer.validate_and_handle()

    @bound.add("enter", filter=completion_is_selected & ~is_searching)
    def _take(event: KeyPressEvent) -> None:
        event.current_buffer.complete_state = None

    @bound.add("escape", "enter")
    @bound.add("c-j")
    def _new_line(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    return bound


def command_completer(offers: Offers) -> "Completer":
    """Completes what is typed at the end of one line (`completion.py`)."""
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document

    class Commands(Completer):
        def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
            if document.cursor_position == len(document.text):
                for end in endings(document.text, offers, requested=complete_event.completion_requested):
                    yield Completion(end.words, -end.replaces, display=end.usage or end.words, display_meta=end.does)

    return Commands()
