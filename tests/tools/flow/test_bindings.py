import asyncio
from pathlib import Path
from typing import Any

import pytest

from soprag.tools.actions.policy import ToolPolicy, ToolsFile
from soprag.tools.actions.toolbox import Toolbox, builtin
from soprag.tools.errors import ConfigError, ModelUnavailable
from soprag.tools.flow.binder import ToolBinder
from soprag.tools.flow.bindings import Binding, BindingFolder, Bindings, fill
from soprag.tools.flow.cursor import Cursor
from soprag.tools.flow.run import FlowRun
from soprag.tools.flow.summary import closing
from soprag.tools.llm.fallback import FallbackLlm
from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.procedure.plan import FlowPlan, plan
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.tasks.flow import Duty
from tests.tools.rules.reading import sop, views

BODY = "1. Notify the shift lead.\n2. Open the valve.\n3. Wait 10 minutes.\n4. If it drips, raise a work order.\n"


def planned(body: str = BODY) -> FlowPlan:
    return plan(sop(body), views(body).flow)


def bound(folder: Path, body: str = BODY, llm: Any = None, box: Toolbox | None = None) -> Bindings:
    binder = ToolBinder(llm or RulesLlm(), BindingFolder(folder), box or builtin(ToolsFile()))
    return asyncio.run(binder.ensure(planned(body)))


@pytest.mark.parametrize(
    ("step", "tool", "arguments"),
    [
        ("Notify the shift lead (lead@plant.example).", "email", {"to": "lead@plant.example"}),
        ("Inform the duty manager immediately.", "email", {"to": "the duty manager"}),
        ("Call the fire service on 5151.", "call", {"who": "the fire service", "number": "5151"}),
        ("Tell the control room (ext. 4400) that P-1 is off.", "call", {"who": "the control room", "number": "4400"}),
        ("If it drips, stop it and raise a work order.", "ticket", {}),
        ("Enter the level in the log.", "note", {}),
        ("Wait 10 minutes.", "timer", {"minutes": "10"}),
        ("Let it cool for 1 to 2 hours.", "timer", {"minutes": "120"}),
        ("Open the valve.", "", {}),
        ("Enter the plant room.", "", {}),
        ("Call out the number.", "", {}),
    ],
)
def test_a_step_is_bound_by_its_verb(step: str, tool: str, arguments: dict[str, str], tmp_path: Path) -> None:
    binding = bound(tmp_path, f"1. {step}\n2. End.\n").of("s1")
    assert binding.tool == tool
    assert arguments.items() <= binding.arguments.items()


def test_bindings_are_kept_in_a_file_and_what_a_person_wrote_stays(tmp_path: Path) -> None:
    first = bound(tmp_path)
    assert [first.of(f"s{at}").tool for at in range(1, 5)] == ["email", "", "timer", "ticket"]
    file = BindingFolder(tmp_path).file("sop")
    text = file.read_text().replace(
        'kind = "human"\ntool = ""\nby = "rules"', 'kind = "tool"\ntool = "call"\nby = "person"'
    )
    file.write_text(text)
    assert bound(tmp_path).of("s2").tool == "call"
    changed = BODY.replace("Wait 10", "Wait 20")
    again = bound(tmp_path, changed)
    assert (again.of("s2").tool, again.of("s3").arguments["minutes"]) == ("call", "20")


def test_a_file_edited_into_something_else_is_named(tmp_path: Path) -> None:
    bound(tmp_path)
    BindingFolder(tmp_path).file("sop").write_text("kind = [")
    with pytest.raises(ConfigError, match="Mend it, or delete it"):
        bound(tmp_path)


def test_a_denied_tool_is_bound_to_no_step(tmp_path: Path) -> None:
    box = builtin(ToolsFile(tools={"email": ToolPolicy(policy="deny")}))
    assert bound(tmp_path, box=box).of("s1").kind == "human"


INVENTED = {
    "duties": [
        {"node": "s1", "kind": "tool", "tool": "email", "arguments": [{"name": "bcc", "value": "x"}]},
        {"node": "s2", "kind": "tool", "tool": "open_valve"},
        {"node": "s99", "kind": "tool", "tool": "email"},
    ]
}


def test_what_a_model_invents_is_bound_to_nothing(tmp_path: Path) -> None:
    bindings = bound(tmp_path, llm=ScriptedLlm({"bind": INVENTED}, name="model"))
    assert (bindings.of("s1").arguments, bindings.of("s2").kind, bindings.of("s3").kind) == ({}, "human", "human")
    assert "s99" not in bindings.nodes


def test_a_model_that_fails_leaves_it_to_the_rules(tmp_path: Path) -> None:
    silent = ScriptedLlm({"bind": ModelUnavailable("no answer")}, name="model")
    assert bound(tmp_path, llm=FallbackLlm(silent, RulesLlm())).of("s3").tool == "timer"


def test_a_run_binds_the_step_it_comes_to_and_the_next_ones_only(tmp_path: Path) -> None:
    body = "".join(f"{number}. Call the lead on {number}.\n" for number in range(1, 15))
    model = ScriptedLlm({"bind": {"duties": []}}, name="model")
    binder = ToolBinder(model, BindingFolder(tmp_path), builtin(ToolsFile()))
    first = asyncio.run(binder.ensure(planned(body), "s1"))
    assert list(first.nodes) == [f"s{number}" for number in range(1, 11)]
    asyncio.run(binder.ensure(planned(body), "s4"))
    assert len(model.requests) == 1
    assert len(asyncio.run(binder.ensure(planned(body), "s11")).nodes) == 14


@pytest.mark.parametrize("id", ["../../etc/passwd", "a/b", "..", "x" * 300, "ü"])
def test_no_id_leaves_the_folder(id: str, tmp_path: Path) -> None:
    assert BindingFolder(tmp_path).file(id).resolve().parent == tmp_path.resolve()


def test_arguments_are_filled_with_what_the_sop_and_the_run_say(tmp_path: Path) -> None:
    body = "1. Read the pressure: 4 to 6 bar.\n2. Pay $5 to the lead.\n"
    cursor = Cursor(planned(body))
    run: FlowRun = cursor.done(cursor.begin(), "5 bar").run
    binding = Binding(
        kind="tool", tool="note", arguments={"title": "$title/$step", "text": "$text $readings $$1 $nope"}
    )
    filled = fill(binding, cursor.plan, run, "ann")
    assert filled == {"title": "Start pump P-101/2", "text": "Pay $5 to the lead. step 1: 5 bar $1 $nope"}


def test_a_reading_that_was_refused_is_handed_on_as_such(tmp_path: Path) -> None:
    cursor = Cursor(planned("1. Read the pressure: 4 to 6 bar.\n2. Tell the lead.\n"))
    run = cursor.done(cursor.done(cursor.begin(), "9 bar").run, "5 bar").run
    binding = Binding(kind="tool", tool="note", arguments={"text": "$readings"})
    assert fill(binding, cursor.plan, run)["text"] == "step 1: 9 bar (outside the stated range); step 1: 5 bar"
    assert "Reading at step 1 [1]: 9 bar (outside the stated range) (operator)" in closing(cursor.plan, run)


def test_a_duty_without_a_step_is_no_duty() -> None:
    assert Duty(node="s1", kind="human").arguments == []
