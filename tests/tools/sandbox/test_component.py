"""The shipped component fits the guest it was built from, is compiled once, and can be built anew."""

import hashlib
import os
import sys
from pathlib import Path

import pytest

from soprag.tools.errors import ConfigError
from soprag.tools.sandbox import Program, build, component
from soprag.tools.sandbox.wasm import WasmSandbox
from tests.tools.sandbox.backends import LIMITS

LARGEST = 15 << 20  # bytes: what a file of the repository may have
FAKE_BUILDER = "import pathlib, sys; pathlib.Path(sys.argv[-1]).write_bytes(b'wasm')"


def ignore(_line: str) -> None:
    """Progress that nobody reads."""


@pytest.fixture
def builder(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A build that takes no libraries and measures nothing."""
    monkeypatch.setattr(build, "find_spec", lambda name: name)
    monkeypatch.setattr(build, "_sources", lambda: iter(()))
    monkeypatch.setattr(build, "_version", lambda _name: "1")
    monkeypatch.setattr(build, "_licenses", lambda: iter(("licence",)))
    monkeypatch.setattr(build, "_initial_memory", lambda _component: 64 << 20)
    return monkeypatch


def test_the_shipped_component_was_built_from_this_guest() -> None:
    manifest = component.read_manifest()
    assert manifest.guest == build.guest_hash(), "run `soprag sandbox build` and commit the artifact"


def test_the_shipped_component_is_the_one_of_its_manifest() -> None:
    archive = (component.FOLDER / component.ARCHIVE).read_bytes()
    assert hashlib.sha256(archive).hexdigest() == component.read_manifest().component
    assert len(archive) < LARGEST


def test_the_licences_of_all_that_is_in_the_component_are_shipped() -> None:
    text = (component.FOLDER / build.LICENSES).read_text(encoding="utf-8")
    names = ("CPython", build.BUILDER, *component.read_manifest().versions)
    assert [name for name in names if f"\n{name} " not in text] == []


def test_a_missing_component_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="soprag sandbox build"):
        component.read_manifest(tmp_path)


async def test_a_damaged_component_is_a_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / component.ARCHIVE).write_bytes(b"not xz")
    monkeypatch.setattr(component, "FOLDER", tmp_path)
    with pytest.raises(ConfigError, match="LZMAError"):
        await component.compiled_component(tmp_path / "cache", ignore)
    assert not list((tmp_path / "cache").rglob("*.cwasm*"))


async def test_only_a_few_old_components_stay_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def compile_nothing(_archive: Path, file: Path) -> None:
        file.write_bytes(b"compiled")

    monkeypatch.setattr(component, "_compile", compile_nothing)
    for number in range(4):
        (tmp_path / f"old{number}").mkdir()
        (tmp_path / f"old{number}" / "python.cwasm").write_bytes(b"")
        os.utime(tmp_path / f"old{number}" / "python.cwasm", (number, number))
    file = await component.compiled_component(tmp_path, ignore)
    assert file.read_bytes() == b"compiled"
    assert sorted(folder.name for folder in tmp_path.glob("old*")) == ["old2", "old3"]


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_a_compiled_component_that_does_not_load_is_compiled_anew(tmp_path: Path) -> None:
    file = component.compiled_file(tmp_path)
    file.parent.mkdir()
    file.write_bytes(b"of another machine")
    outcome = await WasmSandbox(tmp_path, LIMITS).run(Program("answer = 6 * 7"))
    assert outcome.value == 42


def test_building_without_the_builder_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "find_spec", lambda _name: None)
    with pytest.raises(ConfigError, match=r"soprag\[sandbox-build\]"):
        build.build_component(ignore)


def test_a_build_writes_component_licences_and_manifest(tmp_path: Path, builder: pytest.MonkeyPatch) -> None:
    builder.setattr(build, "COMMAND", (sys.executable, "-c", FAKE_BUILDER))
    manifest = build.build_component(ignore, tmp_path)
    assert component.read_manifest(tmp_path) == manifest
    assert manifest.guest == build.guest_hash()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["LICENSES.txt", "manifest.json", "python.wasm.xz"]


def test_a_build_that_fails_gives_its_reason(tmp_path: Path, builder: pytest.MonkeyPatch) -> None:
    builder.setattr(build, "COMMAND", (sys.executable, "-c", "import sys; sys.exit('no room')"))
    with pytest.raises(ConfigError, match="no room"):
        build.build_component(ignore, tmp_path)
    assert list(tmp_path.iterdir()) == []
