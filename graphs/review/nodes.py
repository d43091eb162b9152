"""The nodes of a review. `ask` only interrupts: a node that interrupts runs again when the answer comes."""

import asyncio
from typing import Any, Literal

from langchain.agents.middleware.human_in_the_loop import HITLResponse
from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt

from soprag.graphs.review.context import ReviewContext
from soprag.graphs.review.question_list import QuestionList
from soprag.graphs.review.state import ReviewState
from soprag.tools.approval import HumanDecision, read_decision
from soprag.tools.publishing import publish_benchmark, review_summary
from soprag.tools.questions.review_request import BACK, FINISH, SKIP
from soprag.tools.sop import LEVELS
from soprag.tools.store.review_record import QuestionReview, write_review
from soprag.tools.text.sanitize import one_line

Update = dict[str, Any]

LONGEST = 1000  # characters of a question or a reason


async def choose(state: ReviewState, runtime: Runtime[ReviewContext]) -> Command[Literal["ask", "publish"]]:
    """The next question: the one that was named, or the first that is neither decided nor put off."""
    questions = await _questions(state, runtime)
    question = state.get("question") or questions.first_open(state.get("skipped", []))
    if not question:
        return Command(goto="publish")
    proposal = await asyncio.to_thread(questions.request, question, state.get("problem", ""))
    return Command(goto="ask", update={"question": question, "proposal": proposal})


def ask(state: ReviewState) -> Update:
    """A person accepts, edits or rejects the question."""
    return {"decision": read_decision(interrupt(state["proposal"], response_schema=HITLResponse))}


async def record(state: ReviewState, runtime: Runtime[ReviewContext]) -> Command[Literal["choose", "publish"]]:
    """The decision becomes a file of the run; a reply that decides nothing moves on, back or out."""
    questions, decision, id = await _questions(state, runtime), state["decision"], state["question"]
    word = decision.message.strip().casefold()
    if decision.type == "respond" and word == FINISH:
        return Command(goto="publish")
    if decision.type == "respond" and word == BACK:
        return Command(goto="choose", update={"question": questions.before(id), "problem": ""})
    if decision.type == "respond" and word == SKIP:
        return Command(
            goto="choose", update={"question": "", "skipped": [*state.get("skipped", []), id], "problem": ""}
        )
    review = _review(questions, decision, runtime.context, id)
    if isinstance(review, str):
        return Command(goto="choose", update={"question": id, "problem": review})
    await asyncio.to_thread(write_review, questions.run, review)
    return Command(goto="choose", update={"question": "", "problem": ""})


async def publish(state: ReviewState, runtime: Runtime[ReviewContext]) -> Update:
    """The benchmark is written again, with the decisions of all reviewers."""
    run = (await _questions(state, runtime)).run
    await asyncio.to_thread(publish_benchmark, run)
    return {"review": await asyncio.to_thread(review_summary, run, runtime.context.reviewer)}


async def _questions(state: ReviewState, runtime: Runtime[ReviewContext]) -> QuestionList:
    context = runtime.context
    run = await asyncio.to_thread(context.runs.folder, state["run"])
    return await asyncio.to_thread(QuestionList.read, run, context.reviewer)


def _review(questions: QuestionList, decision: HumanDecision, context: ReviewContext, id: str) -> QuestionReview | str:
    """The decision as it is kept, or why it cannot be taken; an edit that is accepted later stays an edit."""
    question, earlier = questions.by_id[id], questions.reviews.get(id)
    made = QuestionReview(
        question=question.id, reviewer=one_line(context.reviewer), decision="accept", original=question.text,
        original_level=question.level, reason=one_line(decision.message, LONGEST), decided=context.now(),
    )  # fmt: skip
    if decision.type == "approve":
        return earlier if earlier and earlier.decision == "edit" and earlier.concerns(question) else made
    if decision.type == "reject":
        return made.model_copy(update={"decision": "reject"}) if made.reason else "A rejection needs a reason."
    if decision.type == "edit":
        return _edit(made, decision)
    return decision.error or "Accept, edit or reject the question, or say skip, back or finish."


def _edit(made: QuestionReview, decision: HumanDecision) -> QuestionReview | str:
    arguments = decision.arguments or {}
    text = one_line(str(arguments.get("question", made.original)))
    level = arguments.get("level", made.original_level)
    if not text or len(text) > LONGEST:
        return f"A question has 1 to {LONGEST} characters."
    if level not in LEVELS:
        return f"{level!r} is no level; there are {', '.join(LEVELS)}."
    if (text, level) == (made.original, made.original_level):
        return made
    return made.model_copy(update={"decision": "edit", "text": text, "level": level})
