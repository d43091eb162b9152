"""Bindings of an SOP's steps to their kind of execution (tool, human, decision, info), stored as one file per SOP.

The file is TOML and meant to be edited: a binding marked `by = "person"` is kept while the text of its step is
unchanged.
"""

import json
import string
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from soprag.tools.errors import ConfigError
from soprag.tools.flow.required_readings import shown_reading
from soprag.tools.flow.run import FlowRun
from soprag.tools.procedure.plan import FlowPlan, words_of
from soprag.tools.procedure.rendered_steps import ShownStep, lines_of
from soprag.tools.sop import Frozen, digest
from soprag.tools.store.run_folder import write_whole
from soprag.tools.text.sanitize import one_line

Kind = Literal["tool", "human", "decision", "info"]
PLACES = ("sop", "title", "step", "lines", "text", "readings", "operator")


class Binding(Frozen):
    """How one step is carried out."""

    kind: Kind
    tool: str = ""
    arguments: dict[str, str] = Field(
        default_factory=dict, description=f"templates; known are {', '.join('$' + name for name in PLACES)}"
    )
    by: str = Field(default="rules", description="who bound it: rules, a model, or person")
    text: str = Field(default="", description="hash of the step's words")


class Bindings(Frozen):
    """The bindings of one SOP, by node."""

    sop: str
    graph: str
    edition: str = Field(default="", description="the rules or the model, and the tools, that they were made with")
    nodes: dict[str, Binding] = Field(default_factory=dict)

    def of(self, node: str) -> Binding:
        """The binding of a step; by hand where none is stored."""
        return self.nodes.get(node, Binding(kind="human"))


@dataclass(frozen=True)
class BindingFolder:
    """The folder of binding files, one per SOP, beside the index."""

    path: Path

    def file(self, sop: str) -> Path:
        """The file of one SOP; the name stays readable and cannot leave the folder."""
        safe = "".join(character if character.isalnum() or character in "-_." else "-" for character in sop)[:80].strip(
            "."
        )
        return self.path / (f"{safe}.toml" if safe == sop else f"{safe}-{digest(sop)[:8]}.toml")

    def read(self, sop: str) -> Bindings | None:
        """The stored bindings; None when there are none. Raises `ConfigError` when the file is not valid."""
        file = self.file(sop)
        if not file.is_file():
            return None
        try:
            return Bindings.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, ValidationError) as error:
            raise ConfigError(f"Cannot read the bindings {str(file)!r}: {error}. Mend it, or delete it.") from error

    def write(self, bindings: Bindings, plan: FlowPlan) -> Path:
        """Store the bindings, with the text of each step as a comment."""
        file = self.file(bindings.sop)
        write_whole(file, render(bindings, plan).encode())
        return file


def render(bindings: Bindings, plan: FlowPlan) -> str:
    """The bindings as TOML."""
    rows = [
        f"# How the steps of {one_line(plan.title)!r} are carried out.",
        '# kind = tool | human | decision | info. After a change write by = "person", so that it is kept.',
        f"# In arguments: {', '.join('$' + name for name in PLACES)}; a dollar sign is $$.",
        f"sop = {_quoted(bindings.sop)}",
        f"graph = {_quoted(bindings.graph)}",
        f"edition = {_quoted(bindings.edition)}",
    ]
    for node, binding in bindings.nodes.items():
        step = plan.by_id.get(node)
        rows += ["", f"# {step.marker} {one_line(step.text, 100)}" if step else "#", f"[nodes.{node}]"]
        rows += [f"{name} = {_quoted(getattr(binding, name))}" for name in ("kind", "tool", "by", "text")]
        if binding.arguments:
            rows += [f"[nodes.{node}.arguments]"]
            rows += [f"{name} = {_quoted(value)}" for name, value in binding.arguments.items()]
    return "\n".join(rows) + "\n"


def kept_bindings(plan: FlowPlan, stored: Bindings | None) -> dict[str, Binding]:
    """The bindings that a person wrote, for the steps of a plan whose words are unchanged."""
    written = stored.nodes.values() if stored else ()
    by_words = {binding.text: binding for binding in written if binding.by == "person"}
    return {step.id: by_words[words_of(step)] for step in plan.steps if words_of(step) in by_words}


def fill(binding: Binding, plan: FlowPlan, run: FlowRun, operator: str = "") -> dict[str, str]:
    """The tool arguments at the current step, with the templates filled in."""
    step = plan.by_id[run.at]
    values = _values(step, plan, run, operator)
    return {name: string.Template(value).safe_substitute(values) for name, value in binding.arguments.items()}


def reference(plan: FlowPlan, step: ShownStep) -> str:
    """The SOP and the step, as a draft cites them."""
    return f"According to {one_line(plan.title)!r}, {lines_of(step.lines)}."


def _values(step: ShownStep, plan: FlowPlan, run: FlowRun, operator: str) -> Mapping[str, str]:
    readings = [
        f"step {plan.by_id[reading.node].number}: {shown_reading(plan, run, reading)}"
        for reading in run.readings
        if reading.node in plan.by_id
    ]
    return {
        "sop": plan.sop,
        "title": one_line(plan.title),
        "step": f"{step.number}",
        "lines": lines_of(step.lines),
        "text": step.text,
        "readings": "; ".join(readings) or "none",
        "operator": operator,
    }


def _quoted(text: str) -> str:
    """A TOML basic string: the JSON form with DEL escaped as well."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
