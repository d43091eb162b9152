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
