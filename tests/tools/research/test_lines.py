"""The lines of a source: sentences, items and rows with their places."""

from soprag.tools.research.lines import lines_of


def test_lines_know_where_they_stand() -> None:
    text = (
        "# Pump\n\nClose the valve V-3 first. Then open **the drain** of the pump.\n\n"
        "| Step | Limit |\n|---|---|\n| Start | 4 bar |\n\n- Check the oil level daily\n"
    )
    lines = [(one.text, one.lines.start, one.heading) for one in lines_of(text, 10_000)]
    assert lines == [
        ("Close the valve V-3 first.", 3, "Pump"),
        ("Then open the drain of the pump.", 3, "Pump"),
        ("Step: Start; Limit: 4 bar", 7, "Pump"),
        ("Check the oil level daily", 9, "Pump"),
    ]
