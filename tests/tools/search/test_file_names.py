"""Any file name a disk can hold becomes text that prints, and leads back to the file."""

import os
import unicodedata
from pathlib import Path, PurePath, PurePosixPath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from soprag.tools.search.file_names import from_location, suffix_of, to_location
from soprag.tools.search.folder import FolderSource
from soprag.tools.sop import digest

# A name on a POSIX disk: 1 to 255 bytes without NUL and slash, not one of the two dots.
_BYTES = st.binary(min_size=1, max_size=255).map(lambda data: bytes(byte for byte in data if byte not in b"\0/"))
_TEXT = st.text(min_size=1, max_size=60).map(
    lambda text: text.replace("/", "").replace("\0", "").encode("utf-8", "ignore")
)
NAMES = (_BYTES | _TEXT).filter(lambda name: name not in (b"", b".", b".."))
ODD = (
    b"caf\xe9 pump.md",
    b"line\nbreak.md",
    b"x" * 252 + b".md",
    b"a." + b"y" * 253,
    "\u202egnp.md".encode(),
    "\u0645\u0636\u062e\u0629.md".encode(),
    b"-rf.md",
    b"a..md",
    b"%41.md",
    b"%FF.md",
    b"\xed\xa0\x80.md",
    b"...",
)


@given(st.lists(NAMES, min_size=1, max_size=3))
@example([b"%", b"41"])
@example([b"%\n"])
def test_a_location_prints_and_leads_back_to_the_path(parts: list[bytes]) -> None:
    path = PurePath(*map(os.fsdecode, parts))
    location = to_location(path)
    location.encode()
    assert not any(unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") for character in location)
    assert from_location(location) == Path(path)


@given(NAMES, NAMES)
def test_two_names_never_share_a_location(first: bytes, second: bytes) -> None:
    names = [os.fsdecode(name) for name in (first, second)]
    assert (to_location(PurePosixPath(names[0])) == to_location(PurePosixPath(names[1]))) == (first == second)


@given(st.text() | st.binary().map(lambda data: data.decode("utf-8", "surrogateescape")))
def test_any_text_has_a_digest(text: str) -> None:
    assert len(digest(text)) == 64


@given(NAMES)
def test_a_suffix_is_short_and_plain(name: bytes) -> None:
    suffix = suffix_of(to_location(PurePosixPath(os.fsdecode(name))))
    assert suffix == "" or (suffix[0] == "." and suffix[1:].isalnum() and len(suffix) <= 16)


@pytest.mark.skipif(os.name == "nt", reason="Windows refuses such names")
def test_files_with_odd_names_are_found_and_read(tmp_path: Path) -> None:
    visible = [name for name in ODD if not name.startswith(b".")]
    for number, name in enumerate(ODD):
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_bytes(b"%d" % number)
    source = FolderSource(tmp_path, 1000)
    candidates = source.find([])
    assert len(candidates) == len(visible)
    assert {source.read(candidate) for candidate in candidates} == {b"%d" % ODD.index(name) for name in visible}
    for candidate in candidates:
        candidate.provenance.model_dump_json()
