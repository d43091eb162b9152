"""README's command lines run as they stand, in a folder like a clone, and print what README says they print."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
PIP = "python -m pip install uv && "
TESTS = "uv run --dev pytest"  # this very test
SOPRAG = [sys.executable, "-c", "from soprag.apps.cli.main import main; main()"]


def program(line: str) -> list[str]:
    """The arguments of a line, with the programs of this environment in place of what uv would install."""
    words = shlex.split(line.removeprefix(PIP), comments=True)
    assert words[:2] == ["uv", "run"], line
    return {"soprag": SOPRAG, "python": [sys.executable]}[words[2]] + words[3:]


def test_every_picture_and_page_that_readme_names_is_there() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert [link for link in links if not link.startswith("http") and not (ROOT / link).exists()] == []


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_the_lines_of_the_readme_run_one_after_the_other(tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    env = {**os.environ, "PYTHONPATH": str(ROOT), "SOPRAG_RUN__CACHE": str(tmp_path / "cache")}
    printed, ran = "", 0
    for block in BLOCK.finditer(README):
        if block["kind"] == "text":
            assert [line for line in block["text"].splitlines() if line not in printed] == []
        elif not block["kind"]:
            printed = ""
            for line in filter(lambda line: TESTS not in line, block["text"].splitlines()):
                call = {"cwd": tmp_path, "env": env, "stdin": subprocess.DEVNULL}
                done = subprocess.run(program(line), capture_output=True, text=True, check=False, **call)  # type: ignore[call-overload]
                assert done.returncode == 0, f"{line}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
                printed, ran = printed + done.stdout + done.stderr, ran + 1
    assert ran >= 12
