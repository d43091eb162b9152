"""Where independent procedures begin: title lines, cohesion, the joint decision and the titles of the parts."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soprag.benchmarks.quality.heading_forms import FORMS, Form, rewrite
from soprag.benchmarks.quality.splitting import join
from soprag.tools.markdown.page import read
from soprag.tools.rules.split import split
from soprag.tools.segmentation.cohesion import TermWindows
from soprag.tools.segmentation.independent import best_set, independent_starts
from soprag.tools.segmentation.title_lines import title_lines
from soprag.tools.segmentation.titles import best_title
from soprag.tools.tasks.benchmark import MarkdownAsk

PUMP = """# Replacing the seal of pump P-7

## Overview

The shaft seal of the cooling pump wears out within two years. A worn seal drips and lets air into the cooling loop.

## Procedure Steps

1. Stop the pump and lock its breaker.
2. Close the suction valve and the discharge valve of the pump.
3. Drain the housing, take off the coupling and pull the old seal.
4. Press the new seal onto the shaft, refit the coupling and vent the housing.

## Post-Condition

The pump runs without drips at the seal for ten minutes.
"""
BADGE = """# Issuing a visitor badge

## Overview

Visitors of the laboratory get a badge at the reception desk. The badge opens the front door and the canteen.

## Procedure Steps

1. Ask the visitor for a passport and look the name up in the list of the day.
2. Print the badge and write the name of the host on it.
3. Explain the alarm signals and hand the badge over.

## Post-Condition

The badge is in the list of the day with its number.
"""


def starts(text: str) -> list[str]:
    return [title.text for title in independent_starts(read(text))]


@pytest.mark.parametrize("form", FORMS)
def test_two_procedures_are_told_apart_in_every_form_of_headings_and_one_stays_whole(form: Form) -> None:
    joined = join([rewrite(PUMP, form), rewrite(BADGE, form)])
    parts = split(MarkdownAsk(name="joined.md", markdown=joined.markdown)).parts
    assert [part.start for part in parts[1:]] == list(joined.starts)
    assert parts[1].title.casefold() == "issuing a visitor badge"
    assert starts(rewrite(PUMP, form)) == []


def test_headings_bold_lines_capitals_and_banners_are_title_lines_and_warnings_and_steps_are_not() -> None:
    text = "# A b\n\nC d\n---\n\n**E f**\ntext\n\nGH IJ\n\n**WARNING: hot**\n\n1. **Open** it.\n\n=====\nI j\n=====\n"
    assert [(title.text, title.level) for title in title_lines(read(text))] == [
        ("A b", 1),
        ("C d", 2),
        ("E f", 8),
        ("GH IJ", 7),
        ("I j", 1),
    ]


def test_windows_with_the_same_words_are_alike_and_others_are_not() -> None:
    windows = TermWindows(["seal pump", "# x", "pump seal", "# y", "badge desk"], [2, 4])
    assert windows.cosine(windows.before(2, 9), windows.after(2, 2)) == pytest.approx(1)
    assert windows.cosine(windows.between(3, 3), windows.between(5, 5)) == 0


@given(st.lists(st.tuples(st.floats(-4, 4), st.integers(0, 9)), max_size=9), st.integers(0, 9), st.integers(0, 12))
@settings(max_examples=200, deadline=None)
def test_the_joint_decision_is_the_best_of_all_sets(entries: list[tuple[float, int]], rest: int, shortest: int) -> None:
    offsets, total = [], 0
    for _, gap in entries:
        total += gap
        offsets.append(total)
    offsets.append(total + rest)
    scores = [score for score, _ in entries]

    def allowed(chosen: tuple[int, ...]) -> bool:
        marks = [0, *(offsets[index] for index in chosen), offsets[-1]]
        return not chosen or all(b - a >= shortest for a, b in pairwise(marks))

    sets = [c for n in range(len(scores) + 1) for c in combinations(range(len(scores)), n) if allowed(c)]
    best = max(sum(scores[index] for index in chosen) for chosen in sets)
    assert sum(scores[index] for index in best_set(scores, offsets, shortest)) == pytest.approx(best)


def test_a_part_is_called_by_the_task_and_not_by_the_banner_or_the_form_heading_above_it() -> None:
    text = "# ACME WORKS\n\n# Start of pump P-1\n\nOpen the valve of the pump.\n\n# Stop\n\nx\n"
    page = read(text)
    assert best_title(page, title_lines(page), 1, 5) == "Start of pump P-1"
    text = "# Notices\n\nAll rights.\n\n# Cleaning the nozzle\n\nClean the nozzle.\n"
    page = read(text)
    assert best_title(page, title_lines(page), 1, 7) == "Cleaning the nozzle"


def test_a_document_of_sections_at_the_highest_level_is_not_called_by_its_first_one() -> None:
    text = (
        "# Notices\n\nAll rights.\n\n# Materials\n\nTwo tubes.\n\n# Method\n\n1. Fill the tubes.\n2. Close the tubes.\n"
    )
    assert [part.title for part in split(MarkdownAsk(name="tube_filling.md", markdown=text)).parts] == ["tube filling"]
