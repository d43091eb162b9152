"""Two real terminals to type into: tmux, which draws the screen as a person sees it, and a bare pseudo-terminal."""

import os
import re
import select
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Protocol, Self

HAS_TMUX = shutil.which("tmux") is not None
UNKNOWN = 99
DRAWN = re.compile("[*!■▲△•│]")  # marks and signs that a screen draws in another way
PATIENCE = 60.0  # seconds until what was waited for must be there; machines are busy


def spoken(text: str) -> str:
    """The words of a text, however a screen breaks its lines and draws its marks."""
    return " ".join(DRAWN.sub("", text).split())


class Terminal(Protocol):
    """A program at a terminal; its text is everything it has shown so far."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    @property
    def text(self) -> str: ...

    def type(self, line: str) -> None:
        """Type a line and press Enter."""
        ...

    def replace(self, line: str) -> None:
        """Type a line in place of the one that is offered."""
        ...

    def press(self, key: str) -> None:
        """Press C-c or C-d."""
        ...

    def kill(self) -> None:
        """kill -9."""
        ...

    def ended(self) -> int | None:
        """The exit code, once there is one; below zero: the signal."""
        ...


class Tmux:
    """A program in a window of its own tmux server."""

    def __init__(
        self, command: Sequence[str], folder: Path, env: Mapping[str, str], size: tuple[int, int] = (100, 40)
    ) -> None:
        self.command, self.folder, self.env, self.size = command, folder, env, size
        self.name = f"soprag-{os.getpid()}-{time.monotonic_ns()}"

    def __enter__(self) -> Self:
        told = [part for name, value in self.env.items() for part in ("-e", f"{name}={value}")]
        width, height = self.size
        self._tmux("-f", "/dev/null", "start-server", ";", "set", "-g", "remain-on-exit", "on", ";", "set", "-g",
                   "history-limit", "50000", ";", "new-session", "-d", "-x", str(width), "-y", str(height),
                   "-c", str(self.folder), *told, *self.command)  # fmt: skip
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        subprocess.run(["tmux", "-L", self.name, "kill-server"], capture_output=True, check=False)

    @property
    def text(self) -> str:
        return self._tmux("capture-pane", "-p", "-J", "-S", "-")

    @property
    def coloured(self) -> str:
        """Its text with the escape sequences of its colours."""
        return self._tmux("capture-pane", "-p", "-e", "-S", "-")

    def type(self, line: str) -> None:
        if line:
            self._tmux("send-keys", "-l", line)
            time.sleep(0.1)
        self._tmux("send-keys", "Enter")

    def replace(self, line: str) -> None:
        self.press("C-u")
        self.type(line)

    def press(self, key: str) -> None:
        self._tmux("send-keys", key)

    def kill(self) -> None:
        os.kill(int(self._tmux("display", "-p", "#{pane_pid}")), signal.SIGKILL)
        wait(self, lambda: self.ended() is not None)

    def ended(self) -> int | None:
        dead, code, killed = self._tmux("display", "-p", "#{pane_dead},#{pane_dead_status},#{pane_dead_signal}").split(
            ","
        )
        if dead.strip() != "1":
            return None
        return int(code) if code else -int(killed.strip() or UNKNOWN)  # tmux 3.3 misses some

    def _tmux(self, *arguments: str) -> str:
        done = subprocess.run(
            ["tmux", "-L", self.name, *arguments], capture_output=True, text=True, check=True, timeout=20
        )
        return done.stdout.rstrip("\n")


class Pty:
    """A program at a bare pseudo-terminal, for plain lines."""

    KEYS: ClassVar = {"C-c": b"\x03", "C-d": b"\x04"}

    def __init__(self, command: Sequence[str], folder: Path, env: Mapping[str, str]) -> None:
        self.command, self.folder, self.env = command, folder, env
        self.read = b""

    def __enter__(self) -> Self:
        self.ours, theirs = os.openpty()
        self.process = subprocess.Popen(
            self.command, cwd=self.folder, env={**os.environ, **self.env}, stdin=theirs, stdout=theirs, stderr=theirs,
            start_new_session=True, preexec_fn=_take_terminal,  # noqa: PLW1509 - the tests have no other thread here
        )  # fmt: skip
        os.close(theirs)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.ours)

    @property
    def text(self) -> str:
        while select.select([self.ours], [], [], 0)[0]:
            try:
                data = os.read(self.ours, 65536)
            except OSError:  # the program has ended
                break
            if not data:
                break
            self.read += data
        return self.read.decode(errors="replace").replace("\r\n", "\n").replace("\a", "")

    def type(self, line: str) -> None:
        os.write(self.ours, f"{line}\n".encode())

    replace = type

    def press(self, key: str) -> None:
        os.write(self.ours, self.KEYS[key])

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def ended(self) -> int | None:
        return self.process.poll()


def _take_terminal() -> None:
    """Make the terminal that of this session, so that Ctrl-C typed into it becomes a signal."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def wait(terminal: Terminal, ready: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Wait until `ready()` holds; fails with what the terminal shows."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if ready():
            return
        time.sleep(0.1)
    raise AssertionError(f"waited {seconds:.0f} s in vain; the terminal shows\n{terminal.text[-9000:]}")


def expect(terminal: Terminal, pattern: str, after: int = 0) -> int:
    """Wait until `pattern` stands in what was shown after that place; gives the place behind it."""
    found: list[re.Match[str]] = []

    def there() -> bool:
        match = re.compile(pattern, re.MULTILINE).search(terminal.text, after)
        if match:
            found.append(match)
        return bool(match)

    wait(terminal, there)
    return found[0].end()
