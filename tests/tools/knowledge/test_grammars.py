"""Sources of other languages become scopes with their heads and comments, the bodies left out."""

import pytest

from soprag.tools.knowledge.code_skeletons import skeleton
from soprag.tools.knowledge.records import SourceDocument

SOURCES = {
    "pump.c": "/* Start the pump. */\nint start(int number) {\n  return 1;\n}\n",
    "pump.hpp": "class Pump {\n  // Start the pump.\n  int start(int number) { return 1; }\n};\n",
    "pump.cs": "class Pump {\n  // Start the pump.\n  int start(int number) { return 1; }\n}\n",
    "pump.go": "package x\n\n// Start the pump.\nfunc start(number int) int {\n\treturn 1\n}\n",
    "pump.java": "class Pump {\n  /** Start the pump. */\n  int start(int number) { return 1; }\n}\n",
    "pump.js": "/** Start the pump. */\nexport const start = (number) => { return 1; };\n",
    "pump.rs": "impl Pump {\n  /// Start the pump.\n  fn start(&self, number: i32) -> i32 { return 1 }\n}\n",
    "pump.ts": "// Start the pump.\nexport function start(number: number): Promise<void> { return 1 }\n",
}


@pytest.mark.parametrize("name", SOURCES)
def test_a_function_is_shown_with_its_comment_and_without_its_body(name: str) -> None:
    pytest.importorskip("tree_sitter")
    document = SourceDocument(id=f"doc:{name}", title=name, kind="code", body=SOURCES[name])
    module, *_, scope = skeleton(document)
    assert (scope.name, scope.properties["purpose"]) == ("start", "Start the pump.")
    assert "number" in scope.text and "return 1" not in module.text and module.text.count("start") >= 1


def test_a_source_without_its_grammar_is_a_module(monkeypatch: pytest.MonkeyPatch) -> None:
    from soprag.tools.knowledge import grammars

    monkeypatch.setattr(grammars, "_parser", lambda suffix: None)
    document = SourceDocument(id="doc:other.go", title="other.go", kind="code", body=SOURCES["pump.go"])
    assert [scope.kind for scope in skeleton(document)] == ["module"]
