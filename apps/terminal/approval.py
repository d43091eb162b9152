"""Whether an action may happen: a person says yes, no with a reason, or changes it first. Nothing else is a yes."""

import json
import re
from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from soprag.apps.terminal.line_readers import LineSource
from soprag.apps.terminal.pages import argument_blocks
from soprag.apps.terminal.requests import ActionRequest
from soprag.apps.terminal.screen import Screen
from soprag.tools.approval import HumanDecision
from soprag.tools.text.identity import same_person

Policy = Literal["operator", "other"]

_YES_AS = re.compile(r"(?:y|yes)(?:\s+as\s+(?P<name>[^,;:!?]{2,60}))?", re.IGNORECASE)
_YES = frozenset(("y", "yes"))
_NO = frozenset(("", "n", "no"))
_EDIT = frozenset(("e", "edit"))


@dataclass
class Approval:
    """One action on its way to a decision; `changed` holds its arguments once they were edited."""

    request: ActionRequest
    reader: LineSource
    screen: Screen
    operator: str
    policy: Policy = "operator"
    changed: dict[str, JsonValue] = field(default_factory=dict)

    @property
    def prompt(self) -> str:
        """What is asked; the default, No, in capitals."""
        if self.request.allowed == {"respond"}:
            return "answer> "
        edit = "/e(dit)" if "edit" in self.request.allowed else ""
        return f"Approve? y(es){edit}/N(o)> "

    async def take(self, typed: str) -> HumanDecision | None:
        """The decision that was typed; None when it is still open."""
        word = typed.strip().lower()
        yes = _YES_AS.fullmatch(typed.strip())
        if self.request.allowed == {"respond"}:
            return HumanDecision(type="respond", message=typed.strip()) if word else None
        if word in _NO:
            return await self._refuse()
        if word in _EDIT and "edit" in self.request.allowed:
            await self._edit()
            return None
        if yes and "approve" in self.request.allowed:
            return await self._approve((yes["name"] or "").strip())
        edit = " or edit" if "edit" in self.request.allowed else ""
        self.screen.say(f"Please say yes, no{edit}; `yes as NAME` where somebody else approves.", "bold")
        return None

    async def _approve(self, by: str) -> HumanDecision | None:
        """Yes, by the operator or by the one whose name was typed."""
        if self.policy == "other":
            by = by or (await self.reader.answer(f"Approved by (not {self.operator})> ")).strip()
            if not by or same_person(by, self.operator):
                self.screen.say("Somebody else has to approve this; nothing was done.", "bold red")
                return None
        if self.changed:
            return HumanDecision(type="edit", tool=self.request.name, arguments=self.changed, approver=by)
        return HumanDecision(type="approve", approver=by)

    async def _refuse(self) -> HumanDecision | None:
        reason = (await self.reader.answer("Not done. Reason (Enter: none)> ")).strip()
        if reason.lower() in _YES | _EDIT:  # the answer to the question before, a moment late
            return None
        return HumanDecision(type="reject", message=reason)

    async def _edit(self) -> None:
        """Ask for each argument with its present value; all are shown again before the question is repeated."""
        self.screen.say("Enter keeps a value; Alt+Enter begins a new line.", "dim")
        present = self.changed or dict(self.request.arguments)
        self.changed = {name: await self._value(name, value) for name, value in present.items()}
        self.screen.page(argument_blocks(self.changed))

    async def _value(self, name: str, value: JsonValue) -> JsonValue:
        if isinstance(value, str):
            return await self.reader.answer(f"{name}> ", value)
        while True:
            typed = await self.reader.answer(f"{name}> ", json.dumps(value, ensure_ascii=False))
            try:
                read: JsonValue = json.loads(typed)
            except ValueError:
                self.screen.say("That is no number, list or text in quotes; try again.", "bold")
            else:
                return read
