"""Questions by rule: what an operator would ask, from the structure and the words of an SOP."""

import re
from itertools import pairwise

import pytest

from soprag.tools.questions.checks import text_fault
from soprag.tools.rules.questions import write
from soprag.tools.rules.questions.actions import action
from soprag.tools.rules.questions.clauses import condition, is_clause
from soprag.tools.rules.questions.found import as_found
from soprag.tools.rules.questions.heads import clause_parts
from soprag.tools.rules.questions.material import gather
from soprag.tools.rules.questions.observations import is_seen
from soprag.tools.rules.questions.speech import Naming, first_person, spoken
from soprag.tools.rules.questions.verbs import gerund, participle, third
from soprag.tools.sop import LEVELS, Level
from soprag.tools.tasks.benchmark import DraftQuestion, QuestionsAsk, Rejection
from soprag.tools.text.sentences import sentences
from soprag.tools.text.terms import terms
from soprag.tools.text.words import squeezed

FILTER = """# AHU-1 Filter Change

## Purpose

To replace the pre-filters of air handling unit AHU-1 without leaving dust in the duct.

## Tools

- Vacuum cleaner with HEPA exhaust

## Procedure

1. Tell the control room that AHU-1 will be off.
2. Turn the isolator to OFF and fit your padlock.

> **WARNING:** The fan can free-wheel for 3 minutes.

3. Open the access door of the filter section.
4. Inspect the frame gaskets. If a gasket is torn over more than 100 mm, replace it before you go on.
5. If the frame itself is bent, inform the duty engineer within 30 minutes.
6. Fit the new pocket filters from the bottom row upwards.

## Revision history

1. Delete the old version.
"""
ALERT = """# KubeletDown

## Meaning

The `KubeletDown` alert is triggered when the monitoring system has not been able to reach any of the kubelets.

## Mitigation

Check the status of the affected nodes. If your nodes are not responding, restart the node service:

```console
$ oc get nodes
```
"""
ALARMS = """# CRAC Alarm Response

| Alarm | Cause | Action |
|---|---|---|
| CRAC-A03 Airflow loss | Belt broken or motor tripped | Start the standby unit. |
| CRAC-A04 High head pressure | Dirty condenser | Wash the coil of the condenser. |
"""


def ask(
    body: str, levels: tuple[Level, ...] = LEVELS, language: str = "en", rejected: tuple[str, ...] = ()
) -> QuestionsAsk:
    lost = [Rejection(level=levels[0], text=text, reason="-") for text in rejected]
    title = body.splitlines()[0].removeprefix("# ")
    return QuestionsAsk(title=title, body=body, language=language, siblings=[], levels=list(levels), rejected=lost)


def written(body: str, level: Level, language: str = "en") -> list[DraftQuestion]:
    return [one for one in write(ask(body, language=language)).questions if one.level == level]


@pytest.mark.parametrize("body", [FILTER, ALERT, ALARMS])
def test_every_level_is_written_and_passes_the_checks_on_its_text(body: str) -> None:
    wanted = ask(body)
    drafts = write(wanted).questions
    assert {draft.level for draft in drafts} == set(LEVELS)
    assert [text_fault(draft, wanted) for draft in drafts] == [""] * len(drafts)


def test_the_same_sop_always_gets_the_same_questions() -> None:
    assert write(ask(FILTER)) == write(ask(FILTER))


def test_what_was_rejected_is_not_brought_again() -> None:
    first = {one.text for one in write(ask(FILTER, ("direct",))).questions}
    again = {one.text for one in write(ask(FILTER, ("direct",), rejected=tuple(first))).questions}
    assert first
    assert again
    assert not first & again


def test_a_condition_is_asked_about_with_its_own_sentence_as_evidence() -> None:
    bent = [one for one in written(FILTER, "conditional") if "bent" in one.text]
    assert {one.evidence for one in bent} == {
        "If the frame itself is bent, inform the duty engineer within 30 minutes."
    }


def test_a_level_for_which_the_sop_states_nothing_stays_empty() -> None:
    plain = "# Tyre storage\n\n1. Carry the tyres to the shelf.\n2. Write the date on the label.\n"
    assert not written(plain, "symptom")
    assert not written(plain, "conditional")
    assert written(plain, "direct")


def test_a_stated_range_is_asked_about_by_a_reading_outside_of_it() -> None:
    body = (
        "# Boiler start\n\n1. Open the feed valve.\n2. Check the drum pressure gauge; the drum pressure must be below "
        "12 bar.\n3. Light the burner with the pilot flame.\n"
    )
    assert any("drum pressure" in one.text and "reads 13 bar" in one.text for one in written(body, "conditional"))


def test_every_sentence_has_words_of_its_sop() -> None:
    for level in ("symptom", "scenario", "conditional"):
        for one in written(FILTER, level):
            for sentence in sentences(one.text):
                assert set(terms(sentence)) & set(terms(FILTER)), sentence


def test_neither_tools_nor_the_revision_history_are_asked_about() -> None:
    said = " ".join(one.text for level in LEVELS for one in written(FILTER, level)[1:])
    assert "vacuum" not in said
    assert "old version" not in said


def test_the_tag_of_the_title_is_said_as_the_thing_it_is() -> None:
    hide = Naming("AHU-1 Filter Change", FILTER).hide
    assert (
        hide("Replace the filters of air handling unit AHU-1 today.")
        == "Replace the filters of air handling unit today."
    )
    assert hide("Tell them that AHU-1 will be off.") == "Tell them that the air handling unit will be off."


def test_an_alert_is_told_by_what_it_means() -> None:
    symptoms = written(ALERT, "symptom")
    assert any("has not been able to reach" in one.text for one in symptoms)
    assert not any("KubeletDown" in one.text for one in symptoms)


def test_a_row_of_an_alarm_table_becomes_what_the_panel_shows_and_why() -> None:
    conditions = {one.text for one in gather("CRAC Alarm Response", ALARMS).conditions}
    assert {"the panel shows airflow loss", "the belt is broken", "the motor has tripped"} <= conditions
    for one in written(ALARMS, "conditional"):
        assert squeezed(one.evidence) in squeezed(ALARMS)


@pytest.mark.parametrize(
    ("clause", "parts"),
    [
        ("the node is unreachable", ("the node", "it", "is unreachable")),
        ("the drum pressure reads 13 bar", ("the drum pressure", "it", "reads 13 bar")),
        ("pumps are worn", ("some pumps", "they", "are worn")),
        ("the pumps cannot start", ("the pumps", "they", "cannot start")),
        ("the frame itself is bent", ("the frame", "it", "is bent")),
        ("a bug exists", None),
        ("a low number of pods is detected", None),
        ("there is no default class", None),
    ],
)
def test_a_clause_is_taken_apart_where_its_thing_can_be_told(clause: str, parts: tuple[str, str, str] | None) -> None:
    found = clause_parts(clause)
    assert (found and (found.thing, found.pronoun, found.predicate)) == parts


def test_a_symptom_states_what_is_seen_and_never_in_the_words_side_by_side() -> None:
    texts = [one.text for one in written(ALERT, "symptom")]
    assert any({"system", "reach", "kubelet"} <= set(terms(text)) for text in texts)
    assert not any("system has not been able" in text for text in texts)


def test_possibilities_and_truths_are_nothing_that_somebody_sees() -> None:
    assert is_seen("the pump is leaking")
    assert not is_seen("the pump might leak")
    assert not is_seen("opening the breaker alone does not make it safe")


def test_a_search_phrase_quotes_no_words_that_stand_side_by_side() -> None:
    for one in written(FILTER, "keyword"):
        for pair in pairwise(one.text.lower().split()):
            assert " ".join(pair) not in FILTER.lower(), one.text


def test_a_search_phrase_has_no_adverb_and_no_number_of_a_split_name() -> None:
    body = "# QuotaWarning95\n\nThe bucket is nearly full and rejects new objects suddenly.\n\n1. Raise the quota.\n"
    typed = {word for one in written(body, "keyword") for word in one.text.split()}
    assert "bucket" in typed
    assert not {word for word in typed if word.endswith(("ly", "95"))}


def test_a_direct_question_asks_what_to_do_in_a_state_or_for_a_task() -> None:
    alone = "# Batch tank\n\n## Meaning\n\nThe alarm is raised when the dosing valve is not closed completely.\n"
    assert any(re.match(r"What\b.* the dosing valve is not closed", one.text) for one in written(alone, "direct"))
    tasks = [one.text for one in written(FILTER, "direct")]
    assert tasks
    assert all(text.endswith("?") for text in tasks)


def test_a_step_stands_beside_a_state_only_where_it_belongs_to_it() -> None:
    body = (
        "# Batch tank\n\nThe alarm is raised when the dosing valve is stuck.\n\n1. Flush the inlet strainer.\n"
        "2. If the agitator is not turning, replace the shear pin.\n"
    )
    asked = [one.text for one in written(body, "direct")]
    assert any("valve is stuck" in text and "strainer" in text for text in asked)
    assert any("agitator is not turning" in text and "pin" in text for text in asked)
    assert not any("valve is stuck" in text and "pin" in text for text in asked)


def test_a_thing_that_is_asked_for_is_a_pronoun_in_its_state() -> None:
    body = "# Batch tank\n\n1. If the feed agitator has stopped turning, restart the feed agitator.\n"
    asked = [one.text for one in written(body, "direct")]
    assert any("it has stopped turning" in text and text.count("agitator") == 1 for text in asked)


@pytest.mark.parametrize(
    ("clause", "found"),
    [
        ("the system goes into FAULT", "the system has gone into FAULT"),
        ("ARM7 CSC goes to FAULT and exits the control", "ARM7 CSC has gone to FAULT and exited the control"),
        ("a typo is identified within the resource", "I have found a typo within the resource"),
        ("a default class exists", "there is a default class"),
        ("there is not my name on the list", "my name is not on the list"),
        ("in error mode the gate cannot be locked", "the gate cannot be locked in error mode"),
        ("I notice that the pump is leaking", "the pump is leaking"),
        ("the token is invalid or has expired", "the token is invalid"),
        ("the pump is leaking", "the pump is leaking"),
        ("the goal is to find out why the pump leaks", ""),
    ],
)
def test_a_state_is_told_as_its_finder_says_it(clause: str, found: str) -> None:
    assert as_found(clause, odd=True) == found


@pytest.mark.parametrize("clause", ["the rotator moves", "a node was assigned", "some tools are on the bench"])
def test_what_is_neither_trouble_nor_news_is_told_by_nobody(clause: str) -> None:
    assert as_found(clause, odd=False) == ""


def test_a_thing_nobody_has_heard_of_is_one_of_several() -> None:
    parts = clause_parts("a control plane node is down")
    assert parts is not None
    assert (parts.first, parts.kind) == ("one of our control plane nodes", "the node")
    assert clause_parts("the first person does not answer") is None


def test_a_step_says_what_the_sop_is_about_where_it_stands_alone() -> None:
    body = "# Mixer drive\n\n1. Find the cause of it.\n2. Check the logs.\n3. Grease the drive of the mixer.\n"
    asked = [one.text for one in written(body, "direct")]
    assert any("grease the drive" in text for text in asked)
    assert not any(re.search(r"check the logs\?", text) for text in asked)


def test_headings_lose_capitals_and_bare_objects_get_their_article() -> None:
    body = (
        "# Descheduler\n\nThe kernel arguments are read at boot.\n\n## Verify the Kernel Arguments\n\n"
        "1. Clean crystal with dry nitrogen.\n2. The crystal is bent.\n"
    )
    orders = {order.infinitive for order in gather("Descheduler", body).actions}
    assert "verify the kernel arguments" in orders
    assert "clean the crystal with dry nitrogen" in orders


def test_a_reading_is_asked_about_by_a_quantity_that_is_printed_so() -> None:
    body = "# Bottles\n\n1. Check that the {} at most 300 bar.\n2. Open the valve of the manifold.\n"
    told = [one.text for one in written(body.format("cylinder pressures are"), "conditional")]
    assert told
    assert all("the cylinder pressures read 330 bar" in text for text in told)
    gathered = "# Bottles\n\n1. If the pressure rises above 300 bar in a bottle, open the valve of the manifold.\n"
    assert not any("pressure rises" in reading.quantity for reading in gather("", gathered).readings)


def test_two_steps_are_asked_about_together_only_where_they_stand_together() -> None:
    far = "".join(f"Nothing is to be done about item {number} of the list.\n\n" for number in range(9))
    body = f"# Tyre storage\n\n1. Carry the tyres to the shelf.\n\n{far}\n1. Write the date onto the label.\n"
    assert not any("tyres" in one.text and "date" in one.text for one in written(body, "direct"))
    near = body.replace(far, "")
    assert any("tyres" in one.text and "date" in one.text for one in written(near, "direct"))


def test_a_step_that_was_ordered_is_named_once() -> None:
    body = "# Tyre storage\n\n1. Carry the tyres to the shelf.\n2. Write the date onto the label.\n"
    texts = [one.text for one in written(body, "scenario")]
    assert any("Once that is done" in text for text in texts)
    assert all(text.count("tyres") == 1 for text in texts)


def test_what_is_no_trouble_is_told_with_its_thing_first() -> None:
    body = "# Bypass\n\n1. If the valve is connected to the manifold, turn the handle of the bypass.\n"
    texts = [one.text for one in written(body, "conditional")]
    assert texts
    assert any(re.search(r"\bthe valve\b.*: it is connected", text) for text in texts)


def test_another_draw_makes_other_choices_and_draw_zero_is_that_of_the_product() -> None:
    assert write(ask(FILTER), 0) == write(ask(FILTER))
    assert write(ask(FILTER), 1) == write(ask(FILTER), 1)
    assert write(ask(FILTER), 1) != write(ask(FILTER))


def test_what_a_thing_is_or_what_an_alert_does_is_nothing_that_somebody_sees() -> None:
    assert is_seen("there is a leak at the flange")
    assert not is_seen("the hutch is the experimental station of the beamline")
    assert not is_seen("a warning alert triggers at a high usage")


def test_a_search_phrase_has_no_contraction_and_no_number_that_names_nothing() -> None:
    body = "# Pump trip\n\nThe pump has stopped and doesn't start.\n\n1. Wait 10 minutes.\n2. Check the error 403.\n"
    typed = {word for one in written(body, "keyword") for word in one.text.split()}
    assert "pump" in typed
    assert not typed & {"doesn't", "10"}


def test_a_search_phrase_has_two_to_seven_words_and_no_article() -> None:
    found = [one.text for body in (FILTER, ALERT, ALARMS) for one in written(body, "keyword")]
    assert found
    assert all(2 <= len(text.split()) <= 7 for text in found)
    assert not {"the", "a", "is"} & {word for text in found for word in text.split()}


def test_an_sop_without_any_sentence_gets_no_question() -> None:
    assert write(ask("# Reference\n\n    0x00 0x01\n", ("scenario",))).questions == []


def test_german_conditions_keep_their_order_of_words() -> None:
    body = "# Pumpe wechseln\n\n1. Falls die Kupplung sich nicht lösen lässt, ist der Meister zu rufen.\n"
    assert [one.text for one in written(body, "direct", "de")] == [
        "Was ist zu tun, wenn die Kupplung sich nicht lösen lässt?"
    ]
    assert "sich nicht lösen lässt" in written(body, "scenario", "de")[0].text


def test_french_words_are_joined() -> None:
    body = "# Filtre\n\n1. Si il reste de la pression dans le circuit, ouvrir la purge.\n"
    assert written(body, "conditional", "fr")[0].text.startswith("S'il reste de la pression")


@pytest.mark.parametrize(
    ("verb", "ing", "done", "does"),
    [
        ("replace", "replacing", "replaced", "replaces"),
        ("shut", "shutting", "shut", "shuts"),
        ("verify", "verifying", "verified", "verifies"),
        ("tie", "tying", "tied", "ties"),
        ("open", "opening", "opened", "opens"),
        ("unplug", "unplugging", "unplugged", "unplugs"),
        ("double-check", "double-checking", "double-checked", "double-checks"),
        ("go", "going", "gone", "goes"),
    ],
)
def test_verbs_take_their_forms(verb: str, ing: str, done: str, does: str) -> None:
    assert (gerund(verb), participle(verb), third(verb)) == (ing, done, does)


@pytest.mark.parametrize(
    ("sentence", "infinitive"),
    [
        ("Then carefully open the drain cock, then the vent.", "open the drain cock"),
        ("Close the valve and check that it holds.", "close the valve"),
        ("You should restart your node.", "restart my node"),
        ("Lock and tag the isolator of the pump.", "lock and tag the isolator of the pump"),
        ("Set the level between the upper and lower mark.", "set the level between the upper and lower mark"),
    ],
)
def test_an_instruction_is_cut_to_what_can_be_asked_for(sentence: str, infinitive: str) -> None:
    found = action(sentence, sentence, 1)
    assert found is not None
    assert found.infinitive == infinitive


@pytest.mark.parametrize(
    "sentence",
    [
        "Water on the stand freezes at 0 °C.",
        "Do not open the box with wet hands.",
        "Repeat it.",
        "Check the value in /etc/hosts on the node.",
        "The pump has stopped.",
    ],
)
def test_what_is_no_instruction_or_cannot_be_said_is_left_out(sentence: str) -> None:
    assert action(sentence, sentence, 1) is None


def test_conditions_are_found_at_both_ends_of_a_sentence() -> None:
    leading = condition("If the frame is bent, stop the work.", "-", 1)
    trailing = condition("Stop the work when the frame is bent.", "-", 1)
    assert leading is not None
    assert trailing is not None
    assert leading.clause == trailing.clause == "the frame is bent"


@pytest.mark.parametrize("clause", ["needed", "it is bent", "so", "not in use any more", "using the old type of hose"])
def test_a_clause_that_leans_on_another_sentence_is_none(clause: str) -> None:
    assert not is_clause(clause)


def test_two_clauses_without_a_word_that_joins_them_are_none() -> None:
    assert not is_clause("a script execution fails the queue pauses")
    assert is_clause("the script execution fails and the queue pauses")
    assert is_clause("the panel shows that the queue is empty")


def test_an_apparent_order_outside_of_the_steps_is_none() -> None:
    body = (
        "# Outbound traffic\n\n## Meaning\n\nPossible causes of this alert are:\n\n"
        "- Backup operations to external storage\n- Complete loss of the inner network\n\n"
        "## Mitigation\n\n1. Restart the exporter of the flow collector.\n2. Compare the totals of both interfaces.\n"
    )
    orders = {order.infinitive for order in gather("Outbound traffic", body).actions}
    assert orders == {"restart the exporter of the flow collector", "compare the totals of both interfaces"}


def test_code_is_not_said_aloud() -> None:
    assert spoken("Restart the `node-exporter` pod with `kubectl delete`.") == "Restart the pod with ¤."
    assert spoken("Check the **red** lamp (see [here](x.md)).") == "Check the red lamp."


def test_the_reader_is_turned_into_the_speaker() -> None:
    assert first_person("if you are sure that your nodes answer you") == "if I am sure that my nodes answer me"
