"""All tools of an operator under their policies; the one place where a call is let through."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from pydantic import JsonValue

from soprag.tools.actions.action import OperatorTool, ToolCall, checked
from soprag.tools.actions.call import CallDraft
from soprag.tools.actions.email import EmailDraft
from soprag.tools.actions.note import NoteDraft
from soprag.tools.actions.policy import ToolPolicy, ToolsFile
from soprag.tools.actions.ticket import TicketDesk, TicketDraft
from soprag.tools.actions.timer import TimerFile
from soprag.tools.errors import ConfigError
from soprag.tools.history import StepFailure
from soprag.tools.protocols import ExpertResult
from soprag.tools.text.identity import count_people

_READS = ("pure", "read")


@dataclass(frozen=True)
class Toolbox:
    """Tools by name, each with its policy; a denied tool is treated as if it did not exist.

    `unavailable` holds tools of MCP servers that cannot be used, each with the reason and what to do.
    """

    actions: dict[str, OperatorTool] = field(default_factory=dict)
    policies: dict[str, ToolPolicy] = field(default_factory=dict)
    unavailable: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, action: OperatorTool, policy: ToolPolicy) -> None:
        """One more tool, such as of a server that has answered."""
        self.actions[name], self.policies[name] = action, policy
        self.unavailable.pop(name, None)

    def policy(self, name: str) -> ToolPolicy:
        """The policy of the tool; `confirm` where the file has no line for it."""
        return self.policies.get(name, ToolPolicy())

    def offered(self, names: Iterable[str] | None = None) -> list[str]:
        """Those of `names` (default: of all tools) that exist and are not denied."""
        candidates = self.actions if names is None else names
        return [name for name in candidates if name in self.actions and self.policy(name).policy != "deny"]

    def approvals(self, name: str) -> int:
        """How many approvals a call needs: at least one unless the tool is known to only read."""
        policy = self.policy(name)
        reads = self.actions[name].protocol.side_effect in _READS
        return policy.approvals if reads else max(1, policy.approvals)

    def check(self, name: str, arguments: object) -> dict[str, JsonValue] | StepFailure:
        """The arguments as the tool takes them, without hidden characters, or why the tool cannot be called."""
        if name in self.unavailable:
            return StepFailure(kind="unavailable", message=self.unavailable[name])
        if name not in self.offered():
            names = ", ".join(self.offered()) or "none"
            return StepFailure(kind="unavailable", message=f"There is no tool {name!r} here; there are: {names}.")
        return checked(self.actions[name].protocol, arguments)

    async def act(self, name: str, arguments: object, call: ToolCall) -> ExpertResult | StepFailure:
        """Call the tool if the call has the approvals that its policy asks for."""
        valid = self.check(name, arguments)
        if isinstance(valid, StepFailure):
            return valid
        needed, separate = self.approvals(name), self.policy(name).separate_approver
        if len(call.approvers) < needed:
            return StepFailure(kind="refused", message=f"{name!r} needs {needed} approvals.")
        if separate and count_people(call.approvers) < needed:
            return StepFailure(kind="refused", message=f"{name!r} needs approvals of {needed} different people.")
        return await self.actions[name].act(valid, call)


def builtin(file: ToolsFile) -> Toolbox:
    """The tools that come with SOPRAG, under the policies of `tools.toml`; raises `ConfigError` for unknown names."""
    ticket = file.tools.get("ticket", ToolPolicy())
    desk = TicketDesk(ticket.url, ticket.token_variable, ticket.timeout) if ticket.url else None
    actions: list[OperatorTool] = [EmailDraft(), CallDraft(), TicketDraft(desk), NoteDraft(), TimerFile()]
    by_name = {action.protocol.name: action for action in actions}
    if unknown := sorted(set(file.tools) - set(by_name)):
        raise ConfigError(f"tools.toml names unknown tools: {', '.join(unknown)}; there are {', '.join(by_name)}.")
    return Toolbox(by_name, dict(file.tools))
