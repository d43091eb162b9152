"""A parser process: `-m soprag.tools.parsing.worker MEMORY_MIB` reads one job per line and answers with one line.

Files from strangers are opened only here. The process has limits, no network, no keys in its environment and an
empty folder as its home, and it is killed as a group when it takes too long.
"""

import logging
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TextIO

from soprag.tools.parsing.document import Extract
from soprag.tools.parsing.engines import DocumentRefused
from soprag.tools.parsing.isolation import allow_cpu, confine, peak_memory
from soprag.tools.parsing.jobs import (
    JOBS,
    FunctionJob,
    Job,
    ParseJob,
    ProbeJob,
    RenderJob,
    RepairJob,
    TellPages,
    TiersJob,
    WorkerReply,
)

logger = logging.getLogger(__name__)

_TELL_EVERY = 0.5  # seconds


def main() -> None:
    """Serve jobs until the parent closes the pipe."""
    confine(int(sys.argv[1]))
    answers = _private_output()
    for line in sys.stdin:
        reply = answer(JOBS.validate_json(line), _Pages(answers))
        answers.write(reply.model_copy(update={"peak": peak_memory()}).model_dump_json() + "\n")
        answers.flush()


@dataclass
class _Pages:
    """Tells the parent how many pages are done, now and then."""

    answers: TextIO
    last_report: float = 0.0

    def __call__(self, pages: int) -> None:
        if time.monotonic() - self.last_report < _TELL_EVERY:
            return
        self.last_report = time.monotonic()
        self.answers.write(WorkerReply(pages=pages).model_dump_json() + "\n")
        self.answers.flush()


def answer(job: Job, tell: TellPages) -> WorkerReply:
    """The reply to `job`; whatever a parser throws becomes a reason, so that the next engine can be tried."""
    allow_cpu(job.limits.seconds)
    try:
        return _serve(job, tell)
    except DocumentRefused as refusal:
        return WorkerReply(refused=str(refusal))
    except MemoryError:
        return WorkerReply(failed="it needs more memory than parsing.memory allows")
    # Parsers of other people raise whatever they like on damaged files.
    except Exception as error:
        logger.info("job failed", exc_info=True)
        return WorkerReply(failed=f"{type(error).__name__}: {_first_line(error)}")


def _serve(job: Job, tell: TellPages) -> WorkerReply:
    match job:
        case ParseJob():
            return WorkerReply(extract=_engine(job)(job, tell))
        case ProbeJob():
            from soprag.tools.parsing.probe import probe

            return WorkerReply(probe=probe(job))
        case RepairJob():
            from soprag.tools.parsing.repair import repair_markdown

            return WorkerReply(extract=repair_markdown(job, tell))
        case RenderJob():
            from soprag.tools.parsing.engines.pages import render

            return WorkerReply(extract=render(job, tell))
        case FunctionJob():
            from soprag.tools.parsing.function_calls import call_function

            return WorkerReply(result=call_function(job))
        case TiersJob():
            from soprag.tools.parsing.engines.mineru_local import ready_tiers

            return WorkerReply(tiers=ready_tiers())


def _engine(job: ParseJob) -> Callable[[ParseJob, TellPages], Extract]:
    # Each engine brings libraries of its own; a process loads those it needs.
    match job.engine:
        case "mineru":
            from soprag.tools.parsing.engines import mineru_local

            return mineru_local.parse
        case "pdfplumber":
            from soprag.tools.parsing.engines import pdf_text

            return pdf_text.parse
        case "pdfium":
            from soprag.tools.parsing.engines import printed_text

            return printed_text.parse
        case "office":
            from soprag.tools.parsing.engines import office

            return lambda job, _: office.parse(job)
        case "ocr":
            from soprag.tools.parsing.engines import ocr

            return ocr.parse


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:300] if lines else "no reason given"


def _private_output() -> TextIO:
    """The pipe to the parent; whatever libraries print goes to stderr instead."""
    pipe = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return pipe


if __name__ == "__main__":
    main()
