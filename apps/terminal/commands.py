"""The registry of chat commands, read by help, completion, documentation and the chat itself."""

from collections.abc import Iterator
from dataclasses import dataclass

from soprag.tools.errors import UsageError


class Mistyped(UsageError):
    """What was typed is no command, or could be several; the message says which."""


@dataclass(frozen=True)
class ChatCommand:
    """One command: `takes` is how its argument is written, `at_step` whether it answers a step of a guided run."""

    name: str
    takes: str
    does: str
    at_step: bool = False

    @property
    def usage(self) -> str:
        """As it is typed."""
        return f"/{self.name} {self.takes}".rstrip()


@dataclass(frozen=True)
class TypedCommand:
    """A command with what was typed after it."""

    command: ChatCommand
    rest: str


COMMANDS = (
    ChatCommand("help", "[COMMAND]", "what can be typed"),
    ChatCommand("sops", "[WORDS]", "procedures nearest to the words, without words all; a number picks one"),
    ChatCommand("source", "N", "the original lines that step or source [N] stands on"),
    ChatCommand(
        "steps", "[PART]", "the steps of the last answer, of a long procedure by part; how far the guided run is"
    ),
    ChatCommand("trace", "", "what each expert did for the last answer"),
    ChatCommand(
        "done", "[VALUE]", "this step is done; with the value it asks for, such as /done 4.2 bar", at_step=True
    ),
    ChatCommand("yes", "", "the answer to this decision, or to the question asked", at_step=True),
    ChatCommand("no", "", "the answer to this decision, or to the question asked", at_step=True),
    ChatCommand("ack", "", "these warnings are read and understood", at_step=True),
    ChatCommand("skip", "REASON", "leave this step out; the reason is kept in the record", at_step=True),
    ChatCommand("back", "", "return to the step before", at_step=True),
    ChatCommand("use", "[TOOL]", "prepare an action this step offers; nothing happens without a yes", at_step=True),
    ChatCommand("open", "N", "go into a procedure that this step refers to, and come back after it", at_step=True),
    ChatCommand("stop", "", "end the guided run here; it is kept as far as it went", at_step=True),
    ChatCommand("lines", "", "the lines that are not part of this run, and where you decide", at_step=True),
    ChatCommand("why", "", "why this step, or why this procedure"),
    ChatCommand("note", "TEXT", "write a note into the record"),
    ChatCommand("handover", "[FILE]", "the handover note of this session, made from its record"),
    ChatCommand("export", "[md|json] [FILE]", "write the whole session to a file"),
    ChatCommand("sessions", "", "the sessions kept on this machine"),
    ChatCommand("resume", "[ID]", "go on with a cancelled turn, or with another session"),
    ChatCommand("new", "", "begin a new session; this one is kept"),
    ChatCommand("edit", "[TEXT]", "write the next message in your editor ($EDITOR)"),
    ChatCommand("quit", "", "leave; the session is kept"),
)

KEYS = (
    ("Enter", "send"),
    ("Alt+Enter, Ctrl+J", "new line"),
    ("Tab", "complete a command"),
    ("Right", "take the suggestion from the history"),
    ("Up, Down, Ctrl+R", "history, and search in it"),
    ("Ctrl+X Ctrl+E", "edit in your editor"),
    ("Ctrl+C", "cancel what is under way; twice within 2 s: leave"),
    ("Ctrl+D", "leave"),
)


def find(word: str) -> ChatCommand:
    """The command with that name or the only one that begins so; raises `Mistyped`."""
    name = word.removeprefix("/").lower()
    for command in COMMANDS:
        if command.name == name:
            return command
    matches = [command for command in COMMANDS if name and command.name.startswith(name)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        names = ", ".join(f"/{command.name}" for command in matches)
        raise Mistyped(f"/{name} could be {names}; type one more letter.")
    raise Mistyped(f"There is no command /{name}; /help names all.")


def parse(line: str) -> TypedCommand | None:
    """The command of a typed line; None when it is no command. `/` alone is help; raises `Mistyped`."""
    if not line.startswith("/"):
        return None
    word, _, rest = line[1:].strip().partition(" ")
    return TypedCommand(find(word or "help"), rest.strip())


def help_lines(word: str = "") -> Iterator[str]:
    """What /help prints: everything, or one command; raises `Mistyped`."""
    chosen = (find(word),) if word else COMMANDS
    width = max(len(command.usage) for command in chosen)
    for title, at_step in (("At any time", False), ("In a guided run", True)):
        rows = [command for command in chosen if command.at_step is at_step]
        if rows:
            yield f"{title}:"
            yield from (f"  {command.usage:<{width}}  {command.does}" for command in rows)
    if not word:
        yield "Commands may be shortened as long as they are clear: /sou 3 is /source 3. Anything else is a question."
        yield "Keys:"
        yield from (f"  {keys:<{width}}  {does}" for keys, does in KEYS)
