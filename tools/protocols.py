"""Tool protocols (PEOA): what a tool is for, what it takes and gives, what it may change, and how it fails.

An expert does one kind of work under such a protocol. It returns a `Result` or a `StepFailure`; it raises only what a
person must mend (`SopragError`).
"""

import json
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from pydantic import BaseModel, Field, JsonValue
from pydantic.fields import FieldInfo

from soprag.tools.history import ErrorKind, StepFailure, StepRecord
from soprag.tools.sop import Frozen

SideEffect = Literal["pure", "read", "write", "external"]


_RETURNED = 3  # fields of a result that a description names


@dataclass(frozen=True)
class ToolProtocol:
    """The contract of one tool; a model and a person read the same words.

    `arguments` and `response` are frozen pydantic models whose fields have descriptions with units. A tool whose
    `side_effect` is `write` or `external` never runs without a person's approval.
    """

    name: str
    purpose: str
    when_to_use: str
    when_not: str
    arguments: type[BaseModel]
    response: type[BaseModel]
    side_effect: SideEffect
    errors: tuple[ErrorKind, ...]
    example: str = ""  # arguments as JSON text, for a model

    @property
    def description(self) -> str:
        """What a model reads of it besides its parameters: use, result and an example."""
        fields = list(self.response.model_fields.items())
        returned = ", ".join(_described(name, info) for name, info in fields[:_RETURNED])
        example = f" Example: {self.example}" if self.example else ""
        return f"{self.purpose} When: {self.when_to_use} Not: {self.when_not} Returns {returned}.{example}"


class ToolCard(Frozen):
    """A tool as a model is offered it; the parameters are generated from the model that validates the call."""

    name: str
    description: str
    parameters: str = Field(default="{}", description="JSON schema of its arguments, as JSON text")

    @staticmethod
    def of(protocol: ToolProtocol, *models: type[BaseModel]) -> "ToolCard":
        """The card of a tool that takes its own arguments and the fields of `models`."""
        schemas = [_schema(model) for model in (*models, protocol.arguments)]
        merged: dict[str, Any] = {"type": "object", "properties": {}, "required": []}
        for schema in schemas:
            merged["properties"] |= schema["properties"]
            merged["required"] += schema["required"]
            if "$defs" in schema:
                merged["$defs"] = merged.get("$defs", {}) | schema["$defs"]
        return ToolCard(name=protocol.name, description=protocol.description, parameters=json.dumps(merged))

    def function(self) -> dict[str, Any]:
        """Its name, description and parameters, as chat models take them."""
        function = {"name": self.name, "description": self.description, "parameters": json.loads(self.parameters)}
        return {"type": "function", "function": function}


def _schema(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a model without titles, and without the field `tool` that only names the model."""
    schema: dict[str, Any] = _without_titles(model.model_json_schema())
    schema.setdefault("properties", {}).pop("tool", None)
    schema.setdefault("required", [])
    return schema


def _without_titles(node: Any) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(node, list):
        return [_without_titles(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: _without_titles(value)
        for key, value in node.items()
        if not (key == "title" and isinstance(value, str)) and key != "pattern"
    }


def _described(name: str, info: FieldInfo) -> str:
    return f"{name} ({info.description})" if info.description else name


class Work(Frozen):
    """A sub-task for an expert, with its arguments as the protocol wants them and what was found out before."""

    task: str
    arguments: dict[str, JsonValue] = Field(default_factory=dict)
    history: tuple[StepRecord, ...] = ()


class ExpertResult(Frozen):
    """What an expert found out: `output` for other steps, `text` for a person, `sources` as `SOP id:line-line`."""

    output: JsonValue
    text: str
    sources: tuple[str, ...] = ()


class Expert(Protocol):
    """An expert model M_t of PEOA."""

    @property
    def protocol(self) -> ToolProtocol:
        """Its contract."""
        ...

    async def work(self, work: Work) -> ExpertResult | StepFailure:
        """Do the sub-task, or say why it failed."""
        ...
