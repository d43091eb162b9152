"""Keeps the component small: modules are loaded without docstrings and line numbers, and freed memory is cleared."""

import ast
import gc
import sys
from importlib.machinery import SourceFileLoader
from types import CodeType
from typing import Any

# One entry of a location table (Objects/locations.md of CPython): 8 code units on the line of the entry before.
SAME_LINE = bytes([0x80 | 13 << 3 | 7, 0])
UNITS = 16  # bytes of bytecode that an entry covers
BLOCKS = (65536, 16384, 4096, 1024, 512, 256, 128, 96, 64, 48, 32, 24, 16, 8)  # bytes
CONSECUTIVE = 8  # blocks in a row beyond the heap's end: no freed block of this size is left


def install() -> None:
    """Load every later module without docstrings and line numbers; programs are compiled as usual."""
    sys.dont_write_bytecode = True
    SourceFileLoader.source_to_code = _compile_small  # type: ignore[assignment,method-assign]


def clear_free_memory() -> None:
    """Overwrite the memory that the imports freed: it holds parts of sources and would be stored in the component."""
    gc.collect()
    end = max(id(item) for item in gc.get_objects())
    blocks = []
    for size in BLOCKS:
        beyond = 0
        while beyond < CONSECUTIVE:
            blocks.append(bytes(size))
            beyond = beyond + 1 if id(blocks[-1]) > end else 0


def _compile_small(_loader: SourceFileLoader, source: Any, path: Any, **_: Any) -> CodeType:  # noqa: ANN401 - as importlib's
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            _empty_docstring(node.body)
    return _without_lines(compile(tree, path, "exec", dont_inherit=True))


def _empty_docstring(body: list[ast.stmt]) -> None:
    """Empty and not removed: some libraries extend or format their docstrings."""
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        constant = body[0].value
        if isinstance(constant.value, str):
            constant.value = ""


def _without_lines(code: CodeType) -> CodeType:
    constants = tuple(_without_lines(item) if isinstance(item, CodeType) else item for item in code.co_consts)
    table = SAME_LINE * -(-len(code.co_code) // UNITS)
    return code.replace(co_linetable=table, co_consts=constants)
