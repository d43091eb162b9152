"""A chat model for the loopback server: it reads each request of the benchmark builder and answers by the rules.

So a whole run goes over the real wire, and its benchmark must be the one that the rules give without a server.
"""

import json
import re
from typing import Any

from soprag import prompts
from soprag.tools.llm import every_task
from soprag.tools.rules.adapter import rule_of

FIELD = re.compile(r"<(\w+)-([0-9a-f]{10})>\n(.*?)\n</\1-\2>", re.DOTALL)
NUMBERED = re.compile(r"^ *\d+\| ?", re.MULTILINE)
TASKS = {task.name: task for task in every_task()}


def _lines(text: str) -> list[dict[str, Any]]:
    """The lines of a summary, which stand under their source and heading."""
    source = heading = ""
    lines: list[dict[str, Any]] = []
    for row in text.split("\n"):
        if row.startswith("## "):
            heading = row[3:]
        elif row.startswith("# "):
            source = heading = row[2:]
        else:
            id, _, words = row.partition(": ")
            lines.append({"id": id, "source": source, "heading": heading, "text": words, "closeness": 0.6})
    return lines


def _facts(text: str) -> list[dict[str, Any]]:
    """The facts of a report, which stand under their topic."""
    topic = ""
    facts: list[dict[str, Any]] = []
    for row in text.split("\n"):
        if row.startswith("# "):
            topic = row[2:]
        else:
            id, sources, words = re.match(r"(\S+) \[([\d, ]*)\]: (.*)", row).groups()  # type: ignore[union-attr]
            facts.append({"id": id, "topic": topic, "text": words, "sources": [int(n) for n in sources.split(", ")]})
    return facts


READ_ROWS = {"lines": _lines, "facts": _facts}


def answer(body: dict[str, Any]) -> object:
    """What the rules say to this request."""
    task = TASKS[task_of(body)]
    texts = {name: text for name, _, text in FIELD.findall(body["messages"][1]["content"])}
    if task.name == "audit":
        texts["markdown"] = NUMBERED.sub("", texts["markdown"])
    rows = {name: READ_ROWS[name](texts.pop(name)) for name in set(READ_ROWS) & set(texts)}
    fields = rows | {
        name: text if task.asks.model_fields[name].annotation is str else json.loads(text)
        for name, text in texts.items()
    }
    if "tools" in task.asks.model_fields and tools_of(body):
        fields["tools"] = [{"name": name, "description": ""} for name in tools_of(body)]
    fields |= {  # empty fields are not sent
        name: "" if info.annotation is str else []
        for name, info in task.asks.model_fields.items()
        if name not in fields and info.is_required()
    }
    return rule_of(task.name)(task.asks.model_validate(fields)).model_dump(mode="json")


def task_of(body: dict[str, Any]) -> str:
    """The name of the task a request belongs to, by its prompt: the form of the answer depends on the method."""
    system = body["messages"][0]["content"]
    return max((name for name in TASKS if system.startswith(prompts.load(name))), key=lambda n: len(prompts.load(n)))


def tools_of(body: dict[str, Any]) -> list[str]:
    """The names of the tools a request offers, beside the messages or spelled out in the prompt."""
    if "response_format" not in body:
        return [tool["function"]["name"] for tool in body.get("tools", ())]
    return re.findall(r'^\{"name": "(\w+)"', body["messages"][0]["content"], re.MULTILINE)
