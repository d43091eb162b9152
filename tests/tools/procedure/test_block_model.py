"""A trained model beside the rules: what it overrules, what stays with the rules, and what is only marked."""

from soprag.tools.procedure.blocks.blocks import read_blocks
from soprag.tools.procedure.blocks.sections import outline
from soprag.tools.procedure.drafting.block_opinions import BlockOpinions
from soprag.tools.procedure.procedure import ProcedureFlow
from soprag.tools.procedure.reader import read_with
from soprag.tools.procedure.weighing.block_evidence import placed_blocks, signs, verdicts
from soprag.tools.procedure.weighing.block_model import BlockModel

TEXT = "\n".join(
    [
        "# Quota",  # 1
        "",
        "## Mitigation",  # 3
        "",
        "1. Stop the writer.",  # 5
        "",
        "## Afterwards",  # 7
        "",
        "The quota is a matter of the pool.",  # 9
        "",
        "Tell the owner of the pool.",  # 11
        "",
        "- the first pool",  # 13
        "- the second pool",  # 14
    ]
)


def starts(flow: ProcedureFlow) -> list[int]:
    return [step.lines[0] for step in flow.steps]


def test_the_rules_decide_where_the_model_is_not_sure() -> None:
    alone = read_with(TEXT, BlockOpinions())
    unsure = read_with(TEXT, BlockOpinions({5: 0.3, 9: 0.7, 11: 0.3, 13: 0.7, 14: 0.7}))
    assert starts(unsure) == starts(alone) == [5, 11]


def test_a_sure_model_adds_steps_and_takes_no_order_away() -> None:
    flow = read_with(TEXT, BlockOpinions({5: 0.01, 9: 0.9, 11: 0.01}))
    assert starts(flow) == [5, 9, 11]
    assert [line.role for line in flow.lines if line.n == 9] == ["step"]


def test_the_items_of_one_list_are_judged_together() -> None:
    flow = read_with(TEXT, BlockOpinions({13: 0.99, 14: 0.8}))
    assert 13 in starts(flow)
    assert not {13, 14} & set(starts(read_with(TEXT, BlockOpinions({13: 0.8, 14: 0.1}))))


def test_a_step_that_the_model_rather_does_not_see_is_marked() -> None:
    flow = read_with(TEXT, BlockOpinions({11: 0.2}))
    assert [one.lines for one in flow.unresolved if "may only explain" in one.reason] == [(11,)]


def test_it_is_marked_where_a_section_may_not_follow_the_one_before() -> None:
    flow = read_with(TEXT, BlockOpinions(apart={(2, 3): 0.5}))
    assert any("stands beside this one" in one.reason and one.lines == (5,) for one in flow.unresolved)


def test_the_chance_of_an_item_is_drawn_to_that_of_its_list() -> None:
    rows = "- Press it.\n- Turn it.\n- the rest\n"
    root = outline(read_blocks(rows))
    places = list(placed_blocks(root, rows.split("\n")))
    model = BlockModel({"bias": -1.0, "directs": 4.0}, {}, {})
    alone = model.judge(outline(read_blocks("the rest")), [places[2]], {}).begins[3]
    listed = model.judge(root, places, {}).begins
    assert listed[1] == listed[2] > listed[3]
    assert listed[3] >= alone


def test_signs_tell_what_the_rules_read() -> None:
    rows = TEXT.split("\n")
    places = list(placed_blocks(outline(read_blocks(TEXT)), rows))
    ruled = verdicts(places, [(5,), (11, 13, 14)])
    assert ruled == {5: "begins", 9: "other", 11: "begins", 13: "belongs", 14: "belongs"}
    seen = signs(places, ruled)[1]
    assert seen["ruled other"] == 1.0
    assert seen["behind ruled begins"] == 1.0
