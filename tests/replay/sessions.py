"""Whole jobs with a model, recorded and played again: what each asks of the model, and what stands on the screen.

    python -m tests.replay.sessions INDEX docs/model-sessions.md                            replays, without a network
    python -m tests.replay.sessions INDEX OUT.md --base-url URL --model openai:NAME         records them anew

INDEX is an index of the example library. Answers stand in `sessions/<job>.jsonl`, one line for each.
"""

import argparse
import asyncio
import json
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from soprag.apps.benchmark_run import build_benchmark
from soprag.apps.compose import services
from soprag.apps.compose.settings import open_settings
from soprag.apps.sop_index import open_index
from soprag.apps.terminal.conversation import Room, TerminalChat
from soprag.apps.terminal.session_start import open_session
from soprag.apps.terminal.sessions import Sessions
from soprag.configs.settings import load
from soprag.tools.llm.base import MeteredLlm
from soprag.tools.llm.chat import ChatLlm
from soprag.tools.llm.rendering import request_tokens
from soprag.tools.sop import digest
from soprag.tools.store.logbook import Logbook
from soprag.tools.tasks.cost import Spent
from soprag.tools.tasks.task import Answer, Ask, Llm, Task
from tests.apps.terminal.desk import Tape, card
from tests.replay.cases import SOURCES, read_source

FOLDER = Path(__file__).parent / "played"
MODEL = "openai:mailbox"
LINES = 30  # of a turn that are shown
HEAD = """# Sessions with a model

Read here what a chat model does in whole jobs, and what they cost. The model was played by hand through a mailbox: each
request was answered by a reader who knew its prompt alone. Written by `python -m tests.replay.sessions INDEX
docs/model-sessions.md`, which plays the recorded answers again without a network. Lines with `>` were typed; tokens are
characters / 4, with the schema or the tools of each request.
"""


class RecordedAnswer(NamedTuple):
    """An answer to a task, and the digest of the input that it was given to."""

    task: str
    input: str
    answer: str


@dataclass(frozen=True)
class SessionLlm(MeteredLlm):
    """Answers from a recording; with `live` it asks that model and keeps its answers in `rows`.

    The answer to the same input comes first, else the next one to the task: a changed wording does not lose a session.
    """

    rows: list[RecordedAnswer]
    live: Llm | None = None
    name: str = MODEL
    used: list[RecordedAnswer] = field(default_factory=list)

    def fingerprint(self, task: Task[Ask, Answer]) -> str:
        """The same for every task."""
        return self.name

    async def ask(self, task: Task[Ask, Answer], inputs: Ask) -> Answer:
        """The answer, with the size of the request and of the answer in the ledger."""
        given = digest(inputs.model_dump_json())[:12]
        if self.live is not None:
            answer = await self.live.ask(task, inputs)
            row = RecordedAnswer(task.name, given, answer.model_dump_json(exclude_unset=True))
            self.rows.append(row)
        else:
            row = self._next(task.name, given)
        self.used.append(row)
        tokens = {"tokens_in": request_tokens(task, inputs), "tokens_out": len(row.answer) // 4}
        self.meter.add(task.name, Spent(calls=1, **tokens))
        return task.answers.model_validate_json(row.answer)

    def _next(self, task: str, given: str) -> RecordedAnswer:
        left = Counter(self.rows) - Counter(self.used)
        open_rows = [row for row in self.rows if row.task == task and left[row]]
        if not open_rows:
            raise LookupError(f"No answer to {task!r} is left; record the session again.")
        return next((row for row in open_rows if row.input == given), open_rows[0])


class RecordedJob(NamedTuple):
    """A job with its heading, what it shows, and how it is done with an index and a new folder; gives a transcript."""

    name: str
    heading: str
    shows: str
    limit: str
    work: Callable[[str, Path], str]


def chat(*typed: str) -> Callable[[str, Path], str]:
    """A chat in which these lines are typed."""

    async def talk(index: str, folder: Path) -> str:
        unbound = shutil.copytree(index, folder / "index", ignore=shutil.ignore_patterns("bindings"))
        places = {"index": {"folder": str(unbound)}, "chat": {"folder": str(folder / "chat")}}
        settings = open_settings("offline", {"llm": {"model": MODEL}, **places})
        sessions = Sessions(folder / "chat")
        session, tape = sessions.new(card()), Tape(typed)
        async with open_session(settings, session, "ana") as opened:
            room = Room(session, sessions, opened.dialogue, opened.library, tape, tape, Logbook(session.logbook))
            await TerminalChat(room).run()
        return tape.text

    return lambda index, folder: asyncio.run(talk(index, folder))


def copied(folder: Path, *sources: str) -> Path:
    """A folder with these documents of the library, without their front matter."""
    documents = folder / "documents"
    documents.mkdir()
    for source in sources:
        (documents / Path(source).name).write_text(read_source(SOURCES / source), encoding="utf-8")
    return documents


def add_to_index(source: str) -> Callable[[str, Path], str]:
    """One procedure of the library into a new index."""

    def work(index: str, folder: Path) -> str:
        documents = copied(folder, source)
        with open_index(folder / "index", profile="offline", model=MODEL) as opened:
            report = opened.add(documents)
            return "\n".join(f"{sop.title}: {len(opened.plan(sop.id).steps)} steps" for sop in opened.list()) or str(
                report
            )

    return work


def build(*sources: str) -> Callable[[str, Path], str]:
    """A benchmark of a folder of documents of the library."""

    def work(index: str, folder: Path) -> str:
        documents = copied(folder, *sources)
        summary = build_benchmark(
            "Liquid cooling", source=documents, out=folder / "run", profile="offline", model=MODEL
        )
        return f"{summary.sops} SOPs, {summary.questions} questions"

    return work


JOBS = (
    RecordedJob(
        "index",
        "Indexing a procedure",
        "A file of one procedure: the rules are sure that it is one, the extraction reads its views.",
        "1 call, 2,000 prompt tokens beyond the document",
        add_to_index("liquid-cooling/glycol-concentration-test.md"),
    ),
    RecordedJob(
        "build",
        "A document in a benchmark",
        "A file of two procedures. A request for questions asks for one more of each of the harder levels; of one "
        "procedure both scenarios were refused, as the sister procedure answers them too, and asked again.",
        "2 calls a document, 1 an SOP",
        build("liquid-cooling/leak-response.md"),
    ),
    RecordedJob(
        "question",
        "The right steps of a long procedure",
        "The cards of six alarms stand in one document; the answer is what the lines of the card that fits say.",
        "2 calls, 3,500 prompt tokens",
        chat("A CDU shows a make-up alarm, no leak is visible. May I top up 8 litres, and what do I check first?"),
    ),
    RecordedJob(
        "calculation",
        "A calculation over the values of a procedure",
        "The dose stands in the procedure, the volume in the question. The search is sure of the procedure, and no "
        "candidates are compared; else that is the fourth call. Where all values are in the question, a calculation "
        "costs no call if a law or a conversion uses them all, else two.",
        "4 calls",
        chat("The pH of a 640 L PG25 loop is 7.0. How much KL-5 do I dose according to the procedure?"),
    ),
    RecordedJob(
        "guided",
        "A guided run from the step of the answer",
        "The search is sure. The run begins at the step that the answer named, with the warnings before it. Of the run "
        "itself the model is asked once in ten steps, which of them a tool does.",
        "2 calls for the answer",
        chat(
            "Bacteria in a PG25 loop are above 1000 cfu/mL. What do I do?",
            *("guide me", "ack", "done", "done", "done", "done", "done", "stop"),
        ),
    ),
)


def play(job: RecordedJob, index: str, live: Llm | None) -> tuple[str, SessionLlm]:
    """The transcript of a job and the model it asked."""
    file = FOLDER / f"{job.name}.jsonl"
    rows = [] if live else [RecordedAnswer(**json.loads(row)) for row in file.read_text("utf-8").splitlines()]
    llm = SessionLlm(rows, live)
    with tempfile.TemporaryDirectory() as folder, patch.object(services, "open_llm", lambda settings: llm):
        text = job.work(index, Path(folder))
    if live:
        FOLDER.mkdir(exist_ok=True)
        lines = [json.dumps(row._asdict(), ensure_ascii=False) for row in llm.rows]
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return text, llm


def calls(llm: SessionLlm) -> Iterator[str]:
    """A row for each task, and their sum."""
    yield "| task | calls | prompt tokens | answer tokens |\n|---|---|---|---|"
    for task, spent in llm.ledger.tasks.items():
        yield f"| {task} | {spent.calls} | {spent.tokens_in:,} | {spent.tokens_out:,} |"
    total = llm.ledger.total
    yield f"| **all** | {total.calls} | {total.tokens_in:,} | {total.tokens_out:,} |"


def shortened(transcript: str) -> str:
    """The transcript with the first lines of every turn; the procedures are printed whole otherwise."""
    turns: list[list[str]] = [[]]
    for line in transcript.split("\n"):
        if re.match(r"(step \d+/\d+[^>]*)?> ?", line):
            turns.append([])
        turns[-1].append(line)
    return "\n".join(line for turn in turns for line in [*turn[:LINES], *_left_out(turn)])


def _left_out(turn: list[str]) -> list[str]:
    return [f"... ({len(turn) - LINES} more lines)"] if len(turn) > LINES else []


def page(job: RecordedJob, text: str, llm: SessionLlm) -> str:
    """The section of a job: what it shows, the transcript, and its calls."""
    table = "\n".join(calls(llm))
    return f"## {job.heading}\n\n{job.shows}\n\n{table}\n\n```text\n{shortened(text)}\n```"


def table(played: list[tuple[RecordedJob, SessionLlm]]) -> str:
    """What each job asks of the model, beside its limit."""
    rows = ["| job | calls | prompt tokens | answer tokens | limit |", "|---|---|---|---|---|"]
    for job, llm in played:
        spent = llm.ledger.total
        rows.append(f"| {job.heading} | {spent.calls} | {spent.tokens_in:,} | {spent.tokens_out:,} | {job.limit} |")
    return "\n".join(rows)


def main(index: str, out: Path, live: Llm | None, only: str) -> None:
    """Play the jobs and write the file."""
    played = [(job, *play(job, index, live)) for job in JOBS if job.name.startswith(only)]
    parts = [page(job, text, llm) for job, text, llm in played]
    summary = table([(job, llm) for job, _, llm in played])
    out.write_text("\n\n".join([HEAD, summary, *parts]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index")
    parser.add_argument("out", type=Path)
    parser.add_argument("--base-url", default="")
    parser.add_argument("--model", default=MODEL)
    parser.add_argument("--only", default="", help="jobs whose names begin so")
    arguments = parser.parse_args()
    options = {"model": arguments.model, "base_url": arguments.base_url, "concurrency": 256, "timeout": 3600}
    asked = ChatLlm(load(options={"llm": options}).llm, arguments.base_url) if arguments.base_url else None
    main(arguments.index, arguments.out, asked, arguments.only)
