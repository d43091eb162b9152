"""The cache file: values by key, with an age."""

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
