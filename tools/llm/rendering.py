"""Builds the messages of a request: the prompt file as system message, the input between tags as user message."""

import json
from collections.abc import Sequence
from functools import cache
from string import Template
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from soprag import prompts
from soprag.tools.sop import digest
from soprag.tools.tasks.picture import Picture
from soprag.tools.tasks.task import Answer, Ask, CallableTool, HasPromptFields, OffersTools, Task
from soprag.tools.text.sanitize import sanitize_json

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

    from soprag.tools.llm.answer_reading import MalformedItem

FAULTS_SHOWN = 12
ITEM_SHOWN = 400  # characters of a malformed item that is sent back
# What the strict form of OpenAI's structured output does not take; pydantic checks these limits when the answer is in.
_NOT_IN_STRICT = {"default", "title", "minLength", "maxLength", "uniqueItems"}
_NOT_IN_COMPACT = {"additionalProperties", "description", "minimum", "maximum"}


def open_talk(task: Task[Ask, Answer], inputs: Ask, spell_out: bool) -> "list[BaseMessage]":
    """The two messages of a request; `spell_out` adds the schema to the prompt, for models that take none."""
    from langchain_core.messages import HumanMessage, SystemMessage

    system = prompts.load(task.name)
    if spell_out:
        system += "\n\n" + _spelled_out(task, inputs)
    pictures = _pictures(inputs)
    if not pictures:
        return [SystemMessage(system), HumanMessage(render(inputs))]
    text = {"type": "text", "text": render(inputs)}
    return [SystemMessage(system), HumanMessage([text, *(picture.block() for picture in pictures.values())])]


def tools_of(inputs: BaseModel) -> tuple[CallableTool, ...]:
    """The tools of which the answer calls one; empty where the answer is an object."""
    return inputs.offered() if isinstance(inputs, OffersTools) else ()


def request_tokens(task: Task[Ask, Answer], inputs: Ask) -> int:
    """The size of a request with its schema or tools as they are sent; a token is about four characters."""
    tools = [tool.function() for tool in tools_of(inputs)]
    form = _dense(tools or answer_schema(task.answers, compact=task.compact))
    return (sum(len(str(message.content)) for message in open_talk(task, inputs, spell_out=False)) + len(form)) // 4


def _spelled_out(task: Task[Ask, Answer], inputs: Ask) -> str:
    tools = [tool.function()["function"] for tool in tools_of(inputs)]
    if tools:
        return _fill("wire/tools", tools="\n".join(json.dumps(tool, ensure_ascii=False) for tool in tools))
    return _fill("wire/schema", schema=_dense(answer_schema(task.answers, compact=task.compact)))


def _dense(value: Any) -> str:  # noqa: ANN401 - any JSON
    """JSON without spaces, as HTTP clients send it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def send_back(talk: "list[BaseMessage]", text: str, faults: str) -> "list[BaseMessage]":
    """The conversation extended by the invalid answer and its validation errors."""
    return _follow_up(talk, text, _fill("wire/repair", faults=faults))


def send_items_back(talk: "list[BaseMessage]", text: str, malformed: "Sequence[MalformedItem]") -> "list[BaseMessage]":
    """The conversation extended by the answer and the faults of its malformed items."""
    lines = [f"- {item.dotted}: {item.faults}. It was {_json(item.value)[:ITEM_SHOWN]}" for item in malformed]
    return _follow_up(talk, text, _fill("wire/mend", items="\n".join(lines)))


def _follow_up(talk: "list[BaseMessage]", text: str, request: str) -> "list[BaseMessage]":
    from langchain_core.messages import AIMessage, HumanMessage

    return [*talk[:2], AIMessage(text or "(no answer)"), HumanMessage(request)]


def render(inputs: BaseModel) -> str:
    """Every field of the input between tags that its text cannot contain, so that data can never pose as instructions.

    Hidden characters are removed, so that no text holds instructions that only a model would read.

    The code in a tag follows from the text in it: the same text gives the same words in every request, so that requests
    which begin alike share the provider's prompt cache. Empty fields are left out.
    """
    clean = {name: sanitize_json(value) for name, value in _fields(inputs).items()}
    texts = {name: value if isinstance(value, str) else _json(value) for name, value in clean.items()}
    codes = {name: _code(text, tuple(texts.values())) for name, text in texts.items()}
    return "\n\n".join(
        f"<{name}-{codes[name]}>\n{text}\n</{name}-{codes[name]}>"
        for name, text in texts.items()
        if text not in ("", "[]", "{}", "null")
    )


def _fields(inputs: BaseModel) -> dict[str, Any]:
    if isinstance(inputs, HasPromptFields):
        return inputs.prompt_fields()
    return inputs.model_dump(mode="json") | {name: picture.told for name, picture in _pictures(inputs).items()}


def _code(text: str, texts: Sequence[str]) -> str:
    code = digest(text)[:10]
    while any(code in other for other in texts):
        code = digest(code)[:10]
    return code


def _pictures(inputs: BaseModel) -> dict[str, Picture]:
    """The fields of the input that are pictures; they travel beside the text."""
    return {name: value for name, value in inputs if isinstance(value, Picture)}


def answer_schema(answers: type[BaseModel], *, compact: bool = False) -> dict[str, Any]:
    """The JSON schema of an answer in the strict form: every field required, none added, plain references.

    With `compact`, fields with a default may be left out, which shortens answers of many items to a third, and the
    schema has no descriptions, for the prompt explains the fields, and nothing that reading an answer makes good; what
    is referred to once stands in its place.
    """
    schema = json.loads(_schema(answers))
    return {"title": answers.__name__, **_strict(_in_place(schema) if compact else schema, compact)}


def form(task: Task[Ask, Answer], method: str, temperature: float) -> str:
    """12 hex digits: hash of the answer schema, the method and the temperature."""
    return digest(_json([_schema(task.answers), method, temperature, prompts.version("wire/schema")]))[:12]


def explain(error: ValidationError) -> str:
    """The validation errors of an answer, one per line."""
    faults = error.errors(include_url=False, include_input=False, include_context=False)
    lines = [f"- {'.'.join(map(str, detail['loc'])) or 'the answer'}: {detail['msg']}" for detail in faults]
    more = [f"- and {len(lines) - FAULTS_SHOWN} more"] if len(lines) > FAULTS_SHOWN else []
    return "\n".join(lines[:FAULTS_SHOWN] + more)


@cache
def _schema(answers: type[BaseModel]) -> str:
    """The answer's JSON schema; kept, because making it takes longer than the rest of a request does on our side."""
    return json.dumps(answers.model_json_schema())


def _strict(node: dict[str, Any], compact: bool) -> dict[str, Any]:
    if "$ref" in node:
        return {"$ref": node["$ref"]}
    left_out = _NOT_IN_STRICT | (_NOT_IN_COMPACT if compact else set())
    strict = {key: _descend(key, value, compact) for key, value in node.items() if key not in left_out}
    if "properties" in strict:
        strict["required"] = node.get("required", []) if compact else list(strict["properties"])
        if not compact:
            strict["additionalProperties"] = False
    return strict


def _in_place(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with every definition that is referred to once put where it is referred to."""
    text = json.dumps(schema)
    definitions = {f"#/$defs/{name}": node for name, node in schema.get("$defs", {}).items()}
    once = {reference for reference in definitions if text.count(f'"{reference}"') == 1}

    def place(node: Any) -> Any:  # noqa: ANN401 - any JSON
        if isinstance(node, list):
            return [place(item) for item in node]
        if not isinstance(node, dict):
            return node
        if node.get("$ref") in once:
            return place(definitions[node["$ref"]])
        return {key: place(value) for key, value in node.items()}

    body = place({key: value for key, value in schema.items() if key != "$defs"})
    shared = {name: place(node) for name, node in schema.get("$defs", {}).items() if f"#/$defs/{name}" not in once}
    return {"$defs": shared, **body} if shared else body


def _descend(key: str, value: Any, compact: bool) -> Any:  # noqa: ANN401 - any JSON
    if key in ("properties", "$defs"):
        return {name: _strict(node, compact) for name, node in value.items()}
    if isinstance(value, list):
        return [_strict(item, compact) if isinstance(item, dict) else item for item in value]
    return _strict(value, compact) if isinstance(value, dict) else value


def _fill(name: str, **values: str) -> str:
    return Template(prompts.load(name)).substitute(values)


def _json(value: Any) -> str:  # noqa: ANN401 - any JSON
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
