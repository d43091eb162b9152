import pytest

from soprag.tools.sop import END
from tests.tools.rules.reading import steps, texts, views, warned, ways


def test_every_item_of_a_numbered_list_is_a_step_in_order_and_verbatim() -> None:
    found = steps(
        "# Start\n\n1. Open **V-1**\n   slowly.\n2. Wait for `ready`.\n\n   - Look at the lamp.\n3) Close it.\n"
    )
    assert [step.text for step in found] == [
        "Open **V-1**\nslowly.",
        "Wait for `ready`.",
        "Look at the lamp.",
        "Close it.",
    ]
    assert [step.label for step in found] == ["1", "2", "", "3)"]
    assert [(step.lines.start, step.lines.end) for step in found] == [(3, 4), (5, 5), (7, 7), (8, 8)]


def test_items_that_are_all_numbered_one_have_the_numbers_they_are_shown_with() -> None:
    assert [step.label for step in steps("1. Open.\n1. Wait.\n1. Close.\n")] == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("line", "label", "text"),
    [
        ("Step 4: Close the valve.", "Step 4", "Close the valve."),
        ("2.1 Open the valve.", "2.1", "Open the valve."),
        ("(b) Open the valve.", "(b)", "Open the valve."),
        ("- [ ] Lock the panel", "", "Lock the panel"),
        ("## Step 2 - Drain the tank", "Step 2", "Drain the tank"),
    ],
)
def test_a_label_is_kept_as_printed_and_is_not_part_of_the_text(line: str, label: str, text: str) -> None:
    found = steps(f"# Pump\n\n{line}\n")
    assert [(step.label, step.text) for step in found] == [(label, text)]


def test_letters_under_a_step_that_markdown_takes_for_running_text_are_steps() -> None:
    assert texts("1. Prepare:\n   a. Open the drain.\n   b. Wait.\n2. Close.\n") == [
        "Prepare:",
        "Open the drain.",
        "Wait.",
        "Close.",
    ]


def test_commands_and_their_output_stay_with_their_step() -> None:
    body = (
        "## Diagnosis\n\nCheck the pods:\n\n```console\n$ oc get pods\n```\n\n1. Restart it:\n\n   ```sh\n"
        "   oc delete pod x\n   ```\n"
    )
    assert texts(body) == [
        "Check the pods:\n\n```console\n$ oc get pods\n```",
        "Restart it:\n\n```sh\noc delete pod x\n```",
    ]


def test_what_only_tells_something_is_no_step() -> None:
    body = (
        "# Pump\n\n## Purpose\n\nKeep the hall cool.\n\n- Open windows are bad.\n\n## Procedure\n\n"
        "- Open V-1.\n- Close V-2.\n"
    )
    assert texts(body) == ["Open V-1.", "Close V-2."]


def test_rows_of_a_step_table_are_steps() -> None:
    body = "## Steps\n\n| No. | Action | By |\n|---|---|---|\n| 1 | Open V-1 | Operator |\n| 2 | Start P-101 | Lead |\n"
    assert [(step.label, step.text) for step in steps(body)] == [
        ("1", "Open V-1 | Operator"),
        ("2", "Start P-101 | Lead"),
    ]


def test_a_table_of_limits_is_no_list_of_steps() -> None:
    body = "## Limits\n\n| Item | Value |\n|---|---|\n| Speed | 5 km/h |\n\n## Procedure\n\n1. Push.\n"
    assert texts(body) == ["Push."]


def test_a_numbered_list_in_an_html_table_gives_steps() -> None:
    body = (
        "<table><tr><th>Steps</th></tr>\n<tr><td><ol>\n<li>Open <b>V-1</b></li></ol></td></tr>\n"
        '<tr><td><ol start="2">\n<li>Close</li></ol></td></tr></table>\n'
    )
    assert [(step.label, step.text) for step in steps(body)] == [("1", "Open V-1"), ("2", "Close")]


def test_go_to_leads_to_the_step_of_that_label() -> None:
    body = "1. Check. If the lamp is red, go to step 3; otherwise return to step 1.\n2. Wait.\n3. Close.\n"
    assert ways(body) == {
        ("Check", "Close", "the lamp is red"),
        ("Check", "Check", "otherwise"),
        ("Wait", "Close", ""),
        ("Close", END, ""),
    }


def test_a_loop_goes_back_and_is_left_when_its_condition_holds() -> None:
    body = "1. Add oil.\n2. Read the level.\n3. Repeat steps 1-2 until the level is stable.\n4. Close.\n"
    leaving = {target: when for source, target, when in ways(body) if source.startswith("Repeat")}
    assert leaving == {"Add oil": "Repeat steps 1-2 until the level is stable.", "Close": "otherwise"}


def test_a_condition_over_nested_steps_can_be_passed_by() -> None:
    body = "1. If the alarm remains:\n   1. Reset the panel.\n   2. Call the lead.\n2. Log it.\n"
    assert ways(body) == {
        ("If the alarm remains", "Reset the panel", "the alarm remains"),
        ("If the alarm remains", "Log it", "otherwise"),
        ("Reset the panel", "Call the lead", ""),
        ("Call the lead", "Log it", ""),
        ("Log it", END, ""),
    }
    assert [step.kind for step in steps(body)] == ["decision", "action", "action", "action"]


def test_otherwise_is_the_other_branch_of_the_step_before_it() -> None:
    body = "1. If it is noisy, stop it.\n2. Otherwise, let it run.\n3. Log it.\n"
    assert ways(body) == {
        ("If it is noisy", "stop it", "it is noisy"),
        ("If it is noisy", "Otherwise", "otherwise"),
        ("stop it", "Log it", ""),
        ("Otherwise", "Log it", ""),
        ("Log it", END, ""),
    }


@pytest.mark.parametrize(
    "sentence", ["Do not proceed to step 3 until it is green.", "See step 3.", "Go to step 3 of SOP-12."]
)
def test_a_step_that_is_only_mentioned_is_no_branch(sentence: str) -> None:
    assert ("A", "C", "") not in {(one, two, "") for one, two, _ in ways(f"1. A. {sentence}\n2. B.\n3. C.\n")}


def test_each_list_has_its_own_numbers() -> None:
    body = "## First procedure\n\n1. One.\n2. Two.\n\n## Second procedure\n\n1. Uno.\n2. Dos. Return to step 1.\n"
    assert ("Dos", "Uno", "") in ways(body)


@pytest.mark.parametrize(
    "remark",
    [
        "**WARNING:** Hot surface.",
        "WARNING: Hot surface.",
        "> **Caution** - Hot surface.",
        "> [!NOTE]\n> Hot surface.",
        '!!! danger "Hot"\n    Hot surface.',
        ".. warning:: Hot surface.",
        ":::tip\nHot surface.\n:::",
        "```{warning}\nHot surface.\n```",
        "⚠️ Hot surface.",
        "> Hot surface.",
        "**ACHTUNG:** Heiß, Hot surface.",
        "> **NOTE:**\n\nHot surface.",
        "#### NOTE\n\nHot surface.",
    ],
)
def test_a_remark_is_attached_to_the_step_after_it(remark: str) -> None:
    found = warned(f"## Procedure\n\n1. Open.\n\n{remark}\n\n2. Close.\n")
    assert [len(warnings) for _, warnings in found] == [0, 1]
    assert "Hot surface." in found[1][1][0]
    assert "Hot surface." not in found[0][0] + found[1][0]


def test_a_remark_inside_a_step_belongs_to_it_and_the_last_one_to_the_last_step() -> None:
    body = "1. Open.\n\n   > NOTE: Slowly.\n2. Close.\n\nCAUTION: It may drip.\n"
    assert warned(body) == [("Open.", ["NOTE: Slowly."]), ("Close.", ["CAUTION: It may drip."])]


def test_remarks_before_any_section_reach_the_first_step() -> None:
    assert warned("# Pump\n\nDANGER: 400 V.\n\n## Purpose\n\nCooling.\n\n## Steps\n\n1. Open.\n")[0][1] == [
        "DANGER: 400 V."
    ]


def test_a_remark_in_mid_paragraph_is_a_warning_and_stays_in_the_text() -> None:
    assert warned("1. Open V-1. **Caution:** steam.\n") == [("Open V-1. **Caution:** steam.", ["**Caution:** steam."])]


def test_a_quoted_label_that_lost_its_indentation_goes_back_into_its_step() -> None:
    body = "1.  Open.\n\n    \n> **NOTE:**\n\n    Only when cold.\n\n2.  Close.\n"
    assert warned(body) == [("Open.", ["> **NOTE:**\n\nOnly when cold."]), ("Close.", [])]
    assert [step.label for step in steps(body)] == ["1", "2"]


def test_other_procedures_a_step_sends_to_are_its_references() -> None:
    body = "1. Follow [Restart the pod](restart.md).\n2. See SOP-12 and [the docs](https://example.org/page).\n"
    assert [step.references for step in steps(body)] == [("Restart the pod",), ("SOP-12",)]


def test_sections_are_the_headings_above_a_step() -> None:
    assert [step.section for step in steps("# A\n\n## B\n\n1. Open.\n\n## C\n\n1. Close.\n")] == ["A / B", "A / C"]


def test_a_numbered_heading_is_no_step() -> None:
    body = "# SOP\n\n## 3.2 {}\n\nThe pump may be warm.\n\n1. Close V-1.\n"
    assert texts(body.format("Transfer")) == ["Close V-1."]
    assert texts(body.format("Drain the tank")) == ["Close V-1."]


@pytest.mark.parametrize("body", ["Close the valve.", "電源を切る。", "`systemctl restart x`", "WARNING: Hot."])
def test_an_sop_of_one_line_is_one_step(body: str) -> None:
    assert texts(body) == [body]


def test_an_empty_body_has_no_steps() -> None:
    assert texts("") == []


def test_another_language_keeps_its_steps_and_warnings() -> None:
    found = warned("# 更换过滤器\n\n警告：先断开电源。\n\n- 打开柜门\n- 安装新过滤器\n")
    assert found == [("打开柜门", ["警告：先断开电源。"]), ("安装新过滤器", [])]


def test_control_characters_and_line_ends_do_not_shift_lines() -> None:
    found = steps("1. Open\x00 \x1b[31mit.\r\n2. Close\u2028 it.\n3. Stop\rnow.\n")
    assert [step.lines.start for step in found] == [1, 2, 3]


def test_five_hundred_steps_with_jumps_are_read() -> None:
    body = "\n".join(
        f"{at}. If the lamp is red, go to step {501 - at}; otherwise return to step 1." for at in range(1, 501)
    )
    flow = views(body).flow
    assert len({step.lines.start for step in flow.steps}) == 500
    last = flow.steps[-1].lines.start
    assert last == 500
    targets = {edge.target for edge in flow.edges if edge.source == "s1"}
    assert {step.lines.start for step in flow.steps if step.id in targets} == {500, 1}
