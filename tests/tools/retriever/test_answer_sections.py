"""The steps of a long procedure are listed by section; each section is shown behind the warnings before it."""

import pytest

from soprag.tools.procedure.page import raw
from soprag.tools.retriever.answer.answer import SopAnswer
from soprag.tools.retriever.answer.answer_sections import (
    is_long,
    named_sections,
    section_list,
    section_page,
    sections_of,
)
from tests.tools.retriever.test_answer import BODY, LONG, answered, library


def boiler(body: str = LONG) -> SopAnswer:
    return answered("acid leaks from a flange", library(body, "Boiler"))


def test_a_long_procedure_is_a_numbered_line_per_section_and_says_which_one_is_asked_for() -> None:
    assert is_long(boiler())
    assert not is_long(answered(of=library(BODY)))
    assert raw(section_list(boiler())).split("\n")[:4] == [
        "Boiler: 18 steps in 3 parts",
        "(1) Daily round · steps [1] to [10]",
        "(2) Leak at the flange · steps [11] to [15] · for this question",
        "(3) Hand over · steps [16] to [18]",
    ]


def test_a_section_is_shown_alone_and_behind_the_warnings_of_the_steps_before_it() -> None:
    answer = boiler()
    text = raw(section_page(answer, sections_of(answer)[2]))
    assert text.startswith("Boiler, steps [16] to [18] of 18\n")
    assert (
        text.index("**DANGER:** Steam.") < text.index("**CAUTION:** Acid at the flange.") < text.index("Sign sheet 1.")
    )
    assert "Tighten flange" not in text
    assert text.count("[16: Boiler, line") == 1


@pytest.mark.parametrize(
    ("words", "numbers"), [("2", [2]), ("LEAK", [2]), ("0", []), ("9", []), ("l", [1, 2]), ("x", [])]
)
def test_a_section_is_named_by_its_number_or_by_words_of_its_title(words: str, numbers: list[int]) -> None:
    assert list(named_sections(boiler(), words)) == numbers


def test_a_section_of_many_steps_is_cut_and_many_small_ones_are_put_under_their_higher_heading() -> None:
    one = "\n".join(["# Boiler", *(f"{n}. Read gauge {n}." for n in range(1, 31))])
    assert [len(section.steps) for section in sections_of(boiler(one))] == [10, 10, 10]
    rooms = [f"### Room {hall}{n}\n1. Read gauge {n}." for hall in "AB" for n in range(15)]
    two = "\n".join(["# Boiler", "## Hall A", *rooms[:15], "## Hall B", *rooms[15:]])
    assert [section.title for section in sections_of(boiler(two))] == ["Hall A", "Hall A", "Hall B", "Hall B"]


def test_no_step_is_lost_or_shown_twice() -> None:
    answer = boiler()
    assert [step.number for section in sections_of(answer) for step in section.steps] == list(range(1, 19))
