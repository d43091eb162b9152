import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soprag.tools.markdown.inline import labelled, plain
from soprag.tools.markdown.page import read
from soprag.tools.sop import Span

MANUAL = """---
owner: plant
---
# **SOP-12** Start of P_101_A

Intro with a [link](http://a.b/c(d)) and `x*y`.
2.1 Open the valve
2.2 Close it, the 3.3 V supply stays on
• printed bullet

1. First

   ```sh
   ls -l
   ```
   a) nested letter
3) other list
> **WARNING:** hot
> - in a quote

<table><tr><td>A</td><td>1</td></tr></table>

| a | b |
|---|---|
| **x** | y |

## 4 Startup
## 4.1 Checks
**Step 1.** Tell someone.

[1]: http://x
"""


def blocks(text: str) -> list[tuple[int, str, str, str]]:
    return [(block.lines.start, block.kind, block.label, block.text) for block in read(text).blocks]


def test_every_kind_of_block_is_seen_with_its_line_and_its_printed_label() -> None:
    assert blocks(MANUAL) == [
        (1, "matter", "", ""),
        (4, "heading", "", "SOP-12 Start of P_101_A"),
        (6, "paragraph", "", "Intro with a link and x*y."),
        (7, "item", "2.1", "Open the valve"),
        (8, "item", "2.2", "Close it, the 3.3 V supply stays on"),
        (9, "item", "", "printed bullet"),
        (11, "item", "1", "First"),
        (13, "code", "", "ls -l\n"),
        (16, "item", "a)", "nested letter"),
        (17, "item", "3)", "other list"),
        (18, "paragraph", "", "WARNING: hot"),
        (19, "item", "", "in a quote"),
        (21, "table", "", "A | 1"),
        (23, "table", "", "a | b\nx | y"),
        (27, "heading", "", "4 Startup"),
        (28, "heading", "", "4.1 Checks"),
        (29, "item", "Step 1", "Tell someone."),
        (31, "reference", "", "[1]: http://x"),
    ]


def test_nesting_and_quotes_are_marked_on_the_block() -> None:
    page = read(MANUAL)
    marks = {block.text: (block.depth, block.quoted) for block in page.blocks if block.text}
    assert marks["nested letter"] == (1, False)
    assert marks["in a quote"] == (1, True)


def test_a_numbered_heading_stands_under_its_chapter_even_when_both_were_printed_alike() -> None:
    sections = {section.title: section for section in read(MANUAL).sections}
    assert sections["4.1 Checks"].above == ("SOP-12 Start of P_101_A", "4 Startup")
    assert sections["4 Startup"].lines == Span(start=27, end=32)
    assert [block.text for block in sections["4.1 Checks"].direct_blocks][:1] == ["Tell someone."]


def test_a_chapter_that_a_parser_took_for_a_title_stands_beside_its_siblings() -> None:
    page = read("# Manual\n\n## 5 Start\n\nx\n\n# 6 Stop\n\ny\n")
    assert [heading.level for heading in page.headings] == [1, 2, 2]


def test_a_numbered_sentence_printed_as_a_heading_is_an_item() -> None:
    page = read("## 5 Release\n\n## 5.10 Continue in pulses until the LEVEL lamp lights.\n")
    assert [(block.kind, block.label) for block in page.blocks] == [("heading", ""), ("item", "5.10")]


def test_text_of_a_span_is_verbatim() -> None:
    page = read("a\r\n\r\n- *b* \r\n  c")
    assert page.text(Span(start=3, end=4)) == "- *b* \n  c"


def test_an_empty_text_has_no_blocks() -> None:
    assert read("").blocks == ()
    assert read("\n\n").headings == ()


@given(
    st.lists(
        st.sampled_from(
            [
                "# A",
                "## 1 B",
                "text",
                "",
                "- x",
                "  - y",
                "1. z",
                "> q",
                "```",
                "| a | b |",
                "|---|---|",
                "---",
                "<table>",
                "</td>",
                "2.1 Do",
                "[r]: u",
                "    code",
                "+++",
                "\\",
                "***",
            ]
        ),
        max_size=14,
    )
)
@settings(max_examples=200, deadline=None)
def test_every_line_with_words_belongs_to_a_block(lines: list[str]) -> None:
    page = read("\n".join(lines))
    covered = {n for block in page.blocks for n in range(block.lines.start, block.lines.end + 1)}
    wordy = {n for n, line in enumerate(page.lines, 1) if any(c.isalpha() for c in line)}
    assert wordy <= covered
    assert all(1 <= block.lines.start <= block.lines.end <= len(page.lines) for block in page.blocks)


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"{n}. Open the **valve** V-{n} and check `pump` [x](http://y)\n" for n in range(1, 5001)),
        ">" * 20_000 + " x",
        "- " * 3_000 + "x",
        "\n".join("  " * n + "- x" for n in range(500)),
        "[" * 50_000,
        "![" * 20_000 + "(" * 20_000,
        "*a " * 50_000 + "<" * 10_000 + "`" * 10_000,
        "<table>" + "<tr><td>x" * 5_000,
    ],
    ids=["5000 steps", "quotes", "bullets", "deep list", "brackets", "images", "emphasis", "open table"],
)
def test_large_and_hostile_texts_are_read_in_seconds_at_most(text: str) -> None:
    began = time.process_time()
    assert read(text).blocks
    assert time.process_time() - began < 5  # a quadratic reading takes minutes; a shared machine needs some room


@pytest.mark.parametrize("line", ["**1.** Combine", "**1**. Combine", "**1.** **Combine**"])
def test_a_number_in_bold_is_a_label(line: str) -> None:
    entry = labelled(line)
    assert entry is not None
    assert (entry.label, plain(entry.rest)) == ("1", "Combine")
