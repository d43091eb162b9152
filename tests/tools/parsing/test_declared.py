"""Libraries that parsing imports are requirements of the package, not accidents of somebody else's requirements."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parents[3]
FOLDERS = ("agents", "apps", "configs", "graphs", "prompts", "soprag", "tools")


def canonical(requirement: str) -> str:
    """The name of a distribution as registries compare it."""
    name = re.match(r"[\w.-]+", requirement)
    assert name
    return re.sub(r"[-_.]+", "-", name[0]).lower()


def declared() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = [requirement for group in project["optional-dependencies"].values() for requirement in group]
    return {canonical(requirement) for requirement in (*project["dependencies"], *extras)}


def imported(file: Path) -> set[str]:
    """The top-level modules that a file imports, at its head or inside a function."""
    modules: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            modules.add(node.module)
    return {module.partition(".")[0] for module in modules} - sys.stdlib_module_names - set(FOLDERS)


def test_every_library_that_parsing_imports_is_declared() -> None:
    distributions, requirements = packages_distributions(), declared()
    undeclared = {
        f"{file.name}: {module}"
        for file in (ROOT / "tools" / "parsing").rglob("*.py")
        for module in imported(file)
        if not requirements & {canonical(name) for name in distributions.get(module, [module])}
    }
    assert undeclared == set()
