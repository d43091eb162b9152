"""A PDF's Markdown against its printed page: forms, narrow columns, pages in columns, what the parser lost."""

from soprag.tools.parsing.layout import PrintedLine, TextRun
from soprag.tools.parsing.repair.headings import find_headings
from soprag.tools.parsing.repair.page import repair_page
from soprag.tools.parsing.repair.page_tables import find_page_tables
from soprag.tools.parsing.repair.slides import Slides, repair_slides
from tests.tools.parsing.test_repairs import HEAD, PLAIN, line, page


def test_a_form_to_fill_in_is_a_table_although_most_of_its_cells_are_empty() -> None:
    lines = page(("Check  Reading  Initials", PLAIN), ("Volume (L)", PLAIN), ("Sample no.", PLAIN), ("Bubbles", PLAIN))
    (table,) = find_page_tables(lines, [])
    assert table.rows[1:] == (("Volume (L)", "", ""), ("Sample no.", "", ""), ("Bubbles", "", ""))


def test_running_text_below_words_in_columns_is_no_form() -> None:
    text = "Open the valve and wait for a minute before you go on with this."
    lines = page(("Rev. 3  Pump  Page 1", PLAIN), (text, PLAIN), (text, PLAIN), (text, PLAIN))
    assert find_page_tables(lines, []) == []


def test_columns_that_stand_close_are_parted_where_other_rows_part_them() -> None:
    rows = page(("Item  CH-2  Unit", PLAIN), ("Flow  60 to 85  kPa", PLAIN))
    parts = (TextRun("not applicable", 222, 330), TextRun("kPa", 372, 387))
    close = PrintedLine(
        0, (TextRun("Drop", 72, 92), TextRun("not applicable kPa", 222, 387, parts)), 100, 110, 10, False
    )
    (table,) = find_page_tables([*rows, close], [])
    assert table.rows[-1] == ("Drop", "not applicable", "kPa")


def test_a_table_ends_at_the_heading_below_it() -> None:
    lines = page(("Item  Limit  Tool", PLAIN), ("Level  80 %  LG-2", PLAIN), ("Stop", HEAD), ("Press STOP.", PLAIN))
    (table,) = find_page_tables(lines, find_headings(lines))
    assert table.rows == (("Item", "Limit", "Tool"), ("Level", "80 %", "LG-2"))


def test_a_step_that_is_printed_twice_and_kept_once_comes_back_under_its_own_heading() -> None:
    def part(name: str, top: float) -> list[PrintedLine]:
        steps = ["1. Turn the selector to LOCAL.", f"2. Set the demand limit of {name} to 40 %."]
        head = line(f"Start of {name}", top, size=14, bold=True)
        return [head, *(line(text, top + 20 * at) for at, text in enumerate(steps, 1))]

    lines = [*part("CH-1", 200), *part("CH-2", 300), line("Sign the log at the end of the shift.", 400)]
    last = line("The end of the page", 800)
    blocks = [one.text for one in [*lines, last]]
    blocks.pop(1)
    made = repair_page("\n\n".join(blocks), [*lines, last]).split("\n\n")
    assert made[:2] == ["# Start of CH-1", "1. Turn the selector to LOCAL."]
    assert made.count("1. Turn the selector to LOCAL.") == 2


def test_a_number_that_the_parser_dropped_comes_back() -> None:
    lines = page(("6. Tell the apron control at once.", PLAIN), ("7. Weigh the bag of foreign objects.", PLAIN))
    made = repair_page("6. Tell the apron control at once.\n\nWeigh the bag of foreign objects.", lines)
    assert made.endswith("7. Weigh the bag of foreign objects.")


def test_blocks_of_a_page_in_columns_are_not_mixed_from_side_to_side() -> None:
    left = [line(f"Check pump number {n} on the left.", 100 + 40 * n) for n in range(1, 9)]
    right = [line(f"Keep copy number {n} at another site.", 100 + 40 * n, left=330) for n in range(1, 9)]
    mixed = [one.text for pair in zip(left, right, strict=True) for one in pair]
    made = repair_page("\n\n".join(mixed), [*left, *right])
    assert made.split("\n\n") == [one.text for one in [*left, *right]]


def test_decimal_titles_in_the_face_of_the_text_are_headings_and_decimal_steps_are_not() -> None:
    text = ("This part says what has to be done so that the boiler runs.", PLAIN)
    titles = [row for n in (1, 2, 3) for row in ((f"3.{n}. Start of part {n}", PLAIN), text, text)]
    found = [(one.text, one.level) for one in find_headings(page(("3. Boiler", HEAD), *titles))]
    assert found[1:] == [(f"3.{n}. Start of part {n}", 2) for n in (1, 2, 3)]
    steps = [(f"3.{n} Open valve V-{n}", PLAIN) for n in range(1, 7)]
    assert len(find_headings(page(("3. Boiler", HEAD), *steps, text))) == 1


def test_only_titles_of_slides_are_headings_and_they_are_said_once() -> None:
    slides = Slides(frozenset({"chapter3chocks", "chapter3chockscontinued"}), frozenset({"uncontrolledwhenprinted"}))
    text = (
        "## Chapter 3 - Chocks\n\n1. Wait.\n\nUncontrolled when printed\n\n"
        "## Chapter 3 - Chocks (continued)\n\n## Removing\n\n2. Go."
    )
    made = [row for row in repair_slides(text, slides).split("\n") if row]
    assert made == ["## Chapter 3 - Chocks", "1. Wait.", "**Removing**", "2. Go."]


def test_a_step_joined_to_the_one_before_it_stands_by_itself_again() -> None:
    steps = ["Wait for the lamp.", "Release key KA and insert it at breaker Q3.", "Close Q3 and look at the lamp."]
    lines = page(*((f"{number}. {text}", PLAIN) for number, text in enumerate(steps, 1)))
    joined = f"1. {steps[0]} {steps[1]}\n\n3. {steps[2]}"
    assert repair_page(joined, lines) == "\n\n".join(f"{number}. {text}" for number, text in enumerate(steps, 1))


def test_a_step_that_only_quotes_another_is_not_cut() -> None:
    quoting = "Do as in step 2: close the valve V-7 of the tank, and wait."
    lines = page((f"1. {quoting}", PLAIN), ("2. Open the drain of the sump.", PLAIN), ("3. Go home at six.", PLAIN))
    markdown = f"1. {quoting}\n\n3. Go home at six."
    assert repair_page(markdown, lines).startswith(f"1. {quoting}\n\n")
