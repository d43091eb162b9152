"""Steps as they are shown: bound to their lines, plain text, nothing lost."""

import pytest

from soprag.tools.procedure.page import PageBlock, fitted, raw, step_blocks
from soprag.tools.procedure.rendered_steps import ShownStep, Way, runs, show
from soprag.tools.procedure.source_text import SourceText
from soprag.tools.sop import FlowEdge, FlowGraph, Span, Step, Warning
from soprag.tools.text.sanitize import one_line, sanitize
from tests.tools.rules.reading import sop, views

BODY = "\n".join(
    [
        "# Reset the fan",
        "",
        "> **DANGER:** Moving parts.",
        "> Lock out FAN-2 first.",
        "",
        "1. Open the **panel** of `FAN-2` & read <tag>.",
        "2. If the belt is broken, go to step 4 (SOP-12).",
        "3. Press RESET:",
        "",
        "   ```",
        "   caput  fan:reset   1      # " + "x" * 100,
        "   ```",
        "",
        "4. Dose 5*3*2 ml and close the panel that you have opened before, so that nobody can reach into the fan.",
        "5. If it stops again, go back to step 1.",
    ]
)


def shown(body: str = BODY) -> tuple[ShownStep, ...]:
    return show(views(body, "Reset the fan").flow, SourceText(body))


def page(steps: tuple[ShownStep, ...]) -> list[PageBlock]:
    numbered = {step.number: step for step in steps}
    return [block for step in steps for block in step_blocks(step, "Reset the fan", numbered)]


def test_words_are_printed_as_they_stand_and_no_markdown_is_interpreted() -> None:
    text = raw(page(shown()))
    assert "1. Open the **panel** of `FAN-2` & read <tag>." in text
    assert "Dose 5*3*2 ml" in text
    assert "caput  fan:reset   1      #" in text


def test_a_warning_stands_before_its_step_with_its_line_breaks() -> None:
    text = raw(page(shown()))
    assert "! **DANGER:** Moving parts.\nLock out FAN-2 first.\n1. Open" in text


def test_a_warning_whose_words_do_not_name_its_kind_is_given_it() -> None:
    lines = Span(start=1, end=1)
    step = ShownStep(
        number=1, id="s1", kind="action", label="", text="Stop.", section="", lines=lines,
        warnings=(Warning(kind="caution", text="Hot.", lines=lines),),
    )  # fmt: skip
    assert raw(page((step,))).startswith("! CAUTION: Hot.\n- Stop.")


def test_branches_loops_and_references_follow_their_step() -> None:
    text = raw(page(shown()))
    assert "-> the belt is broken: go to step 4 [4]" in text
    assert "-> otherwise: go on with step 3 [3]" in text
    assert "-> it stops again: go back to step 1 [1]" in text
    assert "See: SOP-12" in text


def test_a_way_into_another_section_names_the_section() -> None:
    body = "# Cards\n\n## Card A\n\n1. Read the lamp.\n2. Wait.\n\n## Card B\n\n1. Close.\n2. Go.\n"
    steps = shown(body)
    first, goal = steps[0], next(step for step in steps if step.text == "Close.")
    leaving = first.model_copy(update={"ways": (Way(to=goal.number, condition="it is red"),)})
    text = raw(page((leaving, *steps[1:])))
    assert f"-> it is red: go to step 1 [{goal.number}] of 'Card B'" in text


def test_on_a_terminal_prose_is_broken_between_words_and_code_is_not() -> None:
    lines = fitted(page(shown()), 40).split("\n")
    assert any("caput  fan:reset   1      # xxx" in line and len(line) > 100 for line in lines)
    assert all(len(line) <= 40 for line in lines if "xxx" not in line)
    assert " ".join(" ".join(lines).split()) == " ".join(raw(page(shown())).split())


def test_control_characters_do_not_reach_the_page() -> None:
    body = "1. Press \x1b[2J\x1b]0;title\x07RESET\x9b5n.\n2. Set 11\u202e mm.\r\n3. Wait\rfor it."
    text = raw(page(shown(body)))
    assert "1. Press [2J]0;titleRESET5n." in text
    assert "Set 11 mm." in text
    assert not set("\x1b\x07\x9b\u202e\r") & set(text)


def test_half_of_a_surrogate_pair_is_taken_out_because_it_cannot_be_printed() -> None:
    assert sanitize("a\ud800b\x00c\td\n") == "abc\td\n"
    assert one_line("a\n  b\x0bc") == "a b c"
    assert one_line("one two three four", 12) == "one two..."


def test_a_text_that_its_lines_do_not_bear_out_is_replaced_by_those_lines() -> None:
    lines = Span(start=2, end=2)
    step = Step(
        id="s1", kind="action", text="Open the drain valve V-9.", lines=lines,
        warnings=(Warning(kind="note", text="It is safe.", lines=Span(start=1, end=1)),),
    )  # fmt: skip
    bound = show(FlowGraph(steps=(step,)), SourceText("> **Danger:** acid\n1. Close V-1.\n"))[0]
    assert (bound.text, bound.warnings[0].text) == ("1. Close V-1.", "**Danger:** acid")


def test_an_edge_to_a_step_that_is_not_there_is_unresolved() -> None:
    step = Step(id="s1", kind="action", text="Stop.", lines=Span(start=1, end=1))
    flow = FlowGraph(steps=(step,), edges=(FlowEdge(source="s1", target="s9", condition="always"),))
    [way] = show(flow, SourceText("Stop."))[0].ways
    assert (way.to, way.unresolved) == (0, True)


@pytest.mark.parametrize(("label", "marker"), [("2.1", "2.1."), ("b)", "b)"), ("", "-"), ("Step 4", "Step 4.")])
def test_the_label_is_printed_as_it_is(label: str, marker: str) -> None:
    step = Step(id="s1", kind="action", text="Stop.", label=label, lines=Span(start=1, end=1))
    assert show(FlowGraph(steps=(step,)), SourceText("Stop."))[0].marker == marker


def test_a_label_that_says_step_is_not_called_step_step() -> None:
    body = "**Step 1:** Open V-1.\n\n**Step 2:** If it leaks, go to step 1.\n"
    assert "-> it leaks: go back to Step 1 [1]" in raw(page(shown(body)))


def test_neighbours_are_shown_in_one_run() -> None:
    found = runs(shown(), frozenset({1, 2, 4}))
    assert [[step.number for step in run] for run in found] == [[1, 2], [4]]


def test_an_sop_of_5000_steps_with_cyclic_jumps_is_shown_whole() -> None:
    body = "\n".join(f"{n}. Turn valve {n}, then go to step {(n * 7) % 5000 + 1}." for n in range(1, 5001))
    steps = tuple(
        Step(id=f"s{n}", kind="action", text=line.partition(". ")[2], label=str(n), lines=Span(start=n, end=n))
        for n, line in enumerate(sop(body).body.split("\n"), 1)
    )
    edges = tuple(FlowEdge(source=f"s{n}", target=f"s{(n * 7) % 5000 + 1}") for n in range(1, 5001))
    text = raw(page(show(FlowGraph(steps=steps, edges=edges), SourceText(body))))
    assert text.count("\n[") == 5000
    assert "5000. Turn valve 5000" in text


@pytest.mark.parametrize(
    ("condition", "words"), [("not", "that is not so"), ("the belt is broken", "the belt is broken")]
)
def test_a_condition_that_says_nothing_alone_is_spelled_out(condition: str, words: str) -> None:
    flow = views(BODY, "Reset the fan").flow
    first = flow.steps[0].model_copy(update={"only_if": condition})
    steps = show(flow.model_copy(update={"steps": (first, *flow.steps[1:])}), SourceText(BODY))
    assert f"Only if: {words}\n" in raw(page(steps))
