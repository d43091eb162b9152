"""The troubleshooter as an operator meets it, by rule and with a scripted model."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, Field

from soprag.agents.experts.math import MathExpert
from soprag.apps.compose.services import rules_first
from soprag.graphs.troubleshoot.context import AgentContext
from soprag.tools.embedding.minilm import MiniLm
from soprag.tools.errors import ModelUnavailable
from soprag.tools.flow.reply_intent import intent_reader
from soprag.tools.history import StepFailure
from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.protocols import ExpertResult, ToolProtocol, Work
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.sandbox import open_sandbox
from soprag.tools.sop import Frozen
from soprag.tools.store.branches import off_path, on_path
from soprag.tools.store.logbook import Logbook
from soprag.tools.tasks.troubleshoot import ActionAsk
from tests.graphs.plant import Plant
from tests.scripting import scripted


class Wish(Frozen):
    wish: str = Field(description="what to do")


class Nothing(BaseModel):
    pass


@dataclass
class Tool:
    """An expert that gives what it is told, and remembers its work."""

    outcomes: list[ExpertResult | StepFailure]
    name: str = "lookup"
    side_effect: str = "read"
    done: list[Work] = field(default_factory=list)

    @property
    def protocol(self) -> ToolProtocol:
        return ToolProtocol(self.name, "Looks up.", "Always.", "Never.", Wish, Nothing, self.side_effect, ())  # type: ignore[arg-type]

    async def work(self, work: Work) -> ExpertResult | StepFailure:
        self.done.append(work)
        return self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]


def action(tool: str, **arguments: str) -> dict[str, Any]:
    return {"tool": tool, "step": f"use {tool}", "arguments": [{"name": k, "value": v} for k, v in arguments.items()]}


FINISH = {"tool": "finish"}


async def test_a_symptom_is_answered_with_every_step_and_warning_of_the_procedure(plant: Plant) -> None:
    talk = plant.talk()
    answer = await talk.say("coolant pump P-101 tripped on low suction pressure")
    assert (answer["kind"], answer["answer"]["sop"]) == ("answer", "pump")
    text = (await talk.texts())[-1]
    assert "! **WARNING:** The coupling starts without notice. Keep hands away.\n1. Close the discharge valve" in text
    assert [source["n"] for source in answer["sources"]] == list(range(1, len(answer["answer"]["steps"]) + 1))
    assert "\n\n".join(one["text"] for one in talk.events if one["kind"] == "block") == text
    assert talk.nodes == ["meta", "act", "expert", "act", "respond"]


async def test_twins_are_told_apart_by_a_question_and_the_reply_is_understood(plant: Plant) -> None:
    talk = plant.talk()
    asked = await talk.say("the exhaust fan stopped on a thermal trip, reset it")
    assert (asked["kind"], [one["sop"] for one in asked["choices"]]) == ("question", ["fan-a", "fan-b"])
    assert "Open the cover" not in (await talk.texts())[-1]
    answer = await talk.say("type B")
    assert answer["answer"]["sop"] == "fan-b"
    assert answer["answer"]["question"].startswith("the exhaust fan stopped")


@pytest.mark.parametrize(("reply", "sop"), [("1", "fan-a"), ("the second one", "fan-b"), ("it is of type a", "fan-a")])
async def test_a_choice_is_named_by_its_place_or_its_words(plant: Plant, reply: str, sop: str) -> None:
    talk = plant.talk()
    await talk.say("the exhaust fan stopped on a thermal trip, reset it")
    assert (await talk.say(reply))["answer"]["sop"] == sop


async def test_a_new_question_instead_of_a_reply_is_a_new_question(plant: Plant) -> None:
    talk = plant.talk()
    await talk.say("the exhaust fan stopped on a thermal trip, reset it")
    assert (await talk.say("how do I restart the coolant pump P-101 after a trip?"))["answer"]["sop"] == "pump"


async def test_nothing_fits_names_the_nearest_and_shows_no_step(plant: Plant) -> None:
    talk = plant.talk()
    answer = await talk.say("which wine goes with grilled salmon and asparagus")
    assert (answer["kind"], answer["answer"], answer["sources"]) == ("nothing", None, [])
    assert {one["sop"] for one in answer["choices"]} == {"pump", "fan-a", "fan-b"}
    assert "Open the cover" not in (await talk.texts())[-1]


async def test_after_nothing_was_found_a_new_question_stands_alone_and_a_named_procedure_can_be_chosen(
    plant: Plant,
) -> None:
    talk = plant.talk()
    await talk.say("which wine goes with grilled salmon and asparagus")
    assert (await talk.say("coolant pump P-101 tripped"))["answer"]["question"] == "coolant pump P-101 tripped"
    named = (await talk.say("which wine goes with grilled salmon and asparagus"))["choices"]
    assert (await talk.say("3"))["answer"]["sop"] == named[2]["sop"]


@pytest.mark.parametrize("said", ["hello", "the second", "ok", "3"])
async def test_words_that_say_nothing_about_a_plant_find_no_procedure(plant: Plant, said: str) -> None:
    answer = await plant.talk().say(said)
    assert (answer["kind"], answer["answer"]) == ("nothing", None)


async def test_a_question_about_a_step_during_a_run_is_about_its_procedure(plant: Plant) -> None:
    talk = plant.talk()
    await talk.say("guide me through restarting the coolant pump P-101")
    await talk.reply("ask which step says to press START?")
    answers = [one for one in (await talk.values())["messages"] if one.type == "ai"]
    assert {source["sop"] for source in answers[-1].additional_kwargs["soprag"]["sources"]} == {"pump"}
    assert "Press START on the local panel." in answers[-1].text


async def test_a_step_asked_for_by_its_number_is_quoted_with_its_lines(plant: Plant) -> None:
    talk = plant.talk()
    await talk.say("guide me through restarting the coolant pump P-101")
    waiting = await talk.reply("ask what does step 4 mean?")
    assert (waiting["name"], waiting["args"]["sop"]) == ("warning", "pump")
    text = (await talk.texts())[-1]
    assert text.startswith("'Restart the coolant pump P-101' says:\n4. Clean the strainer S-7.\n")
    assert "Press START" not in text


async def test_a_run_that_does_not_say_leads_to_all_procedures_and_tells_so(plant: Plant) -> None:
    talk = plant.talk()
    await talk.say("guide me through restarting the coolant pump P-101")
    await talk.reply("ask how do I reset the exhaust fan of type B?")
    text = (await talk.texts())[-1]
    assert "'Restart the coolant pump P-101' says nothing about this" in text and "Press RESET for 9 s." in text


async def test_a_state_that_no_procedure_surely_responds_to_names_the_nearest_and_the_run_waits(plant: Plant) -> None:
    talk = plant.talk()
    await talk.say("guide me through restarting the coolant pump P-101")
    waiting = await talk.reply("it is vibrating")
    text = (await talk.texts())[-1]
    assert "No part of 'Restart the coolant pump P-101' clearly responds to this" in text
    assert "\n- Reset the exhaust fan, type" in text and "- Restart the coolant pump" not in text
    assert waiting["args"]["sop"] == "pump"


THANKED = "You are welcome."


@pytest.mark.parametrize("courtesy", ["thanks", "Thank you very much!", "hello", "ok great, thanks"])
async def test_a_courtesy_is_answered_and_the_run_waits(plant: Plant, courtesy: str) -> None:
    talk = plant.talk()
    await talk.say("guide me through restarting the coolant pump P-101")
    waiting = await talk.reply(f"ask {courtesy}")
    assert (await talk.texts())[-1] in (f"{said} The guided run waits at its step." for said in ("Hello.", THANKED))
    assert waiting["args"]["sop"] == "pump"


@pytest.mark.parametrize(
    ("reply", "said"),
    [("how far am I?", "stands at"), ("no idea", "does not guess"), ("dnoe", "Did you mean `done`")],
)
async def test_a_reply_in_other_words_is_answered_about_the_run_and_moves_nothing(
    plant: Plant, reply: str, said: str
) -> None:
    crew = plant.crew(RulesLlm()).model_copy(update={"intent": intent_reader(MiniLm().embed)})
    talk = plant.talk(crew)
    before = await talk.say("guide me through restarting the coolant pump P-101")
    waiting = await talk.reply(reply)
    assert waiting["args"]["node"] == before["args"]["node"]
    assert said in (await talk.texts())[-1] and "No procedure fits" not in "".join(await talk.texts())


async def test_a_courtesy_after_an_answer_does_not_show_the_procedure_again(plant: Plant) -> None:
    talk = plant.talk()
    await talk.say("coolant pump P-101 tripped on low suction pressure")
    await talk.say("thanks")
    assert (await talk.texts())[-1].startswith("You are welcome.")


@pytest.mark.parametrize("command", ["done", "done 4.8 bar", "ack", "back", "/skip"])
async def test_a_reply_without_a_run_says_that_no_step_waits(plant: Plant, command: str) -> None:
    talk = plant.talk()
    await talk.say("coolant pump P-101 tripped on low suction pressure")
    await talk.say(command)
    assert "no guided run waits" in (await talk.texts())[-1]


async def test_a_follow_up_means_the_procedure_found_before(plant: Plant) -> None:
    talk = plant.talk()
    await talk.say("coolant pump P-101 tripped")
    assert (await talk.say("what does step 4 of it say?"))["answer"]["sop"] == "pump"
    step = await talk.say("guide me through it")
    assert (step["name"], step["args"]["sop"]) == ("warning", "pump")


async def test_an_empty_message_is_answered_and_not_searched_for(plant: Plant) -> None:
    talk = plant.talk()
    answer = await talk.say("  \n ")
    assert answer["kind"] == "nothing" and talk.nodes == ["meta", "respond"]


async def test_a_guided_run_outlives_its_process_and_a_question_aside(plant: Plant, tmp_path: Path) -> None:
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    file = str(tmp_path / "checkpoint.sqlite")
    async with AsyncSqliteSaver.from_conn_string(file) as saver:
        talk = plant.talk(saver=saver)
        await talk.say("guide me through restarting the coolant pump P-101")
        assert (await talk.reply("ack"))["args"]["number"] == 1
        assert (await talk.reply("done"))["args"]["number"] == 2
    async with AsyncSqliteSaver.from_conn_string(file) as saver:
        talk = plant.talk(saver=saver)
        waiting = await talk.waiting()
        assert waiting is not None and waiting["args"]["number"] == 2
        out = await talk.reply("done 9 bar")
        assert out["args"]["number"] == 2 and "outside" in out["args"]["problem"]
        back = await talk.reply("ask how do I reset the exhaust fan of type B?")
        assert back["args"]["number"] == 2
        assert "Press RESET for 9 s." in (await talk.texts())[-1]
        assert (await talk.reply("done 2 bar"))["args"]["kind"] == "decision"


async def test_a_message_past_the_waiting_step_is_a_question_aside(plant: Plant) -> None:
    talk = plant.talk()
    await talk.say("guide me through restarting the coolant pump P-101")
    waiting = await talk.say("how do I reset the exhaust fan of type A?")
    assert (waiting["name"], waiting["args"]["sop"]) == ("warning", "pump")
    assert "Press RESET for 5 s." in (await talk.texts())[-1]
    await talk.say("stop")
    assert await talk.waiting() is None and (await talk.values())["flow"] is None


async def test_a_second_run_comes_before_the_one_that_waits_and_the_same_procedure_is_not_begun_twice(
    plant: Plant,
) -> None:
    talk = plant.talk()
    await talk.say("guide me through restarting the coolant pump P-101")
    await talk.reply("ack")
    await talk.reply("done")
    assert (await talk.say("continue"))["args"]["number"] == 2
    again = await talk.say("guide me through restarting the coolant pump P-101")
    assert (again["args"]["sop"], again["args"]["number"]) == ("pump", 2)
    other = await talk.say("guide me through resetting the exhaust fan of type B")
    assert other["args"]["sop"] == "fan-b"
    back = await talk.reply("stop")
    assert (back["args"]["sop"], back["args"]["number"]) == ("pump", 2)


async def test_a_failed_step_is_tried_again_and_then_the_person_is_asked(plant: Plant) -> None:
    fails = StepFailure(kind="runtime", message="division by zero")
    tool = Tool([fails])
    talk = plant.talk(plant.crew(scripted({"plan": [action("lookup", wish="x"), FINISH]}), [tool]))
    answer = await talk.say("look it up")
    assert answer["kind"] == "question" and "division by zero" in (await talk.texts())[-1]
    assert [(event.step, event.version) for event in await talk.history()] == [("s1", 1), ("s1", 2)]
    assert len(tool.done) == 2 and "division by zero" in str(tool.done[1].history[-1].failure)


async def test_a_repaired_step_is_shown_and_its_failure_stays_in_the_history(plant: Plant) -> None:
    tool = Tool([StepFailure(kind="runtime", message="no"), ExpertResult(output=None, text="It is blue.")])
    talk = plant.talk(plant.crew(scripted({"plan": [action("lookup", wish="x"), FINISH]}), [tool]))
    answer = await talk.say("look it up")
    assert answer["kind"] == "answer" and (await talk.texts())[-1] == "It is blue."
    assert [event.status for event in await talk.history()] == ["failed", "ok"]


async def test_no_action_is_done_twice_with_the_same_input(plant: Plant) -> None:
    tool = Tool([ExpertResult(output=None, text="It is blue.")])
    llm = scripted({"plan": [action("lookup", wish="colour"), action("lookup", wish="colour"), FINISH]})
    talk = plant.talk(plant.crew(llm, [tool]))
    await talk.say("which colour?")
    assert len(tool.done) == 1
    history = await talk.history()
    assert [event.status for event in history] == ["ok", "failed"]
    assert "done before, as s1" in history[1].failure.message
    assert (await talk.texts())[-1].endswith("It is blue.")


async def test_an_unknown_tool_and_wrong_arguments_are_failed_steps_that_the_next_plan_sees(plant: Plant) -> None:
    tool = Tool([ExpertResult(output=None, text="It is blue.")])
    plans = [action("teleport"), action("lookup", colour="red"), action("lookup", wish="colour"), FINISH]
    llm = scripted({"plan": plans})
    await plant.talk(plant.crew(llm, [tool])).say("which colour?")
    seen = [ask.history for name, ask in llm.requests if name == "plan"]
    assert [len(past) for past in seen] == [0, 1, 2, 3]
    assert "no tool 'teleport'" in seen[1][0].text and "takes other arguments" in seen[2][1].text
    assert len(tool.done) == 1


async def test_the_budget_of_actions_ends_a_turn_that_would_go_on_for_ever(plant: Plant) -> None:
    tool = Tool([ExpertResult(output=None, text="more")])

    def endless(ask: ActionAsk) -> dict[str, Any]:
        return action("lookup", wish=f"number {len(ask.history)}")

    talk = plant.talk(plant.crew(scripted({"plan": endless}), [tool], actions=5))
    await talk.say("go on and on")
    assert len(tool.done) == 5
    assert "The work was ended after 5 actions." in (await talk.texts())[-1]


async def test_an_expert_that_hangs_is_stopped_when_the_time_is_over(plant: Plant) -> None:
    import asyncio

    class Hanging(Tool):
        async def work(self, work: Work) -> ExpertResult | StepFailure:
            await asyncio.sleep(60)
            raise AssertionError

    talk = plant.talk(plant.crew(scripted({"plan": action("lookup", wish="x")}), [Hanging([])], seconds=1.0))
    await talk.say("hang")
    history = await talk.history()
    assert history[0].failure.kind == "timeout"
    assert "stopped after 1 s" in (await talk.texts())[-1]


@pytest.mark.parametrize(
    "no", [{"decisions": []}, {"decisions": [{"type": "reject"}]}, "yes", {"decisions": ["approve"]}]
)
async def test_a_tool_that_reaches_outside_waits_for_approval_and_no_is_the_default(plant: Plant, no: Any) -> None:
    tool = Tool([ExpertResult(output=None, text="sent")], side_effect="external")
    llm = scripted({"plan": [action("lookup", wish="x"), FINISH]})
    talk = plant.talk(plant.crew(llm, [tool], approved=["lookup"]))
    waiting = await talk.say("do it")
    assert (waiting["name"], waiting["args"]) == ("lookup", {"wish": "x"}) and not tool.done
    await talk.resume(no)
    assert not tool.done
    assert (await talk.history())[0].failure.kind == "refused"


async def test_an_edit_changes_the_arguments_and_never_the_tool(plant: Plant) -> None:
    tool, other = (
        Tool([ExpertResult(output=None, text="sent")]),
        Tool([ExpertResult(output=None, text="no")], name="other"),
    )
    llm = scripted({"plan": [action("lookup", wish="x"), FINISH]})
    talk = plant.talk(plant.crew(llm, [tool, other], approved=["lookup"]))
    await talk.say("do it")
    await talk.decide({"type": "edit", "edited_action": {"name": "other", "args": {"wish": "y"}}})
    assert [work.arguments for work in tool.done] == [{"wish": "y"}] and not other.done


async def test_when_the_model_is_down_the_rules_plan_and_the_procedure_is_shown(plant: Plant) -> None:
    down = ModelUnavailable("429 for ever")
    llm = scripted({"plan": down, "answer": down, "choose": down})
    answer = await plant.talk(plant.crew(llm)).say("coolant pump P-101 tripped")
    assert answer["answer"]["sop"] == "pump" and answer["answer"]["author"] == "rules"


async def test_a_step_that_a_model_invents_is_never_shown(plant: Plant) -> None:
    plans = [
        action("retrieval", question="coolant pump P-101 tripped"),
        {"tool": "finish", "shows": ["s1"], "remark": "Open the drain valve V-99 first. Then hammer on the casing."},
    ]
    draft = {
        "answer": [{"text": "Open valve V-99.", "lines": [1]}],
        "steps": ["s1", "s77"],
        "first": "s77",
    }
    talk = plant.talk(plant.crew(scripted({"plan": plans, "answer": draft})))
    answer = await talk.say("coolant pump P-101 tripped")
    assert "V-99" not in (await talk.texts())[-1] and "hammer" not in (await talk.texts())[-1]
    assert answer["remark"] == "" and answer["answer"]["dropped"]["unknown"] == 2


async def test_what_a_model_forgets_to_show_is_shown(plant: Plant) -> None:
    plans = [action("retrieval", question="coolant pump P-101 tripped"), {"tool": "finish", "shows": ["s9"]}]
    answer = await plant.talk(plant.crew(scripted({"plan": plans}))).say("coolant pump P-101 tripped")
    assert answer["answer"]["sop"] == "pump"


async def test_the_logbook_holds_the_question_the_steps_and_the_answer_once(plant: Plant) -> None:
    talk = plant.talk(thread="t-1")
    await talk.say("coolant pump P-101 tripped")
    await talk.say("coolant pump P-101 tripped")
    entries = Logbook(plant.sessions / "t-1" / "logbook.jsonl").entries()
    assert [entry.kind for entry in entries] == ["question", "step", "answer"] * 2
    assert entries[0].facts["model"] == "rules"
    assert {"plan", "repair", "answer"} <= set(entries[0].facts["editions"])
    assert entries[2].facts["sop"] == "pump"


async def test_two_conversations_at_once_on_one_index_do_not_meet(plant: Plant) -> None:
    import asyncio

    crew = plant.crew(scripted())
    one, two = plant.talk(crew, "one"), plant.talk(crew, "two")
    for _ in range(3):
        pump, fan = await asyncio.gather(one.say("coolant pump P-101 tripped"), two.say("reset fan of type B"))
        assert (pump["answer"]["sop"], fan["answer"]["sop"]) == ("pump", "fan-b")
    assert len(await one.history()) == len(await two.history()) == 3


async def test_another_question_from_an_earlier_checkpoint_is_recorded_as_a_fork(plant: Plant) -> None:
    talk = plant.talk()
    await talk.say("coolant pump P-101 tripped")
    earlier = (await talk.graph.aget_state(talk.config)).config
    await talk.say("which valve is closed first?")
    await talk.graph.aupdate_state(earlier, None, as_node="__copy__")
    await talk.say("which pressure is read?")
    entries = Logbook(plant.sessions / talk.thread / "logbook.jsonl").entries()
    questions = [entry.facts["text"] for entry in on_path(entries) if entry.kind == "question"]
    assert questions == ["coolant pump P-101 tripped", "which pressure is read?"]
    assert [entry.facts["text"] for entry in off_path(entries) if entry.kind == "question"] == [
        "which valve is closed first?"
    ]
    assert (await talk.values())["budget"].turn == len(questions)


def with_math(plant: Plant, script: dict[str, Any]) -> tuple[AgentContext, ScriptedLlm]:
    """A crew with the expert of mathematics, and the model it asks."""
    model = scripted(script)
    sandbox = open_sandbox(plant.settings.sandbox, plant.sessions, {})
    return plant.crew(rules_first(model), [MathExpert(rules_first(model), sandbox)]), model


POWER = "Compute the power for my odd device that gives 5 bar at 3 m3/h after 2 hours"
SUM = {"tool": "math", "step": POWER, "unit": "kW", "last": True}
LAW = {"tool": "apply_law", "law": "pump_power", "unknown": "P", "to": "kW"}
KNOWNS = [{"name": "dp", "value": 5, "unit": "bar"}, {"name": "eta", "value": 70, "unit": "percent"}]


async def test_a_calculation_that_the_rules_can_do_exactly_costs_no_request(plant: Plant) -> None:
    crew, model = with_math(plant, {})
    await plant.talk(crew).say("Convert 5 bar to psi")
    assert model.requests == []


async def test_a_calculation_costs_a_plan_a_call_and_a_call_for_each_repair(plant: Plant) -> None:
    wrong = {**LAW, "knowns": [*KNOWNS, {"name": "flow", "value": 3, "unit": "kg"}]}
    right = {**LAW, "knowns": [*KNOWNS, {"name": "flow", "value": 3, "unit": "m^3/h"}]}
    crew, model = with_math(plant, {"plan": [SUM], "math": [wrong, right]})
    talk = plant.talk(crew)
    await talk.say(POWER)
    assert [task for task, _ in model.requests] == ["plan", "math", "math"]
    assert "kg" in model.requests[2][1].failed
    assert "0.595" in (await talk.texts())[-1]


async def test_a_step_that_answers_ends_the_turn_without_a_further_plan(plant: Plant) -> None:
    model = scripted({"plan": [{**action("retrieval", question="coolant pump P-101 tripped"), "last": True}]})
    answer = await plant.talk(plant.crew(model)).say("coolant pump P-101 tripped")
    assert answer["answer"]["sop"] == "pump"
    assert [task for task, _ in model.requests].count("plan") == 1
