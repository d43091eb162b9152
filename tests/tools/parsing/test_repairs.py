"""What parsers get wrong is set right, and what is right already stays as it is."""

import base64
import io
from pathlib import Path

import pytest

from soprag.benchmarks.quality.hostile_files import paragraph, word
from soprag.tools.parsing.layout import PrintedLine, TextRun, read_lines
from soprag.tools.parsing.repair.fences import open_fences
from soprag.tools.parsing.repair.headings import find_headings
from soprag.tools.parsing.repair.markdown import relevel, repair_text
from soprag.tools.parsing.repair.page import repair_page
from soprag.tools.parsing.repair.page_tables import find_page_tables
from soprag.tools.parsing.repair.pictures import take_out_pictures


def line(
    text: str, top: float, *, left: float = 72, size: float = 10, bold: bool = False, page: int = 0
) -> PrintedLine:
    """A printed line; words parted by two spaces or more stand in columns 150 points wide."""
    words = [word for word in text.split("  ") if word.strip()]
    pieces = [TextRun(w.strip(), left + 150 * n, left + 150 * n + 5 * len(w.strip())) for n, w in enumerate(words)]
    return PrintedLine(page, tuple(pieces), top, top + size, size, bold, "Serif 000000")


def page(*rows: tuple[str, dict[str, object]]) -> list[PrintedLine]:
    return [line(text, 72 + 14 * at, **style) for at, (text, style) in enumerate(rows)]  # type: ignore[arg-type]


PLAIN: dict[str, object] = {}
HEAD: dict[str, object] = {"size": 14.0, "bold": True}


def test_headings_come_from_the_size_of_the_print_and_levels_from_their_numbers() -> None:
    lines = page(
        ("Pump manual", {"size": 20.0}),
        ("1 Start", HEAD),
        ("Open valve V-1 and wait for the pressure to rise.", PLAIN),
        ("1.1 Checks", HEAD),
        ("Look at the gauge before you go on with the next step.", PLAIN),
    )
    assert [(one.text, one.level) for one in find_headings(lines)] == [
        ("Pump manual", 1),
        ("1 Start", 2),
        ("1.1 Checks", 3),
    ]


def test_a_notice_in_bold_is_no_heading() -> None:
    rows = [("WARNING: The shaft turns on", {"bold": True}), ("after the stop. Wait.", {"bold": True})]
    steps = [(f"{n}. Turn the next valve by hand.", PLAIN) for n in range(1, 9)]
    made = repair_page(
        "# Start\n\n## WARNING: The shaft turns on\n\n## after the stop. Wait.", page(("Start", HEAD), *rows, *steps)
    )
    assert made.split("\n\n")[:2] == ["# Start", "WARNING: The shaft turns on after the stop. Wait."]


def test_steps_in_a_fence_become_steps_with_their_numbers_and_sub_steps() -> None:
    fence = "```txt\n4.   Close V-2 and\n     wait 5 minutes.\n     a)   Read PG-1.\n5.   Open V-3.\n```"
    assert open_fences(fence, lambda text: False).split("\n\n")[1:] == [
        "4. Close V-2 and wait 5 minutes.",
        "   a) Read PG-1.",
        "5. Open V-3.\n",
    ]


def test_program_text_stays_in_its_fence() -> None:
    fence = "```txt\nexport A=1\nmake all\n```"
    assert open_fences(fence, lambda text: False) == fence


def test_a_table_without_lines_is_found_by_its_columns() -> None:
    lines = page(
        ("Item  Limit  Tool", PLAIN),
        ("Pressure  5 bar  PG-1", PLAIN),
        ("Level  80 %  LG-2", PLAIN),
    )
    (table,) = find_page_tables(lines, [])
    assert table.rows == (("Item", "Limit", "Tool"), ("Pressure", "5 bar", "PG-1"), ("Level", "80 %", "LG-2"))


def test_loose_words_are_replaced_by_the_table_they_come_from() -> None:
    lines = page(("Item  Limit", PLAIN), ("Pressure  5 bar", PLAIN), ("Level  80 %", PLAIN))
    made = repair_page("Item Limit\n\nPressure\n\n5 bar\n\nLevel 80 %", lines)
    assert made == "| Item | Limit |\n| --- | --- |\n| Pressure | 5 bar |\n| Level | 80 % |"


def test_a_printed_line_that_the_parser_lost_is_put_back_where_it_stood() -> None:
    rows = [f"{n}. Check gauge number {n} on the panel." for n in range(1, 9)]
    lines = [line(text, 300 + 14 * at) for at, text in enumerate(rows)]
    lines.append(line("End of the page", 800))
    made = repair_page("\n\n".join(rows[:3] + rows[4:] + ["End of the page"]), lines)
    assert made.split("\n\n")[:8] == rows


def test_a_value_at_the_start_of_a_line_is_never_taken_for_a_step_number() -> None:
    lines = [line("Set the relief valve to between", 300), line("0.2 and 0.8 bar, not above.", 314)]
    text = "Set the relief valve to between 0.2 and 0.8 bar, not above."
    assert repair_page(text, lines) == text


def test_checklist_lines_stay_one_per_line() -> None:
    lines = [line("Parking brake ........ SET", 300), line("Fuel quantity ........ CHECK", 314)]
    made = repair_page("Parking brake ........ SET Fuel quantity ........ CHECK", lines)
    assert made == "- Parking brake ........ SET\n\n- Fuel quantity ........ CHECK"


def test_an_identifier_broken_at_its_hyphen_stays_that_identifier() -> None:
    lines = [line("Continue with procedure SOP-DC-", 300), line("0212 after the test of the pump.", 314)]
    assert "SOP-DC-0212" in repair_page("Continue with procedure SOP-DC0212 after the test of the pump.", lines)


def test_pictures_become_files_and_equal_ones_are_kept_once() -> None:
    data = base64.b64encode(b"picture").decode()
    markdown, images = take_out_pictures(f"![a](data:image/png;base64,{data})\n\n![b](data:image/png;base64,{data})")
    assert [image.data for image in images] == [b"picture"]
    assert markdown.count(f"]({images[0].name})") == 2


def test_an_html_table_becomes_a_pipe_table_with_its_spans() -> None:
    table = "<table><tr><td rowspan=2>A</td><td>1</td></tr><tr><td>2</td></tr><tr><td colspan=2>B</td></tr></table>"
    assert repair_text(table) == "| A | 1 |\n| --- | --- |\n| A | 2 |\n| B |  |\n"


def test_a_table_inside_a_table_stays_html() -> None:
    table = "<table><tr><td><table><tr><td>x</td></tr></table></td></tr></table>"
    assert table in repair_text(table)


def test_numbered_headings_of_one_level_are_put_in_order() -> None:
    assert relevel("## 1 A\n\n## 1.1 B\n\n## 2 C\n\n## 2.1.1 D") == "## 1 A\n\n### 1.1 B\n\n## 2 C\n\n#### 2.1.1 D"


@pytest.mark.parametrize(
    "markdown",
    [
        "# A\n\n1. Step\n\n   a) part\n\n- item\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n",
        "```sh\n# not a heading\n• not an item\n```\n",
        "> **WARNING:** hot.\n\n2.1 As printed\n",
    ],
)
def test_repairs_change_nothing_that_is_right_and_not_twice(markdown: str) -> None:
    assert repair_text(markdown) == markdown
    assert repair_text(repair_text(markdown)) == repair_text(markdown)


def test_steps_of_one_word_list_stay_under_their_headings(tmp_path: Path) -> None:
    import docx

    from soprag.tools.parsing.repair.word_lists import separate_lists

    document = docx.Document()
    for heading in ("Preparation", "Blowdown"):
        document.add_heading(heading)
        for step in ("first", "second"):
            document.add_paragraph(f"{heading} {step}", style="List Number")
    document.save(str(tmp_path / "a.docx"))
    assert separate_lists(tmp_path / "a.docx", tmp_path / "b.docx")
    repaired = docx.Document(str(tmp_path / "b.docx"))
    numbers = [p._p.pPr.numPr.numId.val if p._p.pPr.numPr is not None else 0 for p in repaired.paragraphs]
    assert numbers[1] == numbers[2] != numbers[4] == numbers[5]
    starts = repaired.part.numbering_part.element.xpath(f'//w:num[@w:numId="{numbers[4]}"]//w:startOverride/@w:val')
    assert starts[0] == "3"


def test_a_word_file_without_lists_needs_no_repair(tmp_path: Path) -> None:
    from soprag.tools.parsing.repair.word_lists import separate_lists

    (tmp_path / "a.docx").write_bytes(word(paragraph("Text")))
    assert not separate_lists(tmp_path / "a.docx", tmp_path / "b.docx")


def test_the_lines_of_a_page_are_read_with_size_weight_and_place(tmp_path: Path) -> None:
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(600, 800))
    canvas.setFont("Helvetica-Bold", 16)
    canvas.drawString(72, 700, "Pump start")
    canvas.setFont("Helvetica", 9)
    canvas.drawString(72, 650, "1.")
    canvas.drawString(90, 650, "Open V-1.")
    canvas.save()
    (tmp_path / "a.pdf").write_bytes(out.getvalue())
    title, step = read_lines(str(tmp_path / "a.pdf"), lambda _: None)
    assert (title.text, title.size, title.bold) == ("Pump start", 16, True)
    assert (step.size, step.bold, round(step.x0)) == (9, False, 72)
