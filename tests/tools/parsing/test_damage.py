"""Damage that parsers do to a PDF is mended, measured against the printed page, and decides between two engines."""

from pathlib import Path

import pytest

from soprag.benchmarks.quality.damaged_files import DAMAGED, DamagedFile, without_ligature
from soprag.benchmarks.quality.parsing_damage import DamageReport, EngineDamage
from soprag.tools.parsing import Parser
from soprag.tools.parsing.document import Damage, Extract
from soprag.tools.parsing.jobs import Probe
from soprag.tools.parsing.layout import PrintedLine, read_lines
from soprag.tools.parsing.ligatures import spell_out
from soprag.tools.parsing.quality import find_defect, rank
from soprag.tools.parsing.repair.damage import measure_damage
from soprag.tools.parsing.repair.damaged_words import mend_words
from soprag.tools.parsing.repair.faces import clean_faces
from soprag.tools.parsing.repair.headings import find_headings, running_heads
from soprag.tools.parsing.repair.markdown import repair_text
from soprag.tools.parsing.repair.missing_headings import drop_continued, restore_headings
from soprag.tools.parsing.repair.repeats import drop_repeats
from tests.tools.parsing.test_repairs import HEAD, PLAIN, line, page


@pytest.mark.parametrize("file", DAMAGED, ids=lambda file: file.name)
def test_a_damaged_pdf_comes_out_word_for_word_with_its_headings(parser: Parser, file: DamagedFile) -> None:
    document = parser.parse_now(file.make(), file.name)
    rows = [row.lstrip("#- ") for row in document.markdown.split("\n") if row]
    assert rows == list(file.lines)
    assert [row.lstrip("# ") for row in document.markdown.split("\n") if row.startswith("#")] == list(file.headings)
    assert document.damage is not None
    assert document.damage.share == 0


def test_a_result_that_is_damaged_is_left_for_another_engine_and_the_reason_is_told(parser: Parser) -> None:
    file = next(file for file in DAMAGED if file.name == "overprinted-1pt.pdf")
    document = parser.parse_now(file.make(), file.name)
    assert document.engine == "pdfplumber"
    assert [attempt.outcome for attempt in document.trail] == ["rejected", "accepted"]
    assert "words garbled" in document.warnings[0]


def test_the_printed_line_has_the_letters_of_a_ligature_and_the_word_as_parsers_garble_it(tmp_path: Path) -> None:
    for glyph in ("t_i", "g123"):
        (tmp_path / "a.pdf").write_bytes(without_ligature(glyph))
        lines = read_lines(str(tmp_path / "a.pdf"), lambda _: None)
        assert lines[3].text == "2. Operating pressure must stay below 5 bar during isolation."
        assert lines[3].mended == (("Operang", "Operating"), ("isolaon", "isolation"))


def test_letters_of_a_ligature_are_those_that_make_most_of_its_words_known() -> None:
    assert spell_out(["opera\ufffdng", "sec\ufffdon", "con\ufffdnue", "XK\ufffd7"]) == "ti"
    assert spell_out(["opera\ufffdng"]) == ""
    assert spell_out(["XK\ufffd7", "P\ufffd"]) == ""


def test_garbled_words_are_those_of_the_page_unless_the_page_prints_them_so() -> None:
    printed = [PrintedLine(0, line("Operating the motion", 72).pieces, 72, 82, 10, False, mended=(("moon", "motion"),))]
    assert (
        mend_words("WWhheenn OOppeerraattiinngg the moon", [*printed, line("When", 90)]) == "When Operating the motion"
    )
    assert mend_words("The moon", [*printed, line("The moon", 90)]) == "The moon"


@pytest.mark.parametrize(
    ("damaged", "mended"),
    [
        ("Mai[l: a@b.co](mailto:a@b.com)<u>m</u> We[b: c.d](https://c.d)<u>e</u>Call", None),
        ("**Note****: keep** it", "**Note: keep** it"),
        ("<strong>Stop</strong> and <em>wait</em> <u>here</u>", "**Stop** and *wait* here"),
        ("**By S**[**G:** **https://a.b/I**](https://a.b/IRM)<strong><u>RM</u></strong>", None),
        ("see [valve](a.md) and x[1](b.md) and \\*\\*\\*\\*", "see [valve](a.md) and x[1](b.md) and \\*\\*\\*\\*"),
    ],
)
def test_marks_of_type_stand_around_whole_words_and_none_is_left_over(damaged: str, mended: str | None) -> None:
    expected = {
        "M": "Mail: [a@b.com](mailto:a@b.com) Web: [c.de](https://c.d) Call",
        "*": "**By SG:** **[https://a.b/IRM](https://a.b/IRM)**",
    }
    assert clean_faces(damaged) == (mended or expected[damaged[0]])


def test_program_text_keeps_its_tags_and_stars() -> None:
    text = "```html\n<u>x</u> ****\n```\n"
    assert repair_text(text) == text


def phases() -> list[PrintedLine]:
    titles = ("PREPARATION", "IDENTIFICATION", "IDENTIFICATION", "CONTAINMENT", "RECOVERY")
    rows: list[PrintedLine] = []
    for number, (title, part) in enumerate(zip(titles, ("valve", "pump", "motor", "drain", "gauge"), strict=True)):
        rows.append(line(title, 40, size=20, page=number))
        rows.append(line(f"Check the {part}, facilitating identification.", 94, page=number))
        rows.append(line(f"Tag the {part} and tell the control room.", 108, page=number))
    return rows


def test_a_title_printed_on_two_pages_that_the_parser_dropped_stands_once_over_its_first_step() -> None:
    lines = phases()
    steps = [row.text for row in lines if row.size == 10]
    blocks = ["# PREPARATION", *steps[:6], "# CONTAINMENT", *steps[6:8], "# RECOVERY", *steps[8:]]
    headings = find_headings(lines)
    restored = restore_headings(blocks, lines, headings)
    assert restored == [*blocks[:3], "# IDENTIFICATION", *blocks[3:]]
    assert restore_headings(restored, lines, headings) == restored


def test_a_title_that_only_goes_on_at_the_top_of_the_next_page_is_dropped() -> None:
    lines = phases()
    blocks = ["# PREPARATION", "a", "# IDENTIFICATION", "b", "# IDENTIFICATION", "c", "# CONTAINMENT", "d"]
    assert drop_continued(blocks, lines, find_headings(lines)) == [*blocks[:4], *blocks[5:]]


def test_the_title_of_a_long_section_is_no_page_head_but_the_name_of_a_chapter_is() -> None:
    parts = ("valve", "pump", "motor", "drain", "gauge", "fan", "tank", "belt")
    body = [line(f"Check the oil of the {part} and write it down.", 94, page=p) for p, part in enumerate(parts)]
    title = [line("LONG SECTION", 40, size=20, page=p) for p in range(2, 7)]
    chapters = [line(f"Chapter {'AB'[p // 4]}", 20, size=8, page=p) for p in range(8)]
    lines = [*title, *chapters, *body]
    assert running_heads(lines) == set(range(len(title), len(title) + len(chapters)))


def test_text_that_the_page_prints_once_stands_once() -> None:
    lines = page(("Buffer A  5 uL  keep on ice", PLAIN), ("Add the buffer to the tube and close it.", PLAIN))
    table = "| Buffer A | 5 uL | keep on ice |\n| --- | --- | --- |\n| x | y | z |"
    step = "Add the buffer to the tube and close it."
    assert drop_repeats([table, "Buffer A 5 uL keep on ice", step, step], lines) == [table, step]
    twice = [*lines, line("Add the buffer to the tube and close it.", 200)]
    assert drop_repeats([step, step], twice) == [step, step]


def test_damage_is_counted_by_kind_and_described() -> None:
    lines = page(("Start", HEAD), ("Open the inlet valve and wait a minute.", PLAIN), ("Close the drain now.", PLAIN))
    sound = "# Start\n\nOpen the inlet valve and wait a minute.\n\nClose the drain now.\n"
    assert measure_damage(sound, lines).describe() == "no damage"
    bad = "Start\n\nOOppeenn the inlet valve and wait a minute.\n\nOpen the inlet valve and wait a minute. <u>Close</u>"
    damage = measure_damage(bad, lines)
    assert (damage.lost, damage.garbled, damage.repeated, damage.headings, damage.marks) == (2, 1, 1, 1, 2)
    assert (
        damage.describe() == "2 of 13 words lost, 1 words garbled, 1 lines repeated, 1 headings lost, 2 marks left over"
    )


def test_page_heads_and_words_broken_at_a_line_end_are_no_damage() -> None:
    lines = [line("Plant manual", 20, page=p) for p in range(3)]
    lines += [line(f"Check the pres-  {n}", 80 + 40 * n, page=n) for n in range(3)]
    lines += [line("sure of the line.", 94 + 40 * n, page=n) for n in range(3)]
    text = "\n\n".join(f"Check the pressure of the line {n}." for n in range(3))
    assert measure_damage(text, sorted(lines, key=lambda row: (row.page, row.top))).garbled == 0


def test_less_damage_outranks_more_text() -> None:
    sound = Extract(markdown="one two", version="1", pages=1, damage=Damage(printed=100, lost=4))
    longer = Extract(markdown="one two three four", version="1", pages=1, damage=Damage(printed=100, lost=5))
    assert rank(sound) > rank(longer)
    assert find_defect(sound, Probe()) == "4 of 100 words lost"
    assert find_defect(sound.model_copy(update={"damage": Damage(printed=100, lost=2)}), Probe()) == ""


def test_the_damage_of_every_engine_stands_in_one_table_with_totals() -> None:
    sound = Damage(printed=10, lost=1, headings=2)
    rows = (
        EngineDamage(engine="soprag", file="a.pdf", damage=sound),
        EngineDamage(engine="soprag", file="b.pdf", damage=sound),
        EngineDamage(engine="peer", file="a.pdf", damage=None),
    )
    lines = DamageReport(rows=rows).render().split("\n")
    assert lines[1].split() == ["soprag", "a.pdf", "10", "0.900", "1", "0", "0", "0", "2", "0"]
    assert lines[-2].split() == ["soprag", "all", "20", "0.900", "2", "0", "0", "0", "4", "0"]
    assert lines[3].split() == ["peer", "a.pdf", "failed"]
