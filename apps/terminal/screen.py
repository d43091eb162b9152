"""Where text goes: a terminal with colours and a live line of progress, or plain lines that a reader can follow.

Whatever is printed has no control characters and is never read as Markdown or as markup, but for bold marks.
"""

import os
import shutil
import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import IO, TYPE_CHECKING, Any, Protocol, get_args

from soprag.apps.terminal.progress import LineWorking, LiveWorking, Working
from soprag.tools.procedure.page import BlockRole, PageBlock, by_line, fitted, raw
from soprag.tools.sop import WarningKind
from soprag.tools.text.sanitize import sanitize

if TYPE_CHECKING:
    from rich.text import Text

WIDEST = 120  # columns; longer lines are hard to follow
_ASCII = str.maketrans("━─■▲△•│›", "=-!!!-|>")


class Screen(Protocol):
    """Takes finished pages and lines."""

    def page(self, blocks: Iterable[PageBlock]) -> None:
        """Print a page of a procedure or of the chat."""
        ...

    def say(self, text: str, style: str = "") -> None:
        """Print words of the chat itself."""
        ...

    def working(self) -> AbstractContextManager[Working]:
        """Show progress until the context ends; nothing may be asked while it is open."""
        ...

    def bell(self) -> None:
        """Call the person back."""
        ...


class PlainScreen:
    """Lines without any escape sequence: pipes, dumb terminals, screen readers. Progress goes to `aside`."""

    def __init__(self, out: IO[str], aside: IO[str] | None, *, bell: bool = False) -> None:
        self.out, self.aside, self.rings = out, aside, bell
        for stream in (out, aside):
            _forgiving(stream)

    def page(self, blocks: Iterable[PageBlock]) -> None:
        """Print the page; broken between words on a terminal, else every text as it is."""
        self._write(fitted(blocks, _width()) if self.out.isatty() else raw(blocks))

    def say(self, text: str, style: str = "") -> None:
        """Print the words; plain screens have no styles."""
        self._write(sanitize(text))

    def working(self) -> AbstractContextManager[Working]:
        """A line when an expert begins and one when it has ended."""
        return nullcontext(LineWorking(self.aside))

    def bell(self) -> None:
        """Ring, if that was wanted and somebody is there."""
        if self.rings and self.out.isatty():
            self.out.write("\a")
            self.out.flush()

    def _write(self, text: str) -> None:
        self.out.write(text + "\n")
        self.out.flush()


class RichScreen:
    """Colours where the terminal has them, and one live line while something is under way."""

    def __init__(self, *, bell: bool = True) -> None:
        from rich.console import Console

        self.console: Any = Console(highlight=False, markup=False, emoji=False)
        self.rings = bell
        _forgiving(sys.stdout)

    def page(self, blocks: Iterable[PageBlock]) -> None:
        """Print the page below an empty line, each block in the look of its role."""
        from soprag.apps.terminal.block_looks import drawn

        self.console.print()
        above: BlockRole = ""
        for block in blocks:
            if block.role == "step" and above in get_args(WarningKind):
                self.console.print()
            self._print(drawn(block, _width()))
            above = block.role

    def say(self, text: str, style: str = "") -> None:
        """Print the words in that style."""
        from rich.text import Text

        self._print(Text(fitted(by_line(text), _width()), style))

    def working(self) -> AbstractContextManager[Working]:
        """The live line."""
        return LiveWorking(self.console)

    def bell(self) -> None:
        """Ring, if that was wanted."""
        if self.rings:
            self.console.bell()

    def _print(self, text: "Text") -> None:
        if not self.console.encoding.lower().startswith("utf"):
            text.plain = text.plain.translate(_ASCII)
        self.console.print(text, soft_wrap=True)


def capable_terminal() -> bool:
    """Whether a person is at a terminal that can draw."""
    interactive = sys.stdin.isatty() and sys.stdout.isatty()
    return interactive and os.environ.get("TERM", "dumb") not in ("dumb", "unknown", "")


def _width() -> int:
    return min(shutil.get_terminal_size().columns, WIDEST)


def _forgiving(stream: IO[str] | None) -> None:
    """A character that the encoding lacks is spelled out instead of ending the program."""
    encoding = (getattr(stream, "encoding", "") or "").lower().replace("-", "")
    if stream is not None and encoding != "utf8" and hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="backslashreplace")
