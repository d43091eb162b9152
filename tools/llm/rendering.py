"""Builds the messages of a request: the prompt file as system message, the input between tags as user message."""

import json
from functools import cache
from string import Template
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from soprag import prompts
from soprag.tools.sop import digest
from soprag.tools.tasks.picture import Picture
from soprag.tools.tasks.task import Answer, Ask, Task
from soprag.tools.text.sanitize import sanitize_json

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

FAULTS_SHOWN = 12
# What the strict form of OpenAI's structured output does not take; pydantic checks these limits when the answer is in.
_NOT_IN_STRICT = {"default", "title", "minLength", "maxLength", "uniqueItems"}


def open_talk(task: Task[Ask, Answer], inputs: Ask, spell_out: bool) -> "list[BaseMessage]":
    """The two messages of a request; `spell_out` adds the schema to the prompt, for models that take none."""
    from langchain_core.messages import HumanMessage, SystemMessage

    system = prompts.load(task.name)
    if spell_out:
        system += "\n\n" + _fill("wire/schema", schema=json.dumps(strict_schema(task.answers), ensure_ascii=False))
    pictures = _pictures(inputs)
    if not pictures:
        return [SystemMessage(system), HumanMessage(render(inputs))]
    text = {"type": "text", "text": render(inputs)}
    return [SystemMessage(system), HumanMessage([text, *(picture.block() for picture in pictures.values())])]


def send_back(talk: "list[BaseMessage]", text: str, error: ValidationError) -> "list[BaseMessage]":
    """The conversation extended by the invalid answer and its validation errors."""
    from langchain_core.messages import AIMessage, HumanMessage

    repair = _fill("wire/repair", faults=explain(error))
    return [*talk[:2], AIMessage(text or "(no answer)"), HumanMessage(repair)]


def render(inputs: BaseModel) -> str:
    """Every field of the input between tags that its text cannot contain, so that data can never pose as instructions.

    Hidden characters are removed, so that no text holds instructions that only a model would read.

    The code in the tags follows from the data, so the same input always gives the same words.
    """
    fields = inputs.model_dump(mode="json") | {name: picture.told for name, picture in _pictures(inputs).items()}
    clean = {name: sanitize_json(value) for name, value in fields.items()}
    texts = {name: value if isinstance(value, str) else _json(value) for name, value in clean.items()}
    code = digest(_json(texts))[:10]
    while any(code in text for text in texts.values()):
        code = digest(code)[:10]
    return "\n\n".join(f"<{name}-{code}>\n{text}\n</{name}-{code}>" for name, text in texts.items())


def _pictures(inputs: BaseModel) -> dict[str, Picture]:
    """The fields of the input that are pictures; they travel beside the text."""
    return {name: value for name, value in inputs if isinstance(value, Picture)}


def strict_schema(answers: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of an answer in the strict form: every field required, none added, plain references."""
    schema = _strict(json.loads(_schema(answers)))
    return {"title": answers.__name__, **schema}


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


def _strict(node: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in node:
        return {"$ref": node["$ref"]}
    strict = {key: _descend(key, value) for key, value in node.items() if key not in _NOT_IN_STRICT}
    if "properties" in strict:
        strict |= {"required": list(strict["properties"]), "additionalProperties": False}
    return strict


def _descend(key: str, value: Any) -> Any:  # noqa: ANN401 - any JSON
    if key in ("properties", "$defs"):
        return {name: _strict(node) for name, node in value.items()}
    if isinstance(value, list):
        return [_strict(item) if isinstance(item, dict) else item for item in value]
    return _strict(value) if isinstance(value, dict) else value


def _fill(name: str, **values: str) -> str:
    return Template(prompts.load(name)).substitute(values)


def _json(value: Any) -> str:  # noqa: ANN401 - any JSON
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
