"""A session as a file, from its record: as JSON every entry whole, as Markdown what a colleague reads.

That is everything that was asked, shown, done, decided and approved, without the work of the experts, digests and ids.
Every word of a procedure stands in a code block: a renderer would otherwise swallow tags, stars and tables.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from soprag.apps.terminal.handover import handover
from soprag.apps.terminal.sessions import SessionCard, SessionFolder
from soprag.tools.store.log_entry import LogEntry
from soprag.tools.store.logbook import Logbook
from soprag.tools.text.sanitize import one_line, sanitize

Form = Literal["md", "json"]

_TICKS = re.compile(r"`{3,}")
_LONG = 100  # characters; a longer fact gets lines of its own
_ESCAPED = re.compile(r"([\\`*_{}\[\]<>#|~&])")
_SPOKEN = {"question": "Operator", "answer": "Agent"}
_WORK = frozenset(("step", "repair"))  # entries of the experts
_SHOWN = frozenset(("warning shown", "step shown"))
_FOR_PROGRAMS = frozenset(("aside", "answer", "bindings", "editions", "graph", "model", "node", "run", "sha256", "sop"))


def suffix(form: Form) -> str:
    """The end of the file's name."""
    return f".{form}"


def render(session: SessionFolder, form: Form) -> str:
    """The whole session."""
    card, entries = session.describe(), Logbook(session.logbook).entries()
    if form == "json":
        data = {
            "session": card.model_dump(mode="json"),
            "record": [entry.model_dump(mode="json") for entry in entries],
        }
        return json.dumps({"schema_version": 1, "command": "export", "data": data}, ensure_ascii=False, indent=1) + "\n"
    note = fenced(handover(card, entries))
    story = [entry for entry in entries if entry.kind not in _WORK]
    return (
        "\n".join([*_head(card, entries), "## In short", "", *note, "", *_record(story), *_rest(card, entries)]) + "\n"
    )


def _head(card: SessionCard, entries: list[LogEntry]) -> Iterator[str]:
    yield f"# {_plain(card.title) or 'A session'}"
    yield ""
    about = {
        "session": card.id,
        "operator": card.operator,
        "begun": card.created,
        "last turn": card.updated,
        "profile": card.profile,
        "model": card.model or "",
        "index": card.index,
        "stands at": card.at,
        "record": f"{len(entries)} entries, head {entries[-1].hash}" if entries else "empty",
        "problem": card.problem,
    }
    yield from (f"- {name}: {_plain(value)}" for name, value in about.items() if value)
    yield ""


def _record(entries: Iterable[LogEntry]) -> Iterator[str]:
    for entry in entries:
        step = f"step {entry.facts['number']}: " if "number" in entry.facts else ""
        by = f", {_plain(entry.by)}" if entry.by and entry.kind not in _SPOKEN else ""
        yield f"## #{entry.number} {step}{_SPOKEN.get(entry.kind) or _plain(entry.kind)}"
        yield ""
        yield f"{entry.time}{by}"
        yield ""
        words = "\n".join(_words(entry))
        yield from [*fenced(words), ""] if words else []


def _words(entry: LogEntry) -> Iterator[str]:
    """What a person reads of an entry."""
    told: dict[str, Any] = entry.facts
    text = str(told.get("text") or "")
    if entry.kind in _SPOKEN:
        yield text
    elif entry.kind in _SHOWN:
        yield from (str(warning["text"]) for warning in told.get("warnings") or ())
        yield from [text] if text else []
    else:
        read = {name: value for name, value in told.items() if name not in {*_FOR_PROGRAMS, "number"}}
        yield from facts(read)


def _rest(card: SessionCard, entries: list[LogEntry]) -> Iterator[str]:
    work = [f"#{entry.number}" for entry in entries if entry.kind in _WORK]
    if work:
        yield f"What the experts did ({', '.join(work)}) and all digests: `soprag export {card.id} --format json`."


def facts(values: dict[str, Any], margin: str = "") -> Iterator[str]:
    """Every fact of an entry by its name; long and many-lined ones as they stand, below it."""
    for name, value in values.items():
        if value in (None, "", [], {}):
            continue
        parts = value if isinstance(value, list) and any(isinstance(item, dict) for item in value) else [value]
        if isinstance(parts[0], dict):
            yield f"{margin}{name}:"
            for item in parts:
                yield from facts(item, f"{margin}  ") if isinstance(item, dict) else (f"{margin}  {item}",)
        else:
            yield from _fact(name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), margin)


def _fact(name: str, text: str, margin: str) -> Iterator[str]:
    if "\n" in text or len(text) > _LONG:
        yield f"{margin}{name}:"
        yield from text.split("\n")  # not indented, so that every line is found again as it was
    else:
        yield f"{margin}{name}: {text}"


def fenced(text: str) -> list[str]:
    """A code block that nothing inside can end."""
    longest = max((len(run) for run in _TICKS.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return [f"{fence}text", *sanitize(text).rstrip("\n").split("\n"), fence]


def _plain(text: str) -> str:
    return _ESCAPED.sub(r"\\\1", one_line(text))
