import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from soprag.benchmarks import frontier_scale, web_cells, web_table


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
        web_cells.serving(tmp_path, "docs", 1, [], tmp_path),
    ):
        pass


def test_the_simulated_frontier_settles_pages() -> None:
    milliseconds, megabytes = frontier_scale.measure(1000)
    assert milliseconds > 0
    assert megabytes > 0


def test_a_collection_that_fails_counts_as_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = subprocess.CompletedProcess([], 1, b"")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: ended)
    job = web_cells.Job(topic="x", folder=str(tmp_path), base_url="http://a.test", limits=web_table.LIMITS)
    assert web_cells._run(job, tmp_path).kept == ()


def test_cells_of_an_interrupted_table_are_not_collected_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "webs.py").write_text("raise SystemExit('served')")
    (tmp_path / "dev.toml").write_text('topics = [{name = "two words"}]')
    figures = {"precision": 1.0, "recall": 0.5, "f1": 0.67, "requests": 9, "searches": 3, "kept": 1, "cpu": 1.0}
    cell = {"layout": "docs", "seed": 1, "topic": "two words", "trap requests": {}, **figures}
    (tmp_path / "out" / "docs-1").mkdir(parents=True)
    (tmp_path / "out" / "docs-1" / "two-words.json").write_text(json.dumps(cell))
    options = ["--webs", str(tmp_path), "--out", str(tmp_path / "out"), "--layouts", "docs", "--seeds", "1"]
    monkeypatch.setattr(sys, "argv", ["web_table", *options])
    with pytest.raises(SystemExit) as ended:
        web_table.main()
    assert ended.value.code  # the F1 of 0.67 misses its target
    printed = capsys.readouterr().out
    assert "mean precision: 1.0 (target 0.92)" in printed
    assert "empty results: 0 (target 0)" in printed
    written = json.loads((tmp_path / "out" / "table.json").read_text())
    assert written["cells"] == [cell]
    assert "| docs | 1 | two words | 1.00 | 0.50 | 0.67 | 9 | 3 |  |" in (tmp_path / "out" / "table.md").read_text()


def test_the_port_of_a_cell_does_not_depend_on_the_cells_that_are_chosen() -> None:
    whole = web_table.cells([1, 2], web_table.LAYOUTS, ["a", "b", "c"], 20000)
    assert len({cell.port for cell in whole}) == len(whole) == 54
    assert set(web_table.cells([2], ["feeds"], ["a", "b", "c"], 20000)) < set(whole)


def test_a_cell_that_does_not_beat_the_reference_is_behind_it() -> None:
    cell = {"precision": 1.0, "recall": 0.0, "f1": 0.0, "requests": 9, "searches": 3, "kept": 0, "trap requests": {}}
    summary = web_table.summarise([cell | {"reference": 0.0}, cell])
    assert summary["behind the reference"] == 1
    assert summary["empty results"] == 2
    assert web_table.missed(summary)


def test_cells_collected_at_once_give_the_table_of_one_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def measured(webs: web_cells.Webs, cell: web_cells.Cell, **_: object) -> dict[str, object]:
        time.sleep(0.02 * (cell.port % 3))
        figures = {"layout": cell.layout, "seed": cell.seed, "topic": cell.topic, "kept": 3, "port": cell.port}
        return (
            figures
            | dict.fromkeys(("precision", "recall", "f1", "requests", "searches", "cpu"), 1)
            | {"trap requests": {}}
        )

    (tmp_path / "webs.py").touch()
    (tmp_path / "dev.toml").write_text('topics = [{name = "a"}, {name = "b"}]')
    monkeypatch.setattr(web_table, "measure", measured)
    tables = []
    for jobs in ("1", "5"):
        out = tmp_path / jobs
        out.mkdir()
        monkeypatch.setattr(sys, "argv", ["web_table", "--webs", str(tmp_path), "--jobs", jobs, "--out", str(out)])
        with pytest.raises(SystemExit):
            web_table.main()
        tables.append((out / "table.json").read_text())
    assert tables[0] == tables[1]
