"""Sub-steps of Word lists stand under their step, also when each depth is a list of its own."""

from pathlib import Path

from soprag.benchmarks.quality.hostile_files import archive
from soprag.tools.parsing.repair.depths import indent_items, read_depths

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def item(text: str, level: int, number: int) -> str:
    place = f'<w:ilvl w:val="{level}"/><w:numId w:val="{number}"/>'
    return f"<w:p><w:pPr><w:numPr>{place}</w:numPr></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def depths(folder: Path, *items: str) -> dict[str, int]:
    body = f'<w:document xmlns:w="{WORD}"><w:body>{"".join(items)}</w:body></w:document>'
    path = folder / "a.docx"
    path.write_bytes(archive({"word/document.xml": body.encode()}))
    return read_depths(str(path))


def test_items_of_a_deeper_list_are_indented_under_the_step_above(tmp_path: Path) -> None:
    known = depths(tmp_path, item("Call the team.", 0, 6), item("The security team.", 1, 7), item("Wait.", 0, 6))
    made = indent_items("1. Call the team.\n\n- **The security team.**\n\n2. Wait.\n\nThe end.", known)
    assert made == "1. Call the team.\n\n    - **The security team.**\n\n2. Wait.\n\nThe end."
    assert indent_items(made, known) == made


def test_a_list_that_only_begins_deeper_stays_where_it_is(tmp_path: Path) -> None:
    known = depths(tmp_path, item("Call the team.", 1, 6), item("Wait.", 1, 6))
    assert indent_items("# A\n\n1. Call the team.\n2. Wait.", known) == "# A\n\n1. Call the team.\n2. Wait."


def test_words_that_stand_at_several_depths_say_nothing(tmp_path: Path) -> None:
    known = depths(tmp_path, item("Call.", 0, 6), item("Wait.", 1, 7), item("Wait.", 0, 6))
    assert "wait" not in known
    assert indent_items("1. Call.\n2. Wait.", known) == "1. Call.\n2. Wait."
