"""The answer by rule: which steps of a flow bear on a question."""

from soprag.tools.procedure.numbered_lines import number_lines
from soprag.tools.procedure.rendered_steps import show
from soprag.tools.procedure.source_text import SourceText
from soprag.tools.rules.answering import answer
from soprag.tools.tasks.answer import AnswerAsk, AnswerDraft
from tests.tools.rules.reading import views

TITLES = ("Start the pump", "Drain the boiler", "Log the shift", "Wash the floor")
BODY = "\n".join(f"## {title}\n" + "\n".join(f"{n}. Check {title} {n}." for n in range(1, 6)) for title in TITLES)


def asked(question: str, body: str = BODY) -> AnswerDraft:
    document = number_lines(body, show(views(body, "Manual").flow, SourceText(body)))
    return answer(AnswerAsk(question=question, title="Manual", document=document))


def chosen(question: str, body: str = BODY) -> list[int]:
    return [int(id.removeprefix("s")) for id in asked(question, body).steps]


def test_in_a_long_procedure_the_section_that_bears_on_the_question_answers() -> None:
    assert chosen("how is the boiler drained") == [6, 7, 8, 9, 10]


def test_sections_that_bear_on_it_alike_answer_together() -> None:
    assert chosen("floor and boiler") == [*range(6, 11), *range(16, 21)]


def test_a_question_that_shares_no_word_gets_every_step() -> None:
    assert chosen("zzz") == list(range(1, 21))


def test_a_short_procedure_answers_as_a_whole() -> None:
    assert chosen("boiler", BODY.split("## Log")[0]) == list(range(1, 11))


def test_the_first_decision_that_the_question_touches_is_looked_at_first() -> None:
    body = (
        "1. Open the panel.\n2. If the lamp is red, go to step 4.\n3. If the belt is torn, go to step 1.\n4. Close it."
    )
    assert asked("the belt is torn", body).first == "s3"
    assert asked("a fuse blew", body).first == ""
