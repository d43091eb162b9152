"""What each command of the chat does, for those that the chat does itself; steps of a guided run go to the graph."""

from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from soprag.apps.terminal.commands import Mistyped, TypedCommand, help_lines
from soprag.apps.terminal.replies import reply_called
from soprag.apps.terminal.requests import StepRequest, WarningRequest
from soprag.apps.terminal.stored_state import check_state
from soprag.apps.terminal.turn_account import account, run_account
from soprag.tools.procedure.page import PageBlock

if TYPE_CHECKING:
    from soprag.apps.terminal.conversation import TerminalChat
    from soprag.tools.retriever.answer.answer import SopAnswer

Action = Callable[["TerminalChat", TypedCommand], Awaitable[None]]


async def act(chat: "TerminalChat", call: TypedCommand) -> None:
    """Do it; raises what the chat knows how to tell."""
    await ACTIONS[call.command.name](chat, call)


async def show_help(chat: "TerminalChat", call: TypedCommand) -> None:
    """/help."""
    for line in help_lines(call.rest):
        chat.screen.say(line)


async def list_sops(chat: "TerminalChat", call: TypedCommand) -> None:
    """/sops."""
    library = chat.room.library
    chat.listed = tuple(await library.find(call.rest) if call.rest else library.titles())
    chat.screen.page(PageBlock(title, f"{n}. ", 2, "choice") for n, title in enumerate(chat.listed, 1))


async def show_source(chat: "TerminalChat", call: TypedCommand) -> None:
    """/source."""
    typed = call.rest.strip("[] ")
    step = chat.request.step if isinstance(chat.request, StepRequest | WarningRequest) else None
    if (typed and not typed.isdecimal()) or (not typed and not step):
        raise Mistyped("Give the number of a step or source, such as /source 3.")
    library, number = chat.room.library, int(typed) if typed else step.number if step else 0
    cited = library.cited(chat.answered, number) if chat.answered else None
    if step:
        chat.screen.say(library.source(step.sop, number).text())
    elif cited:
        chat.screen.say(cited.text())
    else:
        raise Mistyped(f"There is no source [{number}] yet; ask something first." if not chat.sources else _which(chat))


def _which(chat: "TerminalChat") -> str:
    return f"The sources are {', '.join(f'[{source.n}]' for source in chat.sources)}."


async def show_steps(chat: "TerminalChat", call: TypedCommand) -> None:
    """/steps: how far a guided run is; of an answer the sections of a long procedure, one of them, or all steps."""
    run, answer = "\n".join(run_account(chat.standing)), chat.answered.answer if chat.answered else None
    if run and not call.rest:
        chat.screen.say(run)
    elif answer:
        chat.screen.page(_steps(answer, call.rest))
    else:
        raise Mistyped("There is no procedure yet; ask something first.")


def _steps(answer: "SopAnswer", words: str) -> "Iterable[PageBlock]":
    from soprag.tools.retriever.answer.answer_page import whole_procedure
    from soprag.tools.retriever.answer.answer_sections import is_long, named_sections, section_list, section_page

    if words == "all" or (not words and not is_long(answer)):
        return whole_procedure(answer)
    if not words:
        return section_list(answer)
    found = named_sections(answer, words)
    if len(found) != 1:
        those = f"could be {', '.join(map(str, found))}" if found else "is none of them"
        raise Mistyped(f"{words!r} {those}; /steps lists the parts by number.")
    (section,) = found.values()
    return section_page(answer, section)


async def show_trace(chat: "TerminalChat", call: TypedCommand) -> None:
    """/trace."""
    chat.screen.say("\n".join(account(chat.standing)) or "Nothing was done yet.")


async def explain(chat: "TerminalChat", call: TypedCommand) -> None:
    """/why: at a step the graph knows; else what speaks for the procedure of the last answer."""
    if isinstance(chat.request, StepRequest | WarningRequest):
        await chat.decide(reply_called(call, chat.request))
        return
    answer = chat.answered.answer if chat.answered else None
    question = call.rest or (answer.question if answer else "")
    if not question:
        raise Mistyped("There is no answer yet to explain; ask something first.")
    chat.screen.say(await chat.room.library.reasons(question))


async def note(chat: "TerminalChat", call: TypedCommand) -> None:
    """/note: into the guided run that waits, or into the record of the session."""
    if not call.rest:
        raise Mistyped("Say what: /note TEXT.")
    if isinstance(chat.request, StepRequest | WarningRequest):
        await chat.decide(reply_called(call, chat.request))
        return
    entry = chat.room.logbook.append("note", by=chat.room.operator, text=call.rest)
    chat.screen.say(f"Noted [{entry.number}].")


async def hand_over(chat: "TerminalChat", call: TypedCommand) -> None:
    """/handover."""
    from soprag.apps.terminal.handover import handover

    text = handover(chat.room.session.describe(), chat.room.logbook.entries(), chat.request)
    chat.screen.say(text)
    file = Path(call.rest).expanduser() if call.rest else chat.room.session.path / "handover.txt"
    _write(file, text + "\n")
    chat.screen.say(f"Written to {file}.", "dim")


async def export(chat: "TerminalChat", call: TypedCommand) -> None:
    """/export."""
    from soprag.apps.terminal.export import Form, render, suffix

    word, _, rest = call.rest.partition(" ")
    form: Form = "json" if word == "json" else "md"
    name = (rest if word in ("md", "json") else call.rest).strip()
    file = Path(name).expanduser() if name else chat.room.session.path / f"export{suffix(form)}"
    _write(file, render(chat.room.session, form))
    chat.screen.say(f"Written to {file}.")


async def list_sessions(chat: "TerminalChat", call: TypedCommand) -> None:
    """/sessions."""
    from soprag.apps.terminal.session_list import session_lines

    chat.screen.say("\n".join(session_lines(chat.room.sessions.cards(), chat.room.session.id)))


async def resume(chat: "TerminalChat", call: TypedCommand) -> None:
    """/resume."""
    if call.rest:
        session = chat.room.sessions.find(call.rest)
        if session.id == chat.room.session.id:
            raise Mistyped("This is that session.")
        check_state(session)
        chat.leave(session=session.id)
    elif chat.request:
        chat.above = None
        chat.show_request()
    elif chat.standing.unfinished:
        await chat.turn(chat.room.dialogue.go_on())
    else:
        raise Mistyped("Nothing is left to go on with here; /sessions lists other sessions, /resume ID opens one.")


async def begin_anew(chat: "TerminalChat", call: TypedCommand) -> None:
    """/new."""
    chat.leave(session="")


async def edit(chat: "TerminalChat", call: TypedCommand) -> None:
    """/edit."""
    import click

    written = click.edit(call.rest)
    if written and written.strip():
        chat.screen.say(written.strip(), "dim")
        await chat.take(written.strip())
    else:
        raise Mistyped("Nothing was written; nothing is sent.")


async def leave(chat: "TerminalChat", call: TypedCommand) -> None:
    """/quit."""
    chat.leave()


def _write(file: Path, text: str) -> None:
    from soprag.tools.errors import StorageError

    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    except OSError as fault:
        raise StorageError(f"Cannot write {str(file)!r}: {fault.strerror}.") from fault


ACTIONS: dict[str, Action] = {
    "help": show_help,
    "sops": list_sops,
    "source": show_source,
    "steps": show_steps,
    "trace": show_trace,
    "why": explain,
    "note": note,
    "handover": hand_over,
    "export": export,
    "sessions": list_sessions,
    "resume": resume,
    "new": begin_anew,
    "edit": edit,
    "quit": leave,
}
