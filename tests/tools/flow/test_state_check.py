"""What a record and a state of a thread that disagree are told to disagree on."""

from pathlib import Path

import pytest

from soprag.tools.flow.run import FlowRun
from soprag.tools.flow.state_check import ThreadState, compare
from soprag.tools.store.log_entry import LogEntry
from soprag.tools.store.logbook import Logbook


@pytest.fixture
def entries(tmp_path: Path) -> list[LogEntry]:
    book = Logbook(tmp_path / "logbook.jsonl")
    book.append("question", key="question:1", answer="pump tripped", text="pump tripped")
    book.append("question", key="question:2", answer="guide me", text="guide me")
    book.append("flow begun", key="r1/begun", run="r1", title="Restart")
    return book.entries()


def test_as_many_turns_and_the_same_messages_agree(entries: list[LogEntry]) -> None:
    state = ThreadState(turns=2, questions=("pump tripped", "guide me"), run=run())
    assert compare(entries, state).faults == compare(entries, state).notices == ()


def test_a_state_with_more_turns_than_the_record_is_a_fault(entries: list[LogEntry]) -> None:
    [fault] = compare(entries, ThreadState(turns=3, run=run())).faults
    assert fault == "the state knows 3 turns, the record 2: entries were removed from the record"


def test_a_record_that_is_one_turn_ahead_is_only_noticed(entries: list[LogEntry]) -> None:
    findings = compare(entries, ThreadState(turns=1, run=run()))
    assert (findings.faults, "under way" in findings.notices[0]) == ((), True)
    assert "the state is older than the record" in compare(entries, ThreadState(turns=0, run=run())).faults[0]


def test_a_message_that_the_record_does_not_hold_is_a_fault(entries: list[LogEntry]) -> None:
    [fault] = compare(entries, ThreadState(turns=2, questions=("open V-3",), run=run())).faults
    assert fault == "the state holds a message that the record does not: 'open V-3'"


def test_a_run_that_is_not_in_the_state_is_noticed(entries: list[LogEntry]) -> None:
    assert "'Restart' begun at entry 3 is not in the state" in compare(entries, ThreadState(turns=2)).notices[0]


def run() -> FlowRun:
    return FlowRun(id="r1", sop="s", title="Restart", digest="d", graph="g")
