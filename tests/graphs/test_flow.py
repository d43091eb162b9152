"""The guided run as a client of LangGraph sees it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from soprag.graphs.flow import create_guided_run
from soprag.tools.actions.policy import ToolPolicy, ToolsFile
from soprag.tools.actions.toolbox import builtin
from soprag.tools.store.branches import on_path
from soprag.tools.store.logbook import Logbook
from soprag.tools.store.logbook_audit import verify
from tests.graphs.guided import COOLANT, Books, Operator, desk


@pytest.fixture
def books() -> Books:
    return Books()


@pytest.fixture
async def operator(tmp_path: Path, books: Books) -> Operator:
    return await Operator(create_guided_run(context=desk(tmp_path, books), checkpointer=InMemorySaver())).begin(
        "coolant"
    )


def logged(folder: Path, kind: str, thread: str = "t1") -> list[dict[str, object]]:
    entries = Logbook(folder / "sessions" / thread / "logbook.jsonl").entries()
    return [entry.facts for entry in entries if entry.kind == kind]


def drafts(folder: Path) -> list[Path]:
    return sorted((folder / "sessions" / "t1" / "drafts").glob("*"))


async def test_warnings_are_asked_before_their_step_is_shown(operator: Operator) -> None:
    assert operator.asked == "warning"
    assert [warning["text"] for warning in operator.args["warnings"]] == ["**WARNING:** Hot surfaces."]
    assert "Notify" not in json.dumps(operator.request)
    await operator.say("done")
    assert operator.asked == "warning"
    assert operator.args["problem"].startswith("The warnings come first")
    await operator.decide(type="approve")
    assert operator.asked == "step"
    assert operator.args["text"] == "Notify the shift supervisor (shift@plant.example)."


async def test_a_run_goes_from_the_first_step_to_the_end_along_the_way_a_reading_decides(operator: Operator) -> None:
    await operator.say("ack", "done", "ack")
    assert operator.args["range"] == {
        "low": 4,
        "high": 6,
        "unit": "bar",
        "phrase": "between 4 and 6 bar",
        "variant": "",
        "required": True,
    }
    await operator.say("done 4.5")
    assert (operator.args["kind"], operator.args["number"]) == ("decision", 3)
    assert operator.args["suggested"] == {
        "way": 1,
        "reading": "4.5 bar",
        "step": 2,
        "condition": "the pressure is below 5 bar",
    }
    await operator.decide(type="approve")
    assert operator.args["number"] == 5
    await operator.say("done")
    assert operator.request == {}
    assert operator.result["flow"].status == "finished"
    assert "Not on the way that was taken: 4." in operator.said


async def test_a_value_outside_the_range_is_not_taken_and_the_step_can_be_skipped_for_a_reason(
    operator: Operator, tmp_path: Path
) -> None:
    await operator.say("ack", "done", "ack", "done 7 bar")
    assert operator.args["number"] == 2
    assert "7 bar is outside 'between 4 and 6 bar'" in operator.args["problem"]
    await operator.decide(type="reject", message="4.8 bar")
    assert operator.args["number"] == 2 and "gives no reading" in operator.args["problem"]
    await operator.say("skip")
    assert "only skipped for a reason" in operator.args["problem"]
    await operator.say("skip gauge is broken")
    assert operator.args["number"] == 3
    assert [facts["reason"] for facts in logged(tmp_path, "skipped")] == ["gauge is broken"]


async def test_a_card_takes_its_answer_in_one_field(operator: Operator) -> None:
    for reply in ("yes", "done", "ack", "4.8 bar"):
        [action] = operator.request["action_requests"]
        assert list(action["args"]) == [operator.asked, "asked", "reply"]
        edited = {**action["args"], "reply": reply}
        await operator.decide(type="edit", edited_action={"name": operator.asked, "args": edited})
    assert operator.args["number"] == 3
    [reading] = operator.result["flow"].readings
    assert str(reading.quantity) == "4.8 bar"
    await operator.decide(type="edit", edited_action={"name": "step", "args": {"step": "Open everything."}})
    assert operator.args["number"] == 3 and "cannot be edited" in operator.args["problem"]


async def test_refused_warnings_are_not_passed(operator: Operator) -> None:
    await operator.decide(type="reject", message="it is too hot")
    assert operator.asked == "warning"
    assert operator.args["problem"].startswith("The warnings were refused (it is too hot).")


async def test_a_message_is_the_reply_to_the_step_and_never_an_approval(operator: Operator, tmp_path: Path) -> None:
    async def write(text: str) -> None:
        operator.result = await operator.graph.ainvoke({"messages": [HumanMessage(text)]}, operator.config)

    await write("ack")
    assert (operator.asked, operator.args["number"]) == ("step", 1)
    await write("use email")
    await write("yes")
    assert (operator.asked, drafts(tmp_path)) == ("email", [])
    assert "'yes' came as a message" in operator.request["action_requests"][0]["description"]
    await write("no")
    assert (operator.asked, operator.args["problem"]) == ("step", "email was refused: no")


async def test_only_the_tools_of_the_present_step_can_be_used(operator: Operator) -> None:
    await operator.say("ack")
    assert operator.args["tools"] == ["email"]
    await operator.say("use ticket")
    assert operator.args["problem"] == "This step offers email."
    await operator.say("done", "ack", "use email")
    assert operator.args["problem"] == "This step offers no tool."


async def test_an_edit_cannot_change_the_tool(operator: Operator, tmp_path: Path) -> None:
    await operator.say("ack", "use email")
    await operator.decide(type="edit", edited_action={"name": "call", "args": {}})
    assert (operator.asked, drafts(tmp_path)) == ("email", [])
    assert "changes the arguments of 'email', not the tool" in operator.request["action_requests"][0]["description"]
    assert len(logged(tmp_path, "not counted")) == 1


async def test_a_proposed_call_and_a_use_that_was_not_taken_are_recorded(operator: Operator, tmp_path: Path) -> None:
    await operator.say("ack", "use ticket", "use")
    assert operator.asked == "email"
    assert [facts["text"] for facts in logged(tmp_path, "not taken")] == ["This step offers email."]
    [proposed] = logged(tmp_path, "proposed")
    assert (proposed["tool"], proposed["sop"], proposed["number"]) == ("email", "coolant", 1)


async def test_a_reply_that_cannot_be_read_is_asked_again_and_recorded(operator: Operator, tmp_path: Path) -> None:
    await operator.say("ack")
    await operator.decide(type="maybe")
    assert (operator.asked, operator.args["number"]) == ("step", 1)
    assert operator.args["problem"]
    assert [facts["text"] for facts in logged(tmp_path, "not taken")] == [operator.args["problem"]]


async def test_nothing_is_written_before_approval_and_an_edit_is_what_is_written(
    operator: Operator, tmp_path: Path
) -> None:
    await operator.say("ack", "use email")
    assert (operator.asked, operator.args["to"]) == ("email", "shift@plant.example")
    assert operator.request["review_configs"][0]["allowed_decisions"] == ["approve", "edit", "reject"]
    assert drafts(tmp_path) == []
    edited = {"name": "email", "args": {"to": "lead@plant.example"}}
    await operator.decide(type="edit", edited_action=edited, approver="bob")
    assert operator.asked == "step"
    [draft] = drafts(tmp_path)
    assert b"To: lead@plant.example" in draft.read_bytes()
    assert b"Hot surfaces" not in draft.read_bytes()
    [approved] = logged(tmp_path, "approved")
    assert (approved["before"]["to"], approved["after"]["to"]) == ("shift@plant.example", "lead@plant.example")
    entries = Logbook(tmp_path / "sessions/t1/logbook.jsonl").entries()
    assert next(entry.by for entry in entries if entry.kind == "approved") == "bob"


async def test_a_refusal_goes_back_with_its_reason_and_writes_nothing(operator: Operator, tmp_path: Path) -> None:
    await operator.say("ack", "use email")
    await operator.decide(type="reject", message="they know")
    assert (operator.asked, operator.args["problem"]) == ("step", "email was refused: they know")
    assert operator.result["flow"].declined == ("email was refused: they know",)
    assert drafts(tmp_path) == []


@pytest.mark.parametrize("resumed", [{}, {"decisions": []}, {"decisions": [{"type": "sudo"}]}, None, 7])
async def test_a_reply_that_makes_no_sense_is_no_approval(operator: Operator, resumed: object, tmp_path: Path) -> None:
    from langgraph.types import Command

    await operator.say("ack", "use email")
    operator.result = await operator.graph.ainvoke(Command(resume=resumed or {"x": 1}), operator.config)
    assert drafts(tmp_path) == []
    assert operator.asked == "step"


async def test_an_edit_that_the_tool_does_not_take_is_asked_again(operator: Operator, tmp_path: Path) -> None:
    await operator.say("ack", "use email")
    await operator.decide(type="edit", edited_action={"name": "email", "args": {"to": ""}})
    assert operator.asked == "email"
    assert "does not take these arguments" in operator.request["action_requests"][0]["description"]
    assert drafts(tmp_path) == []


async def test_a_second_approval_must_be_another_persons(tmp_path: Path, books: Books) -> None:
    twice = ToolPolicy(policy="confirm-twice", separate_approver=True)
    tools = builtin(ToolsFile(tools={"email": twice}))
    operator = await Operator(
        create_guided_run(context=desk(tmp_path, books, tools), checkpointer=InMemorySaver())
    ).begin("coolant")
    await operator.say("ack", "use email")
    await operator.decide(type="approve")
    assert operator.asked == "email"
    for alias in ("", "Ann", "ann ", "\u0430nn", "a\u200bnn"):  # \u0430: a Cyrillic letter that looks like Latin a
        await operator.decide(type="approve", approver=alias)
        assert "another person's than" in operator.request["action_requests"][0]["description"], alias
    assert drafts(tmp_path) == []
    await operator.decide(type="approve", approver="bob")
    assert len(drafts(tmp_path)) == 1
    entries = Logbook(tmp_path / "sessions/t1/logbook.jsonl").entries()
    kinds = [entry.kind for entry in entries if entry.kind in ("approved", "not counted", "forked")]
    assert kinds == ["approved", *["not counted"] * 5, "approved"]


async def test_an_edit_needs_every_approval_anew(tmp_path: Path, books: Books) -> None:
    tools = builtin(ToolsFile(tools={"email": ToolPolicy(policy="confirm-twice")}))
    operator = await Operator(
        create_guided_run(context=desk(tmp_path, books, tools), checkpointer=InMemorySaver())
    ).begin("coolant")
    await operator.say("ack", "use email")
    await operator.decide(type="approve", approver="ann")
    edited = {"name": "email", "args": {"to": "all@plant.example"}}
    await operator.decide(type="edit", edited_action=edited, approver="bob")
    assert (operator.asked, drafts(tmp_path)) == ("email", [])
    assert "(approval 2 of 2)" in operator.request["action_requests"][0]["description"]
    await operator.decide(type="approve", approver="ann")
    assert len(drafts(tmp_path)) == 1
    assert [facts["approval"] for facts in logged(tmp_path, "approved")] == [1, 1, 2]


async def test_a_question_asked_aside_leaves_the_run_at_its_step(operator: Operator) -> None:
    await operator.say("ack", "ask what is V-3?")
    assert operator.request == {}
    assert operator.result["flow"].question == "what is V-3?"
    again = {"messages": [], "flow": operator.result["flow"]}
    operator.result = await operator.graph.ainvoke(again, operator.config)
    assert (operator.asked, operator.args["number"]) == ("step", 1)


async def test_why_is_answered_and_the_step_is_asked_again(operator: Operator) -> None:
    await operator.say("ack", "why")
    assert "stands in 'Restore coolant pressure', line 5" in operator.said
    assert operator.args["number"] == 1


async def test_another_procedure_is_followed_and_left_again(operator: Operator, tmp_path: Path) -> None:
    await operator.say("ack", "done", "ack", "done 5.5 bar", "no", "done")
    assert operator.args["references"] == [{"n": 1, "name": "Reset pump P-101", "sop": "reset"}]
    await operator.say("open 2")
    assert operator.args["problem"] == "That procedure is not in the index."
    await operator.say("open 1")
    assert (operator.args["sop"], operator.args["number"]) == ("reset", 1)
    await operator.say("done", "done")
    assert (operator.args["sop"], operator.args["number"]) == ("coolant", 5)
    assert [facts["opened"] for facts in logged(tmp_path, "opened")] == ["reset"]
    assert [facts["text"] for facts in logged(tmp_path, "not taken")] == ["That procedure is not in the index."]


async def test_procedures_that_open_each_other_are_not_nested_without_end(books: Books, tmp_path: Path) -> None:
    books.texts["reset"] = ("Reset pump P-101", "# Reset pump P-101\n\n1. Stop it. See [Start pump P-101](start.md).\n")
    books.texts["start"] = (
        "Start pump P-101",
        "# Start pump P-101\n\n1. Press it. See [Reset pump P-101](reset.md).\n",
    )
    guided = create_guided_run(context=desk(tmp_path, books), checkpointer=InMemorySaver())
    operator = await Operator(guided).begin("start")
    for _ in range(20):
        await operator.say("open 1")
    assert operator.args["problem"] == "Procedures are nested too deep."
    waiting, run = 0, operator.result["flow"]
    while run.parent:
        waiting, run = waiting + 1, run.parent
    assert waiting == 5


async def test_a_run_whose_sop_was_changed_says_so_and_goes_on_only_when_agreed(
    operator: Operator, books: Books, tmp_path: Path
) -> None:
    await operator.say("ack", "done", "ack")
    books.texts["coolant"] = ("Restore coolant pressure", COOLANT.replace("1. Notify", "1. Check.\n1. Notify"))
    await operator.say("done 5 bar")
    assert operator.asked == "changed"
    assert "meanwhile" in operator.request["action_requests"][0]["description"]
    await operator.decide(type="approve")
    assert operator.asked == "warning"  # they are read again in the new edition
    await operator.say("ack")
    assert (operator.args["number"], operator.args["text"][:17]) == (3, "Read the pressure")
    assert [facts["agreed"] for facts in logged(tmp_path, "edition")] == [True]


async def test_an_sop_that_is_gone_ends_the_run_with_a_word(operator: Operator, books: Books) -> None:
    del books.texts["coolant"]
    again = {"messages": [], "flow": operator.result["flow"]}
    result = await operator.graph.ainvoke(again, {"configurable": {"thread_id": "t2"}})
    assert result["flow"].status == "stopped"
    assert "There is no SOP 'coolant'" in result["messages"][-1].content


async def test_a_run_goes_on_in_another_process_where_it_was_left(tmp_path: Path) -> None:
    for replies, at in ((["ack", "done"], "warning"), (["ack", "done 5 bar"], "step")):
        async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "checkpoint.sqlite")) as saver:
            operator = Operator(create_guided_run(context=desk(tmp_path, Books()), checkpointer=saver))
            if at == "warning":
                await operator.begin("coolant")
            await operator.say(*replies)
            assert operator.asked == at
    assert operator.args["number"] == 3
    assert verify(tmp_path / "sessions/t1/logbook.jsonl").sound


async def test_a_call_that_was_cut_off_is_not_made_again(operator: Operator, tmp_path: Path) -> None:
    await operator.say("ack", "use email")
    state = await operator.graph.aget_state(operator.config)
    book = Logbook(tmp_path / "sessions/t1/logbook.jsonl")
    book.append("calling", key=f"{state.values['call'].key}/calling")  # as a process did that was killed then
    await operator.decide(type="approve")
    assert "was begun before and cut off" in operator.args["problem"]
    assert drafts(tmp_path) == []


async def test_the_logbook_tells_the_whole_run(operator: Operator, tmp_path: Path) -> None:
    await operator.say("ack", "done", "ack", "done 4.5", "yes", "note smells of glycol", "done")
    book = tmp_path / "sessions/t1/logbook.jsonl"
    kinds = [entry.kind for entry in Logbook(book).entries()]
    assert kinds[:4] == ["flow begun", "warning shown", "acknowledged", "step shown"]
    assert kinds[-1] == "flow finished"
    begun = Logbook(book).entries()[0].facts
    assert (begun["sop"], len(str(begun["sha256"]))) == ("coolant", 64)
    assert verify(book).sound


async def fork(operator: Operator, steps_back: int, **decision: object) -> None:
    """Answer the request of an earlier checkpoint differently."""
    history = [state async for state in operator.graph.aget_state_history(operator.config) if state.interrupts]
    branch = await operator.graph.aupdate_state(history[steps_back].config, None, as_node="__copy__")
    await operator.graph.ainvoke(None, branch)  # asks again
    await operator.decide(**decision)


async def test_a_thread_that_is_forked_and_answered_differently_is_recorded_as_forked(
    operator: Operator, tmp_path: Path
) -> None:
    await operator.say("ack", "done", "ack", "done 4.2 bar")
    await fork(operator, 1, type="respond", message="done 5.5 bar")
    book = Logbook(tmp_path / "sessions/t1/logbook.jsonl")
    values = [entry.facts["value"] for entry in on_path(book.entries()) if entry.kind == "done"]
    assert values == [result.value and result.value.model_dump() for result in operator.result["flow"].trail]
    assert values[-1] == {"value": 5.5, "unit": "bar"}
    [forked] = [entry for entry in book.entries() if entry.kind == "forked"]
    replaced = next(entry for entry in book.entries() if entry.number == forked.facts["replaces"])
    assert replaced.facts["value"] == {"value": 4.2, "unit": "bar"}
    assert verify(book.place).sound


async def test_an_approval_that_becomes_a_refusal_on_a_fork_is_recorded_and_not_carried_out_twice(
    operator: Operator, tmp_path: Path
) -> None:
    await operator.say("ack", "use email")
    await operator.decide(type="approve")
    await fork(operator, 1, type="reject", message="they know")
    book = Logbook(tmp_path / "sessions/t1/logbook.jsonl")
    assert [entry.kind for entry in on_path(book.entries()) if entry.kind in ("approved", "refused")] == ["refused"]
    await fork(operator, 1, type="approve")
    assert "was begun before" in operator.args["problem"]
    assert len(drafts(tmp_path)) == 1


@pytest.mark.slow
async def test_a_run_whose_process_was_killed_goes_on_at_the_same_step(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-m", "tests.graphs.killed", str(tmp_path), "ack", "done", "ack"]
    killed = subprocess.run(command, cwd=root, check=False, env={**os.environ, "PYTHONPATH": str(root)})
    assert killed.returncode == -signal.SIGKILL
    async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "checkpoint.sqlite")) as saver:
        operator = Operator(create_guided_run(context=desk(tmp_path, Books()), checkpointer=saver))
        await operator.say("why")
        assert (operator.asked, operator.args["number"]) == ("step", 2)
    assert verify(tmp_path / "sessions/t1/logbook.jsonl").sound
