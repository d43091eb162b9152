"""The map is true: who imports whom, how long files and functions are, that every prompt and command is real."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("agents", "apps", "configs", "examples", "graphs", "prompts", "tools")
PRODUCT = ("agents", "apps", "configs", "graphs", "prompts", "tools")
FILES = sorted(file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py"))
LONGEST_FILE = 400
LONGEST_FUNCTION = 40
FORBIDDEN_NAMES = {"utils", "helpers", "common", "misc"}


def functions(file: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def body_length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines without the docstring."""
    first = function.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    docstring = (first.end_lineno or 0) - first.lineno + 1 if documented else 0
    return (function.end_lineno or 0) - function.lineno + 1 - docstring


def test_imports_go_one_way() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_files_and_functions_fit_on_a_page(file: Path) -> None:
    assert len(file.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE
    long = [function.name for function in functions(file) if body_length(function) > LONGEST_FUNCTION]
    # A graph is built by one function that reads like the drawing; its nodes are inside it.
    assert [name for name in long if name != "build"] == []


def test_a_public_class_name_occurs_once() -> None:
    modules: dict[str, list[str]] = {}
    for file in FILES:
        if file.relative_to(ROOT).parts[0] in PRODUCT:
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    modules.setdefault(node.name, []).append(str(file.relative_to(ROOT)))
    assert {name: places for name, places in modules.items() if len(places) > 1} == {}


def test_no_file_is_a_drawer() -> None:
    assert [file for file in FILES if file.stem in FORBIDDEN_NAMES] == []


def test_every_prompt_has_a_task_and_every_task_a_prompt_and_a_rule() -> None:
    from soprag.tools.llm import every_task
    from soprag.tools.rules.adapter import RULES, rule_of

    names = {task.name for task in every_task()}
    assert names == {file.stem for file in (ROOT / "prompts").glob("*.md")}
    assert names == set(RULES)
    assert all(callable(rule_of(name)) for name in names)


def test_nothing_heavy_is_imported_for_the_help_text() -> None:
    code = "import sys, soprag.apps.cli.main; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    heavy = {"langgraph", "langchain_core", "langchain_openai", "openai", "mineru", "chromadb", "numpy", "pydantic"}
    assert heavy & set(done.stdout.split()) == set()


def test_the_commands_of_the_readme_exist() -> None:
    from soprag.apps.cli.main import COMMANDS

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for command in re.findall(r"^\s*(?:uv run )?soprag ([a-z]+)", readme, flags=re.MULTILINE):
        assert command in COMMANDS
    assert "uv run python -m agents.build_benchmark" in readme
    assert "uv run --dev pytest" in readme
