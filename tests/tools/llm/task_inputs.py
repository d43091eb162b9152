"""One small input for each task; the snapshots in `prompts/` are the requests rendered from them."""

from pydantic import BaseModel

from soprag.agents.experts.retrieval import PROTOCOL as RETRIEVAL
from soprag.tools.math import conversion, laws
from soprag.tools.protocols import ToolCard
from soprag.tools.tasks.answer import AnswerAsk
from soprag.tools.tasks.archive import FigureAsk
from soprag.tools.tasks.benchmark import MarkdownAsk, QuestionsAsk, Rejection, SopAsk, TopicAsk
from soprag.tools.tasks.calculate import CodeAsk, MathAsk
from soprag.tools.tasks.choice import ChooseAsk
from soprag.tools.tasks.collecting import QueriesAsk, WantedAsk
from soprag.tools.tasks.deepsearch import (
    AgentCard,
    AnsweredSubtask,
    CaptionAsk,
    CitedSentence,
    Fact,
    JudgeAsk,
    PhrasesAsk,
    RankedSentence,
    RefusedStatement,
    ReportAsk,
    RestateAsk,
    SubtaskPlanAsk,
    SummaryAsk,
)
from soprag.tools.tasks.flow import BindAsk, StepToBind, ToolOffer
from soprag.tools.tasks.knowledge import (
    ChunkContextAsk,
    ChunkEntity,
    ChunkRelationsAsk,
    CommunityAsk,
    CommunityFact,
    KnowledgeAsk,
)
from soprag.tools.tasks.picture import Picture
from soprag.tools.tasks.retriever import NumberedSop, OverlookedAsk, RouteAsk, number
from soprag.tools.tasks.support import CitedStatement, SupportAsk
from soprag.tools.tasks.troubleshoot import (
    FINISH_PROTOCOL,
    ActionAsk,
    Past,
    PlannedStep,
    RepairAsk,
    ReplyAsk,
    Suspect,
    ToolArgument,
)

TITLE = "Restart the coolant pump P-101"
BODY = "> **WARNING:** The coupling starts without notice.\n\n1. Close valve V-12.\n2. Press START."
QUESTION = "Why does pump P-101 trip?"
PICTURE = Picture(mime="image/png", base64="iVBORw0KGgo=")
SOP = NumberedSop(title=TITLE, numbered=number(BODY.split("\n")))
DOCUMENT = MarkdownAsk(name="pump.md", markdown=f"# {TITLE}\n\n{BODY}")

INPUTS: dict[str, BaseModel] = {
    "keywords": TopicAsk(topic="coolant pumps"),
    "audit": DOCUMENT.model_copy(update={"markdown": number(DOCUMENT.markdown.split("\n"))}),
    "card": SopAsk(title=TITLE, body=BODY),
    "questions": QuestionsAsk(
        title=TITLE,
        body=BODY,
        language="en",
        siblings=["Stop the coolant pump P-101"],
        levels=["keyword", "symptom"],
        rejected=[Rejection(level="symptom", text="The pump?", reason="It names no symptom.")],
    ),
    "queries": QueriesAsk(topic="coolant pumps", asked=["coolant pump SOP"], titles=[TITLE], wanted=3),
    "wanted": WantedAsk(topic="coolant pumps", name=TITLE, text=BODY),
    "figure": FigureAsk(around="Close valve V-12.\n\n[the picture]\n\nPress START.", picture=PICTURE),
    "extract": SOP,
    "entity": SOP,
    "causal": SOP,
    "flow": SOP,
    "overlooked": OverlookedAsk(
        title=TITLE, numbered="3| 1. Close valve V-12.", proposed_steps=[3], chart=["w1-s1: 1-2"]
    ),
    "knowledge": KnowledgeAsk(title=TITLE, numbered=SOP.numbered, limit=20),
    "chunk_context": ChunkContextAsk(title=TITLE, document=BODY, chunk="2. Press START."),
    "chunk_entities": KnowledgeAsk(title=TITLE, numbered=SOP.numbered, limit=20),
    "chunk_relations": ChunkRelationsAsk(
        title=TITLE, numbered=SOP.numbered, entities=[ChunkEntity(name="valve V-12", kind="asset")], limit=20
    ),
    "summarise_community": CommunityAsk(
        names=["P-101", "V-12"],
        facts=[CommunityFact(text="P-101 discharges to V-12", quote="P-101 discharges to V-12.")],
    ),
    "route": RouteAsk(question=QUESTION),
    "choose": ChooseAsk(question=QUESTION, candidates="[1] Restart the pump\npurpose: Restarts P-101 after a trip."),
    "answer": AnswerAsk(
        question=QUESTION,
        title=TITLE,
        document="3 [s1]| 1. Close valve V-12.\n4 [s2]| 2. Press START.",
        unsupported=["Press STOP. -- 'STOP' is not in the cited lines"],
    ),
    "bind": BindAsk(
        title=TITLE,
        tools=[
            ToolOffer(
                name="email",
                purpose="Drafts an e-mail.",
                when_to_use="A person must be informed.",
                when_not="The person stands beside you.",
                arguments='{"to": {"type": "string"}}',
            )
        ],
        steps=[StepToBind(node="s1", text="Close valve V-12."), StepToBind(node="s2", text="Is it hot?", ways=2)],
    ),
    "plan": ActionAsk(
        question=QUESTION,
        procedure="pump",
        title=TITLE,
        history=[Past(step="s1", tool="retrieval", task="Find the procedure.", status="ok", kind="answer", text=TITLE)],
        tools=[ToolCard.of(RETRIEVAL, PlannedStep), ToolCard.of(FINISH_PROTOCOL)],
        left=3,
    ),
    "repair": RepairAsk(
        question="How much power does the pump draw?",
        failed="s2",
        kind="dimension",
        message="kg is no power",
        detail="expected W",
        suspects=[
            Suspect(
                step="s1",
                tool="math",
                task="Find the mass flow.",
                arguments=[ToolArgument(name="unit", value="kg")],
                output="3 kg",
                evidence="Its unit lacks a time.",
            )
        ],
        attempts=["s2 again: kg is no power"],
    ),
    "reply": ReplyAsk(asked="Which fan do you mean?", choices=["Fan, type A", "Fan, type B"], reply="the second"),
    "plan_research": SubtaskPlanAsk(
        question=QUESTION, agents=[AgentCard(name="web", does="Searches web pages.")], limit=3, faults=["no subtask s9"]
    ),
    "phrase_search": PhrasesAsk(
        query="causes of pump trips", instructions="Web pages.", context="P-101 is centrifugal.", looking_for="web"
    ),
    "summarise_lines": SummaryAsk(
        query="causes of pump trips",
        instructions="Web pages.",
        context="",
        lines=[RankedSentence(id="l1", source="a.test", heading="Trips", text="Low suction pressure.", closeness=0.8)],
        keep=2,
    ),
    "write_report": ReportAsk(
        question=QUESTION,
        facts=[Fact(id="f1", topic="trips", text="Low suction pressure trips a pump.", sources=[1, 2])],
        previous="Pumps trip.",
        feedback=["Name the cause."],
    ),
    "support": SupportAsk(
        question="May I top up 8 L?",
        statements=[
            CitedStatement(
                n=1,
                text="More than 5 L needs the consent of the lead.",
                cited="7. Do not top up more than 5 L without consent of the lead.",
                headings="Coolant top-up",
            )
        ],
    ),
    "restate": RestateAsk(
        question=QUESTION,
        statements=[RefusedStatement(id="s1", text="It trips at 2 bar.", reason="2 is new.", cited=["It trips low."])],
    ),
    "judge_report": JudgeAsk(
        question=QUESTION,
        subtasks=[AnsweredSubtask(query="causes of pump trips", status="done")],
        report="Low suction pressure trips a pump [1].",
        sentences=[CitedSentence(text="Low suction pressure trips a pump.", quotes=["Low suction pressure."])],
    ),
    "caption_picture": CaptionAsk(query="pump strainer", title="Strainer S-7", picture=PICTURE),
    "code": CodeAsk(
        task="Double the pressure.",
        inputs="s1: 3 bar, the pressure",
        libraries="sympy",
        tools="unit_convert(value, source, target)",
        failed="answer = x: NameError",
    ),
    "math": MathAsk(
        task="Convert 3 bar to Pa.",
        inputs="s1: 3 bar, the pressure",
        laws="hydrostatic: Pressure of a liquid column; p (pressure, Pa)",
        tools=[ToolCard.of(tool.protocol) for tool in (*conversion.TOOLS, *laws.TOOLS)],
        failed="bar to kg: not compatible",
    ),
}
