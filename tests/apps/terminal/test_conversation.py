"""The chat as a person types it, on a scripted graph with real interrupts."""

from pathlib import Path

import pytest

from soprag.apps.terminal.pages import page_of
from soprag.apps.terminal.requests import StepRequest
from soprag.configs.settings import load
from soprag.tools.errors import ApprovalNeeded
from soprag.tools.flow.requests import StepArguments, WayShown
from soprag.tools.procedure.page import raw
from soprag.tools.store.logbook import Logbook
from soprag.tools.text.sanitize import sanitize
from tests.apps.terminal.desk import chat, replies
from tests.apps.terminal.scripted import WARNING, open_scripted

GUIDED = ("guide me", "ack")


async def test_every_block_of_an_answer_is_shown_once_and_word_for_word(tmp_path: Path) -> None:
    tape, code, _ = await chat(tmp_path, "the fan stopped")
    assert code == 0
    assert tape.text.count("Reset the fan (fan)") == 1
    assert f"! {sanitize(WARNING)}\n1. Lock out *FAN-2*." in tape.text
    assert "\x1b" not in tape.text


async def test_a_listed_procedure_is_picked_by_its_number_and_a_choice_is_left_to_the_graph(tmp_path: Path) -> None:
    _, _, session = await chat(tmp_path, "nothing", "2", "which", "1")
    async with open_scripted(load(environment={}), session, "ana") as opened:
        asked = [message.text for message in (await opened.dialogue.standing()).messages if message.type == "human"]
    assert asked == ["nothing", "Pump B", "which", "1"]


async def test_progress_of_every_expert_reaches_the_screen(tmp_path: Path) -> None:
    tape, _, _ = await chat(tmp_path, "the fan stopped", "/trace")
    assert [(one.expert, one.phase) for one in tape.notes] == [("retrieval", "begin"), ("retrieval", "end")]
    assert "s1 retrieval · 0.4 s · look" in tape.text


async def test_a_source_is_shown_by_its_number(tmp_path: Path) -> None:
    tape, _, _ = await chat(tmp_path, "/source 1", "the fan stopped", "/sou 1", "/source 9", "/source")
    assert "There is no source [1] yet" in tape.text
    assert "fan 1 (5, 5)" in tape.text
    assert "The sources are [1]." in tape.text
    assert "Give the number" in tape.text


async def test_a_long_procedure_is_listed_by_section_and_shown_one_section_at_a_time(tmp_path: Path) -> None:
    tape, _, _ = await chat(tmp_path, "/steps", "long", "/steps", "/steps leak", "/steps 9", "/steps l", "/steps all")
    missing, listed, leak, none, several, whole = tape.text.split("> /steps")[1:]
    assert "There is no procedure yet" in missing
    assert "(2) Leak at the flange · steps [11] to [15] · for this question" in listed
    assert "Read gauge" not in listed
    assert "5. Tighten flange bolt 5." in leak
    assert "Sign sheet" not in leak
    assert "'9' is none of them; /steps lists the parts by number." in none
    assert "'l' could be 1, 2;" in several
    assert "10. Read gauge 10." in whole
    assert "3. Sign sheet 3." in whole


async def test_warnings_stand_on_the_screen_and_are_acknowledged_before_their_step(tmp_path: Path) -> None:
    tape, _, session = await chat(tmp_path, "guide me", "done", "", "yes")
    warning, step = tape.text.index(sanitize(WARNING)), tape.text.index("Open <V-101> and *wait* [red].")
    assert warning < tape.text.index("The warnings come first; type ack") < step
    assert await replies(session) == [{"type": "approve"}]
    assert "! The warning above, just acknowledged, must be kept to.\n\n1. Open" in tape.text


async def test_warnings_are_shown_again_with_their_step_unless_they_stand_right_above(tmp_path: Path) -> None:
    tape, _, session = await chat(tmp_path, "guide me", "/steps", "ack", "what is that?")
    assert tape.text.count(sanitize(WARNING)) == 3
    tape, _, _ = await chat(tmp_path, "/resume", session=session)
    assert tape.text.count(sanitize(WARNING)) == 2


async def test_a_reply_that_was_not_taken_is_answered_by_the_reason_alone(tmp_path: Path) -> None:
    tape, _, _ = await chat(tmp_path, *GUIDED, "done", "1", "done 9 bar", "done 9 bar", "/steps", "done 9 bar")
    assert tape.text.count("Step 3 of 3") == 2
    assert tape.text.count(">> '9 bar' is outside") == 3


async def test_a_guided_run_from_the_first_step_to_the_last(tmp_path: Path) -> None:
    tape, _, session = await chat(tmp_path, *GUIDED, "done", "1", "/done 9 bar", "done 4 bar")
    assert "step 3/3> /done 9 bar" in tape.text
    assert ">> '9 bar' is outside '2 to 6 bar'." in tape.text
    assert "(1) the lamp is on: go to step 3\n(2) otherwise: go to step 1" in tape.text
    assert "The run has ended." in tape.text
    said = [reply.get("message", reply["type"]) for reply in await replies(session)]
    assert said == ["approve", "done", "1", "done 9 bar", "done 4 bar"]


async def test_an_empty_line_moves_nothing(tmp_path: Path) -> None:
    _, _, session = await chat(tmp_path, *GUIDED, "", "   ")
    assert len(await replies(session)) == 1


async def test_a_question_at_a_step_is_asked_and_the_step_stays(tmp_path: Path) -> None:
    tape, _, session = await chat(tmp_path, *GUIDED, "where is V-101?", "back pressure is high")
    assert [reply.get("message") for reply in await replies(session)][1:] == [
        "where is V-101?",
        "back pressure is high",
    ]
    assert tape.text.count("Step 1 of 3") == 3


async def test_a_skip_needs_a_reason(tmp_path: Path) -> None:
    tape, _, session = await chat(tmp_path, *GUIDED, "/skip", "skip", "skip the valve is locked")
    assert tape.text.count("Say why: /skip REASON.") == 2
    assert (await replies(session))[-1] == {"type": "respond", "message": "skip the valve is locked"}


async def test_commands_of_a_step_mean_nothing_without_a_run(tmp_path: Path) -> None:
    tape, _, _ = await chat(tmp_path, "/done", "/frobnicate", "/s", "/ex")
    assert "/done answers a step; no guided run is waiting for one." in tape.text
    assert "There is no command /frobnicate" in tape.text
    assert "/s could be /sops, /source, /steps" in tape.text


async def test_an_action_is_refused_unless_somebody_says_yes(tmp_path: Path) -> None:
    at_mail = (*GUIDED, "done", "use email")
    for typed in (("", ""), ("n", ""), ("no", "")):
        _, _, session = await chat(tmp_path, *at_mail, *typed)
        assert (await replies(session))[-1] == {"type": "reject"}
    tape, _, session = await chat(tmp_path, *at_mail, "perhaps", "sure", "ok", "/quit")
    assert (await replies(session))[-1]["message"] == "use email"
    assert tape.text.count("Please say yes, no or edit;") == 3


async def test_a_refusal_carries_its_reason_and_an_approval_is_nothing_but_yes(tmp_path: Path) -> None:
    tape, _, session = await chat(tmp_path, *GUIDED, "done", "/use", "no", "wrong address", "use email", "y")
    assert (await replies(session))[-3:] == [
        {"type": "reject", "message": "wrong address"},
        {"type": "respond", "message": "use email"},
        {"type": "approve"},
    ]
    assert "body:\n| Pump tripped.\n| Come." in tape.text


async def test_a_yes_in_place_of_a_reason_neither_approves_nor_refuses(tmp_path: Path) -> None:
    _, _, session = await chat(tmp_path, *GUIDED, "done", "use email", "", "y", "/quit")
    assert (await replies(session))[-1]["message"] == "use email"


async def test_an_edited_action_is_shown_again_and_approved_as_edited(tmp_path: Path) -> None:
    typed = ("e", "", "P-101 tripped", "Come\nnow.", "x", "3", "yes")
    tape, _, session = await chat(tmp_path, *GUIDED, "done", "use email", *typed)
    arguments = {"to": "shift@plant", "subject": "P-101 tripped", "body": "Come\nnow.", "copies": 3}
    edited = {"type": "edit", "edited_action": {"name": "email", "args": arguments}}
    assert (await replies(session))[-1] == edited
    assert tape.text.rindex("| now.") < tape.text.rindex("Approve? y(es)/e(dit)/N(o)> ")


async def test_a_second_person_approves_where_the_settings_say_so(tmp_path: Path) -> None:
    typed = ("y", "Ana", "y", "", "yes as \u0430na", "y", "M. Ito")
    tape, _, session = await chat(tmp_path, *GUIDED, "done", "use", *typed, operator="ana", policy="other")
    assert tape.text.count("Somebody else has to approve this; nothing was done.") == 3
    assert (await replies(session))[-1] == {"type": "approve", "approver": "M. Ito"}


async def test_an_approval_may_carry_a_name_and_nothing_else(tmp_path: Path) -> None:
    typed = ("yes please", "yes, but later", "yes as M. Ito")
    tape, _, session = await chat(tmp_path, *GUIDED, "done", "use", *typed)
    assert tape.text.count("`yes as NAME` where somebody else approves.") == 2
    assert (await replies(session))[-1] == {"type": "approve", "approver": "M. Ito"}


async def test_where_nobody_is_at_the_terminal_nothing_is_decided(tmp_path: Path) -> None:
    with pytest.raises(ApprovalNeeded, match="nobody is at a terminal") as fault:
        await chat(tmp_path, "guide me", "ack", "done", attended=False)
    assert fault.value.exit_code == 5


async def test_a_session_is_taken_up_at_the_step_where_it_was_left(tmp_path: Path) -> None:
    _, _, session = await chat(tmp_path, *GUIDED, "done")
    assert session.read().at == "step 2/3 of Reset the fan"
    tape, _, _ = await chat(tmp_path, "yes", session=session)
    assert tape.rows[0].startswith("Step 2 of 3\nReset the fan › Start\n\n2. Is the lamp on?")
    assert (await replies(session))[-1]["message"] == "yes"


async def test_a_failing_turn_leaves_the_chat_alive(tmp_path: Path) -> None:
    tape, code, _ = await chat(tmp_path, "fail", "which pump?")
    assert "ModelUnavailable: The model gave no answer." in tape.text
    assert "Which pump: A or B?" in tape.text
    assert code == 0


async def test_ctrl_c_twice_leaves_with_130_and_ctrl_d_with_0(tmp_path: Path) -> None:
    tape, code, _ = await chat(tmp_path, KeyboardInterrupt, KeyboardInterrupt, "never")
    assert (code, tape.typed) == (130, ["never"])
    assert (await chat(tmp_path, EOFError))[1] == 0
    assert (await chat(tmp_path, "/quit"))[1] == 0


async def test_notes_outside_a_run_go_into_the_record(tmp_path: Path) -> None:
    _, _, session = await chat(tmp_path, "/note filter is grey", "/note")
    entry = Logbook(session.logbook).entries()[-1]
    assert (entry.kind, entry.by, entry.facts) == ("note", "operator", {"text": "filter is grey"})


async def test_other_commands(tmp_path: Path) -> None:
    tape, _, session = await chat(tmp_path, "/sops", "/why", "/why the fan", "/sess", "/resume", "/new", operator="ana")
    assert "Reset the fan (fan)" in tape.text
    assert "There is no answer yet to explain" in tape.text
    assert "found the fan because" in tape.text
    assert f"* {session.id}" in tape.text
    assert "Nothing is left to go on with here" in tape.text
    assert tape.rows[-1] == "leaves for ''"


async def test_a_listed_procedure_is_picked_by_its_number(tmp_path: Path) -> None:
    tape, _, session = await chat(tmp_path, "/sops fan", "2", "7")
    assert "1. found fan\n2. another" in tape.text
    assert session.read().title == "another"


async def test_resume_with_an_id_leaves_for_that_session(tmp_path: Path) -> None:
    _, _, first = await chat(tmp_path, "which")
    tape, _, _ = await chat(tmp_path, f"/resume {first.id}")
    assert tape.rows[-1] == f"leaves for {first.id!r}"
    tape, _, _ = await chat(tmp_path, f"/resume {first.id}", "/resume nope", session=first)
    assert "This is that session." in tape.text
    assert "There is no session 'nope'" in tape.text


async def test_the_bell_rings_when_something_waits(tmp_path: Path) -> None:
    tape, _, _ = await chat(tmp_path, "guide me")
    assert tape.rung == 1


def test_each_way_of_a_step_names_where_it_leads() -> None:
    ways = (WayShown(to=3, condition="it is out of phase"), WayShown(to=5))
    at = StepArguments(sop="ups", number=2, of=5, text="If it is out of phase, wait.", kind="decision", ways=ways)
    assert "(1) it is out of phase: go to step 3\n(2) otherwise: go to step 5" in raw(page_of(StepRequest(at)))
    ends = at.model_copy(update={"ways": (WayShown(to=0, condition="it is out of phase"), WayShown(to=3))})
    assert "(1) it is out of phase: the procedure ends\n(2) otherwise: go to step 3" in raw(page_of(StepRequest(ends)))
    lost = at.model_copy(update={"ways": (WayShown(to=0, condition="it is red", unresolved=True), WayShown(to=3))})
    assert "(1) it is red: the text does not tell where to go on" in raw(page_of(StepRequest(lost)))
    printed = at.model_copy(update={"label": "7.", "ways": (WayShown(to=3, label="1."), WayShown(to=4, label="4"))})
    page = raw(page_of(StepRequest(printed)))
    assert page.startswith("Step 7 (2 of 5)")
    assert "go to step 1 (3)\n" in page and page.endswith("go to step 4")
