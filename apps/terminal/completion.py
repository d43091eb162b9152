"""How a line that is being typed may end: names of commands, what may follow them, titles of procedures."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from soprag.apps.terminal.commands import COMMANDS

_BEGUN = 3  # characters after which a title may be meant

Offers = Callable[[str], Iterable[str]]  # the name of a command, "" in a message → what may follow it


@dataclass(frozen=True)
class Ending:
    """`words` stand in place of the last `replaces` characters; a command has a usage and says what it does."""

    words: str
    replaces: int
    usage: str = ""
    does: str = ""


def endings(line: str, offers: Offers, *, requested: bool) -> Iterable[Ending]:
    """All endings of a line; titles within a message only where they are `requested`."""
    word, space, rest = line[1:].partition(" ")
    if "\n" in line or not (line.startswith("/") or requested):
        return ()
    if not line.startswith("/"):
        return _titles(line, offers)
    return _follow(rest, offers(word)) if space else _commands(word)


def _commands(word: str) -> Iterator[Ending]:
    for command in COMMANDS:
        if command.name.startswith(word):
            yield Ending(command.name, len(word), command.usage, command.does)


def _titles(message: str, offers: Offers) -> list[Ending]:
    """The titles that the last words of a message begin, as many of these words as possible."""
    titles = list(offers(""))
    ends = (message[word.start() :] for word in re.finditer(r"\S+", message))
    return next((found for end in ends if len(end) >= _BEGUN and (found := _follow(end, titles))), [])


def _follow(words: str, offered: Iterable[str]) -> list[Ending]:
    """What begins with the words, without regard to case, and is more than they are."""
    begun = (each for each in offered if each.lower().startswith(words.lower()) and each != words)
    return [Ending(each, len(words)) for each in begun]
