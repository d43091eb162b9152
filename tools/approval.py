"""The approval contract: what a person is asked before something happens, and what they decided.

Both directions use the wire types of LangChain's human-in-the-loop middleware, `HITLRequest` and `HITLResponse`, which
agent-chat-ui and other generic clients show with buttons. Graphs build requests and read responses; the terminal reads
requests and builds responses. Two fields are ours beside LangChain's: `approver` of a decision, and `soprag` of an
action, the structured form of its arguments for clients that draw more than a card.
"""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from pydantic import Field, JsonValue

from soprag.tools.errors import ServiceError
from soprag.tools.sop import Frozen
from soprag.tools.text.sanitize import one_line

if TYPE_CHECKING:  # importing it takes a second, and everything here is plain JSON
    from langchain.agents.middleware.human_in_the_loop import ActionRequest, Decision, HITLRequest, HITLResponse

DecisionType = Literal["approve", "edit", "reject", "respond"]
EVERY_DECISION: frozenset[DecisionType] = frozenset(get_args(DecisionType))
_STRUCTURED = "soprag"
_LONGEST_NAME = 100  # characters


class HumanDecision(Frozen):
    """One decision of a person about one requested action."""

    type: DecisionType
    message: str = Field(default="", description="the reason of a rejection, or the text of a response")
    tool: str = Field(default="", description="the action an edit names; an edit never changes it")
    arguments: dict[str, JsonValue] | None = Field(default=None, description="the arguments as an edit wants them")
    approver: str = Field(default="", description="who decided; empty: the operator of the session")
    error: str = Field(default="", description="why the reply could not be read; the type is then `respond`")

    @property
    def agrees(self) -> bool:
        """Whether the action may happen; only an approval or an edit says so."""
        return self.type in ("approve", "edit")

    @property
    def reason(self) -> str:
        """Why the action may not happen."""
        return self.message or self.error or "no reason was given"

    def edited(self, arguments: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """`arguments` as this decision wants them.

        A client whose fields hold text only sends JSON in place of a list, a number or a boolean; it is read back.
        """
        changes = self.arguments or {}
        return {**arguments, **{name: _as_before(value, arguments.get(name)) for name, value in changes.items()}}

    def wire(self) -> dict[str, Any]:
        """The decision in LangChain's form."""
        wire: dict[str, Any] = {"type": self.type}
        if self.message:
            wire["message"] = self.message
        if self.type == "edit":
            wire["edited_action"] = {"name": self.tool, "args": self.arguments or {}}
        return wire | ({"approver": self.approver} if self.approver else {})


class RequestedAction(Frozen):
    """One action of a request, with the decisions that are allowed about it."""

    name: str
    arguments: dict[str, JsonValue] = Field(default_factory=dict)
    description: str = ""
    structured: dict[str, JsonValue] = Field(default_factory=dict, description="for clients that know its shape")
    allowed: frozenset[DecisionType] = EVERY_DECISION


def build_request(
    name: str,
    arguments: Mapping[str, Any],
    description: str,
    allowed: Sequence[DecisionType],
    structured: Mapping[str, Any] | None = None,
) -> "HITLRequest":
    """A request with one action.

    Generic clients show each of `arguments` as a field, and `description` is complete for clients that show nothing
    else; `structured` is what a client of our own draws.
    """
    action: dict[str, Any] = {"name": name, "args": dict(arguments), "description": description}
    if structured is not None:
        action[_STRUCTURED] = dict(structured)
    return {
        "action_requests": [cast("ActionRequest", action)],
        "review_configs": [{"action_name": name, "allowed_decisions": list(allowed)}],
    }


def read_request(payload: object) -> tuple[RequestedAction, ...]:
    """The actions of an interrupt's value; raises `ServiceError` when it is no `HITLRequest`."""
    if not isinstance(payload, Mapping) or not isinstance(payload.get("action_requests"), list):
        raise ServiceError(f"The graph asks in a form this program does not know: {str(payload)[:200]!r}.")
    configs = payload.get("review_configs") or []
    allowed = {config["action_name"]: frozenset(config["allowed_decisions"]) for config in configs}
    return tuple(
        RequestedAction(
            name=str(action["name"]),
            arguments=action.get("args") or {},
            description=str(action.get("description") or ""),
            structured=action.get(_STRUCTURED) or {},
            allowed=allowed.get(action["name"], EVERY_DECISION),
        )
        for action in payload["action_requests"]
    )


def build_response(decisions: Sequence[HumanDecision]) -> "HITLResponse":
    """The resume value of an interrupt: one decision per requested action, in their order."""
    return {"decisions": cast("list[Decision]", [decision.wire() for decision in decisions])}


def read_decision(response: object) -> HumanDecision:
    """The one decision of a resume value.

    Accepted are a `HITLResponse`, a bare decision, a list of one, and plain text, which counts as `respond`. Anything
    else gives a decision with `error` set, which agrees to nothing.
    """
    if isinstance(response, str):
        return HumanDecision(type="respond", message=response)
    decision = response
    if isinstance(response, Mapping) and "decisions" in response:
        decision = response["decisions"]
        if not isinstance(decision, list) or len(decision) != 1:
            return _unreadable("There was one request, so one decision is needed.")
    if isinstance(decision, list) and len(decision) == 1:
        decision = decision[0]
    return _read(decision) if isinstance(decision, Mapping) else _unreadable("The reply could not be read.")


def _read(decision: Mapping[str, Any]) -> HumanDecision:
    kind = decision.get("type")
    approver = one_line(str(decision.get("approver") or ""), _LONGEST_NAME)
    message = str(decision.get("message") or "")
    if kind == "edit":
        action = decision.get("edited_action")
        if not isinstance(action, Mapping) or not isinstance(action.get("args"), dict):
            return _unreadable("An edit holds `edited_action` with `name` and `args`.")
        tool = str(action.get("name") or "")
        return HumanDecision(type="edit", message=message, tool=tool, arguments=action["args"], approver=approver)
    if kind in ("approve", "reject", "respond"):
        return HumanDecision(type=kind, message=message, approver=approver)
    return _unreadable(f"{kind!r} is no decision; there are approve, edit, reject and respond.")


def _as_before(value: JsonValue, before: JsonValue) -> JsonValue:
    """An edited value in the type that the argument had."""
    if not isinstance(value, str) or isinstance(before, str) or before is None:
        return value
    try:
        parsed: JsonValue = json.loads(value)
    except ValueError:
        return value  # whoever checks the arguments names the fault
    return parsed


def _unreadable(reason: str) -> HumanDecision:
    return HumanDecision(type="respond", error=reason)
