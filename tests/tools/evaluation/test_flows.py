import json
from pathlib import Path

import pytest

from soprag.benchmarks.quality.flows import measure_flows
from soprag.tools.errors import UsageError
from soprag.tools.procedure.flow_view import flow_view
from soprag.tools.procedure.procedure import ProcedureFlow
from soprag.tools.procedure.source_text import SourceText
from soprag.tools.sop import FlowGraph

BODY = "# Pump\n\n> **WARNING:** Hot.\n\n1. Open.\n2. If it leaks, go to step 1.\n\nNote: It may drip.\n\n3. Close.\n"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    row = {"_id": "pump", "title": "Pump", "text": BODY}
    (tmp_path / "plant").mkdir()
    (tmp_path / "plant" / "corpus.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    return tmp_path


def test_nothing_is_missing_from_a_faithful_flow(corpus: Path) -> None:
    report = measure_flows(corpus)
    tally = report.corpora[0]
    assert report.complete
    assert (tally.name, tally.items, tally.found_items, tally.warnings, tally.found_warnings) == ("plant", 3, 3, 2, 2)
    assert "Nothing is missing." in report.render()


def test_lost_steps_and_warnings_are_counted_and_named(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(flow: ProcedureFlow, source: SourceText) -> FlowGraph:
        """Loses the last step and every warning."""
        view = flow_view(flow, source)
        steps = tuple(step.model_copy(update={"warnings": ()}) for step in view.steps[:-1])
        return view.model_copy(update={"steps": steps})

    monkeypatch.setattr("soprag.tools.retriever.index.source_alignment.flow_view", forgetful)
    report = measure_flows(corpus)
    assert not report.complete
    assert [(miss.kind, miss.line, miss.text) for miss in report.corpora[0].misses] == [
        ("step", 10, "Close."),
        ("warning", 3, "**WARNING:** Hot."),
        ("warning", 8, "Note: It may drip."),
    ]
    assert "pump:10  step  'Close.'" in report.render()


def test_a_folder_of_markdown_files_is_a_corpus(tmp_path: Path) -> None:
    (tmp_path / "pump.md").write_text(BODY, encoding="utf-8")
    assert measure_flows(tmp_path).corpora[0].found_items == 3


def test_a_folder_without_sops_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No corpus"):
        measure_flows(tmp_path)


ROOT = Path(__file__).parents[3]
SHARED = ROOT.parent / "shared" / "data"


@pytest.mark.slow
def test_no_step_and_no_warning_of_the_example_library_is_missing() -> None:
    report = measure_flows(ROOT / "examples" / "sources")
    assert report.complete, report.render()
    assert report.corpora[0].items > 500


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.is_dir(), reason="the corpora are not here")
@pytest.mark.parametrize("name", ["runbooks", "observatory"])
def test_no_step_and_no_warning_of_the_real_corpora_is_missing(name: str, tmp_path: Path) -> None:
    rows = (SHARED / name / "corpus.jsonl").read_text(encoding="utf-8").split("\n")
    (tmp_path / "corpus.jsonl").write_text("\n".join(rows[::4]), encoding="utf-8")  # all: soprag measure flows
    report = measure_flows(tmp_path)
    tally = report.corpora[0]
    assert not tally.misses, report.render()
    assert tally.items > 100
