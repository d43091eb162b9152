"""The graded tasks of a model's self-check: each is small, has one right answer, and stands for its task."""

from typing import Any

from soprag.agents.experts import flow, math, retrieval
from soprag.agents.model_check import GradedTask
from soprag.tools.math import conversion, laws
from soprag.tools.protocols import ToolCard
from soprag.tools.questions.checks import text_fault
from soprag.tools.sop import Sop, Span
from soprag.tools.tasks.benchmark import AUDIT, QUESTIONS, DocumentVerdict, DraftQuestions, MarkdownAsk, QuestionsAsk
from soprag.tools.tasks.calculate import MATH, NO_TOOL_PROTOCOL, MathAsk, MathChoice
from soprag.tools.tasks.collecting import QUERIES, WANTED, Queries, QueriesAsk, Wanted, WantedAsk
from soprag.tools.tasks.deepsearch import (
    SUMMARISE_LINES,
    WRITE_REPORT,
    Fact,
    Findings,
    RankedSentence,
    ReportAsk,
    ReportDraft,
    SummaryAsk,
)
from soprag.tools.tasks.retriever import EXTRACT, NumberedSop, ViewsAnswer, number
from soprag.tools.tasks.support import SUPPORT, CitedStatement, SupportAsk, SupportOpinions
from soprag.tools.tasks.troubleshoot import (
    FINISH_PROTOCOL,
    PLAN,
    REPLY,
    ActionAsk,
    ActionPlan,
    ChoiceReply,
    PlannedStep,
    ReplyAsk,
)

TITLE = "Restart of coolant pump P-101"
BODY = """The pump trips when its suction pressure is low.

**WARNING:** The coupling starts without notice.

1. Close the discharge valve V-12.
2. Read the suction pressure. It must be at least 1.5 bar.
3. Press START on the local panel."""
MINUTES = """# Minutes of the weekly meeting, 3 March

Anna reported that pump P-101 tripped on Monday. The spare was ordered. Next meeting: 10 March."""
STEPS = (5, 6, 7)  # lines of the steps in BODY


def cases() -> list[GradedTask[Any, Any]]:
    """Every graded task."""
    document = f"# {TITLE}\n\n{BODY}"
    return [
        GradedTask(AUDIT, MarkdownAsk(name="p101.md", markdown=number(document.split("\n"))), _procedure),
        GradedTask(AUDIT, MarkdownAsk(name="minutes.md", markdown=number(MINUTES.split("\n"))), _no_procedure),
        GradedTask(EXTRACT, NumberedSop(title=TITLE, numbered=number(BODY.split("\n"))), _views),
        GradedTask(EXTRACT, _minutes(), _refused),
        GradedTask(QUESTIONS, _questions_ask(), _questions),
        GradedTask(QUERIES, QueriesAsk(topic="coolant pumps", wanted=3), _queries),
        GradedTask(WANTED, WantedAsk(topic="coolant pumps", name=TITLE, text=BODY), _wanted),
        GradedTask(WANTED, WantedAsk(topic="coolant pumps", name="Minutes", text=MINUTES), _not_wanted),
        GradedTask(PLAN, _plan_ask(), _plan),
        GradedTask(MATH, _math_ask(), _math),
        GradedTask(
            REPLY, ReplyAsk(asked="Which fan?", choices=["Fan, type A", "Fan, type B"], reply="the latter"), _reply
        ),
        GradedTask(SUMMARISE_LINES, _summary_ask(), _claims),
        GradedTask(WRITE_REPORT, _report_ask(), _report),
        GradedTask(SUPPORT, _support_ask(), _opinions),
    ]


def _procedure(answer: DocumentVerdict) -> str:
    return "" if answer.is_sop and len(answer.parts) == 1 else "a procedure of three steps was not kept whole"


def _no_procedure(answer: DocumentVerdict) -> str:
    return "the minutes of a meeting were taken for a procedure" if answer.is_sop else ""


def _minutes() -> NumberedSop:
    doubt = "It reads as no procedure: 2 sentences about what happened."
    return NumberedSop(title="Minutes", numbered=number(MINUTES.split("\n")), doubt=doubt)


def _refused(answer: ViewsAnswer) -> str:
    return "the minutes of a meeting were taken for a procedure" if answer.is_sop else ""


def _views(answer: ViewsAnswer) -> str:
    starts = tuple(step.start for step in answer.flow.steps)
    if starts != STEPS:
        return f"the steps begin on lines {STEPS}, the answer says {starts}"
    warned = {warning.start for warning in answer.flow.warnings}
    if 3 not in warned:
        return "the warning on line 3 is missing"
    names = {entity.name for entity in answer.entity.entities}
    return "" if any("V-12" in name for name in names) else "the valve V-12 is missing"


def _questions_ask() -> QuestionsAsk:
    return QuestionsAsk(title=TITLE, body=BODY, language="en", siblings=[], levels=["direct", "conditional"])


def _questions(answer: DraftQuestions) -> str:
    sop = Sop(id="check", title=TITLE, text=BODY, document="check", span=Span(start=1, end=7))
    faults = [text_fault(question, sop) for question in answer.questions]
    return "" if "" in faults else (faults[0] if faults else "there is no question")


def _queries(answer: Queries) -> str:
    good = [query for query in answer.queries if "pump" in query.lower() and len(query.split()) <= 9]
    return "" if len(set(good)) >= 2 else "fewer than two different queries on pumps"


def _wanted(answer: Wanted) -> str:
    return "" if answer.is_procedure and answer.on_topic else "a procedure on the topic was not wanted"


def _not_wanted(answer: Wanted) -> str:
    return "the minutes of a meeting were taken for a procedure" if answer.is_procedure else ""


def _plan_ask() -> ActionAsk:
    protocols = (retrieval.PROTOCOL, flow.PROTOCOL, math.PROTOCOL)
    tools = [*(ToolCard.of(protocol, PlannedStep) for protocol in protocols), ToolCard.of(FINISH_PROTOCOL)]
    return ActionAsk(question="Pump P-101 tripped, what do I check first?", tools=tools, left=4)


def _plan(answer: ActionPlan) -> str:
    asked = next((argument.value for argument in answer.arguments if argument.name == "question"), "")
    good = answer.tool == retrieval.NAME and "P-101" in asked
    return "" if good else f"a question on a tripped pump was planned as {answer.tool!r}"


def _math_ask() -> MathAsk:
    tools = [tool.protocol for tool in (*conversion.TOOLS, *laws.TOOLS)]
    cards = [ToolCard.of(protocol) for protocol in (*tools, NO_TOOL_PROTOCOL)]
    return MathAsk(task="Convert 5 bar to psi.", laws=laws.describe("Convert 5 bar to psi.", 2), tools=cards)


def _math(answer: MathChoice) -> str:
    call = answer.call
    good = call is not None and call.tool == "unit_convert" and (call.value, call.unit, call.to) == (5, "bar", "psi")
    return "" if good else "5 bar were not converted to psi"


# Six, so that a model which guesses passes in one of sixty checks at most.
_SUPPORTED = (
    "V-12 is shut first.",
    "The pump is started at the local panel.",
    "1.5 bar of suction pressure are enough.",
)
_UNSUPPORTED = (
    "V-12 stays open until the pump runs.",
    "The suction pressure is read once the pump has started.",
    "The pump may be started with any suction pressure.",
)


def _support_ask() -> SupportAsk:
    texts = (*_SUPPORTED, *_UNSUPPORTED)
    cited = "\n".join(BODY.split("\n")[4:])
    statements = [CitedStatement(n=n, text=text, cited=cited, headings=TITLE) for n, text in enumerate(texts, 1)]
    return SupportAsk(question="How is P-101 restarted?", statements=statements)


def _opinions(answer: SupportOpinions) -> str:
    shown = sorted({opinion.n for opinion in answer.opinions if opinion.verdict == "supported"})
    right = list(range(1, len(_SUPPORTED) + 1))
    return "" if shown == right else f"of the statements {right} are supported and no other, the answer says {shown}"


def _reply(answer: ChoiceReply) -> str:
    return "" if answer.choice == 2 else "'the latter' of two was not read as the second"


def _summary_ask() -> SummaryAsk:
    texts = ("A strainer that is clogged lowers the suction pressure.", "The office closes at 5 pm.")
    lines = [RankedSentence(id=f"L{n}", source="Pumps", text=text) for n, text in enumerate(texts, 1)]
    return SummaryAsk(
        query="Why is the suction pressure of a pump low?", instructions="", context="", lines=lines, keep=2
    )


def _claims(answer: Findings) -> str:
    cited = {line for claim in answer.claims for line in claim.lines}
    return "" if cited == {"L1"} else "the one line on the subject was not the only one cited"


def _report_ask() -> ReportAsk:
    fact = Fact(id="f1", topic="suction", text="A clogged strainer lowers the suction pressure.", sources=[1])
    return ReportAsk(question="Why is the suction pressure low?", facts=[fact])


def _report(answer: ReportDraft) -> str:
    sentences = [*answer.summary, *(sentence for section in answer.sections for sentence in section.sentences)]
    good = sentences and all(sentence.facts == ["f1"] for sentence in sentences) and "strainer" in sentences[0].text
    return "" if good else "the report does not say what its one fact says"
