"""Skeletons of sources in C, C++, C#, Go, Java, JavaScript, Rust and TypeScript, by their tree-sitter grammars.

No language has rules of its own: a scope is a node that has a name and either a body or parameters, in every grammar.
Without the extra `code` a source has no scopes.
"""

from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from soprag.tools.knowledge.records import ArtefactDraft

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

# Suffix: package of the grammar, and its function where there are several.
_GRAMMARS = {
    ".c": ("tree_sitter_c", "language"),
    **dict.fromkeys((".h", ".hh", ".hpp", ".cc", ".cpp", ".cxx"), ("tree_sitter_cpp", "language")),
    ".cs": ("tree_sitter_c_sharp", "language"),
    ".go": ("tree_sitter_go", "language"),
    ".java": ("tree_sitter_java", "language"),
    **dict.fromkeys((".js", ".mjs", ".jsx"), ("tree_sitter_javascript", "language")),
    ".rs": ("tree_sitter_rust", "language"),
    ".ts": ("tree_sitter_typescript", "language_typescript"),
    ".tsx": ("tree_sitter_typescript", "language_tsx"),
}
SUFFIXES = frozenset(_GRAMMARS)
_COMMENT_SIGNS = "/*! \t\n"


def scopes(name: str, id: str, body: str) -> Iterator[ArtefactDraft]:
    """The classes, functions and methods of the source `name`, in order; none where its grammar is not installed."""
    parser = _parser(PurePosixPath(name).suffix.lower())
    if parser:
        yield from _below(parser.parse(body.encode()).root_node, id, inside="module")


@lru_cache(maxsize=16)
def _parser(suffix: str) -> "Parser | None":
    try:
        from tree_sitter import Language, Parser

        package, function = _GRAMMARS[suffix]
        return Parser(Language(getattr(import_module(package), function)()))
    except ModuleNotFoundError:
        return None


def _below(node: "Node", parent: str, inside: str) -> Iterator[ArtefactDraft]:
    for child in node.named_children:
        name = _name(child)
        if not name or not (_body(child) or _parameters(child)):
            yield from _below(child, parent, inside)
            continue
        path = f"{parent}:{name}"
        scope = _scope(child, (name, path, parent), inside)
        yield scope
        if scope.kind == "class" and (body := _body(child)):
            yield from _below(body, path, scope.kind)


def _name(node: "Node") -> str:
    """The field `name`; in C the innermost declarator; of an `impl` of Rust its type."""
    named = node.child_by_field_name("name")
    declarator = node.child_by_field_name("declarator")
    while named is None and declarator is not None:
        inner = declarator.child_by_field_name("declarator")
        named, declarator = (None, inner) if inner else (declarator, None)
    return _text(named or node.child_by_field_name("type"))


def _body(node: "Node") -> "Node | None":
    """What is left out: the field `body`, also of a function that a variable is set to."""
    value = node.child_by_field_name("value")
    return node.child_by_field_name("body") or (value.child_by_field_name("body") if value else None)


def _parameters(node: "Node | None") -> "Node | None":
    """The field `parameters`, in C of a declarator, in JavaScript of the function that a variable is set to."""
    if node is None:
        return None
    below = node.child_by_field_name("declarator") or node.child_by_field_name("value")
    return node.child_by_field_name("parameters") or _parameters(below)


def _scope(node: "Node", named: tuple[str, str, str], inside: str) -> ArtefactDraft:
    name, path, parent = named
    body, comment = _body(node), _comment(node)
    head = (
        (node.text or b"")[: body.start_byte - node.start_byte if body else None]
        .decode()
        .rstrip()
        .rstrip("{;")
        .rstrip()
        .removesuffix("=>")
        .rstrip()
    )
    kind = ("method" if inside == "class" else "function") if _parameters(node) else "class"
    return ArtefactDraft.model_validate(
        {"kind": kind, "path": path, "parent": parent, "name": name,
         "text": "\n".join(filter(None, [comment, head, f"// body of {path}"])),
         "first": node.start_point.row + 1, "last": node.end_point.row + 1,
         "properties": {"purpose": comment.strip(_COMMENT_SIGNS).partition("\n")[0].strip(_COMMENT_SIGNS)}}
    )  # fmt: skip


def _comment(node: "Node") -> str:
    """The comments right above a scope, and above what it is wrapped in, such as an export."""
    before, line, parent = node.prev_named_sibling, node.start_point.row, node.parent
    while before is None and parent and parent.start_point.row == line:
        before, parent = parent.prev_named_sibling, parent.parent
    rows: list[str] = []
    while before and "comment" in before.type and before.end_point.row >= line - 1:
        rows.insert(0, _text(before).strip())
        line = before.start_point.row
        before = before.prev_named_sibling
    return "\n".join(rows)


def _text(node: "Node | None") -> str:
    return (node.text or b"").decode() if node else ""
