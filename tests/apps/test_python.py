"""`import soprag`: a small documented face, and the examples of docs/python.md run as they stand."""

import ast
import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

import soprag
from tests.documents import write_procedure

ROOT = Path(__file__).parents[2]
PUMP = "# Restart the coolant pump P-101\n\nThe coolant pump trips when suction pressure is low.\n\n"
PUMP += "CAUTION: Hot surface.\n\n1. Open valve V-1.\n2. Press start.\n"


def test_every_name_of_the_face_is_there_documented_and_listed() -> None:
    assert sorted(soprag.__all__) == soprag.__all__
    for name in soprag.__all__:
        assert getattr(soprag, name).__doc__, name
        assert name in dir(soprag)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = soprag.nothing


def test_the_face_is_the_same_for_type_checkers_and_at_run_time() -> None:
    tree = ast.parse((ROOT / "apps" / "api" / "__init__.py").read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert names - {"import_module", "TYPE_CHECKING", "Any"} == set(soprag.__all__)


def test_importing_it_imports_nothing_else() -> None:
    code = "import sys, soprag; print(*[name for name in sys.modules if name.startswith(('soprag.', 'numpy'))])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


@pytest.mark.slow
def test_the_examples_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOPRAG_RUN__CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    (tmp_path / "procedures").mkdir()
    write_procedure(tmp_path / "procedures", 0).rename(tmp_path / "procedures" / "pump.md")
    write_procedure(tmp_path / "procedures", 1)
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    namespace: dict[str, object] = {}
    with contextlib.redirect_stdout(io.StringIO()) as output:
        for example in re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL):
            exec(compile(example, "docs/python.md", "exec"), namespace)
    text = output.getvalue()
    for words in ("{'added': 2}", "[1: Restart of the feed pump P-100", "graph TD", "nowhere"):
        assert words in text, text
    assert (tmp_path / "runs" / "pumps" / "benchmark" / "corpus.jsonl").is_file()


async def test_it_works_inside_a_running_event_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOPRAG_RUN__CACHE", str(tmp_path / "cache"))
    (tmp_path / "pump.md").write_text(PUMP, encoding="utf-8")
    with soprag.open_index(tmp_path / "index", profile="offline") as index:
        assert index.add(tmp_path / "pump.md").counts == {"added": 1}
        assert (await index.asearch("coolant pump tripped")).hits[0].sop == "pump"
        assert index.search("coolant pump tripped").hits[0].sop == "pump"
        assert (len(index), index.remove("pump"), len(index)) == (1, ["pump"], 0)
