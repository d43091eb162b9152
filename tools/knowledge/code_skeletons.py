"""Skeletons of sources: signatures and comments with the bodies left out (paper 002, GRACG).

Python is read with `ast`; the languages of `grammars.py` need the extra `code`.
"""

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import PurePosixPath

from soprag.tools.knowledge import grammars
from soprag.tools.knowledge.records import ArtefactDraft, SourceDocument

_Scope = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def skeleton(document: SourceDocument) -> list[ArtefactDraft]:
    """The module and its classes, functions and methods; a source that does not parse gives the module alone."""
    return list(_skeleton(document.id, document.title, document.body))


@lru_cache(maxsize=64)
def _skeleton(id: str, title: str, body: str) -> tuple[ArtefactDraft, ...]:
    by_grammar = PurePosixPath(title).suffix.lower() in grammars.SUFFIXES
    opening, scopes = ("", tuple(grammars.scopes(title, id, body))) if by_grammar else _python(id, body)
    text = "\n".join([opening, *(scope.text for scope in scopes)]).strip()
    return ArtefactDraft(kind="module", path=id, name=title, text=text, first=1, last=body.count("\n") + 1), *scopes


def _python(id: str, body: str) -> tuple[str, tuple[ArtefactDraft, ...]]:
    """The docstring and imports of a module, and its scopes; nothing of a source that does not parse."""
    try:
        tree = ast.parse(body)
    except (SyntaxError, ValueError):
        return "", ()
    imports = [ast.unparse(node) for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    return "\n".join([ast.get_docstring(tree) or "", *imports]), tuple(_scopes(tree, id))


def _scopes(tree: ast.Module | ast.ClassDef, parent: str) -> Iterator[ArtefactDraft]:
    for node in tree.body:
        if isinstance(node, _Scope):
            path = f"{parent}:{node.name}"
            yield _scope(node, path, parent, method=isinstance(tree, ast.ClassDef))
            if isinstance(node, ast.ClassDef):
                yield from _scopes(node, path)


def _scope(node: _Scope, path: str, parent: str, *, method: bool) -> ArtefactDraft:
    docstring = ast.get_docstring(node) or ""
    text = f'{_head(node)}:\n    """{docstring}"""\n    # body of {path}'
    last = node.end_lineno or node.lineno
    kind = "class" if isinstance(node, ast.ClassDef) else "method" if method else "function"
    return ArtefactDraft.model_validate(
        {"kind": kind, "path": path, "parent": parent, "name": node.name, "text": text, "first": node.lineno,
         "last": last, "properties": {"purpose": docstring.partition("\n")[0]}}
    )  # fmt: skip


def _head(node: _Scope) -> str:
    if isinstance(node, ast.ClassDef):
        bases = ", ".join(ast.unparse(base) for base in node.bases)
        return f"class {node.name}({bases})" if bases else f"class {node.name}"
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    return f"{word} {node.name}({ast.unparse(node.args)}){returns}"
