from soprag.tools.rules.card import summarise
from soprag.tools.tasks.benchmark import SopAsk

RUNBOOK = """# KubeDiskFull

> **NOTE:** This page is maintained by the storage team and by nobody else.

## Meaning

This alert fires when the disk of a node is filled to more than 90 percent.

## Impact

Pods on the node cannot write and are evicted one after another.

## Mitigation

Run the following command:

1. Delete old images from the node.
2. Grow the disk when images are not the cause of the growth.
"""


def abstract(body: str, title: str = "KubeDiskFull") -> str:
    return summarise(SopAsk(title=title, body=body)).abstract


def test_the_abstract_tells_the_meaning_first_and_then_the_impact() -> None:
    text = abstract(RUNBOOK)
    assert text.startswith("This alert fires when the disk of a node is filled to more than 90 percent.")
    assert "cannot write" in text


def test_remarks_and_half_sentences_are_left_out() -> None:
    text = abstract(RUNBOOK)
    assert "maintained by" not in text
    assert "following command:" not in text


def test_every_word_is_the_procedures_own() -> None:
    words = set(RUNBOOK.split())
    assert all(word in words for word in abstract(RUNBOOK).split())


def test_the_abstract_is_one_line_of_at_most_300_characters() -> None:
    text = abstract("# Long\n\n" + "Open the valve of the tank " * 60)
    assert len(text) <= 300
    assert "\n" not in text


def test_a_bare_table_and_an_empty_body_still_get_a_card() -> None:
    assert "Read gauge" in abstract("| Step | Do |\n|---|---|\n| 1 | Read gauge |\n")
    assert abstract("", title="SOP-7") == "SOP-7"
