"""The comparison with annotated flows: what agrees, what is forgiven, and what a wrong way costs."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from soprag.benchmarks.quality.annotated_flows.comparison import compare
from soprag.benchmarks.quality.annotated_flows.document import parse
from soprag.benchmarks.quality.annotated_flows.model_reading import read_by_model
from soprag.benchmarks.quality.annotated_flows.report import measure_annotated, render
from soprag.tools.errors import UsageError
from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.procedure.export import gold
from soprag.tools.procedure.reader import read_procedure
from soprag.tools.retriever.index.extraction import Extractor

TEXT = (
    "# Filter\n\n1. Read the pressure. If it is above 2 bar, stop and call the lead.\n2. Open the lid.\n3. Lift it.\n"
)


def annotation() -> dict[str, Any]:
    return gold(read_procedure(TEXT))


def test_a_flow_agrees_with_itself() -> None:
    tally = compare(parse(annotation()), parse(annotation()))
    assert all(one.f1 in (None, 1.0) for one in tally.sets.values())
    assert all(one.share in (None, 1.0) for one in tally.shares.values())
    assert tally.wrong_ways == 0


def test_names_of_steps_do_not_matter() -> None:
    renamed = json.loads(re.sub(r'"s(\d+)"', r'"x\1"', json.dumps(annotation())))
    assert compare(parse(annotation()), parse(renamed)).sets["edges"].f1 == 1.0


def test_a_wrong_way_is_silent_unless_its_lines_are_unresolved() -> None:
    wrong = annotation()
    wrong["edges"] = [edge | ({"to": "END"} if edge["when"] == "" else {}) for edge in wrong["edges"]]
    silent = compare(parse(annotation()), parse(wrong))
    assert silent.wrong_ways == silent.silent_wrong_ways > 0
    wrong["unresolved"] = [{"lines": [3, 4, 5], "reason": "cannot tell"}]
    marked = compare(parse(annotation()), parse(wrong))
    assert (marked.wrong_ways, marked.silent_wrong_ways) == (silent.wrong_ways, 0)


def test_a_step_marked_although_its_ways_are_right_is_counted() -> None:
    marked = annotation()
    marked["unresolved"] = [{"lines": list(range(1, 100)), "reason": "cannot tell"}]
    tally = compare(parse(annotation()), parse(marked))
    assert tally.wrong_ways == 0
    assert tally.overmarked_steps == tally.unresolved_steps == tally.steps > 0


def test_a_way_around_an_act_is_the_same_as_an_act_under_a_condition() -> None:
    optional = parse(gold(read_procedure("# A\n\n1. Close the lid.\n2. If it drips, wipe it.\n3. Sign.\n")))
    around = gold(read_procedure("# A\n\n1. Close the lid.\n2. If it drips, wipe it.\n3. Sign.\n"))
    around["steps"][1].pop("only_if")
    around["edges"].append({"from": "s1", "to": "s3", "when": "otherwise"})
    tally = compare(optional, parse(around))
    assert tally.sets["only-if"].f1 == 1.0
    assert tally.sets["edges"].f1 == 1.0


def test_a_folder_is_measured_by_origin(tmp_path: Path) -> None:
    for name in ("ex-filter", "rb-filter"):
        (tmp_path / f"{name}.md").write_text(TEXT, encoding="utf-8")
        (tmp_path / f"{name}.json").write_text(json.dumps(annotation()), encoding="utf-8")
    report = measure_annotated(tmp_path)
    assert [one.origin for one in report.origins] == ["ex", "rb", "all"]
    assert report.origins[-1].figures["edges"] == 1.0
    assert any(line.startswith("edges by line") for line in render(report))


def test_a_folder_is_measured_as_a_model_reads_it(tmp_path: Path) -> None:
    (tmp_path / "ex-filter.md").write_text(TEXT, encoding="utf-8")
    (tmp_path / "ex-filter.json").write_text(json.dumps(annotation()), encoding="utf-8")
    told = {"steps": [{"id": "a", "kind": "action", "start": 3, "end": 5}], "struck": [4, 5]}
    llm = ScriptedLlm(
        {"extract": {"abstract": "", "entity": {"entities": []}, "causal": {"states": []}, "flow": told}},
        name="scripted:model",
    )
    flows = asyncio.run(read_by_model(tmp_path, Extractor(llm)))
    assert len(flows[TEXT].steps) == 1
    by_model, by_rules = (measure_annotated(tmp_path, read) for read in (flows.__getitem__, read_procedure))
    assert by_rules.origins[-1].figures["edges"] == 1.0
    assert (by_model.origins[-1].figures["edges"] or 0.0) < 1.0


def test_a_folder_without_annotations_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no annotated flow"):
        measure_annotated(tmp_path)
