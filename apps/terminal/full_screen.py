"""The chat in panes, with Textual: the conversation, and beside it what waits for an answer and how far the run is.

One object is the screen and the reader of the same `TerminalChat` that talks on a plain terminal; pages are drawn by
`block_looks`. Imported only where panes are wanted: Textual is the extra `panes`.
"""

import asyncio
import signal
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.widgets import Static, TextArea

from soprag.apps.terminal.block_looks import drawn
from soprag.apps.terminal.commands import COMMANDS
from soprag.apps.terminal.conversation import TerminalChat
from soprag.apps.terminal.pages import page_of
from soprag.apps.terminal.progress import ExpertProgress, Trail
from soprag.apps.terminal.turn_account import run_account
from soprag.tools.procedure.page import BLANK, PageBlock, by_line
from soprag.tools.text.sanitize import sanitize

_NOTHING = PageBlock("Nothing waits. The step of a guided run stands here.", role="hint")


class PageView(Static):
    """A page that is drawn anew for the width it has."""

    def __init__(self, blocks: Iterable[PageBlock], style: str = "") -> None:
        super().__init__()
        self.blocks, self.look = list(blocks), style

    def turn(self, blocks: Iterable[PageBlock]) -> None:
        """Show another page."""
        self.blocks = list(blocks)
        self._draw()

    def on_resize(self) -> None:
        """Draw it for the new width."""
        self._draw()

    def _draw(self) -> None:
        width = self.content_size.width
        text = Text("\n").join(drawn(block, width) for block in self.blocks)
        text.stylize(self.look)
        self.update(text)


class TypedLine(TextArea):
    """What is typed: Enter sends, Ctrl+J begins a new line, Tab completes a command, Up brings back what was typed."""

    def __init__(self) -> None:
        super().__init__(compact=True, highlight_cursor_line=False)
        self.typed: list[str] = []
        self.back = 0
        self.taken: Callable[[str], None] = lambda _: None

    async def _on_key(self, event: events.Key) -> None:
        """Here and not by a binding, which would be heard before the letters typed just now."""
        own = {"enter": self._send, "ctrl+j": self._begin_line, "tab": self._complete}.get(event.key)
        if own:
            event.stop()
            event.prevent_default()
            own()

    def _send(self) -> None:
        if self.text:
            self.typed.append(self.text)
        self.back = 0
        self.taken(self.text)

    def _begin_line(self) -> None:
        self.insert("\n")

    def _complete(self) -> None:
        names = [command.name for command in COMMANDS if f"/{command.name}".startswith(self.text)]
        if self.text.startswith("/") and len(names) == 1:
            self.fill(f"/{names[0]} ")

    def action_cursor_up(self, select: bool = False) -> None:
        """In the first line: the message before."""
        self._recall(1) if self.cursor_location[0] == 0 else super().action_cursor_up(select)

    def action_cursor_down(self, select: bool = False) -> None:
        """In the last line: the message after."""
        last = self.cursor_location[0] == self.document.line_count - 1
        self._recall(-1) if last else super().action_cursor_down(select)

    def fill(self, text: str) -> None:
        """Put the text in, with the cursor behind it."""
        self.text = text
        self.move_cursor(self.document.end)

    def _recall(self, steps: int) -> None:
        self.back = min(max(self.back + steps, 0), len(self.typed))
        self.fill(self.typed[-self.back] if self.back else "")


class FullScreen(App[int]):
    """Screen and reader of a chat; `talk` is the chat itself, which ends the program with its exit code."""

    CSS = """
    #panes { height: 1fr; layout: horizontal; }
    #said { width: 3fr; padding: 0 1; }
    #now { width: 2fr; padding: 0 1; border-left: solid $primary; }
    .-narrow #panes { layout: vertical; }
    .-narrow #said { width: 1fr; height: 1fr; }
    .-narrow #now { width: 1fr; height: 1fr; border-left: none; border-top: solid $primary; }
    VerticalScroll { scrollbar-size-vertical: 1; }
    PageView { margin-bottom: 1; }
    #status { height: 1; padding: 0 1; text-style: bold; background: $panel; }
    TypedLine { height: auto; max-height: 6; border: none; padding: 0 1; }
    """
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (90, "-wide")]  # noqa: RUF012 - as Textual declares it
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", priority=True),
        Binding("ctrl+d", "leave", priority=True),
        Binding("ctrl+q", "leave", priority=True),
        Binding("pageup", "page(-1)", priority=True),
        Binding("pagedown", "page(1)", priority=True),
    ]
    attended = True

    def __init__(self, talk: Callable[["FullScreen"], Awaitable[int]], *, bell: bool = False) -> None:
        super().__init__(ansi_color=True)  # the colours of the terminal, dark or light
        self.talk, self.rings = talk, bell
        self.fault: BaseException | None = None
        self.chat: TerminalChat | None = None  # whose step is shown; known once it talks
        self.said, self.now = VerticalScroll(id="said"), VerticalScroll(id="now")
        self.step, self.status, self.input = PageView([_NOTHING]), Static(id="status"), TypedLine()
        self.asked: asyncio.Future[str] | None = None
        self.trail: Trail | None = None

    def compose(self) -> ComposeResult:
        """Two panes, a line that says what is asked or done, and what is typed."""
        yield Container(self.said, self.now, id="panes")
        yield self.status
        yield self.input

    async def on_mount(self) -> None:
        """Begin to talk."""
        self.theme = next(name for name in ("ansi-dark", "textual-ansi") if name in self.available_themes)
        await self.now.mount(self.step)
        self.input.taken = self._take
        self.set_interval(0.25, self._tick)
        self.run_worker(self._talk())

    async def _talk(self) -> None:
        try:
            self.exit(await self.talk(self))
        except BaseException as fault:  # noqa: BLE001 - raised again when the terminal is its own again
            self.fault = fault
            self.exit()

    def shows(self, chat: TerminalChat) -> None:
        """The step that waits in this chat stands beside the conversation."""
        self.chat = chat

    # the screen

    def page(self, blocks: Iterable[PageBlock]) -> None:
        """Add a page to the conversation."""
        self._add(PageView(blocks))

    def say(self, text: str, style: str = "") -> None:
        """Add words of the chat itself."""
        self._add(PageView(by_line(sanitize(text)), style))

    @contextmanager
    def working(self) -> "Iterator[FullScreen]":
        """The line of the status shows the experts while they work."""
        self.trail = Trail()
        try:
            yield self
        finally:
            self.trail = None

    def note(self, event: ExpertProgress) -> None:
        """Take the progress of an expert."""
        if self.trail:
            self.trail.note(event)

    def bell(self) -> None:
        """Call the person back, if that was wanted."""
        if self.rings:
            super().bell()

    def _add(self, view: PageView) -> None:
        self.said.mount(view)
        self.said.anchor()

    def _tick(self) -> None:
        if self.trail:
            self.status.update(Text(self.trail.line(live=True) or "thinking", no_wrap=True))

    # the reader

    @contextmanager
    def deaf(self) -> Iterator[None]:
        """Nothing can be typed, so that no key answers what nobody has read."""
        self.input.disabled = True
        try:
            yield
        finally:
            self.input.disabled = False
            self.input.fill("")

    async def line(self, prompt: str, default: str = "") -> str:
        """What is typed below the prompt; the step that waits stands beside the conversation."""
        self.step.turn(self._waiting())
        self.now.scroll_home(animate=False)
        self.status.update(Text(prompt))
        self.input.fill(default)
        self.input.focus()
        self.asked = asyncio.get_running_loop().create_future()
        try:
            typed = sanitize(await self.asked)
        finally:
            self.asked = None
            self.input.fill("")
        self.say(f"{prompt}{typed}", "bold")
        return typed

    async def answer(self, prompt: str, default: str = "") -> str:
        """A short answer."""
        return await self.line(prompt, default)

    def _waiting(self) -> list[PageBlock]:
        """What waits for an answer, and what the guided run did before."""
        if self.chat is None or self.chat.request is None:
            return [_NOTHING]
        done = [PageBlock(line, role="hint") for line in run_account(self.chat.standing)]
        return [*page_of(self.chat.request), *([BLANK, *done] if done else [])]

    def _take(self, text: str) -> None:
        if self.asked and not self.asked.done():
            self.asked.set_result(text)

    # keys

    def action_interrupt(self) -> None:
        """Ctrl+C: cancels the turn under way, as on a plain terminal."""
        if self.asked and not self.asked.done():
            self.asked.set_exception(KeyboardInterrupt())
        else:
            signal.raise_signal(signal.SIGINT)

    def action_leave(self) -> None:
        """Ctrl+D: leave; the session is kept."""
        if self.asked and not self.asked.done():
            self.asked.set_exception(EOFError())

    def action_page(self, pages: int) -> None:
        """Scroll the conversation."""
        self.said.scroll_relative(y=pages * self.said.size.height, animate=False)

    def on_key(self, event: events.Key) -> None:
        """Any key is for what is typed."""
        if not self.input.has_focus and not self.input.disabled:
            self.input.focus()


async def in_panes(talk: Callable[[FullScreen], Awaitable[int]], *, bell: bool) -> int:
    """Talk in panes until the person leaves; gives the exit code, or raises what the chat raised."""
    app = FullScreen(talk, bell=bell)
    code = await app.run_async()
    if app.fault:
        raise app.fault
    return code or 0
