import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from soprag.tools.errors import UsageError
from soprag.tools.store.logbook import Logbook, head_file
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


def test_an_untouched_logbook_is_sound(file: Path) -> None:
    verdict = verify(file)
    assert (verdict.sound, verdict.entries, verdict.notices) == (True, 6, ())
    assert verify(file, verdict.head).sound


def test_a_changed_line_is_named(file: Path) -> None:
    rows = lines(file)
    rows[2] = rows[2].replace("4.5", "5.4")
    put(file, rows)
    assert verify(file).faults == ("line 3 (entry 3, 'done') was changed",)


def test_a_changed_line_with_a_hash_of_its_own_is_named(file: Path) -> None:
    rows = lines(file)
    entry = Logbook(file).entries()[2]
    forged = entry.model_copy(update={"facts": {"number": 3, "value": "fine"}})
    rows[2] = forged.model_copy(update={"hash": forged.sealed()}).model_dump_json()
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
    rows.insert(3, forged.model_copy(update={"hash": forged.sealed()}).model_dump_json())
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


def test_a_logbook_written_anew_is_found_by_a_head_noted_elsewhere(file: Path, tmp_path: Path) -> None:
    noted = verify(file).head
    file.unlink()
    head_file(file).unlink()
    Logbook(file).append("done", number=1)
    assert verify(file).sound
    assert not verify(file, noted).sound


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
