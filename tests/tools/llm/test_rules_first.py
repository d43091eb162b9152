"""What the rules answer exactly costs no request to a model."""

from soprag.tools.llm.fallback import attributed
from soprag.tools.llm.rules_first import RulesFirstLlm
from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.protocols import ToolCard
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.rules.exact import EXACT
from soprag.tools.tasks.calculate import MATH, MathAsk
from soprag.tools.tasks.troubleshoot import PLAN, REPLY, ActionAsk, ReplyAsk

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


async def test_what_is_no_exact_calculation_goes_to_the_model() -> None:
    llm, model = opened()
    await llm.ask(PLAN, ActionAsk(question="The pump tripped at 5 bar", tools=TOOLS))
    await llm.ask(PLAN, ActionAsk(question="Calculate the cost of 5 bar of air for a year", tools=TOOLS))
    await llm.ask(MATH, MathAsk(task="Convert 5 bar to psi", failed="unit_convert failed"))
    assert [task for task, _ in model.requests] == ["plan", "plan", "math"]


async def test_a_reply_that_is_a_number_is_read_without_a_request() -> None:
    llm, model = opened()
    ask = ReplyAsk(asked="Which fan?", choices=["Fan, type A", "Fan, type B"], reply="2")
    assert (await llm.ask(REPLY, ask)).choice == 2
    await llm.ask(REPLY, ask.model_copy(update={"reply": "the one that squeaks"}))
    assert len(model.requests) == 1
