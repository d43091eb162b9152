"""Mutation testing: `uv run python -m benchmarks.mutation` changes modules one place at a time and runs their tests.

A mutant is killed when a test fails or exceeds the time limit. The mutants of a module are sampled with `--seed`; they
run in a copy of the tree, so the checkout is never changed.
"""

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("agents", "apps", "benchmarks", "configs", "examples", "graphs", "prompts", "tools")
_CURSOR = ("tests/tools/flow/test_cursor.py", "tests/tools/flow/test_ways_as_written.py")
_FLOW = (*_CURSOR, "tests/graphs/test_flow.py")
_LOGBOOK = ("tests/tools/test_logbook.py",)
_RANKING = tuple(f"tests/tools/retriever/test_{name}.py" for name in ("ranking", "late_interaction", "abstain"))
_GUARD = ("tests/tools/web/test_guard.py",)
TARGETS: dict[str, tuple[str, ...]] = {
    "tools/flow/cursor.py": _FLOW,
    "tools/procedure/plan.py": _FLOW,
    "graphs/flow/nodes.py": (*_FLOW, "tests/tools/test_approval.py", "tests/graphs/test_troubleshoot.py"),
    "graphs/flow/tool_calls.py": (*_FLOW, "tests/tools/test_approval.py"),
    "tools/actions/policy.py": ("tests/tools/actions/test_actions.py", "tests/graphs/test_flow.py"),
    "tools/text/identity.py": ("tests/tools/text/test_identity.py",),
    "tools/retriever/query/ranking.py": _RANKING,
    "tools/retriever/query/late_interaction.py": _RANKING,
    "tools/retriever/query/confidence.py": (*_RANKING, "tests/tools/retriever/test_retriever.py"),
    "tools/store/logbook.py": _LOGBOOK,
    "tools/store/log_entry.py": _LOGBOOK,
    "tools/store/branches.py": (*_LOGBOOK, "tests/tools/store/test_branches.py"),
    "tools/store/logbook_audit.py": _LOGBOOK,
    "tools/web/guard.py": _GUARD,
    "tools/web/special_addresses.py": _GUARD,
}
_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.MatMult: ast.Mult,
    ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip


def variants(node: ast.AST) -> Iterator[ast.AST]:
    """The changed forms of one node: operators, comparisons, conditions, constants, returns and dropped calls."""
    changed = copy.deepcopy(node)
    match changed:
        case ast.Compare() if type(changed.ops[0]) in _COMPARISONS:
            changed.ops[0] = _COMPARISONS[type(changed.ops[0])]()
            yield changed
        case ast.BinOp() if type(changed.op) in _OPERATORS:
            changed.op = _OPERATORS[type(changed.op)]()
            yield changed
        case ast.BoolOp():
            changed.op = ast.Or() if isinstance(changed.op, ast.And) else ast.And()
            yield changed
        case ast.If() | ast.IfExp():
            changed.test = ast.UnaryOp(ast.Not(), changed.test)
            yield changed
        case _:
            yield from _replacements(changed)


def _replacements(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield ast.Constant(value + 1)
        case ast.Return(value=ast.expr()):
            yield ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call() | ast.Await()):
            yield ast.Pass()


def functions(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements inside functions: what runs, without annotations, docstrings and declarations."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from node.body


def mutants(source: str) -> list[tuple[int, str, str]]:
    """(line, description, mutated source) of every mutant of a module."""
    tree = ast.parse(source)
    nodes = {id(node): node for body in functions(tree) for node in ast.walk(body)}
    found = []
    for node in nodes.values():
        for changed in variants(node):
            text = ast.unparse(_Replace(node, ast.copy_location(changed, node)).visit(ast.parse(source)))
            what = f"{_line(node)} -> {_line(changed)}"
            found.append((getattr(node, "lineno", 0), what, text))
    return sorted(found)


class _Replace(ast.NodeTransformer):
    """Replaces the node at the position of `node`."""

    def __init__(self, node: ast.AST, changed: ast.AST) -> None:
        self.position, self.dump, self.changed = _position(node), ast.dump(node), changed

    def visit(self, node: ast.AST) -> ast.AST:
        """The replacement at the position, and every other node with its children visited."""
        if _position(node) == self.position and ast.dump(node) == self.dump:
            return ast.fix_missing_locations(self.changed)
        return super().generic_visit(node)


def _position(node: ast.AST) -> tuple[object, ...]:
    return tuple(getattr(node, name, None) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset"))


def _line(node: ast.AST) -> str:
    return ast.unparse(ast.fix_missing_locations(copy.deepcopy(node))).split("\n")[0][:100]


def copy_tree(folder: Path) -> None:
    """Copy the checkout to `folder`, with the package `soprag` as links to its folders."""
    ignored = shutil.ignore_patterns(".git", ".venv", "build", "__pycache__", "*.egg-info", "node_modules", ".*_cache")
    shutil.copytree(ROOT, folder, ignore=ignored, dirs_exist_ok=True)
    shutil.copytree(ROOT / "apps" / "api", folder / "soprag")
    for package in PACKAGES:
        (folder / "soprag" / package).symlink_to(folder / package)


def survives(folder: Path, tests: tuple[str, ...], seconds: float) -> bool:
    """Whether the tests pass within `seconds`."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n0", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # only the mutant is compiled anew
    try:
        return not subprocess.run(
            command, cwd=folder, env=environment, timeout=seconds, capture_output=True, check=False
        ).returncode
    except subprocess.TimeoutExpired:
        return False


def measure(folder: Path, module: str, options: argparse.Namespace) -> tuple[int, int]:
    """(killed, run) of the sampled mutants of `module`; prints each survivor."""
    file = folder / module
    source = file.read_text(encoding="utf-8")
    if not survives(folder, TARGETS[module], options.seconds):
        raise SystemExit(f"The tests of {module!r} fail, or exceed {options.seconds} s, without a mutation.")
    candidates = mutants(source)
    sample = random.Random(options.seed).sample(candidates, min(options.sample, len(candidates)))
    killed = 0
    for line, what, text in sorted(sample):
        file.write_text(text, encoding="utf-8")
        if survives(folder, TARGETS[module], options.seconds):
            print(f"survived  {module}:{line}  {what}", flush=True)  # noqa: T201 - a command's output
        else:
            killed += 1
    file.write_text(source, encoding="utf-8")
    print(f"{killed}/{len(sample)} of {len(candidates)}  {module}", flush=True)  # noqa: T201
    return killed, len(sample)


def main() -> None:
    """Measure the named modules, by default all of `TARGETS`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", help="modules of TARGETS; default: all")
    parser.add_argument("--sample", type=int, default=20, help="mutants per module")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=120.0, help="time limit of a test run")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mutation-") as name:
        copy_tree(Path(name))
        scores = [measure(Path(name), module, options) for module in options.modules or TARGETS]
    print(f"{sum(k for k, _ in scores)}/{sum(n for _, n in scores)} killed")  # noqa: T201


if __name__ == "__main__":
    main()
