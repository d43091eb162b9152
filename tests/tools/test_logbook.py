import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from soprag.tools.errors import UsageError
from soprag.tools.store.branches import off_path, on_path
from soprag.tools.store.log_entry import Head, LogEntry, head_file
from soprag.tools.store.logbook import Logbook
from soprag.tools.store.logbook_audit import verify


@pytest.fixture
def file(tmp_path: Path) -> Path:
    book = Logbook(tmp_path / "logbook.jsonl")
    for number in range(1, 7):
        book.append("done", by="ann", number=number, value={"value": 4.5, "unit": "bar"})
    return book.file


def lines(file: Path) -> list[str]:
    return file.read_text().splitlines()


def put(file: Path, rows: list[str]) -> None:
    file.write_text("".join(f"{row}\n" for row in rows))


def sealed(entry: LogEntry) -> str:
    """A line as the program would have written it."""
    return entry.model_copy(update={"hash": entry.sealed()}).line().decode()


def append_linked(file: Path, **facts: object) -> None:
    """A line that continues the chain, written past the program."""
    last = Logbook(file).entries()[-1]
    forged = last.model_copy(update={"number": last.number + 1, "previous": last.hash, "facts": facts})
    with file.open("a") as log:
        log.write(sealed(forged) + "\n")


def test_an_untouched_logbook_is_sound(file: Path) -> None:
    verdict = verify(file)
    assert (verdict.sound, verdict.entries, verdict.notices) == (True, 6, ())
    assert verify(file, [verdict.head]).sound


def test_a_changed_line_is_named(file: Path) -> None:
    rows = lines(file)
    rows[2] = rows[2].replace("4.5", "5.4")
    put(file, rows)
    assert verify(file).faults == ("line 3 (entry 3, 'done') was changed",)


def test_a_changed_line_with_a_hash_of_its_own_is_named(file: Path) -> None:
    rows = lines(file)
    entry = Logbook(file).entries()[2]
    forged = entry.model_copy(update={"facts": {"number": 3, "value": "fine"}})
    rows[2] = sealed(forged)
    put(file, rows)
    assert verify(file).faults == ("entry 4 does not follow entry 3: one of them was replaced",)


def test_a_removed_line_is_named(file: Path) -> None:
    put(file, [row for at, row in enumerate(lines(file)) if at != 3])
    assert verify(file).faults == ("entry 4 was removed",)


def test_lines_cut_off_at_the_end_are_named(file: Path) -> None:
    put(file, lines(file)[:4])
    assert verify(file).faults == ("entries 5 to 6 were cut off at the end",)


def test_an_inserted_line_is_named(file: Path) -> None:
    rows = lines(file)
    before, after = Logbook(file).entries()[2:4]
    forged = after.model_copy(update={"facts": {"approved": True}})
    rows.insert(3, sealed(forged))
    put(file, rows)
    assert before.number == 3
    assert verify(file).faults == ("line 4 was inserted: nothing builds on this entry 4",)


def test_a_repeated_line_is_named(file: Path) -> None:
    rows = lines(file)
    put(file, [*rows[:3], rows[2], *rows[3:]])
    assert verify(file).faults == ("line 4 repeats entry 3",)


def test_lines_in_another_order_are_named(file: Path) -> None:
    rows = lines(file)
    rows[1], rows[2] = rows[2], rows[1]
    put(file, rows)
    assert verify(file).faults == ("line 3 stands out of order: entry 2 comes after entry 3",)


def test_a_line_made_unreadable_is_named(file: Path) -> None:
    rows = lines(file)
    rows[5] = rows[5][:-4] + "!!}"
    put(file, rows)
    assert "line 6 was changed: it is not an entry any more" in verify(file).faults


def test_a_linked_line_appended_beyond_the_head_is_named(file: Path) -> None:
    append_linked(file, approved=True)
    assert verify(file).faults == ("entry 7 was appended by another program: the head does not know it",)


def test_a_line_appended_beyond_the_head_stays_known_when_the_logbook_goes_on(file: Path) -> None:
    append_linked(file, approved=True)
    Logbook(file).append("done", number=8)
    assert any("after entry 6 that the program had not written" in fault for fault in verify(file).faults)


def test_a_line_whose_writer_was_killed_before_it_confirmed_it_is_no_tampering(file: Path) -> None:
    head = head_file(file).read_bytes()
    Logbook(file).append("done", number=7)
    announced = json.loads(head) | {"next": Logbook(file).head.hash}
    head_file(file).write_text(json.dumps(announced))
    verdict = verify(file)
    assert (verdict.sound, verdict.entries) == (True, 7)
    assert "before it confirmed entry 7" in verdict.notices[0]
    Logbook(file).append("done", number=8)
    assert verify(file).sound


def test_an_announced_line_that_was_never_written_is_no_tampering(file: Path) -> None:
    head_file(file).write_text(json.dumps(json.loads(head_file(file).read_bytes()) | {"next": "ab" * 32}))
    verdict = verify(file)
    assert (verdict.sound, "before it wrote entry 7" in verdict.notices[0]) == (True, True)


@pytest.mark.parametrize(("old", "new"), [("{", '{"by":"eve",'), ('"kind":', '"kind": '), ('"ann"', '"\\u0061nn"')])
def test_a_line_in_another_spelling_is_named(old: str, new: str, file: Path) -> None:
    rows = lines(file)
    rows[2] = rows[2].replace(old, new, 1)
    put(file, rows)
    [fault] = verify(file).faults
    assert fault.startswith("line 3 was changed: it is not spelled as it was written")


def test_an_empty_line_is_named(file: Path) -> None:
    rows = lines(file)
    put(file, [*rows[:3], "", *rows[3:]])
    assert verify(file).faults == ("line 4 was changed: it is not an entry any more",)


def test_a_short_log_cut_together_with_its_head_is_named_also_when_it_goes_on(file: Path) -> None:
    put(file, lines(file)[:1])
    head_file(file).unlink()
    assert "head beside the logbook is missing" in verify(file).faults[0]
    Logbook(file).append("done", number=2)
    assert any("its head was not there" in fault for fault in verify(file).faults)


def test_a_log_cut_with_a_head_that_fits_is_found_by_an_anchor_only(file: Path) -> None:
    anchor = Logbook(file).head.anchor()
    assert verify(file, [anchor]).sound
    put(file, lines(file)[:2])
    head_file(file).write_text(json.dumps({"number": 2, "hash": Logbook(file).entries()[-1].hash}))
    assert verify(file).sound
    assert "noted apart from the record" in verify(file, [anchor]).faults[0]


@pytest.mark.parametrize(
    "short", [lambda head: head.hash[:12], lambda head: f"6:{head.hash[:16]}", lambda head: head.hash]
)
def test_an_anchor_may_be_shortened_to_twelve_digits(short: Callable[[Head], str], file: Path) -> None:
    assert verify(file, [short(Logbook(file).head)]).sound
    assert not verify(file, [short(Logbook(file).head)[:9]]).sound
    assert not verify(file, ["5:" + Logbook(file).head.hash]).sound


def test_another_answer_at_a_position_is_a_fork(file: Path) -> None:
    book = Logbook(file)
    first = book.append("done", by="ann", key="r1/3/reply", answer="20", value=20)
    book.append("step shown", key="r1/4/step shown")
    again = Logbook(file)
    assert again.append("done", by="ann", key="r1/3/reply", answer="20", value=20) == first
    again.append("done", by="ann", key="r1/3/reply", answer="25", value=25)
    again.append("step shown", key="r1/4/step shown")
    kinds = [(entry.kind, entry.facts.get("value")) for entry in again.entries()[6:]]
    assert kinds == [("done", 20), ("step shown", None), ("forked", None), ("done", 25), ("step shown", None)]
    assert again.entries()[8].facts == {"replaces": 7, "until": 8}
    path = [entry.facts.get("value") for entry in on_path(again.entries()) if entry.kind == "done" and entry.key]
    assert (path, [entry.number for entry in off_path(again.entries())]) == ([25], [7, 8])
    assert verify(file).sound


def test_going_back_to_the_first_answer_is_another_fork(file: Path) -> None:
    for answer in ("20", "25", "20"):
        Logbook(file).append("done", key="r1/3/reply", answer=answer, value=answer)
    path = [entry.facts["value"] for entry in on_path(Logbook(file).entries()) if entry.key]
    assert path == ["20"]
    assert [entry.kind for entry in Logbook(file).entries()].count("forked") == 2


def test_what_was_done_on_a_path_that_was_left_is_still_found(file: Path) -> None:
    book = Logbook(file)
    book.append("approved", key="c1/0", answer="yes")
    book.append("calling", key="c1/calling")
    book.append("refused", key="c1/0", answer="no")
    assert book.find("c1/calling")


def test_a_logbook_written_anew_is_found_by_a_head_noted_elsewhere(file: Path, tmp_path: Path) -> None:
    noted = verify(file).head
    file.unlink()
    head_file(file).unlink()
    Logbook(file).append("done", number=1)
    assert verify(file).sound
    assert not verify(file, [noted]).sound


def test_a_missing_head_and_a_missing_file_are_named(file: Path, tmp_path: Path) -> None:
    head_file(file).unlink()
    assert "head beside the logbook is missing" in verify(file).faults[0]
    with pytest.raises(UsageError, match="There is no logbook"):
        verify(tmp_path / "none.jsonl")


def test_what_was_cut_off_stays_known_when_the_logbook_goes_on(file: Path) -> None:
    put(file, lines(file)[:4])
    Logbook(file).append("done", number=7)
    assert any("entry 6, which had been written, was not there" in fault for fault in verify(file).faults)


def test_a_torn_last_line_is_reported_and_the_logbook_goes_on(file: Path) -> None:
    with file.open("ab") as torn:
        torn.write(lines(file)[-1][:40].encode())
    assert verify(file).sound
    assert "line 7, the last, is torn" in verify(file).notices[0]
    Logbook(file).append("done", number=8)
    verdict = verify(file)
    assert (verdict.sound, verdict.entries) == (True, 8)
    assert "line 7 was torn when the program was killed" in verdict.notices[0]


def test_an_entry_with_a_key_is_written_once_also_by_another_logbook(file: Path) -> None:
    first = Logbook(file).append("approved", key="k1", tool="email")
    assert Logbook(file).append("approved", key="k1", tool="other") == first
    assert verify(file).entries == 7


def test_two_logbooks_on_one_file_keep_one_chain(file: Path) -> None:
    one, two = Logbook(file), Logbook(file)
    for number in range(4):
        one.append("a", number=number)
        two.append("b", number=number)
    assert (verify(file).sound, verify(file).entries) == (True, 14)


def test_anything_can_be_a_fact(tmp_path: Path) -> None:
    book = Logbook(tmp_path / "logbook.jsonl")
    book.append("odd", text="line\nbreak \ud800 \x00", path=tmp_path, kinds={"a"}, number=float("nan"))
    assert verify(book.file).entries == 1
    assert json.loads(lines(book.file)[0])["facts"]["text"].startswith("line\nbreak")


def test_a_writer_that_is_killed_loses_nothing_it_said_was_written(tmp_path: Path) -> None:
    file = tmp_path / "logbook.jsonl"
    code = (
        "import sys; from pathlib import Path; from soprag.tools.store.logbook import Logbook\n"
        "book = Logbook(Path(sys.argv[1]))\n"
        "while True: print(book.append('x', text='y' * 5000).number, flush=True)\n"
    )
    command = [sys.executable, "-c", code, str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout
        said = [int(writer.stdout.readline()) for _ in range(20)]
        time.sleep(0.05)
        os.kill(writer.pid, signal.SIGKILL)
        said += [int(line) for line in writer.stdout.read().split()]
    Logbook(file).append("after")
    verdict = verify(file)
    assert verdict.sound
    assert verdict.entries >= len(said) + 1


def test_a_long_logbook_is_not_read_again_for_every_entry(tmp_path: Path) -> None:
    one, two = Logbook(tmp_path / "logbook.jsonl"), Logbook(tmp_path / "logbook.jsonl")
    for number in range(60):
        one.append("a", text="x" * 1000, number=number)
    began = time.process_time()
    for number in range(20):
        two.append("b", number=number)
        one.append("a", number=number)
    assert time.process_time() - began < 1.0
    assert (verify(one.file).entries, verify(one.file).sound) == (100, True)
