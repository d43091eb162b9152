"""A section that a step calls comes back to what follows the step; a stop inside it ends the run."""

import re

from soprag.tools.flow.commands import parse
from soprag.tools.flow.cursor import Cursor
from soprag.tools.flow.draw import svg
from soprag.tools.flow.run import FlowRun
from soprag.tools.procedure.completeness import completeness
from soprag.tools.procedure.plan import plan
from soprag.tools.procedure.reader import read_procedure
from tests.tools.rules.reading import sop, views

BODY = """# Filter change

## 1 Preparation

1. Switch off the fan.
2. Perform section 3, then continue.
3. Hang the tag.

## 2 Work

1. Change the filter.
2. If the housing is wet, perform section 3 again.
3. Close the door.

## 3 Draining

1. Open the drain.
2. If the water is hot, stop here and call the lead.
3. Close the drain.

## 4 Restart

1. Switch on the fan.
"""


def cursor_of(body: str = BODY) -> Cursor:
    return Cursor(plan(sop(body), views(body).flow))


def walked(cursor: Cursor, *replies: str) -> list[str]:
    """The first words of the steps that a run shows."""
    run: FlowRun = cursor.begin()
    shown = [cursor.plan.by_id[run.at].text.split(",")[0]]
    for reply in replies:
        run = cursor.reply(run, parse(reply)).run
        shown.append(cursor.plan.by_id[run.at].text.split(",")[0] if run.at else run.status)
    return shown


def test_a_called_section_comes_back_to_the_step_after_the_call() -> None:
    found = walked(cursor_of(), "done", "1", "done", "2", "done")
    assert [words.rstrip(".") for words in found] == [
        "Switch off the fan",
        "Perform section 3",
        "Open the drain",
        "If the water is hot",
        "Close the drain",
        "Hang the tag",
    ]


def test_the_same_section_goes_on_to_the_next_one_when_it_was_not_called() -> None:
    cursor = cursor_of()
    closing = next(step for step in cursor.plan.steps if step.text == "Close the drain.")
    run = cursor.reply(cursor.begin(closing.id), parse("done")).run
    assert cursor.plan.by_id[run.at].text == "Switch on the fan."


def test_a_stop_inside_a_called_section_ends_the_run() -> None:
    cursor = cursor_of()
    found = walked(cursor, "done", "1", "done", "1", "done")
    assert found[-1] == "finished"


def test_going_back_takes_the_call_back() -> None:
    cursor = cursor_of()
    run = cursor.begin()
    for reply in ("done", "1", "back"):
        run = cursor.reply(run, parse(reply)).run
    assert cursor.plan.by_id[run.at].text.startswith("Perform section 3") and run.calling == ()


def test_the_way_back_is_drawn() -> None:
    cursor = cursor_of()
    flow = read_procedure(BODY)
    texts = {step.id: step.text for step in flow.steps}
    assert {texts[call.returns] for call in flow.calls} == {"Hang the tag.", "Close the door."}
    assert "(then back to 3)" in completeness(BODY, flow).text()
    assert ", then step 3<" in svg(cursor.plan)


def test_a_narrow_drawing_cuts_no_word_and_no_box() -> None:
    narrow, wide = (svg(cursor_of().plan, columns=columns) for columns in (30, 74))
    lines = re.findall(r"<text[^>]*>([^<]*)<", narrow)
    assert max(map(len, lines)) <= 30
    assert " ".join(lines).split() == " ".join(re.findall(r"<text[^>]*>([^<]*)<", wide)).split()
    boxes = re.findall(r'<rect class[^>]* x="(\d+)" [^>]*width="(\d+)"', narrow)
    pictures = [int(re.findall(r'viewBox="0 0 (\d+)', picture)[0]) for picture in (narrow, wide)]
    assert max(int(x) + int(width) for x, width in boxes) <= pictures[0] < pictures[1]
