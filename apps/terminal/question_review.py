"""The review of benchmark questions at a terminal: shows each question and turns typed keys into decisions."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from soprag.apps.terminal.line_readers import LineReader, LineSource, PromptReader
from soprag.apps.terminal.screen import PlainScreen, RichScreen, Screen, capable_terminal
from soprag.tools.approval import HumanDecision, build_response, read_request
from soprag.tools.procedure.page import BLANK, PageBlock
from soprag.tools.publishing import ReviewSummary
from soprag.tools.questions.review_request import BACK, FINISH, REVIEW_ACTION, SKIP, ReviewArguments
from soprag.tools.store.review_record import reviewer_folder
from soprag.tools.store.run_folder import RunFolder
from soprag.tools.text.sanitize import one_line

if TYPE_CHECKING:
    from soprag.graphs.review.graph import ReviewGraph

PROMPT = "a(ccept) e(dit) r(eject) s(kip) b(ack) v(iew) q(uit)> "
_RESPONSES = {"s": SKIP, "skip": SKIP, "b": BACK, "back": BACK, "q": FINISH, "quit": FINISH}
_EARLIER = {"accept": "accepted", "edit": "edited", "reject": "rejected"}


@dataclass(frozen=True)
class OpenedRun:
    """The one run that is reviewed."""

    run: RunFolder

    def folder(self, run: str) -> RunFolder:
        """Its folder."""
        return self.run


@dataclass
class ReviewDesk:
    """One reviewer at a terminal, in front of a compiled graph of the review."""

    graph: "ReviewGraph"
    run: RunFolder
    reader: LineSource
    screen: Screen

    async def review(self) -> ReviewSummary:
        """Ask until no question is open or the reviewer leaves; what was decided then."""
        from langgraph.types import Command

        config: Any = {"configurable": {"thread_id": self.run.id}}
        self.screen.say("Enter alone decides nothing. q or Ctrl+D leaves; every decision is kept.", "dim")
        result: dict[str, Any] = await self.graph.ainvoke({"run": str(self.run.path)}, config)
        shown = ""
        while waiting := result.get("__interrupt__"):
            [request] = read_request(waiting[0].value)
            asked = ReviewArguments.model_validate(request.arguments)
            self.screen.page(_page(asked, shown))
            shown = asked.title
            decision = await self._decide(asked)
            result = await self.graph.ainvoke(Command(resume=build_response([decision])), config)
        return ReviewSummary.model_validate(result["review"])

    async def _decide(self, asked: ReviewArguments) -> HumanDecision:
        """Ask until a decision was typed; leaving the terminal is one, too."""
        try:
            while True:
                decision = await self._take((await self.reader.answer(PROMPT)).strip().casefold(), asked)
                if decision:
                    return decision
        except (EOFError, KeyboardInterrupt):
            return HumanDecision(type="respond", message=FINISH)

    async def _take(self, key: str, asked: ReviewArguments) -> HumanDecision | None:
        if key in ("a", "accept"):
            return HumanDecision(type="approve")
        if key in ("e", "edit"):
            return await self._edit(asked)
        if key in ("r", "reject"):
            reason = (await self.reader.answer("Reason (Enter: not rejected)> ")).strip()
            return HumanDecision(type="reject", message=reason) if reason else None
        if key in ("v", "view"):
            self.screen.page([*_procedure(asked), *_page(asked, asked.title)])
        elif key in _RESPONSES:
            return HumanDecision(type="respond", message=_RESPONSES[key])
        elif key:
            self.screen.say("Type one of the letters, or its word.", "bold")
        return None

    async def _edit(self, asked: ReviewArguments) -> HumanDecision:
        question = await self.reader.answer("question> ", asked.question)
        level = await self.reader.answer("level> ", asked.level)
        changed: dict[str, Any] = {"question": question.strip(), "level": level.strip().casefold()}
        return HumanDecision(type="edit", tool=REVIEW_ACTION, arguments=changed)


def open_desk(run: RunFolder, reviewer: str, *, plain: bool) -> ReviewDesk:
    """A review at this terminal."""
    from langgraph.checkpoint.memory import InMemorySaver

    from soprag.graphs.review import ReviewContext, create_question_review

    # The decisions are files of the run: the checkpoints are needed for one process only.
    context = ReviewContext(reviewer=reviewer, runs=OpenedRun(run))
    graph = create_question_review(context=context, checkpointer=InMemorySaver())
    if capable_terminal() and not plain:
        reader: LineSource = PromptReader(reviewer_folder(run, reviewer).path / "history", lambda name: ())
        return ReviewDesk(graph, run, reader, RichScreen(bell=False))
    # Of a pipe, the result alone goes to stdout.
    out = sys.stdout if sys.stdin.isatty() and sys.stdout.isatty() else sys.stderr
    return ReviewDesk(graph, run, LineReader(), PlainScreen(out, None))


def _page(asked: ReviewArguments, shown: str) -> Iterator[PageBlock]:
    """The question under its procedure, whose title is not repeated for the next question on it."""
    yield BLANK
    if asked.title != shown:
        yield PageBlock(f"=== {one_line(asked.title)} ===")
    if asked.problem:
        yield PageBlock(asked.problem, ">> ")
    earlier = f", {_EARLIER[asked.earlier]} before" if asked.earlier else ""
    yield PageBlock(f"--- question {asked.number} of {asked.of}, {asked.decided} decided: {asked.level}{earlier} ---")
    yield PageBlock(asked.question)
    yield PageBlock(asked.evidence, "answered by: ", 2)


def _procedure(asked: ReviewArguments) -> Iterator[PageBlock]:
    """The whole procedure; the lines of the evidence are marked."""
    start = asked.procedure.find(asked.evidence)
    first = asked.procedure.count("\n", 0, max(start, 0))
    marked = range(first, first + asked.evidence.count("\n") + 1) if start >= 0 else range(0)
    for number, line in enumerate(asked.procedure.split("\n")):
        yield PageBlock(line, "-> " if number in marked else "")
