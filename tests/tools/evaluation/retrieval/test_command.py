import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from soprag.apps.cli.evaluate import EvaluateCall, evaluate, run_evaluation
from soprag.tools.errors import ConfigError, UsageError


def call(folder: Any, *options: str) -> Any:
    arguments = ["--benchmark", str(folder.path), "--system", "bm25", "--bootstrap", "100", "--profile", "offline"]
    return CliRunner().invoke(evaluate, [*arguments, *options], catch_exceptions=False)


def test_the_table_goes_to_stdout_and_progress_to_stderr(folder: Any) -> None:
    done = call(folder)
    assert "bm25 <" in done.stdout
    assert "small: 1/1 (1 done)" in done.stderr
    assert call(folder, "--quiet").stderr == ""


def test_json_is_an_envelope_with_everything(folder: Any, tmp_path: Path) -> None:
    answer = json.loads(call(folder, "--json", "--quiet", "--out", str(tmp_path / "report")).stdout)
    assert answer["command"] == "evaluate"
    assert answer["data"]["benchmarks"][0]["systems"][0]["ranks"] == {"q1": 1, "q2": 1, "q3": 1}
    assert answer["data"]["bootstrap"] == 100
    assert (tmp_path / "report" / "evaluation.html").is_file()


def test_a_system_that_is_not_there_is_named_with_those_that_are(folder: Any) -> None:
    with pytest.raises(UsageError, match=r"'bm52'; choose from .*hybrid-passages"):
        run_evaluation(EvaluateCall(folders=(folder.path,), names=("bm52",)), quiet=True)


def test_a_wrong_setting_is_a_setting_error(folder: Any) -> None:
    with pytest.raises(ConfigError, match=r"evaluate\.bootstrap"):
        run_evaluation(EvaluateCall(folders=(folder.path,), bootstrap=1), quiet=True)


def test_two_benchmarks_are_measured_in_one_run(folder: Any) -> None:
    twice = run_evaluation(EvaluateCall(folders=(folder.path, folder.path), names=("bm25",), limit=2), quiet=True)
    assert [one.questions for one in twice.benchmarks] == [2, 2]
