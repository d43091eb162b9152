"""Words found in pictures of pages become headings, steps and tables by where they stand."""

from types import SimpleNamespace

import numpy as np
from PIL import Image as Pillow

from soprag.configs.settings import load
from soprag.tools.parsing.engines.ocr import read_again, read_boxes
from soprag.tools.parsing.engines.ocr_lines import Box, printed_lines
from soprag.tools.parsing.jobs import ParseLimits
from soprag.tools.parsing.repair import EngineDraft, repair
from soprag.tools.parsing.repair.running_text import write_lines

LETTER = 4.5  # points, of the running text


def box(text: str, top: float, *, left: float = 50, wider: float = 1.0, score: float = 0.98) -> Box:
    return Box(left, left + len(text) * LETTER * wider, top, 12.0, text, score)


def markdown(*pages: list[Box]) -> str:
    chosen = load(environment={}).parsing
    limits = ParseLimits(memory=0, seconds=9, pages=9, pixels=9, cells=9, characters=chosen.max_characters)
    lines = printed_lines(pages)
    return repair(
        EngineDraft("\n\n".join(write_lines(lines)), "pdf", lines), version="1", pages=1, limits=limits
    ).markdown


TEXT = [box(f"Line number {n} of the text explains what the pump does in the plant", 200 + 12 * n) for n in range(6)]


def test_wider_letters_are_headings_by_size_and_bold_labels_are_not() -> None:
    made = markdown(
        [
            box("Pump start manual", 100, wider=2.2),
            box("Before the start", 150, wider=1.6),
            *TEXT,
            box("Placing", 290, wider=1.2),
            box("1. Open valve V-1 and wait for a minute.", 310),
        ]
    )
    assert [row for row in made.split("\n") if row.startswith("#")] == ["# Pump start manual", "## Before the start"]
    assert "1. Open valve V-1 and wait for a minute." in made.split("\n")


def test_a_number_that_was_found_apart_stands_before_its_step() -> None:
    made = markdown([*TEXT, box("1.", 300), box("Open valve V-1 and wait for a minute.", 301, left=75)])
    assert "1. Open valve V-1 and wait for a minute." in made.split("\n")


def test_words_that_could_hardly_be_read_are_no_heading() -> None:
    assert "#" not in markdown([*TEXT, box("Ieo ds t zzlg le", 300, wider=3, score=0.6)])


def test_heads_and_feet_of_pages_are_left_out_and_columns_are_a_table() -> None:
    rows = [box(text, 320 + 16 * n, left=50 + 150 * at) for n, row in enumerate(ROWS) for at, text in enumerate(row)]
    other = [box(f"Sentence {n} of the second page says more about the plant", 205 + 12 * n) for n in range(6)]
    first = [box("Plant manual", 40), *TEXT, *rows, box("Page 1", 800)]
    made = markdown(first, [box("Plant manual", 40), *other, box("Page 2", 800)])
    assert "Plant manual" not in made and "Page" not in made
    assert "| Level | 80 % | LG-2 |" in made


ROWS = (("Item", "Limit", "Tool"), ("Pressure", "5 bar", "PG-1"), ("Level", "80 %", "LG-2"))


def test_a_signal_word_is_in_capitals_whatever_the_recognition_made_of_them() -> None:
    corners = np.array([[[0, 0], [90, 0], [90, 9], [0, 9]]] * 2)
    found = SimpleNamespace(boxes=corners, txts=("wARNING: Hot.", "Warning signs: see 3."), scores=(0.9, 0.9))
    assert [one.text for one in read_boxes(found)] == ["WARNING: Hot.", "Warning signs: see 3."]


class Reader:
    """A recognition that squeezes what is long: it makes out half a line, and no whole one."""

    def __call__(self, line: Pillow.Image, **asked: bool) -> SimpleNamespace:
        assert asked == {"use_det": False, "use_cls": False, "use_rec": True}
        return SimpleNamespace(txts=[f"{line.width} points"], scores=[0.97])


def test_a_long_line_that_was_not_made_out_is_read_again_in_halves() -> None:
    page = Pillow.new("RGB", (1700, 200), "white")
    for left in (20, 880):  # two words with a blank between them
        page.paste("black", (left, 100, left + 800, 120))
    squeezed = Box(0, 612, 36, 9, "e  t   zzlg", 0.76)
    read = read_again(Reader(), page, squeezed)
    halves = [int(words.split()[0]) for words in read.text.split(" points")[:2]]
    assert sum(halves) == 1700 and 820 <= halves[0] <= 880
    assert read.score == 0.97
    for fine in (Box(0, 612, 36, 9, "made out", 0.98), Box(0, 60, 36, 9, "short", 0.5)):
        assert read_again(Reader(), page, fine) == fine
