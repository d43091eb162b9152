"""Discards keys typed while the program works, so that they cannot answer a later question."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def deaf() -> Iterator[None]:
    """Show no typed keys, and throw them away at the end; Ctrl-C stays a signal.

    Nobody can have read what such keys would answer: a `y` typed ahead must not approve what comes up a second later.
    """
    try:
        import termios
    except ImportError:  # Windows
        yield
        _forget_keys()
        return
    try:
        number = sys.stdin.fileno()
        before = termios.tcgetattr(number)
    except (termios.error, OSError, ValueError):  # no terminal
        yield
        return
    quiet = [*before]
    quiet[3] &= ~(termios.ECHO | termios.ICANON)
    termios.tcsetattr(number, termios.TCSANOW, quiet)
    try:
        yield
    finally:
        termios.tcsetattr(number, termios.TCSAFLUSH, before)


def _forget_keys() -> None:
    import msvcrt

    while msvcrt.kbhit():  # type: ignore[attr-defined]
        msvcrt.getwch()  # type: ignore[attr-defined]
