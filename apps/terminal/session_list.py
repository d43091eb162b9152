"""A line per session."""

from collections.abc import Iterable, Iterator

from soprag.apps.terminal.sessions import SessionCard
from soprag.tools.text.sanitize import one_line


def session_lines(cards: Iterable[SessionCard], present: str = "") -> Iterator[str]:
    """The sessions with the latest first; the present one is marked."""
    for card in cards:
        position = f" · {one_line(card.at)}" if card.at else ""
        if card.problem:
            position = f" · CARD DAMAGED, its record: soprag export {card.id}"
        mark = "*" if card.id == present else " "
        title = one_line(card.title) or ("" if card.problem else "nothing asked yet")
        yield f"{mark} {card.id}  {card.updated[:16].replace('T', ' ')}  {title}{position}"
