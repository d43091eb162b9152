"""The cache file: values by key, with an age."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from soprag.tools.store.sqlite import CacheFile


def test_many_values_come_back_by_their_keys_also_in_the_next_process(tmp_path: Path) -> None:
    values = {f"key {number}": bytes([number % 256]) * 3 for number in range(1200)}
    CacheFile.open(tmp_path / "cache.sqlite").put_many(values)
    assert CacheFile.open(tmp_path / "cache.sqlite").get_many([*values, "none"]) == values


def test_a_value_that_is_too_old_is_not_found_and_a_new_one_takes_its_place(tmp_path: Path) -> None:
    clock = [1000.0]
    cache = CacheFile.open(tmp_path / "cache.sqlite", seconds=60, clock=lambda: clock[0])
    cache.put("key", b"old")
    clock[0] += 61
    assert cache.get("key") is None
    cache.put("key", b"new")
    assert cache.get("key") == b"new"


def test_a_new_file_may_be_opened_by_many_at_once(tmp_path: Path) -> None:
    def one_more(number: int) -> None:
        cache = CacheFile.open(tmp_path / f"cache-{number // 8}.sqlite")
        cache.put(str(number), b"stored")
        assert cache.get(str(number)) == b"stored"

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(one_more, range(800)))
