"""Snapshots of the request of every task: a change in a prompt, an input or an answer schema shows in the diff.

`RENEW_PROMPTS=1 uv run pytest -n0 tests/tools/llm/test_prompt_snapshots.py` writes the files anew.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from soprag.tools.llm import every_task
from soprag.tools.llm.rendering import answer_schema, open_talk, tools_of
from soprag.tools.tasks.task import Task
from tests.tools.llm.task_inputs import INPUTS

FOLDER = Path(__file__).parent / "prompts"
TASKS = {task.name: task for task in every_task()}


def request(task: Task[Any, Any], inputs: BaseModel) -> str:
    """The messages and the answer schema as one readable text."""
    messages = open_talk(task, inputs, spell_out=False)
    parts = [f"===== {message.type} =====\n{content(message.content)}" for message in messages]
    tools = [tool.function()["function"] for tool in tools_of(inputs)]
    schema = json.dumps(tools or answer_schema(task.answers, compact=task.compact), indent=1, ensure_ascii=False)
    return "\n\n".join([*parts, f"===== {'tools' if tools else 'answer schema'} =====\n{schema}"]) + "\n"


def content(blocks: str | list[Any]) -> str:
    if isinstance(blocks, str):
        return blocks
    return "\n".join(block["text"] if block["type"] == "text" else json.dumps(block) for block in blocks)


@pytest.mark.parametrize("name", TASKS)
def test_the_request_of_a_task_is_the_stored_one(name: str) -> None:
    file = FOLDER / f"{name}.txt"
    text = request(TASKS[name], INPUTS[name])
    if os.environ.get("RENEW_PROMPTS"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8"), f"Renew {file.name!r} if the change is intended (see above)."


def test_every_snapshot_belongs_to_a_task_and_its_input() -> None:
    assert {file.stem for file in FOLDER.iterdir()} == set(TASKS) == set(INPUTS)


@pytest.mark.parametrize("name", TASKS)
def test_the_input_of_a_snapshot_is_of_the_type_of_its_task(name: str) -> None:
    assert type(INPUTS[name]) is TASKS[name].asks


class _Leaf(BaseModel):
    name: str


class _Twig(BaseModel):
    leaf: _Leaf
    others: list[_Leaf]


class _Tree(BaseModel):
    twig: _Twig


def test_a_compact_schema_holds_what_is_referred_to_once_in_its_place() -> None:
    schema = answer_schema(_Tree, compact=True)
    assert set(schema["$defs"]) == {"_Leaf"}
    twig = schema["properties"]["twig"]
    assert twig["properties"]["others"]["items"] == twig["properties"]["leaf"] == {"$ref": "#/$defs/_Leaf"}
    assert set(answer_schema(_Tree)["$defs"]) == {"_Leaf", "_Twig"}
