"""Pictures of the chat: sessions typed into a real terminal (tmux) and drawn as SVG from what stood on its screen.

python -m tests.apps.terminal.pictures INDEX docs/images
"""

import asyncio
import io
import re
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import DEFAULT_TERMINAL_THEME, MONOKAI, TerminalTheme
from rich.text import Text

from soprag.apps.terminal.chat import _session
from soprag.apps.terminal.full_screen import FullScreen
from soprag.apps.terminal.session_start import ChatCall, set_up
from soprag.apps.terminal.sessions import Sessions
from tests.apps.terminal.terminals import Tmux, expect
from tests.apps.terminal.test_full_screen import asked, types

_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)  # fonts from a server; a viewer has a fixed font of its own
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_PROMPT = r"^(?:step \d+/\d+(?:, warnings: ack when read)?)?>(?: |$)"
REPORT = ("coolant pump P1 tripped, low flow",)
RUN = ("UPS maintenance bypass", "2", "guide me", "ack", "done 470 V", "done 398 V", "done 50.1 Hz", "2")


@dataclass(frozen=True)
class Scene:
    """Lines to type, the size and look of the terminal, and how many of the typed lines stay out of the picture."""

    lines: tuple[str, ...]
    size: tuple[int, int] = (100, 40)
    theme: TerminalTheme = MONOKAI
    skip: int = 0
    environment: Mapping[str, str] = field(default_factory=dict)


SCENES = {
    "terminal-answer": Scene(REPORT),
    "terminal-run": Scene(RUN, skip=3),
    "terminal-narrow": Scene(RUN, (60, 24), DEFAULT_TERMINAL_THEME, skip=2),
    "terminal-no-color": Scene(RUN[:4], (60, 24), DEFAULT_TERMINAL_THEME, skip=3, environment={"NO_COLOR": "1"}),
}


def main(index: str, folder: str) -> None:
    """Draw every scene."""
    for name, scene in SCENES.items():
        text = play(scene, index)
        Path(folder, f"{name}.svg").write_text(draw(text, scene), encoding="utf-8")
    Path(folder, "terminal-panes.svg").write_text(asyncio.run(panes(index)), encoding="utf-8")


async def panes(index: str) -> str:
    """The same guided run with `--full-screen`, as Textual draws it."""
    with tempfile.TemporaryDirectory() as folder:
        setup = set_up(ChatCall(folder=index, profile="offline", operator="ana"))
        setup = replace(setup, sessions=Sessions(Path(folder)))
        app = FullScreen(lambda app: _session(setup, setup.start(), (app, app), app.shows))
        async with app.run_test(size=(100, 40)) as pilot:
            await asked(app, pilot)
            await types(app, pilot, *RUN)
            await pilot.pause(0.5)
            return _FONTS.sub("", app.export_screenshot(title="soprag chat --full-screen"))


def play(scene: Scene, index: str) -> str:
    """What the terminal shows after the lines were typed, with its colours."""
    program = str(Path(sys.executable).with_name("soprag"))
    command = [program, "chat", "--index", index, "--profile", "offline", "--operator", "ana"]
    with tempfile.TemporaryDirectory() as folder, Tmux(command, Path(folder), scene.environment, scene.size) as chat:
        place = expect(chat, _PROMPT)
        for line in scene.lines:
            chat.type(line)
            place = expect(chat, _PROMPT, expect(chat, re.escape(line) + "\n", place - len(line) - 2))
        rows = chat.coloured.rstrip().split("\n")
    first = f"> {scene.lines[scene.skip]}"  # the prompt and the first line of the picture
    begin = next(n for n, row in enumerate(rows) if _COLOURS.sub("", row).rstrip().endswith(first)) if scene.skip else 0
    return "\n".join(rows[begin:-1]).rstrip()


def draw(text: str, scene: Scene) -> str:
    """The picture as SVG, without anything to be fetched."""
    width = scene.size[0]
    console = Console(record=True, width=width, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text.from_ansi(text), soft_wrap=True)
    return _FONTS.sub("", console.export_svg(title="soprag chat", theme=scene.theme, unique_id="soprag"))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
