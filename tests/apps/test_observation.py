"""What an operator of the system sees of a turn: spans at a collector, metrics, JSON logs, one trace id."""

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from click.testing import CliRunner

from soprag.apps.cli.main import soprag
from soprag.apps.compose.observation import begin_observation, end_observation
from soprag.configs.settings import ObserveSettings
from soprag.tools.errors import ModelUnavailable
from soprag.tools.observe.spans import mark, span
from soprag.tools.store.logbook_audit import verify
from tests.collector import Collector, collecting
from tests.graphs.plant import fill
from tests.servers import free_port

QUESTION = "coolant pump P-101 tripped on low suction pressure"
DASHBOARD = Path(__file__).parents[2] / "docs" / "grafana-dashboard.json"


@pytest.fixture(autouse=True)
def unobserved() -> Iterator[None]:
    yield
    end_observation()


@pytest.fixture
def collector() -> Iterator[Collector]:
    with collecting() as running:
        yield running


def ask(folder: Path, question: str = QUESTION) -> Any:
    return CliRunner().invoke(soprag, ["ask", question, "--index", str(folder / "index"), "--profile", "offline"])


def scraped(address: str) -> dict[str, float]:
    """The samples at an address, by name with labels."""
    with urlopen(f"http://{address}/metrics", timeout=10) as answer:
        lines = answer.read().decode().splitlines()
    samples = (line.rpartition(" ") for line in lines if not line.startswith("#"))
    return {name: float(value) for name, _, value in samples}


def test_a_turn_is_one_trace_from_the_question_to_the_sql(
    tmp_path: Path, collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path)
    address = f"127.0.0.1:{free_port()}"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOPRAG_RUN__CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SOPRAG_OBSERVE__TRACES", collector.address)
    monkeypatch.setenv("SOPRAG_OBSERVE__METRICS", address)
    monkeypatch.setenv("SOPRAG_OBSERVE__LOG", str(tmp_path / "log.jsonl"))
    assert ask(tmp_path).exit_code == 0
    assert ask(tmp_path, "how do I bake bread?").exit_code == 4
    samples = scraped(address)
    end_observation()

    assert set(collector.requests) == {("/v1/traces", "application/x-protobuf")}
    statement = next(one for one in collector.named("SQL") if "turn" in collector.path(one))
    path = collector.path(statement)
    assert [name for name in path if not name.startswith("search ")] == [
        "turn", "action", "expert", "search", "SQL",
    ]  # fmt: skip
    above = [(one, collector.spans.get(one.parent_span_id)) for one in collector.spans.values()]
    assert all(one.trace_id == parent.trace_id for one, parent in above if parent)
    turns = {collector.attributes(turn)["outcome"]: turn for turn in collector.named("turn")}
    assert set(turns) == {"answer", "nothing"}

    # Sessions that begin in one second have names in any order.
    books = sorted(tmp_path.glob("sessions/*/logbook.jsonl"), key=lambda book: book.stat().st_mtime_ns)
    assert [verify(book).sound for book in books] == [True, True]
    recorded = [{json.loads(line)["trace"] for line in book.read_text().splitlines()} for book in books]
    assert recorded == [{turns["answer"].trace_id.hex()}, {turns["nothing"].trace_id.hex()}]
    logged = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert {line["outcome"]: line["trace"] for line in logged if line["message"] == "turn ended"} == {
        outcome: turn.trace_id.hex() for outcome, turn in turns.items()
    }
    assert samples['soprag_turns_total{client="terminal",outcome="answer"}'] == 1
    assert samples['soprag_searches_total{abstained="true"}'] >= 1  # a command may search before its turn
    assert samples['soprag_span_seconds_count{kind="retrieval",span="expert"}'] == 2


def test_what_a_model_costs_is_counted_by_task() -> None:
    address = f"127.0.0.1:{free_port()}"
    begin_observation(ObserveSettings(log="", traces="", metrics=address))
    with span("model", task="card", model="openai:gpt-4o") as asking:
        asking.add(tokens_in=120, tokens_out=30, dollars=0.5)
        asking.add(tokens_in=80)
    with pytest.raises(ModelUnavailable), span("model", task="card", model="openai:gpt-4o"):
        raise ModelUnavailable("no answer")
    mark("approval", tool="email", decision="refused")
    samples = scraped(address)
    task = 'model="openai:gpt-4o",task="card"'
    assert samples[f'soprag_model_tokens_total{{direction="in",{task}}}'] == 200
    assert samples[f"soprag_model_cost_dollars_total{{{task}}}"] == 0.5
    assert samples['soprag_model_requests_total{model="openai:gpt-4o",outcome="ModelUnavailable",task="card"}'] == 1
    assert samples['soprag_approvals_total{decision="refused",tool="email"}'] == 1


def test_counters_of_a_new_process_begin_at_zero_so_that_the_first_event_is_an_increase() -> None:
    address = f"127.0.0.1:{free_port()}"
    begin_observation(ObserveSettings(log="", traces="", metrics=address))
    samples = scraped(address)
    assert samples['soprag_searches_total{abstained="true"}'] == 0
    assert samples['soprag_turns_total{client="terminal",outcome="nothing"}'] == 0


def test_every_metric_of_the_dashboard_is_served() -> None:
    address = f"127.0.0.1:{free_port()}"
    begin_observation(ObserveSettings(log="", traces="", metrics=address))
    with urlopen(f"http://{address}/metrics", timeout=10) as answer:
        served = set(re.findall(r"^# TYPE (\w+)", answer.read().decode(), flags=re.MULTILINE))
    panels = json.loads(DASHBOARD.read_text(encoding="utf-8"))["panels"]
    asked = {name for panel in panels for target in panel.get("targets", []) for name in _metrics(target["expr"])}
    assert asked
    assert {re.sub("_(bucket|sum|count)$", "", name) for name in asked} <= served


def _metrics(expression: str) -> list[str]:
    return re.findall(r"\bsoprag_\w+", expression)


@pytest.mark.slow
def test_a_collector_that_never_answers_does_not_keep_the_process(tmp_path: Path) -> None:
    fill(tmp_path)
    with collecting(answers=False) as silent:
        began = time.monotonic()
        process = _ask_apart(tmp_path, silent.address)
        seconds = time.monotonic() - began
        assert silent.requests
    assert process.returncode == 0
    assert "P-101" in process.stdout
    assert seconds < 30  # of which at most 5 s are for the last traces


@pytest.mark.slow
def test_without_a_collector_the_answer_comes_and_one_line_says_what_is_lost(tmp_path: Path) -> None:
    fill(tmp_path)
    process = _ask_apart(tmp_path, f"http://127.0.0.1:{free_port()}", "-v")
    assert process.returncode == 0
    assert "P-101" in process.stdout
    assert process.stderr.count("The collector at") == 1
    assert "Traceback" not in process.stderr


def _ask_apart(folder: Path, collector: str, *options: str) -> "subprocess.CompletedProcess[str]":
    program = "from soprag.apps.cli.main import main; main()"
    variables = {"SOPRAG_OBSERVE__TRACES": collector, "SOPRAG_RUN__CACHE": str(folder / "cache"), "HOME": str(folder)}
    arguments = [*options, "ask", QUESTION, "--index", str(folder / "index"), "--profile", "offline"]
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=folder, env=variables, capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip


def test_nothing_of_it_is_imported_when_it_is_off() -> None:
    program = (
        "import sys; from soprag.apps.compose.settings import open_settings; open_settings('offline', {});"
        "import soprag.tools.retriever.query.retriever, soprag.tools.store.logbook;"
        "print({'opentelemetry', 'prometheus_client', 'soprag.apps.compose.observation'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_an_address_that_is_taken_costs_the_metrics_and_not_the_work(caplog: pytest.LogCaptureFixture) -> None:
    from socket import create_server

    with closing(create_server(("127.0.0.1", 0))) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        begin_observation(ObserveSettings(log="", traces="", metrics=address))
    assert f"No metrics at {address}" in caplog.text
