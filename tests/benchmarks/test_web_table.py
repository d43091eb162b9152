import json
import subprocess
import sys
from pathlib import Path

import pytest

from soprag.benchmarks import frontier_scale, web_table


def test_without_a_folder_of_webs_nothing_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["web_table", "--webs", str(tmp_path)])
    with pytest.raises(SystemExit) as ended:
        web_table.main()
    assert ended.value.code == 2
    assert "Nothing was measured" in capsys.readouterr().err


def test_a_web_that_ends_at_once_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "webs.py").write_text("raise SystemExit(3)")
    with (
        pytest.raises(SystemExit, match="status 3"),
        web_table.serving(tmp_path, "docs", 1, [], tmp_path),
    ):
        pass


def test_the_simulated_frontier_settles_pages() -> None:
    milliseconds, megabytes = frontier_scale.measure(1000)
    assert milliseconds > 0
    assert megabytes > 0


def test_a_collection_that_fails_counts_as_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = subprocess.CompletedProcess([], 1, b"")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: ended)
    job = web_table.Job(topic="x", folder=str(tmp_path), base_url="http://a.test", limits=web_table.LIMITS)
    assert web_table._run(job, tmp_path).kept == ()


def test_cells_of_an_interrupted_table_are_not_collected_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "webs.py").write_text("raise SystemExit('served')")
    (tmp_path / "dev.toml").write_text('topics = [{name = "two words"}]')
    figures = {"precision": 1.0, "recall": 0.5, "f1": 0.67, "requests": 9, "searches": 3, "cpu": 1.0}
    cell = {"layout": "docs", "seed": 1, "topic": "two words", "trap requests": {}, **figures}
    (tmp_path / "out" / "docs-1").mkdir(parents=True)
    (tmp_path / "out" / "docs-1" / "two-words.json").write_text(json.dumps(cell))
    options = ["--webs", str(tmp_path), "--out", str(tmp_path / "out"), "--layouts", "docs", "--seeds", "1"]
    monkeypatch.setattr(sys, "argv", ["web_table", *options])
    with pytest.raises(SystemExit) as ended:
        web_table.main()
    assert ended.value.code  # the F1 of 0.67 misses its target
    assert "1 cells: mean precision 1.000" in capsys.readouterr().out
