"""What the rules answer exactly costs no request to a model."""

import pytest

from soprag.tools.llm.fallback import attributed
from soprag.tools.llm.rules_first import RulesFirstLlm
from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.protocols import ToolCard
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.rules.exact import EXACT
from soprag.tools.tasks.calculate import MATH, MathAsk
from soprag.tools.tasks.troubleshoot import PLAN, REPAIR, REPLY, ActionAsk, Past, RepairAsk, ReplyAsk, Suspect

TOOLS = [ToolCard(name="retrieval", description=""), ToolCard(name="math", description="")]
PLANNED = {"tool": "retrieval", "question": "x"}


def opened(**script: object) -> tuple[RulesFirstLlm, ScriptedLlm]:
    model = ScriptedLlm({"plan": PLANNED, "math": {"call": None}, "reply": {"choice": 0, "kind": "other"}, **script})  # type: ignore[dict-item]
    return RulesFirstLlm(model, EXACT, RulesLlm()), model


async def test_a_conversion_is_planned_and_called_without_a_request() -> None:
    llm, model = opened()
    planned = await attributed(llm, PLAN, ActionAsk(question="Convert 5 bar to psi", tools=TOOLS))
    assert (planned.answer.tool, planned.answer.last, planned.author) == ("math", True, "rules")
    choice = await llm.ask(MATH, MathAsk(task="Convert 5 bar to psi"))
    assert choice.call is not None
    assert choice.call.tool == "unit_convert"
    assert model.requests == []


@pytest.mark.parametrize(
    "question",
    [
        "Smoke in hall 2, what now?",
        "May I top up 8 L, and what do I check first?",
        "Was tun bei Rauch?",
        "Every build ends with a push error and the connection is refused. What now?",
        "Uploads are refused, the capacity of the bucket reads 96 % since 2 h.",
        "The pump tripped at 5 bar",
        "It is 2 am, the search backend wants 3 copies and only 2 are up. What can I delete?",
        "Rules take longer to compute than their interval, whom do I ask to convert the pool?",
    ],
)
async def test_a_first_question_that_one_procedure_answers_is_looked_up_without_a_request(question: str) -> None:
    llm, model = opened()
    planned = await llm.ask(PLAN, ActionAsk(question=question, tools=TOOLS, left=8))
    assert (planned.tool, planned.last) == ("retrieval", True)
    assert model.requests == []


@pytest.mark.parametrize(
    "question",
    [
        "Which procedures touch valve V-12?",
        "What is said about V-12 in every document?",
        "How is the pump connected to tank T-4?",
        "The loop holds 640 L at pH 7.0, how much KL-5 do I dose?",
        "Wie viel KL-5 brauchen 640 L?",
        "The level was 96 %, what is the level after 2 h at 5 % per hour?",
        "hello",
    ],
)
async def test_a_question_that_needs_more_than_one_procedure_goes_to_the_model(question: str) -> None:
    llm, model = opened()
    await llm.ask(PLAN, ActionAsk(question=question, tools=TOOLS, left=8))
    assert len(model.requests) == 1


async def test_what_follows_from_the_procedure_found_costs_no_request() -> None:
    llm, model = opened()
    found = Past(step="s1", tool="retrieval", task="", status="ok", kind="answer", about="x", begins="s7")
    dose = ActionAsk(question="How much KL-5 do 640 L need?", tools=TOOLS, history=[found], left=7)
    planned = await llm.ask(PLAN, dose)
    assert (planned.tool, planned.uses, planned.last) == ("math", ["s1"], True)
    through = await llm.ask(PLAN, ActionAsk(question="guide me through the fan reset", tools=TOOLS, left=8))
    assert (through.tool, through.last) == ("retrieval", False)
    assert ("said", "false") in {(argument.name, argument.value) for argument in through.arguments}
    guide = ActionAsk(question="guide me", tools=TOOLS, procedure="x", title="Reset", begins="s7", left=8)
    assert (await llm.ask(PLAN, guide)).tool == "flow"
    assert model.requests == []


async def test_what_is_no_exact_calculation_goes_to_the_model() -> None:
    llm, model = opened()
    await llm.ask(PLAN, ActionAsk(question="Find a real root of x^3 - 11x^2 + 32x - 22 = 0", tools=TOOLS))
    await llm.ask(PLAN, ActionAsk(question="Calculate the cost of 5 bar of air for a year", tools=TOOLS))
    await llm.ask(MATH, MathAsk(task="Convert 5 bar to psi", failed="unit_convert failed"))
    assert [task for task, _ in model.requests] == ["plan", "plan", "math"]


async def test_a_reply_that_is_a_number_is_read_without_a_request() -> None:
    llm, model = opened()
    ask = ReplyAsk(asked="Which fan?", choices=["Fan, type A", "Fan, type B"], reply="2")
    assert (await llm.ask(REPLY, ask)).choice == 2
    await llm.ask(REPLY, ask.model_copy(update={"reply": "the one that squeaks"}))
    assert len(model.requests) == 1


@pytest.mark.parametrize(("tools", "asked"), [(("retrieval",), 0), (("retrieval", "math"), 1), (("math",), 1)])
async def test_a_first_search_without_a_fitting_candidate_is_not_repaired_by_a_model(
    tools: tuple[str, ...], asked: int
) -> None:
    llm, model = opened(repair={"step": "s1", "cause": "c", "fix": "f"})
    suspects = [
        Suspect(step=f"s{n}", tool=tool, task="t", arguments=[], output="", evidence="")
        for n, tool in enumerate(tools, 1)
    ]
    ask = RepairAsk(question="q", failed="s1", kind="empty", message="None fits.", detail="[...]", suspects=suspects)
    repair = await llm.ask(REPAIR, ask)
    assert (len(model.requests), repair.fix) == (asked, "f" * asked)
