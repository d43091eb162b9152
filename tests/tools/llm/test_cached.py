"""What was answered once is never paid for again: cache, recording, replay, and the same question at the same time."""

import asyncio
import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from soprag.configs.settings import LlmSettings
from soprag.tools.errors import ConfigError, ModelError, ModelUnavailable, StorageError
from soprag.tools.llm import Llm, open_llm
from soprag.tools.llm.answer_store import AnswerKey, RecordedAnswers, SqliteAnswers
from soprag.tools.rules.adapter import RulesLlm
from tests.loopback import Loopback, fails
from tests.tools.llm.valves import COUNT, Count, Text

GOOD = {"valves": 2, "first": "V-101"}
ROOT = Path(__file__).parents[3]
Make = Callable[..., LlmSettings]
ASKED = AnswerKey("count-valves", "fingerprint", '{"text":"x"}')


def door(settings: LlmSettings, folder: Path) -> Llm:
    return open_llm(settings, {"openai:test-model": (1.0, 10.0)}, folder, RulesLlm)


async def test_a_cached_answer_makes_no_request_also_in_the_next_process(llm_settings: Make, tmp_path: Path) -> None:
    with Loopback(answer=lambda _: GOOD) as server:
        settings = llm_settings(base_url=server.url)
        assert (await door(settings, tmp_path).ask(COUNT, Text(text="x"))).valves == 2
        again = door(settings, tmp_path)
        assert (await again.ask(COUNT, Text(text="x"))).valves == 2
        assert server.count == 1
        assert (
            again.ledger.total.model_dump() | {"cached": 1, "calls": 0, "cost": 0.0} == again.ledger.total.model_dump()
        )
        await again.ask(COUNT, Text(text="another"))
        assert server.count == 2


async def test_the_cache_can_be_turned_off(llm_settings: Make, tmp_path: Path) -> None:
    with Loopback(answer=lambda _: GOOD) as server:
        llm = door(llm_settings(base_url=server.url, cache=False), tmp_path)
        await llm.ask(COUNT, Text(text="x"))
        await llm.ask(COUNT, Text(text="x"))
        assert server.count == 2
    assert list(tmp_path.iterdir()) == []


async def test_another_prompt_model_server_or_form_is_another_question(
    llm_settings: Make, tmp_path: Path, prompt_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Loopback(answer=lambda _: GOOD) as server, Loopback(answer=lambda _: GOOD) as other:
        for settings in (
            llm_settings(base_url=server.url),
            llm_settings(base_url=server.url, method="json_mode"),
            llm_settings(base_url=server.url, temperature=0.5),
            llm_settings(base_url=server.url, model="openai:other"),
        ):
            await door(settings, tmp_path).ask(COUNT, Text(text="x"))
        assert server.count == 4
        await door(llm_settings(base_url=other.url), tmp_path).ask(COUNT, Text(text="x"))
        assert other.count == 1
        prompt_file.write_text("You count valves.")
        from soprag import prompts

        prompts.version.cache_clear()
        await door(llm_settings(base_url=server.url), tmp_path).ask(COUNT, Text(text="x"))
        assert server.count == 5


async def test_the_same_question_asked_at_once_is_paid_once(llm_settings: Make, tmp_path: Path) -> None:
    with Loopback(answer=lambda _: GOOD, delay=0.1) as server:
        llm = door(llm_settings(base_url=server.url), tmp_path)
        answers = await asyncio.gather(*(llm.ask(COUNT, Text(text="x")) for _ in range(8)))
        assert [answer.valves for answer in answers] == [2] * 8
        assert server.count == 1
    assert (llm.ledger.total.calls, llm.ledger.total.cached) == (1, 7)


async def test_a_failure_is_not_remembered(llm_settings: Make, tmp_path: Path) -> None:
    with Loopback(fails(500), answer=lambda _: GOOD) as server:
        llm = door(llm_settings(base_url=server.url, retries=0), tmp_path)
        with pytest.raises(ModelUnavailable):
            await llm.ask(COUNT, Text(text="x"))
        assert (await llm.ask(COUNT, Text(text="x"))).valves == 2


async def test_who_waits_for_an_answer_gets_one_though_the_first_to_ask_gives_up(
    llm_settings: Make, tmp_path: Path
) -> None:
    with Loopback(answer=lambda _: GOOD, delay=0.1) as server:
        llm = door(llm_settings(base_url=server.url), tmp_path)
        first, second = (asyncio.create_task(llm.ask(COUNT, Text(text="x"))) for _ in range(2))
        while not server.count:
            await asyncio.sleep(0.01)
        first.cancel()
        assert (await second).valves == 2


async def test_a_recording_plays_back_without_a_server_or_a_key(
    llm_settings: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "recorded"
    with Loopback(answer=lambda _: GOOD) as server:
        settings = llm_settings(base_url=server.url, record=str(folder))
        await door(settings, tmp_path / "cache").ask(COUNT, Text(text="Close V-101."))
    monkeypatch.delenv("OPENAI_API_KEY")
    player = door(settings.model_copy(update={"replay": str(folder), "record": ""}), tmp_path / "none")
    assert await player.ask(COUNT, Text(text="Close V-101.")) == Count(valves=2, first="V-101")
    assert player.name == "openai:test-model"
    assert (player.ledger.total.cached, player.ledger.total.cost) == (1, 0.0)
    assert not (tmp_path / "none").exists()


async def test_what_was_not_recorded_is_an_error_that_says_how_to_record(llm_settings: Make, tmp_path: Path) -> None:
    player = door(llm_settings(replay=str(tmp_path)), tmp_path)
    with pytest.raises(ModelError, match=r"'count-valves'.*llm\.record"):
        await player.ask(COUNT, Text(text="x"))
    RecordedAnswers(tmp_path).keep(ASKED, '{"valves": 1}')
    with pytest.raises(ModelError, match=r"1 others are"):
        await player.ask(COUNT, Text(text="x"))


def test_a_recording_needs_the_name_of_its_model(llm_settings: Make, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"llm\.model"):
        door(llm_settings(model="rules", replay=str(tmp_path)), tmp_path)


async def test_a_recording_is_completed_from_the_cache(llm_settings: Make, tmp_path: Path) -> None:
    with Loopback(answer=lambda _: GOOD) as server:
        settings = llm_settings(base_url=server.url)
        await door(settings, tmp_path).ask(COUNT, Text(text="x"))
        folder = tmp_path / "recorded"
        await door(settings.model_copy(update={"record": str(folder)}), tmp_path).ask(COUNT, Text(text="x"))
        assert server.count == 1
    assert RecordedAnswers(folder).count("count-valves") == 1


def test_a_recorded_answer_reads_well_in_a_diff(tmp_path: Path) -> None:
    store = RecordedAnswers(tmp_path)
    store.keep(ASKED, '{"valves":2,"first":"Ü-1"}')
    record = json.loads(store.file(ASKED).read_text())
    assert list(record) == ["task", "fingerprint", "input", "answer"]
    assert record["input"] == {"text": "x"}
    assert '"first": "Ü-1"' in store.file(ASKED).read_text()
    assert store.file(ASKED).parent.name == "count-valves"


@pytest.mark.parametrize("damage", ["{", "{}", "[]"])
def test_a_damaged_recording_is_named(tmp_path: Path, damage: str) -> None:
    store = RecordedAnswers(tmp_path)
    store.keep(ASKED, "{}")
    store.file(ASKED).write_text(damage)
    with pytest.raises(StorageError, match=r"record it again"):
        store.find(ASKED)


async def test_a_damaged_cached_answer_is_asked_for_again(llm_settings: Make, tmp_path: Path) -> None:
    with Loopback(answer=lambda _: GOOD) as server:
        settings = llm_settings(base_url=server.url)
        await door(settings, tmp_path).ask(COUNT, Text(text="x"))
        with sqlite3.connect(tmp_path / "answers.sqlite") as database:
            database.execute('UPDATE entries SET value = CAST(\'{"valves": "?"}\' AS BLOB)')
        database.close()
        assert (await door(settings, tmp_path).ask(COUNT, Text(text="x"))).valves == 2
        assert server.count == 2


def test_a_file_that_is_no_cache_is_named(tmp_path: Path) -> None:
    file = tmp_path / "answers.sqlite"
    file.write_bytes(b"not a database at all" * 100)
    with pytest.raises(StorageError, match=r"answers\.sqlite.*run\.cache"):
        SqliteAnswers(file).find(ASKED)


WRITER = """
import sys
from pathlib import Path
from soprag.tools.llm.answer_store import AnswerKey, SqliteAnswers
store = SqliteAnswers(Path(sys.argv[1]))
for number in range(1_000_000):
    store.keep(AnswerKey("t", sys.argv[2], str(number)), '{"valves": %d}' % number)
"""


def test_the_cache_survives_several_processes_and_kill_9(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    store = SqliteAnswers(path)
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, path, str(who)], cwd=ROOT) for who in range(2)]
    for who, writer in enumerate(writers):
        while store.find(AnswerKey("t", f"{who}", "20")) is None:
            assert writer.poll() is None
            time.sleep(0.01)
    for writer in writers:
        writer.kill()
        writer.wait()
    assert [store.find(AnswerKey("t", f"{who}", "20")) for who in range(2)] == ['{"valves": 20}'] * 2
    store.keep(ASKED, "{}")
    assert store.find(ASKED) == "{}"
