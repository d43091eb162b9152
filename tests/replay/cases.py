"""The cases of the replay suite: inputs of every task of a model, over the sources of the example library."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from soprag.agents.deepsearch.capabilities import capabilities
from soprag.agents.experts import code, flow, math, retrieval, search
from soprag.agents.meta import Meta
from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.markdown.excerpt import numbered
from soprag.tools.math import conversion, equations, laws, properties
from soprag.tools.procedure.reader import read_procedure
from soprag.tools.protocols import ToolCard
from soprag.tools.research.lines import lines_of
from soprag.tools.retriever.index.proposal import Proposal
from soprag.tools.tasks import (
    answer,
    benchmark,
    calculate,
    choice,
    collecting,
    deepsearch,
    retriever,
    support,
    troubleshoot,
)
from soprag.tools.tasks import flow as flow_tasks
from soprag.tools.tasks.task import Task
from tests.replay.answer_cases import ASKED, BOUND, answer_inputs, bind_inputs, support_inputs
from tests.replay.choice_cases import (
    CHOSEN,
    JUDGED,
    OVERLOOKED,
    WRITTEN,
    choose_inputs,
    code_inputs,
    judge_inputs,
    overlooked_inputs,
)
from tests.replay.knowledge_cases import STATED, knowledge_inputs
from tests.replay.wording import (
    CALCULATIONS,
    FACTS,
    PLANS,
    REFUSED,
    REPAIRS,
    REPLIES,
    RESEARCH,
    SUBTASKS,
    TOPICS,
)

SOURCES = Path(__file__).parents[2] / "examples" / "sources"
QUESTIONED = ("pdu-thermography", "glycol-concentration-test", "cold-plate-quick-disconnect", "crac-type-b-filter",
              "hold-fire-response", "immersion-tank-server-removal")  # fmt: skip
SUMMARISED = ("leak-response", "pg25-chemistry-treatment", "liquid-cooling-glossary", "hot-aisle-temperature-alarm")
LIMIT = 60_000


@dataclass(frozen=True)
class ReplayCase:
    """One input of a task under a name that stays the same when wordings change."""

    id: str
    task: Task[Any, Any]
    inputs: BaseModel


@cache
def cases() -> tuple[ReplayCase, ...]:
    """Every case, by task."""
    return (
        *_documents(),
        *_procedures(),
        *_collecting(),
        *_troubleshooting(),
        *_calculating(),
        *_research(),
        *_knowledge(),
        *_answering(),
        *_choosing(),
    )


def source(name: str) -> str:
    """The Markdown of a source of the library, by its file name without the suffix."""
    return read_source(next(SOURCES.glob(f"*/{name}.md")))


def read_source(file: Path) -> str:
    """The Markdown of a source without its front matter, which says what kind of document it is."""
    return file.read_text(encoding="utf-8").split("+++\n", 2)[2].lstrip("\n")


def procedure(name: str) -> tuple[str, str]:
    """The title and the body of a source that is one procedure."""
    body = source(name).strip("\n")
    titles = (row.removeprefix("# ") for row in body.split("\n") if row.startswith("# "))
    return next(titles, name.replace("-", " ")), body


def _documents() -> Iterator[ReplayCase]:
    for position, file in enumerate(sorted(SOURCES.glob("*/*.md"))):
        text = read_source(file)
        ask = benchmark.MarkdownAsk(name=file.name, markdown=numbered(text, LIMIT))
        yield ReplayCase(f"audit/{file.stem}", benchmark.AUDIT, ask)
        topic = TOPICS[file.parent.name] if position % 3 else TOPICS["data-center-maintenance"]
        wanted = collecting.WantedAsk(topic=topic, name=file.stem.replace("-", " "), text=text[:2500])
        yield ReplayCase(f"wanted/{file.stem}", collecting.WANTED, wanted)


def _procedures() -> Iterator[ReplayCase]:
    for name in QUESTIONED:
        title, body = procedure(name)
        proposal = Proposal.of(read_procedure(body))
        sop = retriever.NumberedSop(
            title=title,
            numbered=retriever.number(body.split("\n")),
            proposed_steps=list(proposal.steps),
            proposed_warnings=list(proposal.warnings),
        )
        yield ReplayCase(f"extract/{name}", retriever.EXTRACT, sop)
        yield ReplayCase(f"card/{name}", benchmark.CARD, benchmark.SopAsk(title=title, body=body))
        questions = benchmark.QuestionsAsk(
            title=title, body=body, language="en", siblings=[], levels=["keyword", "direct", "conditional"]
        )
        yield ReplayCase(f"questions/{name}", benchmark.QUESTIONS, questions)


def _knowledge() -> Iterator[ReplayCase]:
    for name in STATED:
        for id, task, ask in knowledge_inputs(name, *procedure(name)):
            yield ReplayCase(id, task, ask)


def _answering() -> Iterator[ReplayCase]:
    for name in ASKED:
        yield ReplayCase(f"answer/{name}", answer.ANSWER, answer_inputs(name, *procedure(name)))
    for name, opinions in support_inputs(SOURCES).items():
        yield ReplayCase(f"support/{name}", support.SUPPORT, opinions)
    for name in BOUND:
        yield ReplayCase(f"bind/{name}", flow_tasks.BIND, bind_inputs(*procedure(name)))


def _choosing() -> Iterator[ReplayCase]:
    for name in CHOSEN:
        yield ReplayCase(f"choose/{name}", choice.CHOOSE, choose_inputs(name, procedure))
    for name in WRITTEN:
        yield ReplayCase(f"code/{name}", calculate.CODE, code_inputs(CALCULATIONS[name]))
    for name in JUDGED:
        asked = judge_inputs(name, RESEARCH["leak"], FACTS["leak"])
        yield ReplayCase(f"judge_report/{name}", deepsearch.JUDGE_REPORT, asked)
    for name in OVERLOOKED:
        yield ReplayCase(f"overlooked/{name}", retriever.OVERLOOKED, overlooked_inputs(*procedure(name)))


def _collecting() -> Iterator[ReplayCase]:
    for name, topic in TOPICS.items():
        yield ReplayCase(f"keywords/{name}", benchmark.KEYWORDS, benchmark.TopicAsk(topic=topic))
        asked = collecting.QueriesAsk(topic=topic, asked=[f"{topic} SOP"], titles=[], wanted=6)
        yield ReplayCase(f"queries/{name}", collecting.QUERIES, asked)


def _troubleshooting() -> Iterator[ReplayCase]:
    experts = (retrieval.PROTOCOL, flow.PROTOCOL, math.MathExpert(ScriptedLlm(), None).protocol, code.PROTOCOL)  # type: ignore[arg-type]
    tools = list(Meta(ScriptedLlm(), (*experts, search.PROTOCOL)).cards)
    for name, turn in PLANS.items():
        yield ReplayCase(f"plan/{name}", troubleshoot.PLAN, troubleshoot.ActionAsk(tools=tools, left=6, **turn))
    for name, reply in REPLIES.items():
        yield ReplayCase(f"reply/{name}", troubleshoot.REPLY, troubleshoot.ReplyAsk(**reply))
    for name, repair in REPAIRS.items():
        yield ReplayCase(f"repair/{name}", troubleshoot.REPAIR, troubleshoot.RepairAsk(**repair))


def _calculating() -> Iterator[ReplayCase]:
    tools = [tool.protocol for tool in (*conversion.TOOLS, *laws.TOOLS, *properties.TOOLS, *equations.tools(None))]  # type: ignore[arg-type]
    cards = [ToolCard.of(protocol) for protocol in (*tools, calculate.NO_TOOL_PROTOCOL)]
    for name, task in CALCULATIONS.items():
        ask = calculate.MathAsk(task=task, laws=laws.describe(task), tools=cards)
        yield ReplayCase(f"math/{name}", calculate.MATH, ask)


def _research() -> Iterator[ReplayCase]:
    agents = [deepsearch.AgentCard(name=agent.name, does=" ".join(agent.skills)) for agent in capabilities()]
    for name, question in RESEARCH.items():
        ask = deepsearch.SubtaskPlanAsk(question=question, agents=agents, limit=4)
        yield ReplayCase(f"plan_research/{name}", deepsearch.PLAN_RESEARCH, ask)
        report = deepsearch.ReportAsk(question=question, facts=[deepsearch.Fact(**fact) for fact in FACTS[name]])
        yield ReplayCase(f"write_report/{name}", deepsearch.WRITE_REPORT, report)
    for name, query in SUBTASKS.items():
        phrases = deepsearch.PhrasesAsk(query=query, instructions="", context="", looking_for="web")
        yield ReplayCase(f"phrase_search/{name}", deepsearch.PHRASE_SEARCH, phrases)
    for name, query in zip(SUMMARISED, SUBTASKS.values(), strict=False):
        lines = [
            deepsearch.RankedSentence(id=f"L{n}", source=name.replace("-", " "), heading=line.heading, text=line.text)
            for n, line in enumerate(lines_of(source(name), LIMIT), 1)
        ]
        summary = deepsearch.SummaryAsk(query=query, instructions="", context="", lines=lines, keep=4)
        yield ReplayCase(f"summarise_lines/{name}", deepsearch.SUMMARISE_LINES, summary)
    for name, statements in REFUSED.items():
        refused = [deepsearch.RefusedStatement(**statement) for statement in statements]
        ask_again = deepsearch.RestateAsk(question=RESEARCH["leak"], statements=refused)
        yield ReplayCase(f"restate/{name}", deepsearch.RESTATE, ask_again)
