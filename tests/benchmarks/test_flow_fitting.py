"""Fitting the second opinion of the reader: annotations without words, and what a fitted model learns from them."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from soprag.benchmarks.quality import flow_fitting, flow_validation, way_fitting
from soprag.benchmarks.quality.annotated_flows import shapes
from soprag.benchmarks.quality.annotated_flows.document import parse
from soprag.tools.errors import UsageError
from soprag.tools.procedure.export import gold
from soprag.tools.procedure.reader import read_procedure
from soprag.tools.procedure.weighing.block_model import chance

TEXT = (
    "# Filter\n\n## Steps\n\n1. Read the pressure. If it is above 2 bar, stop.\n2. Open the lid.\n\nThe lid is heavy.\n"
)


def annotation() -> dict[str, Any]:
    return gold(read_procedure(TEXT)) | {"source": "../shared/data/plant/docs/filter.md"}


def write(folder: Path, monkeypatch: pytest.MonkeyPatch, digest: str | None = None) -> dict[str, Any]:
    made = shapes.shape(annotation(), "filter", TEXT.encode())
    (folder / "plant/docs").mkdir(parents=True)
    (folder / "plant/docs/filter.md").write_text(TEXT, encoding="utf-8")
    file = folder / "shapes.jsonl"
    file.write_text(json.dumps(made | ({"sha256": digest} if digest else {})) + "\n", encoding="utf-8")
    monkeypatch.setattr(shapes, "_FOLDER", folder)
    return made


def test_a_shape_holds_no_words_and_gives_the_flow_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = write(tmp_path, monkeypatch)
    assert made["sha256"] == hashlib.sha256(TEXT.encode()).hexdigest()
    assert not {"pressure", "lid", "heavy"} & set(json.dumps(made).replace('"', " ").split())
    [text] = shapes.shaped(tmp_path)
    flow = text.flow
    assert (text.name, text.source, text.markdown, text.half) == ("filter", "filter.md", TEXT, "A")
    whole = parse(annotation())
    assert flow.roles == whole.roles
    assert [step.lines for step in flow.steps] == [step.lines for step in whole.steps]
    assert flow.targets == whole.targets


def test_a_source_that_was_changed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, monkeypatch, digest="0" * 64)
    with pytest.raises(UsageError, match="fetch the data folder again"):
        list(shapes.shaped(tmp_path))


def taught(name: str, act: bool) -> flow_fitting.TaughtText:
    """A text whose second paragraph is an act that the rules do not see, or a remark."""
    words = "Quotas can be raised with the tool." if act else "The quota is a limit of the pool."
    text = f"# {name}\n\n## Mitigation\n\nStop the writer.\n\n{words}\n"
    steps = [{"id": "a", "lines": [5]}, *([{"id": "b", "lines": [7]}] if act else [])]
    return flow_fitting.by_flow(f"{name}.md", text, parse({"steps": steps}), 1.0)


def test_a_model_learns_acts_that_the_rules_do_not_see() -> None:
    texts = [taught(f"t{n}", n % 2 == 0) for n in range(12)]
    model = flow_fitting.fit(texts)
    chances = [list(model.judge(one.root, list(one.places), one.ruled).begins.values())[-1] for one in texts]
    assert min(chances[::2]) > 0.5 > max(chances[1::2])
    assert texts[0].begins == (1, 1)
    assert texts[1].begins == (1, 0)
    assert texts[1].belongs == (None, 0)


def test_every_text_is_read_by_models_that_have_not_seen_it() -> None:
    texts = [taught(f"t{n}", n % 2 == 0) for n in range(6)]
    pairs = list(flow_validation.unseen_models(texts, flow_fitting.parts(texts, 3)))
    assert {text.source for text, _ in pairs} == {text.source for text in texts}
    assert len({id(model) for _, model in pairs}) == 3
    table = flow_validation.validate(pairs, lambda text: "texts")
    assert table[0] == "The rules alone"
    assert any(line.startswith("edges by line") for line in table)


def test_a_half_is_read_by_models_that_saw_neither_it_nor_labelled_lines_of_its_sources() -> None:
    halves = ("A", "A", "B", "B", "", "")
    texts = [replace(taught(f"t{n}", n % 2 == 0), half=half) for n, half in enumerate(halves)]
    texts.append(replace(texts[0], half="", flow=None))
    fold = flow_validation.halves(texts)
    assert fold == [0, 0, 1, 1, 2, 2, 0]
    pairs = list(flow_validation.unseen_models(texts, fold, lambda text: text.half == "A"))
    assert [text.source for text, _ in pairs] == ["t0.md", "t1.md"]
    assert len({id(model) for _, model in pairs}) == 1
    table = flow_validation.validate(pairs, lambda text: f"{text.half} plant")
    assert table[1].split() == ["A", "plant", "all", "A", "unseen"]


def sectioned(number: int, apart: bool) -> flow_fitting.TaughtText:
    """Two sections of which the annotator says that the second follows the first, or that each ends by itself."""
    titles = ("Upload", "Delete") if apart else ("First part", "Second part")
    step = "- Press the button." if apart else "1. Press the button."
    text = f"# T{number}\n\n## {titles[0]}\n\n{step}\n\n## {titles[1]}\n\n{step}\n"
    edges = [{"from": "a", "to": "END" if apart else "b"}, {"from": "b", "to": "END"}]
    steps = [{"id": "a", "lines": [5]}, {"id": "b", "lines": [9]}]
    return flow_fitting.by_flow(f"s{number}.md", text, parse({"steps": steps, "edges": edges}), 3.0)


def test_a_model_learns_which_ways_annotators_do_not_have() -> None:
    texts = [sectioned(number, number % 2 == 0) for number in range(12)]
    taught = way_fitting.taught_ways(texts)
    assert [one.astray for one in taught[:2]] == [(1, 0), (0, 0)]
    model = way_fitting.fit_ways(texts)
    chances = [[chance(model.astray, seen) for seen in one.signs] for one in taught[:2]]
    assert chances[0][0] == max(chances[0] + chances[1])
    assert "marked" in way_fitting.check(taught, flow_fitting.parts(texts, 3))[0]


def test_texts_with_labelled_lines_only_teach_no_ways() -> None:
    labelled = replace(taught("t0", True), flow=None)
    assert way_fitting.taught_ways([labelled])[0].known == []
    assert way_fitting.fit_ways([labelled]).astray == {}
