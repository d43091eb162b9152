"""The chat as a program at a real terminal: a whole shift, killed in the middle, with the product's own graph."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest

from soprag.tools.store.log_entry import LogEntry
from soprag.tools.store.logbook import Logbook
from soprag.tools.store.logbook_audit import verify
from tests import operator
from tests.apps.terminal.scenario import FREE, shift
from tests.apps.terminal.terminals import HAS_TMUX, Pty, Terminal, Tmux, expect, spoken, wait
from tests.loopback import Loopback, fails, says

ROOT = Path(__file__).parents[3]
LIBRARY = ROOT / "examples" / "library"
SOPRAG = (sys.executable, "-c", "from soprag.apps.cli.main import main; main()")
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def plant(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an index of one manual and its neighbours; the whole library would take minutes."""
    folder = tmp_path_factory.mktemp("plant")
    documents = folder / "documents"
    documents.mkdir()
    for name in ("ups-maintenance-manual.pdf", "crac-type-b-filter.md", "hot-aisle-temperature-alarm.md"):
        shutil.copy(LIBRARY / "data-center-maintenance" / name, documents)
    run(folder, "index", "add", "documents", "--quiet")
    return folder


def environment(folder: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return {**kept, "PYTHONPATH": str(ROOT), "SOPRAG_RUN__CACHE": str(folder / "cache"), "OPENBLAS_NUM_THREADS": "1"}


def run(folder: Path, *arguments: str, **more: Any) -> "subprocess.CompletedProcess[str]":
    done = subprocess.run(
        [*SOPRAG, *arguments], cwd=folder, env=environment(folder), capture_output=True, text=True, check=False, **more
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


def options(more: Sequence[str] = ()) -> list[str]:
    profile = () if "--resume" in more else ("--profile", "offline")
    return [*SOPRAG, "chat", *profile, "--operator", "ana", *more]


def tmux(folder: Path) -> Callable[[Sequence[str]], Terminal]:
    return lambda more: Tmux(options(more), folder, environment(folder))


def plain(folder: Path) -> Callable[[Sequence[str]], Terminal]:
    return lambda more: Pty(options(("--plain", *more)), folder, {**environment(folder), "TERM": "dumb"})


@pytest.fixture
def shop(plant: Path, tmp_path: Path) -> Path:
    """The plant's index, with no session yet."""
    for name in ("index", "cache"):
        (tmp_path / name).symlink_to(plant / name)
    return tmp_path


@pytest.mark.skipif(not HAS_TMUX, reason="there is no tmux on this machine")
def test_a_shift_in_tmux(shop: Path) -> None:
    first, second = shift(tmux(shop))
    check(shop, first, second)


def test_a_shift_in_plain_lines(shop: Path) -> None:
    first, second = shift(plain(shop))
    check(shop, first, second)
    assert "\x1b" not in re.sub(r"\x1b\[\?2004[hl]", "", first + second)  # readline's bracketed paste, if it is there


def test_a_shift_with_a_model_that_misbehaves(shop: Path) -> None:
    """A malformed call, a busy server, a step of the model's own: the shift is the same, and the step is not shown."""
    troubles = (fails(429, headers={"retry-after": "0"}), says('{"tool": "retrie'), says({"tool": 7}))
    with Loopback(*troubles, answer=inventive) as server:
        model = ("--model", "openai:m", "--base-url", server.url, "--plain")
        env = {**environment(shop), "TERM": "dumb", "OPENAI_API_KEY": "test", "SOPRAG_LLM__CACHE": "false"}
        first, second = shift(lambda more: Pty(options(("--plain", *more) if more else model), shop, env))
        assert {"plan", "choose", "answer"} <= {operator.task_of(one.body) for one in server.requests}
    assert "openai:m" in first
    assert "V-99" not in first + second
    check(shop, first, second)


def inventive(body: dict[str, Any]) -> object:
    """What the rules say, but for the answer, which has a step that the procedure has not."""
    if operator.task_of(body) == "answer":
        steps = [{"id": "s1", "why": ""}, {"id": "s99", "why": "Drain the tank through V-99."}]
        return {"summary": "Open the bypass V-99 before you start.", "steps": steps, "first": "s99"}
    return operator.answer(body)


def check(folder: Path, first: str, second: str) -> None:
    """The screen, the draft, the record and the export say the same."""
    session = next((folder / "sessions").glob("*/session.json")).parent
    entries = Logbook(session / "logbook.jsonl").entries()
    assert verify(session / "logbook.jsonl").sound
    warnings_first(first, entries)
    assert any("470 V" in str(entry.facts.get("text")) for entry in entries if entry.kind == "not taken")
    assert [entry.facts["reason"] for entry in entries if entry.kind == "refused"] == ["ask the shift lead first"]
    [mail] = (session / "drafts").glob("*.eml")
    letter = message_from_bytes(mail.read_bytes(), policy=policy.default)
    assert letter["to"] == "shift-lead@dc.example, control-room@dc.example"
    assert letter["subject"] == "UPS 2: bypass at 14:00, no battery backup"
    left, taken = (re.findall(r"^step (\d+)/\d+>", text, flags=re.MULTILINE) for text in (first, second))
    assert left[-1] == taken[0]
    note = (session / "handover.txt").read_text(encoding="utf-8")
    for said in ("Not taken at step 1: 470 V", "Skipped: step", "Approved: email by ana after changes", "Fan of UPS 2"):
        assert said in note
    export = (session / "export.md").read_text(encoding="utf-8")
    shown = [warning["text"] for entry in entries for warning in entry.facts.get("warnings") or [] if "text" in warning]
    assert shown and all(text in export for text in shown)


def warnings_first(screen: str, entries: list[LogEntry]) -> None:
    """Whatever the record says was shown stands on the screen: the warnings before the step."""
    told = spoken(screen)
    kinds = [entry.kind for entry in entries if entry.kind in ("warning shown", "acknowledged", "step shown")]
    assert kinds[:3] == ["warning shown", "acknowledged", "step shown"]
    for entry in entries:
        if entry.kind == "step shown":
            place = told.find(spoken(str(entry.facts["text"])), told.find("guide me"))
            for warning in entry.facts["warnings"]:
                assert 0 <= told.find(spoken(warning["text"]), told.find("guide me")) < place


def test_ctrl_c_twice_ends_with_130_and_ctrl_d_with_0(shop: Path) -> None:
    for keys, code in ((("C-c", "C-c"), 130), (("C-d",), 0)):
        with plain(shop)(()) as terminal:
            expect(terminal, FREE)
            for key in keys:
                terminal.press(key)
                time.sleep(0.3)
            wait(terminal, lambda: terminal.ended() is not None)
            assert terminal.ended() == code, terminal.text
            assert "Traceback" not in terminal.text


def test_keys_typed_ahead_decide_nothing(shop: Path) -> None:
    with plain(shop)(()) as terminal:
        place = expect(terminal, FREE)
        terminal.type("guide me through the transfer of a UPS to maintenance bypass")
        for line in ("Transfer to", "ack", "yes", "done"):
            terminal.type(line)
        time.sleep(3)
        expect(terminal, r"> $", place)
        assert "Step 1/" not in terminal.text


def test_the_same_in_a_pipe_ends_where_a_person_has_to_decide(shop: Path) -> None:
    asked = run(shop, "ask", "UPS maintenance bypass", "--profile", "offline", stdin=subprocess.DEVNULL)
    assert (asked.returncode, "Which of these is it" in asked.stdout) == (0, True)
    answered = run(shop, "ask", "--resume", "latest", "Transfer to", stdin=subprocess.DEVNULL)
    assert answered.returncode == 0
    assert answered.stdout.index("**DANGER:** Battery strings cannot") < answered.stdout.index(
        "1. Check that the bypass"
    )
    assert "\x1b" not in answered.stdout
    guided = run(shop, "ask", "--resume", "latest", "guide me", stdin=subprocess.DEVNULL)
    assert guided.returncode == 5
    assert "**DANGER:** Battery strings cannot be switched off." in guided.stdout
    assert "Check that the bypass source" not in guided.stdout
    refused = run(shop, "ask", "--resume", "latest", "ack", stdin=subprocess.DEVNULL)
    assert refused.returncode == 5
    exported = run(shop, "export")
    assert (exported.returncode, "Battery strings cannot be switched off." in exported.stdout) == (0, True)
    assert run(shop, "ask", "how do I bake bread", stdin=subprocess.DEVNULL).returncode in (0, 4)


def test_a_chat_in_a_pipe_reads_lines_and_decides_nothing(shop: Path) -> None:
    lines = "UPS maintenance bypass\nTransfer to\nguide me\nack\ndone\n"
    done = run(shop, "chat", "--profile", "offline", input=lines)
    assert done.returncode == 5
    assert "Which of these is it" in done.stdout
    assert "Check that the bypass source" not in done.stdout.split("Before step 1")[1]
    assert "soprag chat --resume" in done.stderr


def test_a_reader_that_goes_away_is_no_bug(shop: Path) -> None:
    program = subprocess.Popen(
        [*SOPRAG, "ask", "UPS transfer to maintenance bypass"], cwd=shop, env=environment(shop),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert program.stdout and program.stderr
    program.stdout.close()
    assert "Traceback" not in program.stderr.read()
    program.stderr.close()
    assert program.wait() in (0, 1, -signal.SIGPIPE)
