from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soprag.benchmarks.quality.splitting import lines_lost
from soprag.tools.errors import AnswerInvalid
from soprag.tools.procedure.spans import complete
from soprag.tools.rules.split import split
from soprag.tools.tasks.benchmark import MarkdownAsk, Preamble, SopPart, Split

DATA = Path(__file__).parents[4] / "shared" / "data"

STEPS = "1. Open the valve.\n2. Start the pump.\n3. Check the pressure and close the drain.\n"


def parts(text: str, name: str = "manual.md") -> list[tuple[str, int, int]]:
    return [(part.title, part.start, part.end) for part in split(MarkdownAsk(name=name, markdown=text)).parts]


def titles(text: str, name: str = "manual.md") -> list[str]:
    return [title for title, _, _ in parts(text, name)]


def test_a_procedure_with_many_sections_stays_whole() -> None:
    text = (
        f"# Pump start\n\n## Purpose\n\nStart it.\n\n## Scope\n\nP-1.\n\n## Procedure\n\n{STEPS}\n## Records\n\nNone.\n"
    )
    assert parts(text) == [("Pump start", 1, 20)]


def test_a_runbook_with_meaning_impact_diagnosis_and_mitigation_stays_whole() -> None:
    text = "# DiskFull\n\n## Meaning\n\nFull.\n\n## Impact\n\nBad.\n\n## Diagnosis\n\nRun df.\n\n"
    text += "## Mitigation\n\nDelete the logs.\n"
    assert titles(text) == ["DiskFull"]


def test_a_flat_list_of_sections_stays_whole() -> None:
    text = f"# Pump start\n\n# Purpose\n\nStart it.\n\n# Procedure\n\n{STEPS}\n# Revision history\n\nNone.\n"
    assert titles(text) == ["Pump start"]


def test_phases_of_one_job_stay_together() -> None:
    text = f"# Overhaul\n\n## Preparation\n\n{STEPS}\n## Dismantling\n\n{STEPS}\n## Assembly\n\n{STEPS}"
    assert titles(text) == ["Overhaul"]


def test_each_title_of_the_highest_level_begins_a_procedure() -> None:
    assert parts(f"# Start pump\n\n{STEPS}\n# Stop pump\n\n{STEPS}") == [("Start pump", 1, 6), ("Stop pump", 7, 12)]


def test_titles_with_document_numbers_begin_procedures_even_as_plain_lines() -> None:
    text = f"SOP-12 Start of P-101\n\n{STEPS}\nSOP-13 Stop of P-101\n\n{STEPS}"
    assert titles(text) == ["SOP-12 Start of P-101", "SOP-13 Stop of P-101"]


def test_titles_are_found_when_a_parser_printed_all_headings_at_one_level() -> None:
    one = "## {}\n\n## Purpose\n\nTo do it.\n\n## Steps\n\n" + STEPS + "\n"
    text = "".join(one.format(title) for title in ("Start of P-1", "Stop of P-1", "Leak at P-1"))
    assert titles(text) == ["Start of P-1", "Stop of P-1", "Leak at P-1"]


MANUAL = f"""# Plant manual

| Rev | Date |
|---|---|
| 3 | May |

## 1. About this manual

The warnings in section 2 apply to every procedure in this manual.

## 2. General warnings

> **WARNING:** Hot surfaces.

## 3. Start of pump P-1

{STEPS}
## 4. Shutdown of pump P-1

{STEPS}
## Appendix A. Readings

| a | b |
|---|---|
| 1 | 2 |

## Revision history

None.
"""


def test_a_manual_is_cut_into_its_procedures_and_each_keeps_the_shared_warnings() -> None:
    found = split(MarkdownAsk(name="manual.pdf", markdown=MANUAL))
    assert [part.title for part in found.parts] == ["Start of pump P-1", "Shutdown of pump P-1"]
    lines = MANUAL.split("\n")
    (shared,) = found.shared
    assert (shared.start, lines[shared.end]) == (1, "## 3. Start of pump P-1")
    assert "> **WARNING:** Hot surfaces." in lines[: shared.end]


def test_an_appendix_and_a_revision_table_belong_to_the_procedure_before_them() -> None:
    last = split(MarkdownAsk(name="manual.pdf", markdown=MANUAL)).parts[-1]
    assert last.end == len(MANUAL.split("\n"))


def test_comments_above_a_title_go_with_the_title() -> None:
    text = f"# Start pump\n\n{STEPS}\n<!-- stop -->\n\n# Stop pump\n\n{STEPS}"
    assert parts(text)[1] == ("Stop pump", 7, 14)


def test_a_document_without_a_title_is_called_after_its_file() -> None:
    assert titles(f"## Document control\n\nx\n\n## Sheet 1\n\n{STEPS}", "crac_filter-change.xlsx") == [
        "crac filter change"
    ]


def ask(*spans: tuple[int, int], shared: Sequence[tuple[int, int]] = ()) -> Split:
    return Split(
        parts=[SopPart(title=f"P{place}", start=start, end=end) for place, (start, end) in enumerate(spans)],
        shared=[Preamble(start=start, end=end) for start, end in shared],
    )


def test_lines_nobody_claims_go_to_the_part_before_them_and_leading_ones_to_the_preamble() -> None:
    whole = complete(ask((3, 4), (7, 7)), ["x"] * 10)
    assert [(part.start, part.end) for part in whole.parts] == [(3, 6), (7, 10)]
    assert [(span.start, span.end) for span in whole.shared] == [(1, 2)]


def test_overlaps_and_ends_beyond_the_text_are_mended() -> None:
    whole = complete(ask((1, 8), (5, 99)), ["x"] * 10)
    assert [(part.start, part.end) for part in whole.parts] == [(1, 4), (5, 10)]


def test_a_preamble_between_procedures_is_kept() -> None:
    whole = complete(ask((1, 3), (7, 9), shared=[(4, 6)]), ["x"] * 9)
    assert [(span.start, span.end) for span in whole.shared] == [(4, 6)]


def test_a_single_part_is_given_every_line() -> None:
    assert complete(ask((4, 5), shared=[(1, 2)]), ["x"] * 9) == Split(parts=[SopPart(title="P0", start=1, end=9)])


@pytest.mark.parametrize(("spans", "why"), [([(20, 30)], "from 1 to 10"), ([(2, 3), (2, 5)], "both begin on line 2")])
def test_answers_that_cannot_be_mended_are_refused_with_a_reason(spans: list[tuple[int, int]], why: str) -> None:
    with pytest.raises(AnswerInvalid, match=why):
        complete(ask(*spans), ["x"] * 10)


spans = st.tuples(st.integers(1, 40), st.integers(1, 40))


@given(
    st.lists(spans, min_size=1, max_size=6),
    st.lists(spans, max_size=4),
    st.lists(st.sampled_from(["", "x"]), min_size=1, max_size=30),
)
@settings(max_examples=300, deadline=None)
def test_whatever_an_answer_claims_no_line_is_lost_and_none_is_in_two_places(
    claimed: list[tuple[int, int]], shared: Sequence[tuple[int, int]], lines: list[str]
) -> None:
    try:
        whole = complete(ask(*claimed, shared=shared), lines)
    except AnswerInvalid:
        return
    assert lines_lost(whole, "\n".join(lines)) == 0
    assert all(part.start <= part.end for part in whole.parts)


@given(
    st.lists(
        st.sampled_from(["# A", "## B", "## 1 C", "SOP-1 x", "text", "", "1. Open the valve.", "---", "> q"]),
        max_size=20,
    )
)
@settings(max_examples=200, deadline=None)
def test_the_rule_loses_no_line_either(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert lines_lost(split(MarkdownAsk(name="x", markdown=text)), text) == 0


@pytest.mark.slow
@pytest.mark.skipif(not DATA.is_dir(), reason="the shared corpora are not here")
def test_joined_procedures_are_found_again_and_single_ones_stay_whole() -> None:
    from soprag.benchmarks.quality.corpora import read_corpora
    from soprag.benchmarks.quality.splitting import JoinPlan, measure_split

    report = measure_split([one for one in read_corpora(DATA) if one.is_sop], split, JoinPlan(joins=30, seed=3))
    assert report.f1 >= 0.9
    assert report.lines_lost == 0
    assert report.whole / report.singles >= 0.98
