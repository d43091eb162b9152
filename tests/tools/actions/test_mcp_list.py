"""MCP tools are denied until `tools.toml` lists them, and tools that write to a control system are never called."""

import logging
from pathlib import Path

import pytest
from langchain_core.tools import StructuredTool

from soprag.tools.actions.action import ToolCall
from soprag.tools.actions.control_writes import writes_to_control
from soprag.tools.actions.mcp_session import McpSession
from soprag.tools.actions.policy import ToolsFile
from soprag.tools.actions.toolbox import Toolbox
from soprag.tools.errors import ConfigError
from soprag.tools.history import StepFailure
from tests.tools.actions.test_actions import connected

CONTROL = {
    "modify_setpoint": "",
    "adjust_valve": "",
    "put_value": "Writes a value to a PLC register",
    "change_setpoint": "",
    "update_register": "",
    "apply_recipe": "Writes the setpoints of a recipe",
    "send_command": "Send a command to the DCS",
    "raise_pressure": "",
    "lowerLevel": "",
    "ramp_temperature": "",
    "reset_trip": "Reset a tripped breaker",
    "enable_pump": "",
    "disable_interlock": "",
    "bypass_interlock": "",
    "inhibit_alarm": "",
    "energize_relay": "",
    "deenergise_coil": "",
    "switch_breaker": "",
    "turn_on_fan": "",
    "shutdown_unit": "",
    "move_actuator": "",
    "write_tag": "",
    "start_pump": "",
    "force_output": "",
}
HARMLESS = {
    "read_tag": "Read the current value of a SCADA tag.",
    "get_pump_start_times": "",
    "open_pump_ticket": "",
    "send_page": "Page somebody.",
    "valve_status": "The status of the control valve",
    "list_setpoints": "",
}


async def ping() -> str:
    """Nothing."""
    return "pong"


def serve(monkeypatch: pytest.MonkeyPatch, tools: dict[str, str]) -> None:
    async def offered(session: McpSession) -> dict[str, StructuredTool]:
        return {
            key: StructuredTool.from_function(coroutine=ping, name=key, description=text or key)
            for key, text in tools.items()
        }

    monkeypatch.setattr(McpSession, "tools", offered)


async def toolbox(**tools: dict[str, str]) -> Toolbox:
    file = ToolsFile.model_validate({"mcp": {"plant": {"command": "x", "tools": tools}}})
    return await connected(file)


@pytest.mark.parametrize("name", CONTROL)
def test_a_tool_that_changes_equipment_is_recognised(name: str) -> None:
    assert writes_to_control(name, CONTROL[name])


@pytest.mark.parametrize("name", HARMLESS)
def test_a_tool_that_reads_or_handles_paperwork_is_not_refused(name: str) -> None:
    assert not writes_to_control(name, HARMLESS[name])


async def test_no_tool_of_a_server_can_be_used_until_it_is_listed(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    serve(monkeypatch, {**CONTROL, **HARMLESS})
    with caplog.at_level(logging.WARNING):
        box = await toolbox(send_page={"policy": "confirm"})
    assert [name for name in box.offered() if name.startswith("plant_")] == ["plant_send_page"]
    assert "read_tag" in caplog.text
    assert 'add the table [mcp.plant.tools.read_tag] with the line policy = "confirm"' in caplog.text
    refused = await box.act("plant_read_tag", {}, ToolCall(key="k", folder=tmp_path, approvers=("ann", "bob")))
    assert isinstance(refused, StepFailure)
    assert "[mcp.plant.tools.read_tag]" in refused.message


async def test_a_tool_listed_as_denied_is_settled_without_a_warning(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    serve(monkeypatch, {"read_tag": "", "write_tag": ""})
    with caplog.at_level(logging.WARNING):
        box = await toolbox(read_tag={"policy": "deny"}, write_tag={"policy": "deny"})
    assert (caplog.text, "plant_read_tag" in box.offered()) == ("", False)


async def test_listing_a_tool_that_writes_to_a_control_system_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    serve(monkeypatch, CONTROL)
    with pytest.raises(ConfigError, match="'put_value' of the MCP server 'plant' would write to a control system"):
        await toolbox(put_value={"policy": "confirm-twice"})


async def test_listing_a_tool_that_the_server_does_not_have_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    serve(monkeypatch, {"read_tag": ""})
    with pytest.raises(ConfigError, match="does not have: read_tags; it has read_tag"):
        await toolbox(read_tags={"policy": "confirm"})
