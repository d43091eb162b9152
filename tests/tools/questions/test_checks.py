"""Each check of a question finds its fault, and lets good questions pass."""

import pytest

from soprag.tools.questions import Corpus, QuestionCase, Taken, fault
from soprag.tools.questions.checks import leak, tells_title, text_fault
from soprag.tools.sop import Level, Sop, Span
from soprag.tools.tasks.benchmark import DraftQuestion
from soprag.tools.text.codes import alarm_codes, title_names
from tests.words import WordEmbedder


def sop(id: str, title: str, body: str, language: str = "en") -> Sop:
    return Sop(id=id, title=title, text=body, document="d", span=Span(start=1, end=9), language=language)


PUMP = sop(
    "pump",
    "CP-2 Circulation Pump Replacement",
    "Close the suction valve by hand.\nIf alarm CP-A07 stays on for 5 minutes, call the\nrefrigeration contractor.\n"
    "The flange bolts of this pump take 40 Nm.",
)
FAN = sop("fan", "Tower Fan Belt Change", "Stop the fan. Loosen the motor plate. Lift the belt off the sheave.")


def draft(text: str, level: Level = "direct", evidence: str = "Close the suction valve by hand.") -> DraftQuestion:
    return DraftQuestion(level=level, text=text, evidence=evidence)


def judged(one: DraftQuestion, own: Sop, others: list[Sop], taken: list[Taken] | None = None) -> str:
    embedder = WordEmbedder()
    corpus = Corpus((own, *others), embedder)
    return fault(one, embedder.embed([one.text])[0], QuestionCase(own, corpus, others, 0.92), taken or [])


def test_a_good_question_passes_every_check() -> None:
    good = draft("How do I shut the suction side before I take the old pump out?")
    assert judged(good, PUMP, [FAN]) == ""


def test_evidence_may_differ_in_white_space_only() -> None:
    question = "Whom do I call when the alarm on the pump does not go away?"
    wrapped = draft(question, evidence="If alarm CP-A07 stays on for 5 minutes, call the refrigeration contractor.")
    invented = draft(question, evidence="Call the refrigeration contractor after 5 minutes.")
    assert text_fault(wrapped, PUMP) == ""
    assert "word for word" in text_fault(invented, PUMP)


@pytest.mark.parametrize(
    "text",
    [
        "How do I do a circulation pump replacement on CP-2?",
        "What is special about replacing the circulation pump CP-2?",
        "What does CP-A07 want from me at this hour?",
    ],
)
def test_title_tag_and_alarm_code_leak_above_the_keyword_level(text: str) -> None:
    assert leak(draft(text), PUMP) != ""
    assert leak(draft(text, "keyword"), PUMP) == ""


def test_a_title_is_told_by_its_words_in_order_and_close_together() -> None:
    title = "Cold Plate Quick Disconnect Swap"
    assert tells_title("how do I swap a cold plate quick disconnect swap tool", title)
    assert tells_title("My cold plates have a quick disconnecting coupling to swap.", title)
    assert not tells_title("The coupling at the plate is stiff, I want another one.", title)
    assert not tells_title("How do I swap the coupling at the plate that cools the node?", title)


def test_a_product_name_is_no_alert_name_unless_it_is_the_whole_title() -> None:
    assert title_names("Restart of OpenShift") == set()
    assert title_names("TargetDown") == {"TargetDown"}
    assert title_names("CephOSDSlowOps on a node") == {"CephOSDSlowOps"}
    assert title_names("AHU-1 Filter Change") == {"AHU-1"}


def test_codes_of_the_same_shape_as_an_alarm_are_alarms() -> None:
    body = "Suppress alarms CRAC-A03 (airflow) and CRAC-A07 (filter). Valve V3 stays open.\n| LDP-F06 | Battery low |"
    assert alarm_codes(body) == {"CRAC-A03", "CRAC-A07", "LDP-F06"}


@pytest.mark.parametrize(
    ("level", "text"),
    [
        ("keyword", "pump"),
        ("keyword", "How to close the valve?"),
        ("direct", "How do I close it?"),
        ("direct", "How do I close the **suction** valve by hand?"),
        ("direct", "How do I close the {valve} of the pump by hand?"),
        ("direct", "What do I do after this step when the valve is shut?"),
        ("direct", "According to the document, how is the valve shut by hand?"),
        ("symptom", "The valve on the suction side does not move and the"),
        ("symptom", "The valve on the suction side does not move, it is connected to."),
        ("symptom", "The valve on the suction side does not move and I noticed that"),
        ("direct", "How do I close the valve [name of the valve] of the pump by hand?"),
        ("direct", "How do I close the suction valve that stands in Figure 3?"),
        ("scenario", "The valve is stuck. What now?"),
    ],
)
def test_bad_form_is_named(level: Level, text: str) -> None:
    assert text_fault(draft(text, level), PUMP) != ""


@pytest.mark.parametrize(
    ("level", "text"),
    [
        ("direct", "where is the list of valves I tick off before the pump comes out"),
        ("direct", "give me the steps for the suction valve"),
        ("direct", "Which torque stands in the table for the flange bolts?"),
        ("symptom", "the valve on the suction side does not move at all."),
        ("symptom", "Water drips at the suction valve and nobody sees where it is coming from."),
        ("symptom", "The suction valve does not move, and it is always like that."),
        ("symptom", "The display of the suction valve shows [U_] and it does not move."),
        ("symptom", "Pressure at the suction side is 600% of the figure 24 hours ago."),
        ("conditional", "The suction valve is shut and it still leaks, what's the next step on this machine?"),
        ("direct", "How do I shut the suction valve in hall 2-BM-A?"),
    ],
)
def test_what_operators_really_type_is_good_form(level: Level, text: str) -> None:
    assert text_fault(draft(text, level), PUMP) == ""


def test_a_direct_question_may_name_its_equipment_and_act_in_other_words_than_the_title() -> None:
    reporting = sop("r", "Fault Reporting", "Close the suction valve by hand.")
    fan = sop("f", "Vent Gate and Extraction Fan Operation", "Close the suction valve by hand.")
    assert leak(draft("Which fields do I fill in when filing a fault report?"), reporting) == ""
    assert leak(draft("How do I open the vent gate and run the extraction fan by command?"), fan) == ""
    assert leak(draft("Where do I begin with fault reporting tonight?"), reporting) != ""
    assert leak(draft("I open the vent gate and run the extraction fan by command.", "symptom"), fan) != ""


def test_the_language_is_not_judged_by_codes() -> None:
    codes = sop("c", "Reset", "$ kubectl -n db exec pg-0\n$ psql -c 'select 1'\n$ systemctl restart pg-0", "nl")
    assert text_fault(draft("How do I restart the database when it hangs at night?", evidence="select 1"), codes) == ""


def test_a_question_is_in_the_language_of_its_sop() -> None:
    german = sop("p", "Pumpe wechseln", "Schließen Sie das Ventil von Hand.", "de")
    evidence = "Schließen Sie das Ventil von Hand."
    assert (
        text_fault(draft("Wie schließe ich das Ventil, wenn der Antrieb nicht geht?", evidence=evidence), german) == ""
    )
    wrong = text_fault(draft("How do I shut the valve when the drive does not move?", evidence=evidence), german)
    assert "'de'" in wrong


def test_the_same_question_is_not_taken_twice() -> None:
    first = draft("How do I shut the suction side before I take the old pump out?")
    vector = WordEmbedder().embed([first.text])[0]
    again = draft("How do I shut the suction side, before I take the old pump out?")
    assert "same" in judged(again, PUMP, [FAN], [Taken(first.text, vector)])


def test_a_question_a_sibling_answers_better_is_rejected() -> None:
    evidence = "Close the suction valve by hand."
    strayed = draft("How do I loosen the motor plate and lift the belt off the sheave?", evidence=evidence)
    assert "Tower Fan Belt Change" in judged(strayed, PUMP, [FAN])


def test_a_question_that_fits_a_twin_as_well_needs_a_telling_detail() -> None:
    twin = PUMP.model_copy(
        update={"id": "twin", "title": "CP-3 Circulation Pump Replacement", "text": PUMP.body.replace("40 Nm", "65 Nm")}
    )
    vague = draft("How do I shut the suction side before the pump comes out?")
    telling = draft("How do I shut the suction side of the pump whose bolts take 40 Nm?")
    assert "answers it just as well" in judged(vague, PUMP, [twin, FAN])
    assert judged(telling, PUMP, [twin, FAN]) == ""
