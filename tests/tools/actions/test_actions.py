import asyncio
import email
import json
import os
import signal
import sys
from datetime import UTC, datetime
from email.policy import default
from pathlib import Path
from typing import Any

import pytest

from soprag.tools.actions.action import ToolCall
from soprag.tools.actions.mcp_servers import McpServers
from soprag.tools.actions.mcp_session import McpSession
from soprag.tools.actions.policy import ToolPolicy, ToolsFile, read_tools
from soprag.tools.actions.ticket import TicketDesk, TicketDraft
from soprag.tools.actions.timer import TimerFile
from soprag.tools.actions.toolbox import Toolbox, builtin
from soprag.tools.errors import ConfigError
from soprag.tools.history import StepFailure
from soprag.tools.protocols import ExpertResult
from tests.loopback import Loopback, Reply

SERVER = Path(__file__).with_name("plant_server.py")


async def connected(file: ToolsFile) -> Toolbox:
    """The built-in tools and those of the servers of the file, which have all the time they want."""
    servers = McpServers(builtin(file), file, patience=600)
    await servers.connect()
    return servers.toolbox


def call(folder: Path, *approvers: str) -> ToolCall:
    return ToolCall(key="k", folder=folder, operator="ann", approvers=approvers, reference="According to 'X', line 5.")


def act(box: Toolbox, name: str, args: dict[str, Any], made: ToolCall) -> ExpertResult | StepFailure:
    return asyncio.run(box.act(name, args, made))


def output(outcome: ExpertResult | StepFailure) -> dict[str, Any]:
    assert isinstance(outcome, ExpertResult), outcome
    assert isinstance(outcome.output, dict)
    return outcome.output


@pytest.fixture
def box() -> Toolbox:
    return builtin(ToolsFile())


def test_an_e_mail_is_a_draft_that_any_mail_program_opens(box: Toolbox, tmp_path: Path) -> None:
    to = "Lead <lead@plant.example>, shift supervisor"
    args = {"to": to, "subject": "Pump\nBcc: x@y.z", "body": "Druck 4 bar, ölig"}
    file = Path(output(act(box, "email", args, call(tmp_path, "ann")))["file"])
    message = email.message_from_bytes(file.read_bytes(), policy=default)
    assert (file.suffix, message["X-Unsent"], message["To"]) == (".eml", "1", "Lead <lead@plant.example>")
    assert (message["Subject"], message["Bcc"]) == ("Pump Bcc: x@y.z", None)
    body = message.get_content().replace("\r\n", "\n")
    assert body.startswith("[Address still to be filled in: shift supervisor]\n\nDruck 4 bar, ölig")
    assert "According to 'X', line 5." in body


def test_doing_it_twice_leaves_one_file(box: Toolbox, tmp_path: Path) -> None:
    for _ in range(2):
        act(box, "note", {"title": "Shift", "text": "Pump hot."}, call(tmp_path, "ann"))
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("email", {"to": "a@b.c", "subject": "s", "body": "b"}),
        ("call", {"who": "lead", "message": "m"}),
        ("ticket", {"title": "t", "description": "d"}),
        ("note", {"title": "t", "text": "x"}),
        ("timer", {"minutes": 10}),
    ],
)
def test_nothing_is_written_without_an_approval(name: str, args: dict[str, Any], box: Toolbox, tmp_path: Path) -> None:
    refused = act(box, name, args, call(tmp_path))
    assert isinstance(refused, StepFailure)
    assert (refused.kind, list(tmp_path.iterdir())) == ("refused", [])
    assert isinstance(act(box, name, args, call(tmp_path, "ann")), ExpertResult)


def test_arguments_a_tool_does_not_take_are_a_failure_that_names_them(box: Toolbox, tmp_path: Path) -> None:
    wrong = act(box, "timer", {"minutes": -1, "colour": "red"}, call(tmp_path, "ann"))
    assert isinstance(wrong, StepFailure)
    assert wrong.kind == "arguments"
    assert "minutes" in wrong.message
    assert "colour" in wrong.message


def test_a_timer_knows_when_it_is_due(tmp_path: Path) -> None:
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    outcome = asyncio.run(TimerFile(clock=lambda: noon).act({"minutes": 90, "label": "bleed"}, call(tmp_path, "ann")))
    assert output(outcome)["due"] == "2026-01-01T13:30:00+00:00"


def test_a_ticket_is_posted_with_its_key_and_token_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CMMS", "s3cret")
    args: dict[str, Any] = {"title": "t", "description": "d", "asset": "", "priority": "high"}
    with Loopback(lambda body: Reply(b'{"id": 7}', 201)) as server:
        ticket = TicketDraft(TicketDesk(f"{server.url}/tickets", "CMMS"))
        sent = output(asyncio.run(ticket.act(args, call(tmp_path, "ann"))))
        [request] = server.requests
    headers = {name.lower(): value for name, value in request.headers.items()}
    assert (headers["idempotency-key"], headers["authorization"]) == ("k", "Bearer s3cret")
    assert (sent["sent"], json.loads(Path(sent["file"]).read_text())["priority"]) == (True, "high")


def test_a_desk_that_cannot_be_reached_loses_no_ticket(tmp_path: Path) -> None:
    args: dict[str, Any] = {"title": "t", "description": "d"}
    outcome = asyncio.run(TicketDraft(TicketDesk("http://127.0.0.1:9/x", timeout=2)).act(args, call(tmp_path, "ann")))
    assert isinstance(outcome, StepFailure)
    assert outcome.kind == "unavailable"
    assert len(list(tmp_path.glob("ticket-*.json"))) == 1


@pytest.mark.parametrize(
    "text",
    [
        '[tools.email]\npolicy = "auto"\n',
        '[tools.email]\npolicy = "maybe"\n',
        "[tools.nosuch]\n",
        '[mcp.plant]\ncommand = "x"\n[mcp.plant.tools.send]\npolicy = "auto"\n',
        '[tools.email]\npolicy = "confirm"\nseparate_approver = true\n',
        "[tools.email]\nseparate_approver = true\n",
        '[tools.email]\nurl = "https://cmms.example"\n',
        '[tools.email]\nside_effect = "read"\n',
        '[tools.ticket]\ntoken_variable = "CMMS"\n',
        "[tools.ticket]\ntimeout = 5\n",
        '[mcp.plant]\nurl = "https://x"\nargs = ["y"]\n',
        '[mcp.plant]\ncommand = "x"\n[mcp.plant.tools.send]\nurl = "https://x"\n',
        "[mcp.plant]\n",
        "[colour]\n",
        "[tools",
    ],
)
def test_a_tools_file_that_makes_no_sense_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "tools.toml"
    file.write_text(text)
    with pytest.raises(ConfigError, match="tools"):
        builtin(read_tools(file))


def test_two_approvals_of_one_person_under_two_spellings_are_not_of_two_people(tmp_path: Path) -> None:
    box = builtin(ToolsFile(tools={"note": ToolPolicy(policy="confirm-twice", separate_approver=True)}))
    refused = act(box, "note", {"title": "t", "text": "x"}, call(tmp_path, "ann", "\u0430nn"))
    assert isinstance(refused, StepFailure)
    assert "2 different people" in refused.message
    assert isinstance(act(box, "note", {"title": "t", "text": "x"}, call(tmp_path, "ann", "bob")), ExpertResult)


def test_what_is_executed_holds_no_character_that_the_approver_could_not_see(box: Toolbox, tmp_path: Path) -> None:
    args = {"title": "Valve\u202e open", "description": "Now\U000e0041."}
    sent = output(act(box, "ticket", args, call(tmp_path, "ann")))
    ticket = json.loads(Path(sent["file"]).read_text())
    assert (ticket["title"], ticket["description"]) == ("Valve open", "Now.")


def test_a_denied_tool_is_not_there(tmp_path: Path) -> None:
    box = builtin(ToolsFile(tools={"email": ToolPolicy(policy="deny")}))
    assert "email" not in box.offered()
    gone = act(box, "email", {"to": "a@b.c", "subject": "s", "body": ""}, call(tmp_path, "ann", "bob"))
    assert isinstance(gone, StepFailure)
    assert gone.kind == "unavailable"


@pytest.mark.slow
async def test_the_local_file_decides_about_mcp_tools_and_no_hint_does(tmp_path: Path) -> None:
    outbox = tmp_path / "outbox"
    file = ToolsFile.model_validate(
        {
            "mcp": {
                "plant": {
                    "command": sys.executable,
                    "args": [str(SERVER), str(outbox)],
                    "tools": {"read_tag": {"policy": "auto", "side_effect": "read"}, "send_page": {}, "fail": {}},
                }
            }
        }
    )
    box = await connected(file)
    offered = [name for name in box.offered() if name.startswith("plant_")]
    assert offered == ["plant_read_tag", "plant_send_page", "plant_fail"]
    assert (box.approvals("plant_read_tag"), box.approvals("plant_send_page")) == (0, 1)
    read = await box.act("plant_read_tag", {"tag": "PT-101"}, call(tmp_path))
    assert output(read) == {"value": 4.5, "unit": "bar"}
    refused = await box.act("plant_send_page", {"to": "lead"}, call(tmp_path))
    assert isinstance(refused, StepFailure)
    assert not outbox.exists()
    await box.act("plant_send_page", {"to": "lead"}, call(tmp_path, "ann"))
    assert outbox.read_text() == "lead: "
    failed = await box.act("plant_fail", {}, call(tmp_path, "ann"))
    assert isinstance(failed, StepFailure)
    assert "no such thing" in failed.message


def plant(tmp_path: Path, *tools: str, **server: object) -> ToolsFile:
    """A tools file with the server of the plant, whose `tools` only read."""
    reads = {"policy": "auto", "side_effect": "read"}
    command = {} if "url" in server else {"command": sys.executable, "args": [str(SERVER), str(tmp_path / "outbox")]}
    return ToolsFile.model_validate({"mcp": {"plant": {**command, "tools": dict.fromkeys(tools, reads), **server}}})


@pytest.mark.parametrize(
    ("server", "reason"),
    [
        ({"command": "/nowhere/none", "args": []}, "No such file"),
        ({"args": ["-c", "raise SystemExit"]}, "onnection"),
        ({"url": "http://127.0.0.1:9/mcp"}, "onnect"),
        (
            {"command": sys.executable, "args": ["-c", "import time; time.sleep(60)"], "timeout": 0.5},
            "no answer in 0.5",
        ),
    ],
)
async def test_a_server_that_cannot_be_reached_makes_only_its_own_tools_unavailable(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, server: dict[str, object], reason: str
) -> None:
    file = plant(tmp_path, "read_tag", **server)
    box = await connected(file)
    assert "note" in box.offered()
    read = await box.act("plant_read_tag", {"tag": "PT-101"}, call(tmp_path))
    assert isinstance(read, StepFailure)
    assert read.kind == "unavailable"
    for words in ("The MCP server 'plant' cannot be reached", reason, "Check [mcp.plant]"):
        assert words in read.message
        assert words in caplog.text


async def test_servers_are_connected_to_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    all_begun = asyncio.Barrier(3)

    async def tools(_: McpSession) -> dict[str, Any]:
        await all_begun.wait()
        return {}

    monkeypatch.setattr(McpSession, "tools", tools)
    file = ToolsFile.model_validate({"mcp": {f"s{n}": {"command": "x"} for n in range(3)}})
    assert "note" in (await connected(file)).offered()


async def test_a_server_is_started_once_and_again_when_it_has_died(tmp_path: Path) -> None:
    file = plant(tmp_path, "process")
    box = await connected(file)
    first, second = [output(await box.act("plant_process", {}, call(tmp_path))) for _ in range(2)]
    assert first == second
    os.kill(first["result"], signal.SIGKILL)
    failed = await box.act("plant_process", {}, call(tmp_path))
    assert isinstance(failed, StepFailure)
    third = output(await box.act("plant_process", {}, call(tmp_path)))
    assert third != first


def test_a_tools_file_that_is_not_there_means_the_defaults(tmp_path: Path) -> None:
    assert read_tools(None) == read_tools(tmp_path / "tools.toml") == ToolsFile()
