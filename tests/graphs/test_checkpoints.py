"""What a channel holds comes back from a checkpoint file as the type it had, with strict msgpack and without."""

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from soprag.graphs.benchmark.state import BenchmarkState
from soprag.graphs.checkpoints import channel_types, open_checkpoints
from soprag.graphs.deepsearch.state import DeepSearchState
from soprag.graphs.flow import create_guided_run
from soprag.graphs.flow.state import FlowState, ToolProposal
from soprag.graphs.knowledge.state import KnowledgeState
from soprag.graphs.procedure.state import ProcedureState
from soprag.graphs.troubleshoot.state import TroubleshootState, TurnBudget
from soprag.tools.approval import HumanDecision
from soprag.tools.flow.run import FlowRun, StepResult
from soprag.tools.history import StepRecord
from soprag.tools.protocols import ExpertResult
from tests.graphs.guided import Books, Operator, desk
from tests.graphs.plant import Plant
from tests.graphs.test_troubleshoot import FINISH, Tool, action
from tests.scripting import scripted

ROOT = Path(__file__).parents[2]


def test_the_types_of_all_channels_are_found() -> None:
    states = (BenchmarkState, DeepSearchState, FlowState, KnowledgeState, ProcedureState, TroubleshootState)
    names = {model.__name__ for model in channel_types(*states)}
    assert names == {
        *("RunSummary", "ResearchReport", "HumanDecision", "FlowRun", "ToolProposal", "StepResult"),
        *("StepRecord", "TurnBudget", "NextAction", "Finish", "Focus", "Pending"),
        *("PendingDocument", "IngestOutcome", "ClusterReport", "KnowledgeReport"),
    }


async def test_a_guided_run_and_a_tool_call_come_back_typed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "checkpoint.sqlite"
    async with open_checkpoints(file, FlowState) as saver:
        operator = Operator(create_guided_run(context=desk(tmp_path, Books()), checkpointer=saver))
        await (await operator.begin("coolant")).say("ack", "use email")
    with caplog.at_level(logging.WARNING):
        async with open_checkpoints(file, FlowState) as saver:
            graph = create_guided_run(context=desk(tmp_path, Books()), checkpointer=saver)
            values = (await graph.aget_state(operator.config)).values
    assert isinstance(values["flow"], FlowRun) and isinstance(values["call"], ToolProposal)
    assert isinstance(values["decision"], HumanDecision)
    assert [row.message for row in caplog.records if "msgpack" in row.message] == []


async def test_a_conversation_comes_back_typed(plant: Plant, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    tool = Tool([ExpertResult(output={"value": 4.5}, text="It is blue.")])
    crew = plant.crew(scripted({"plan": [action("lookup", wish="x"), FINISH]}), [tool], approved=["lookup"])
    for decide in (False, True):
        with caplog.at_level(logging.WARNING):
            async with open_checkpoints(tmp_path / "checkpoint.sqlite", TroubleshootState, FlowState) as saver:
                talk = plant.talk(crew, saver=saver)
                await (talk.decide({"type": "approve"}) if decide else talk.say("look it up"))
                values = await talk.values()
    [step] = values["history"]
    assert isinstance(step, StepRecord) and step.output == {"value": 4.5} and len(tool.done) == 1
    assert isinstance(values["budget"], TurnBudget) and values["decision"] is None
    assert [row.message for row in caplog.records if "msgpack" in row.message] == []


async def test_a_class_that_no_channel_holds_is_not_restored(tmp_path: Path) -> None:
    async with open_checkpoints(tmp_path / "checkpoint.sqlite", FlowState) as saver:
        value = saver.serde.loads_typed(saver.serde.dumps_typed(StepRecord(step="s1", tool="x", task="y")))
    assert isinstance(value, dict) and value["step"] == "s1"


@pytest.mark.slow
@pytest.mark.parametrize("strict", ["true", "false"])
def test_a_plain_checkpointer_restores_the_types_with_and_without_strict_msgpack(tmp_path: Path, strict: str) -> None:
    environment = {**os.environ, "LANGGRAPH_STRICT_MSGPACK": strict, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tests.graphs.test_checkpoints", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split()) == (0, ["FlowRun", "StepResult"]), done.stderr
    assert "Blocked" not in done.stderr


async def main(folder: Path) -> None:
    """A run is kept and read back with the saver as LangGraph makes it."""
    file = str(folder / "checkpoint.sqlite")
    async with AsyncSqliteSaver.from_conn_string(file) as saver:
        operator = Operator(create_guided_run(context=desk(folder, Books()), checkpointer=saver))
        await (await operator.begin("coolant")).say("ack", "done")
    async with AsyncSqliteSaver.from_conn_string(file) as saver:
        graph = create_guided_run(context=desk(folder, Books()), checkpointer=saver)
        run = (await graph.aget_state(operator.config)).values["flow"]
        sys.stdout.write(f"{type(run).__name__} {type(run.trail[0]).__name__}\n")
        assert isinstance(run.trail[0], StepResult)


if __name__ == "__main__":
    import asyncio

    asyncio.run(main(Path(sys.argv[1])))
