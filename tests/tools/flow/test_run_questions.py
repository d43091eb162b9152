"""What is said to replies that are no commands: about the run itself, and which command they stand for."""

from soprag.benchmarks.quality.reply_intent_fitting import labelled, shares
from soprag.tools.embedding.minilm import MiniLm
from soprag.tools.flow.commands import StepReply, near_command, parse
from soprag.tools.flow.cursor import Cursor
from soprag.tools.flow.edge_choice import likely, named
from soprag.tools.flow.reply_intent import Intent, fitted_intents, intent_reader
from soprag.tools.flow.run import FlowRun
from soprag.tools.flow.run_questions import answer, meant
from soprag.tools.procedure.plan import Edge, plan
from tests.tools.rules.reading import sop, views

PUMP = """# Start pump P-1

1. Open valve V-1.

   > **WARNING:** The shaft turns without notice.

2. Start the pump.
3. Is the red lamp on?
   - Yes: go to step 5.
   - No: go to step 4.
4. Read the pressure: between 4 and 6 bar.
5. Close the cover.
"""


def desk(body: str) -> Cursor:
    return Cursor(plan(sop(body), views(body).flow))


def walked(cursor: Cursor, *replies: str) -> FlowRun:
    run = cursor.begin()
    for reply in replies:
        run = cursor.reply(run, parse(reply)).run
    return run


def test_the_shipped_reader_tells_replies_from_questions_about_the_plant() -> None:
    found = shares(fitted_intents(), MiniLm(), labelled("report"))
    assert found.other_kept >= 0.95 and found.right >= 0.8 and found.wrong <= 0.1


def test_courtesies_and_requests_for_a_run_are_read_elsewhere() -> None:
    read = intent_reader(MiniLm().embed)
    assert [read(words) for words in ("thanks", "hello", "guide me through the pump restart", "")] == [""] * 4
    assert (read("how far am I?"), read("who do I call?")) == ("position", "")


def test_no_reply_in_other_words_moves_a_run() -> None:
    cursor = desk(PUMP)
    run = cursor.begin()
    intents: tuple[Intent, ...] = ("done", "back", "skip", "stop", "yes", "no", "ahead", "unsure")
    for intent in intents:
        assert answer(cursor, run, intent).startswith("Nothing was changed.")


def test_warnings_are_listed_wherever_the_run_stands_and_their_absence_is_no_proof() -> None:
    cursor = desk(PUMP)
    begun = cursor.begin()
    assert "The shaft turns without notice." in answer(cursor, begun, "warnings")
    other = desk("# T\n\n1. Open the box.\n2. Close it.\n")
    assert "no proof that it is safe" in answer(other, other.begin(), "warnings")


def test_the_position_and_the_next_steps_are_told() -> None:
    cursor = desk(PUMP)
    run = walked(cursor, "ack", "done", "ack", "done")
    assert "number 3 of" in answer(cursor, run, "position")
    told = answer(cursor, run, "next")
    assert "Close the cover." in told and "Read the pressure" in told


def test_a_mistyped_command_is_asked_about() -> None:
    assert (near_command("dnoe"), near_command("skp"), near_command("stopp")) == ("done", "skip", "stop")
    assert near_command("leak") == near_command("done 4 bar") == near_command("ok") == ""


def test_only_the_whole_words_of_a_way_choose_it() -> None:
    ways = (Edge("a", "the lamp is on"), Edge("b", "the lamp is not on"))
    assert named(ways, "The lamp is on.") == ways[0]
    assert named(ways, "lamp is on") is None and likely(ways, "lamp is on") == ways[0]
    assert likely(ways, "lamp is not on") == ways[1] and likely(ways, "red") is None
    denied = (Edge("a", "it does not"), Edge("b", "otherwise"))
    assert named(denied, "it does not") == denied[0] and likely(denied, "it does") is None


def test_some_words_of_a_way_are_asked_about() -> None:
    text = "# T\n\n1. Read the code.\n   - E4 (earth fault): go to step 3.\n   - O1 (overload): go to step 2.\n"
    other = desk(text + "2. Wait.\n3. Lock it.\n")
    assert "Is it `1`: E4 (earth fault)?" in meant(other, other.begin(), "E4")


def test_a_step_is_not_skipped_for_words_that_name_no_reason() -> None:
    cursor = desk(PUMP)
    run = walked(cursor, "ack")
    for reply in ("skip it", "skip this one", "skip step 1"):
        assert cursor.reply(run, parse(reply)).event == "refused"
    assert cursor.reply(run, parse("skip the valve is locked")).event == "skipped"


def test_a_single_digit_is_no_reading_before_it_is_confirmed() -> None:
    cursor = desk("# T\n\n1. Read the load: below 45 %.\n2. Start.\n")
    asked = cursor.reply(cursor.begin(), parse("1"))
    assert asked.event == "refused" and not asked.run.readings and "Is 1 the reading" in asked.text
    assert cursor.reply(asked.run, parse("1")).event == "done"


def test_a_value_of_another_kind_is_not_recorded() -> None:
    cursor = desk("# T\n\n1. Read the temperature: below 60 °C.\n2. Check the lamp.\n3. Note the pressure.\n")
    first = cursor.reply(cursor.begin(), parse("2,5 bar"))
    assert "not measured in °C" in first.text and not first.run.readings
    run = cursor.reply(first.run, parse("55 °C")).run
    assert "asks for no value" in cursor.reply(run, parse("2,5 bar")).text
    run = cursor.reply(run, parse("done")).run
    assert cursor.reply(run, parse("2,5 bar")).event == "done"


def test_a_value_answers_whether_a_step_applies_only_where_its_condition_compares_it() -> None:
    cursor = desk("# T\n\n1. Look.\n2. If the pressure is above 4 bar, open the vent.\n3. Tell the lead.\n")
    run = cursor.reply(cursor.begin(), parse("done")).run
    assert cursor.reply(run, parse("5 bar")).event == "applies"
    assert cursor.reply(run, parse("3 bar")).event == "skipped"
    assert cursor.reply(run, parse("3 V")).event == "refused"


def test_going_back_and_finished_are_commands() -> None:
    assert (parse("go back"), parse("Finished")) == (StepReply("back"), StepReply("done"))


def test_a_reading_in_a_sentence_is_a_reading_and_a_comparison_is_none() -> None:
    for reply in ("pressure is 2.5 bar", "it reads 2.5 bar.", "suction pressure: 2.5 bar", "now 2.5 bar"):
        assert parse(reply) == StepReply("done", "2.5 bar")
    assert parse("the pH is 7.1") == StepReply("done", "7.1")
    for reply in ("it is not 2.5 bar", "less than 2.5 bar", "is it 2.5 bar?", "set it to 2.5 bar", "step 5", "pump 2"):
        assert parse(reply).verb == "unknown"
