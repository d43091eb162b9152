import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from soprag.tools.errors import StorageError, UsageError
from soprag.tools.store.branches import off_path, on_path
from soprag.tools.store.log_entry import Head, LogEntry, head_file
from soprag.tools.store.logbook import Logbook
from soprag.tools.store.logbook_audit import verify
from soprag.tools.store.postgres_record import PostgresRecord
from soprag.tools.store.record_place import FileRecord
from soprag.tools.store.session_database import SessionDatabase
from tests.postgres import new_schema

Place = FileRecord | PostgresRecord


@pytest.fixture(params=["file", "postgres"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """A place without a record, of both kinds."""
    if request.param == "file":
        yield FileRecord(tmp_path / "logbook.jsonl")
        return
    database = SessionDatabase.of(new_schema(request.getfixturevalue("server")))
    database.prepare()
    yield PostgresRecord(database, "t1")
    database.close()


@pytest.fixture
def file(empty: Place) -> Place:
    """A record of six entries."""
    book = Logbook(empty)
    for number in range(1, 7):
        book.append("done", by="ann", number=number, value={"value": 4.5, "unit": "bar"})
    return empty


def read(place: Place) -> bytes:
    with place.reading() as record:
        return record.read()


def head(place: Place) -> bytes:
    with place.reading() as record:
        return record.head() or b""


def overwrite(place: Place, data: bytes, head: bytes | None) -> None:
    """What somebody does past the program."""
    if isinstance(place, FileRecord):
        place.file.write_bytes(data)
        head_file(place.file).unlink(missing_ok=True)
        if head is not None:
            head_file(place.file).write_bytes(head)
        return
    with place.database.transaction() as connection:
        connection.execute("DELETE FROM record_line WHERE thread = %s", (place.thread,))
        connection.execute("DELETE FROM record_head WHERE thread = %s", (place.thread,))
    with place.writing() as record:
        for row in data.splitlines(keepends=True):
            record.append(row)
        if head is not None:
            record.put_head(head)


def lines(place: Place) -> list[str]:
    return read(place).decode().splitlines()


def put(place: Place, rows: list[str]) -> None:
    overwrite(place, "".join(f"{row}\n" for row in rows).encode(), head(place))


def put_head(place: Place, data: bytes | None) -> None:
    overwrite(place, read(place), data)


def sealed(entry: LogEntry) -> str:
    """A line as the program would have written it."""
    return entry.model_copy(update={"hash": entry.sealed()}).line().decode()


def append_linked(file: Place, **facts: object) -> None:
    """A line that continues the chain, written past the program."""
    last = Logbook(file).entries()[-1]
    forged = last.model_copy(update={"number": last.number + 1, "previous": last.hash, "facts": facts})
    put(file, [*lines(file), sealed(forged)])


def test_an_untouched_logbook_is_sound(file: Place) -> None:
    verdict = verify(file)
    assert (verdict.sound, verdict.entries, verdict.notices) == (True, 6, ())
    assert verify(file, [verdict.head]).sound


def test_a_changed_line_is_named(file: Place) -> None:
    rows = lines(file)
    rows[2] = rows[2].replace("4.5", "5.4")
    put(file, rows)
    assert verify(file).faults == ("line 3 (entry 3, 'done') was changed",)


def test_a_changed_line_with_a_hash_of_its_own_is_named(file: Place) -> None:
    rows = lines(file)
    entry = Logbook(file).entries()[2]
    forged = entry.model_copy(update={"facts": {"number": 3, "value": "fine"}})
    rows[2] = sealed(forged)
    put(file, rows)
    assert verify(file).faults == ("entry 4 does not follow entry 3: one of them was replaced",)


def test_a_removed_line_is_named(file: Place) -> None:
    put(file, [row for at, row in enumerate(lines(file)) if at != 3])
    assert verify(file).faults == ("entry 4 was removed",)


def test_lines_cut_off_at_the_end_are_named(file: Place) -> None:
    put(file, lines(file)[:4])
    assert verify(file).faults == ("entries 5 to 6 were cut off at the end",)


def test_an_inserted_line_is_named(file: Place) -> None:
    rows = lines(file)
    before, after = Logbook(file).entries()[2:4]
    forged = after.model_copy(update={"facts": {"approved": True}})
    rows.insert(3, sealed(forged))
    put(file, rows)
    assert before.number == 3
    assert verify(file).faults == ("line 4 was inserted: nothing builds on this entry 4",)


def test_a_repeated_line_is_named(file: Place) -> None:
    rows = lines(file)
    put(file, [*rows[:3], rows[2], *rows[3:]])
    assert verify(file).faults == ("line 4 repeats entry 3",)


def test_lines_in_another_order_are_named(file: Place) -> None:
    rows = lines(file)
    rows[1], rows[2] = rows[2], rows[1]
    put(file, rows)
    assert verify(file).faults == ("line 3 stands out of order: entry 2 comes after entry 3",)


def test_a_line_made_unreadable_is_named(file: Place) -> None:
    rows = lines(file)
    rows[5] = rows[5][:-4] + "!!}"
    put(file, rows)
    assert "line 6 was changed: it is not an entry any more" in verify(file).faults


def test_a_linked_line_appended_beyond_the_head_is_named(file: Place) -> None:
    append_linked(file, approved=True)
    assert verify(file).faults == ("entry 7 was appended by another program: the head does not know it",)


def test_a_line_appended_beyond_the_head_stays_known_when_the_logbook_goes_on(file: Place) -> None:
    append_linked(file, approved=True)
    Logbook(file).append("done", number=8)
    assert any("after entry 6 that the program had not written" in fault for fault in verify(file).faults)


def test_a_line_whose_writer_was_killed_before_it_confirmed_it_is_no_tampering(file: Place) -> None:
    before = head(file)
    Logbook(file).append("done", number=7)
    announced = json.loads(before) | {"next": Logbook(file).head.hash}
    put_head(file, json.dumps(announced).encode())
    verdict = verify(file)
    assert (verdict.sound, verdict.entries) == (True, 7)
    assert "before it confirmed entry 7" in verdict.notices[0]
    Logbook(file).append("done", number=8)
    assert verify(file).sound


def test_an_announced_line_that_was_never_written_is_no_tampering(file: Place) -> None:
    put_head(file, json.dumps(json.loads(head(file)) | {"next": "ab" * 32}).encode())
    verdict = verify(file)
    assert (verdict.sound, "before it wrote entry 7" in verdict.notices[0]) == (True, True)


@pytest.mark.parametrize(("old", "new"), [("{", '{"by":"eve",'), ('"kind":', '"kind": '), ('"ann"', '"\\u0061nn"')])
def test_a_line_in_another_spelling_is_named(old: str, new: str, file: Place) -> None:
    rows = lines(file)
    rows[2] = rows[2].replace(old, new, 1)
    put(file, rows)
    [fault] = verify(file).faults
    assert fault.startswith("line 3 was changed: it is not spelled as it was written")


def test_an_empty_line_is_named(file: Place) -> None:
    rows = lines(file)
    put(file, [*rows[:3], "", *rows[3:]])
    assert verify(file).faults == ("line 4 was changed: it is not an entry any more",)


def test_a_short_log_cut_together_with_its_head_is_named_also_when_it_goes_on(file: Place) -> None:
    put(file, lines(file)[:1])
    put_head(file, None)
    assert "head beside the logbook is missing" in verify(file).faults[0]
    Logbook(file).append("done", number=2)
    assert any("its head was not there" in fault for fault in verify(file).faults)


def test_a_log_cut_with_a_head_that_fits_is_found_by_an_anchor_only(file: Place) -> None:
    anchor = Logbook(file).head.anchor()
    assert verify(file, [anchor]).sound
    put(file, lines(file)[:2])
    put_head(file, json.dumps({"number": 2, "hash": Logbook(file).entries()[-1].hash}).encode())
    assert verify(file).sound
    assert "noted apart from the record" in verify(file, [anchor]).faults[0]


@pytest.mark.parametrize(
    "short", [lambda head: head.hash[:12], lambda head: f"6:{head.hash[:16]}", lambda head: head.hash]
)
def test_an_anchor_may_be_shortened_to_twelve_digits(short: Callable[[Head], str], file: Place) -> None:
    assert verify(file, [short(Logbook(file).head)]).sound
    assert not verify(file, [short(Logbook(file).head)[:9]]).sound
    assert not verify(file, ["5:" + Logbook(file).head.hash]).sound


def test_another_answer_at_a_position_is_a_fork(file: Place) -> None:
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


def test_going_back_to_the_first_answer_is_another_fork(file: Place) -> None:
    for answer in ("20", "25", "20"):
        Logbook(file).append("done", key="r1/3/reply", answer=answer, value=answer)
    path = [entry.facts["value"] for entry in on_path(Logbook(file).entries()) if entry.key]
    assert path == ["20"]
    assert [entry.kind for entry in Logbook(file).entries()].count("forked") == 2


def test_what_was_done_on_a_path_that_was_left_is_still_found(file: Place) -> None:
    book = Logbook(file)
    book.append("approved", key="c1/0", answer="yes")
    book.append("calling", key="c1/calling")
    book.append("refused", key="c1/0", answer="no")
    assert book.find("c1/calling")


def test_a_logbook_written_anew_is_found_by_a_head_noted_elsewhere(file: Place) -> None:
    noted = verify(file).head
    overwrite(file, b"", None)
    Logbook(file).append("done", number=1)
    assert verify(file).sound
    assert not verify(file, [noted]).sound


def test_a_missing_head_and_a_missing_file_are_named(file: Place, tmp_path: Path) -> None:
    put_head(file, None)
    assert "head beside the logbook is missing" in verify(file).faults[0]
    with pytest.raises(UsageError, match="There is no logbook"):
        verify(tmp_path / "none.jsonl")


def test_what_was_cut_off_stays_known_when_the_logbook_goes_on(file: Place) -> None:
    put(file, lines(file)[:4])
    Logbook(file).append("done", number=7)
    assert any("entry 6, which had been written, was not there" in fault for fault in verify(file).faults)


def test_a_torn_last_line_is_reported_and_the_logbook_goes_on(file: Place) -> None:
    overwrite(file, read(file) + lines(file)[-1][:40].encode(), head(file))
    assert verify(file).sound
    assert "line 7, the last, is torn" in verify(file).notices[0]
    Logbook(file).append("done", number=8)
    verdict = verify(file)
    assert (verdict.sound, verdict.entries) == (True, 8)
    assert "line 7 was torn when the program was killed" in verdict.notices[0]


def test_an_entry_with_a_key_is_written_once_also_by_another_logbook(file: Place) -> None:
    first = Logbook(file).append("approved", key="k1", tool="email")
    assert Logbook(file).append("approved", key="k1", tool="other") == first
    assert verify(file).entries == 7


def test_two_logbooks_on_one_file_keep_one_chain(file: Place) -> None:
    one, two = Logbook(file), Logbook(file)
    for number in range(4):
        one.append("a", number=number)
        two.append("b", number=number)
    assert (verify(file).sound, verify(file).entries) == (True, 14)


def test_anything_can_be_a_fact(empty: Place, tmp_path: Path) -> None:
    book = Logbook(empty)
    book.append("odd", text="line\nbreak \ud800 \x00", path=tmp_path, kinds={"a"}, number=float("nan"))
    assert verify(empty).entries == 1
    assert json.loads(lines(empty)[0])["facts"]["text"].startswith("line\nbreak")


def test_a_writer_that_is_killed_loses_nothing_it_said_was_written(empty: Place) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.tools.endless_logbook", *_address(empty)], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout
        said = [int(writer.stdout.readline()) for _ in range(20)]
        time.sleep(0.05)
        os.kill(writer.pid, signal.SIGKILL)
        said += [int(line) for line in writer.stdout.read().split()]
    Logbook(empty).append("after")
    verdict = verify(empty)
    assert verdict.sound
    assert verdict.entries >= len(said) + 1


def _address(place: Place) -> tuple[str, ...]:
    if isinstance(place, FileRecord):
        return (str(place.file),)
    return (f"{place.database.url.address}&schema={place.database.url.schema}", place.thread)


def test_writers_at_the_same_time_keep_one_chain(empty: Place) -> None:
    books = [Logbook(empty) for _ in range(4)]
    with ThreadPoolExecutor(4) as threads:
        written = list(threads.map(lambda number: books[number % 4].append("x", number=number).number, range(40)))
    assert sorted(written) == list(range(1, 41))
    assert (verify(empty).sound, verify(empty).entries) == (True, 40)


def test_an_entry_that_was_taken_back_is_not_built_on(server: str) -> None:
    database = SessionDatabase.of(new_schema(server))
    database.prepare()
    book = Logbook(PostgresRecord(database, "t1"))
    book.append("first")
    with database.transaction() as connection:
        connection.execute(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE division_by_zero; END'"
        )
        connection.execute(
            "CREATE CONSTRAINT TRIGGER refused AFTER INSERT ON record_line DEFERRABLE INITIALLY DEFERRED "
            "FOR EACH ROW EXECUTE FUNCTION refuse()"
        )
    with pytest.raises(StorageError):
        book.append("taken back")
    with database.transaction() as connection:
        connection.execute("DROP TRIGGER refused ON record_line")
    book.append("second")
    assert [entry.kind for entry in book.entries()] == ["first", "second"]
    assert verify(book.place).sound
    database.close()


def test_a_long_logbook_is_not_read_again_for_every_entry(empty: Place) -> None:
    one, two = Logbook(empty), Logbook(empty)
    for number in range(60):
        one.append("a", text="x" * 1000, number=number)
    began = time.process_time()
    for number in range(20):
        two.append("b", number=number)
        one.append("a", number=number)
    assert time.process_time() - began < 1.0
    assert (verify(empty).entries, verify(empty).sound) == (100, True)
