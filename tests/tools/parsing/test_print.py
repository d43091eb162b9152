"""What a printed page shows to the eye and a parser runs together: notices, checklist lines, paragraphs, lists."""

import pytest

from soprag.tools.parsing.layout import PrintedLine, TextRun
from soprag.tools.parsing.repair.headings import find_headings, norm
from soprag.tools.parsing.repair.line_split import cut
from soprag.tools.parsing.repair.markdown import repair_text
from soprag.tools.parsing.repair.page import repair_page
from soprag.tools.parsing.repair.page_tables import find_page_tables
from soprag.tools.parsing.repair.running_text import write_lines
from tests.tools.parsing.test_repairs import HEAD, PLAIN, line, page

BOLD: dict[str, object] = {"bold": True}


def checklist(*rows: tuple[str, dict[str, object]]) -> list[PrintedLine]:
    """Lines set with double space, as checklists are."""
    return [line(text, 72 + 20 * at, **style) for at, (text, style) in enumerate(rows)]  # type: ignore[arg-type]


def test_a_notice_is_one_block_of_its_own_and_none_of_its_lines_is_a_heading() -> None:
    lines = checklist(
        ("Before the start", HEAD),
        ("Electrical equipment ................. OFF", PLAIN),
        ("WARNING", BOLD),
        ("The avionics switch must be off during engine", BOLD),
        ("start to prevent damage to the avionics", BOLD),
        ("Autopilot ................. OFF", PLAIN),
        ("Cowl flaps ................. OPEN", PLAIN),
    )
    notice = "WARNING The avionics switch must be off during engine start to prevent damage to the avionics"
    parsed = f"Electrical equipment ................. OFF **{notice}**\n\nAutopilot ................. OFF"
    made = repair_page(f"## Before the start\n\n{parsed}\n\nCowl flaps ................. OPEN", lines)
    assert made.split("\n\n") == [
        "# Before the start",
        "- Electrical equipment ................. OFF",
        f"**{notice}**",
        "- Autopilot ................. OFF",
        "- Cowl flaps ................. OPEN",
    ]


def test_a_heading_below_a_notice_that_has_ended_stays_a_heading() -> None:
    lines = checklist(("WARNING: The shaft is hot.", BOLD), ("Cooling", BOLD), *[("Open the next valve.", PLAIN)] * 9)
    assert [one.text for one in find_headings(lines)] == ["Cooling"]


def test_a_line_of_a_checklist_is_an_item_with_dots_or_without_and_is_not_cut_in_its_middle() -> None:
    rows = [
        "Master switch ................. ON",
        "Main wheel tire CHECK for inflation",
        "Avionics master switch ................. OFF",
        "Fuel quantity ................. CHECK",
    ]
    lines = checklist(*((row, PLAIN) for row in rows))
    assert repair_page(" ".join(rows), lines).split("\n\n") == [f"- {row}" for row in rows]


def test_a_line_drawn_with_signs_is_not_part_of_the_item_below_it() -> None:
    lines = checklist(
        ("---------------", BOLD), ("Aileron ............. CHECK", PLAIN), ("Flap ............. CHECK", PLAIN)
    )
    made = repair_page("**---------------** Aileron ............. CHECK\n\nFlap ............. CHECK", lines)
    assert made.split("\n\n") == ["- Aileron ............. CHECK", "- Flap ............. CHECK"]


def test_bullets_of_one_kind_below_each_other_are_items_although_no_sentence_ends() -> None:
    rows = ["\u2013 Deputy incident commander", "\u2013 Scribe of the team"]
    assert repair_page(" ".join(rows), page(*((row, PLAIN) for row in rows))).split("\n\n") == [
        "- Deputy incident commander",
        "- Scribe of the team",
    ]


def test_numbered_lines_right_below_each_other_are_a_list_however_they_are_set() -> None:
    large: dict[str, object] = {"size": 12.0}
    steps = [(f"{n}. Phase of the response, number {n}", large) for n in range(1, 5)]
    text = [("This is the running text of the document, set smaller.", PLAIN)] * 9
    assert [one.text for one in find_headings(page(("Phases", HEAD), *steps, *text))] == ["Phases"]
    titles = [row for step in steps for row in (step, *text)]
    assert len(find_headings(page(("Phases", HEAD), *titles))) == 5


def test_an_address_and_an_entry_of_contents_are_no_headings() -> None:
    text = [("This is the running text of the document, set smaller.", PLAIN)] * 9
    lines = page(("See https://example.org/irm", HEAD), ("3 Start . . . . . . 14", HEAD), ("3 Start", HEAD), *text)
    assert [one.text for one in find_headings(lines)] == ["3 Start"]
    assert repair_text("## 3 Start . . . . . . 14\n") == "3 Start . . . . . . 14\n"


def test_the_same_title_on_the_cover_and_inside_keeps_both_levels() -> None:
    text = [("This is the running text of the document, set smaller.", PLAIN)] * 9
    lines = page(("Pump manual", {"size": 30.0}), *text, ("Pump manual", {"size": 14.0}), *text)
    parsed = "\n\n".join(["## Pump manual", *(row[0] for row in text), "## Pump manual", *(row[0] for row in text)])
    headings = [block for block in repair_page(parsed, lines).split("\n\n") if block.startswith("#")]
    assert headings == ["# Pump manual", "## Pump manual"]


def spaced(*rows: tuple[str, float]) -> list[PrintedLine]:
    """Lines at the given distances below each other."""
    top, lines = 72.0, []
    for text, gap in rows:
        top += gap
        lines.append(line(text, top))
    return lines


def test_statements_parted_by_a_gap_are_paragraphs_each_with_its_own_bold() -> None:
    lines = spaced(
        *((f"This is line {n} of a paragraph that", 12) for n in range(6)),
        ("Prepare the communication", 18),
        ("If a machine is infected, unplug it", 18),
        ("from the network at once.", 12),
    )
    joined = "**Prepare the communication If a machine is infected, unplug it from the network at once.**"
    first = " ".join(one.text for one in lines[:6])
    assert repair_page(f"{first}\n\n{joined}", lines).split("\n\n") == [
        first,
        "**Prepare the communication**",
        "**If a machine is infected, unplug it from the network at once.**",
    ]


def test_a_sentence_that_the_parser_broke_at_the_end_of_a_line_is_whole_again() -> None:
    lines = spaced(
        ("If you see something, tell the person who is", 12), ("in charge of the shift and write it down.", 12)
    )
    assert repair_page(f"{lines[0].text}\n\n{lines[1].text}", lines) == f"{lines[0].text} {lines[1].text}"


def test_a_command_below_a_sentence_is_not_joined_to_it() -> None:
    lines = [line("Then run this command", 100), line("kubectl get pods", 130)]
    parsed = "Then run this command\n\nkubectl get pods"
    assert repair_page(parsed, lines) == parsed


def test_a_line_with_a_link_is_found_again_and_not_said_twice() -> None:
    assert norm("annual [savings](https://example.org/a_(b)) now") == norm("annual savings now")
    lines = page(
        ("The first estimate shows large savings. We plan", PLAIN),
        ("to use them for the next pump of the plant.", PLAIN),
    )
    parsed = (
        "The first [estimate shows large savings](https://example.org/a). We plan to use them for the next pump of the "
        "plant."
    )
    assert repair_page(parsed, lines) == parsed


@pytest.mark.parametrize(
    ("parsed", "printed"),
    [
        ("Set FV\\_101 to 40 %.", "Set FV_101 to 40 %."),
        ("Keep it &lt; 5 bar and &gt; 2 bar.", "Keep it < 5 bar and > 2 bar."),
        ("Press &lt;ENTER&gt;.", "Press &lt;ENTER&gt;."),
        ("Wait \\~5 minutes.", "Wait ~5 minutes."),
        ("It takes \\$5, not \\$6.", "It takes \\$5, not \\$6."),
        ("See [Start](#html-0a1b) and [Stop](https://example.org).", "See Start and [Stop](https://example.org)."),
        ("## \u2014\u2014\n\nText.", "Text."),
    ],
)
def test_signs_are_as_printed_where_markdown_takes_them_so(parsed: str, printed: str) -> None:
    assert repair_text(parsed) == f"{printed}\n"
    assert repair_text(printed) == f"{printed}\n"


def test_bold_over_a_cut_is_bold_on_both_sides() -> None:
    assert cut("a **b c** d", [6]) == ["a **b**", "**c** d"]


def test_lines_of_a_scanned_checklist_are_items_although_few_of_their_dots_were_read() -> None:
    rows = [("BEACON....", "....ON"), ("FUEL QUANTITY..", "KB.LB"), ("BARO REF..", "SET (BOTH)")]
    lines = [
        PrintedLine(
            0, (TextRun(what, 120, 170), TextRun(value, 220, 260)), 100 + 11 * at, 108 + 11 * at, 7.5, bold=False
        )
        for at, (what, value) in enumerate(rows)
    ]
    assert write_lines(lines) == ["BEACON.... ....ON", "FUEL QUANTITY.. KB.LB", "BARO REF.. SET (BOTH)"]
    made = repair_page("\n\n".join(write_lines(lines)), lines)
    assert made.split("\n\n") == [f"- {one}" for one in write_lines(lines)]


def test_items_that_the_parser_has_marked_already_keep_their_mark() -> None:
    rows = ["Start of the pump . . . . . . 4", "Stop of the pump . . . . . . 5"]
    parsed = "\n".join(f"- {row}" for row in rows)
    assert repair_page(parsed, page(*((row, PLAIN) for row in rows))).split("\n\n") == [f"- {row}" for row in rows]


def test_one_cell_that_ends_in_dots_does_not_lose_its_row() -> None:
    lines = page(
        ("Part  Use  Kept", PLAIN),
        ("Oil  engine  yes", PLAIN),
        ("Rags, etc...  cleaning", PLAIN),
        ("Tape  all  no", PLAIN),
    )
    (table,) = find_page_tables(lines, [])
    assert "Rags, etc..." in [row[0] for row in table.rows]


def test_lines_of_signs_alone_cut_nothing() -> None:
    lines = page((". . . . . . 5", PLAIN), ("1. \u2206", PLAIN), ("Open it ... and see 1. there . Wait.", PLAIN))
    parsed = "Open it ... and see 1. there . Wait."
    assert parsed in repair_page(parsed, lines).split("\n\n")


def test_a_word_broken_at_the_end_of_a_line_is_whole_when_the_page_prints_it_whole_elsewhere() -> None:
    lines = page(
        ("Tell the incident com-", PLAIN),
        ("mander, who reads the de-", PLAIN),
        ("icing form of truck VV-12-", PLAIN),
        ("A. The commander signs it.", PLAIN),
    )
    parsed = "Tell the incident com-mander, who reads the deicing form of truck VV-12A. The commander signs it."
    printed = "Tell the incident commander, who reads the de-icing form of truck VV-12-A. The commander signs it."
    assert repair_page(parsed, lines) == printed
