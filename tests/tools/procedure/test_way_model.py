"""The model of wrong ways marks steps for the operator; it changes no way, and doubts decisions less readily."""

from soprag.tools.procedure.blocks.blocks import read_blocks
from soprag.tools.procedure.blocks.sections import outline
from soprag.tools.procedure.drafting.block_opinions import BlockOpinions
from soprag.tools.procedure.procedure import ProcedureFlow
from soprag.tools.procedure.reader import read_with
from soprag.tools.procedure.weighing.block_evidence import placed_blocks
from soprag.tools.procedure.weighing.way_evidence import WayEvidence
from soprag.tools.procedure.weighing.way_model import WayModel
from soprag.tools.sop import END

TEXT = "\n".join(
    [
        "# Data",  # 1
        "",
        "## Upload",  # 3
        "",
        "1. Press Start.",  # 5
        "2. If the tray is empty, stop.",  # 6
        "",
        "The tray holds the files.",  # 8
        "",
        "## Delete",  # 10
        "",
        "- Press Remove.",  # 12
        "- Try again with the other tray.",  # 13
    ]
)


def read(begins: dict[int, float] | None = None, text: str = TEXT) -> tuple[ProcedureFlow, WayEvidence]:
    opinions = BlockOpinions(begins or {})
    flow, root = read_with(text, opinions), outline(read_blocks(text))
    return flow, WayEvidence(flow, root, tuple(placed_blocks(root, text.split("\n"))), opinions)


def test_a_decision_is_marked_from_a_greater_chance_on() -> None:
    items = "- Check the tray. If it is empty, go to section 2.\n- Press Start.\n- Press Stop.\n"
    flow, evidence = read(text=f"# Data\n\n## Work\n\n{items}\n## 2 Filling\n\n- Press Fill.\n")
    assert flow.steps[0].kind == "decision"
    chances = (-0.6, 3.0)  # .35 and .95
    marked = [WayModel({"bias": bias}).marked(flow, evidence).unresolved for bias in chances]
    assert [5 in {line for part in parts for line in part.lines} for parts in marked] == [False, True]


def test_a_step_is_doubted_sooner_in_a_text_of_which_much_is_in_doubt() -> None:
    flow, evidence = read(text="# Data\n\n## Work\n\nPress Start.\n\n- Press Stop.\n- Press Fill.\n- Press End.\n")
    items = {"bias": -1.0, "kind bullet": -2.0}  # .27 for the first step, .05 for those of the list
    alike, unlike = ({**items, "kind bullet": weight} for weight in (-2.0, 0.0))
    marked = [WayModel(weights).marked(flow, evidence).unresolved for weights in (alike, unlike)]
    assert [5 in {line for part in parts for line in part.lines} for parts in marked] == [False, True]


def test_steps_with_one_way_are_marked_and_their_ways_stay() -> None:
    flow, evidence = read()
    marked = WayModel({"bias": 3.0}).marked(flow, evidence)
    assert (marked.edges, marked.steps) == (flow.edges, flow.steps)
    listed = {part.lines[0]: part for part in marked.unresolved}
    assert set(listed) == {12, 13}  # line 5 leads to the next number, and so does the decision of line 6
    assert all(part.doubt and part.step for part in marked.unresolved)
    assert "repetition" in listed[13].reason  # the words of a step are a better reason than its likeness to others
    assert "another way" in listed[12].reason


def test_an_orderly_way_is_not_doubted_unless_it_passes_what_may_be_a_step() -> None:
    rows = "\n".join(
        ["# Data", "", "1. Press Start.", "2. Press End.", "", "The tray holds files.", "", "Close the lid."]
    )
    root = outline(read_blocks(rows))
    doubted = []
    for chance in (0.05, 0.4):
        opinions = BlockOpinions({3: 0.9, 4: 0.9, 6: chance, 8: 0.9})
        flow = read_with(rows, opinions)
        evidence = WayEvidence(flow, root, tuple(placed_blocks(root, rows.split("\n"))), opinions)
        marked = WayModel({"bias": 3.0}).marked(flow, evidence)
        doubted.append([part.lines[0] for part in marked.unresolved])
        assert [step.lines[0] for step in flow.steps] == [3, 4, 8]
    assert 3 not in doubted[0]  # to the next number
    assert 8 not in doubted[0]  # the last step
    assert 4 in doubted[0]  # to a line without a number
    assert 4 in doubted[1]


def test_nothing_is_doubted_below_the_bound_or_without_weights() -> None:
    flow, evidence = read()
    assert WayModel({"bias": -3.0}).marked(flow, evidence) == WayModel().marked(flow, evidence) == flow


def test_signs_tell_where_a_way_leads_and_what_it_passes() -> None:
    flow, evidence = read({5: 0.9, 6: 0.9, 8: 0.3, 12: 0.2, 13: 0.2})
    lines = {step.id: step.lines[0] for step in flow.steps}
    signs = {lines[step]: seen for step, seen in evidence.signs().items()}
    assert {"next", "labelled", "kind numbered", "to kind numbered"} <= set(signs[5])
    assert {"end with steps behind", "other section", "ways 2"} <= set(signs[6])
    assert signs[12]["odds"] < 0 < signs[5]["odds"]
    assert ("end" in signs[13]) == any(way.target == END for way in flow.edges if lines[way.source] == 13)
    assert all(seen["share labelled"] == 0.5 for seen in signs.values())


def test_a_way_into_another_section_passes_what_may_be_a_step() -> None:
    rows = TEXT.replace("2. If the tray is empty, stop.", "2. Press End.")
    opinions = BlockOpinions({8: 0.3})
    flow, root = read_with(rows, opinions), outline(read_blocks(rows))
    signs = WayEvidence(flow, root, tuple(placed_blocks(root, rows.split("\n"))), opinions).signs()
    step = next(step.id for step in flow.steps if step.lines[0] == 6)
    assert {"other section", "numbered to bullet"} <= set(signs[step])


def test_the_items_of_a_list_are_asked_about_once_with_the_lines_of_all() -> None:
    rows = "\n".join(
        [
            "# Rinse",
            "",
            "- Press Start.",
            "- Close the lid.",
            "- Open V-1.",
            "",
            "Then:",
            "",
            "- Open V-2.",
            "",
            "Press End.",
        ]
    )
    flow, root = read_with(rows, BlockOpinions()), outline(read_blocks(rows))
    evidence = WayEvidence(flow, root, tuple(placed_blocks(root, rows.split("\n"))), BlockOpinions())
    marked = WayModel({"bias": 3.0}).marked(flow, evidence)
    assert [part.lines for part in marked.unresolved] == [(3, 4, 5), (9,)]
    assert "not be done in this order" in marked.unresolved[0].reason
    assert marked.unresolved[0].step == next(step.id for step in flow.steps if step.lines == (3,))
