"""`tools.toml`: which tools there are and what may be done with each; a server's own hints decide nothing.

[tools.ticket]
policy = "confirm-twice"          # auto | confirm | confirm-twice | deny; without a line: confirm
separate_approver = true          # with confirm-twice: the second approval must be another person's
url = "https://cmms.example/api/tickets"
token_variable = "CMMS_TOKEN"

[mcp.plant]
command = "plant-mcp"             # or url = "https://..."
[mcp.plant.tools.read_tag]        # an MCP tool without a table of its own is denied
policy = "auto"
side_effect = "read"              # you vouch for it; `auto` is refused without

A setting that would have no effect is an error: whoever wrote it relies on it.
"""

import tomllib
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError, model_validator

from soprag.tools.errors import ConfigError
from soprag.tools.protocols import SideEffect
from soprag.tools.sop import Frozen

Consent = Literal["auto", "confirm", "confirm-twice", "deny"]
_TICKET_ONLY = {"url", "token_variable", "timeout"}
_COMMAND_ONLY = {"args", "env"}


class ToolPolicy(Frozen):
    """What may be done with one tool."""

    policy: Consent = Field(default="confirm", description="approvals that a call needs; deny: never called")
    side_effect: SideEffect | None = Field(default=None, description="what you vouch for; only for MCP tools")
    separate_approver: bool = Field(default=False, description="two different people; only with confirm-twice")
    url: str = Field(default="", pattern=r"^(?:|https?://.+)$", description="where tickets are posted")
    token_variable: str = Field(default="", description="environment variable with the bearer token for `url`")
    timeout: float = Field(default=20.0, gt=0, le=600, description="seconds for one post to `url`")

    @property
    def approvals(self) -> int:
        """How many approvals a call needs."""
        return {"auto": 0, "confirm": 1, "confirm-twice": 2, "deny": 0}[self.policy]

    @model_validator(mode="after")
    def _every_setting_has_an_effect(self) -> "ToolPolicy":
        if self.separate_approver and self.policy != "confirm-twice":
            raise ValueError(
                f'separate_approver has no effect with policy = "{self.policy}"; it needs policy = "confirm-twice"'
            )
        if not self.url and (unused := self.model_fields_set & {"token_variable", "timeout"}):
            raise ValueError(f"{_names(unused)} has no effect without url")
        return self


class Server(Frozen):
    """One MCP server: a command to start, or an address. Only the tools in `tools` can be used."""

    command: str = ""
    args: tuple[str, ...] = ()
    env: dict[str, str] = Field(default_factory=dict)
    url: str = Field(default="", pattern=r"^(?:|https?://.+)$")
    timeout: float = Field(default=30.0, gt=0, le=600, description="seconds for one call")
    tools: dict[str, ToolPolicy] = Field(default_factory=dict, description="tools that may be used")

    @model_validator(mode="after")
    def _command_or_url(self) -> "Server":
        if bool(self.command) == bool(self.url):
            raise ValueError("an MCP server has either a command or a url")
        if self.url and (unused := self.model_fields_set & _COMMAND_ONLY):
            raise ValueError(f"{_names(unused)} has no effect with url, only with command")
        return self

    @model_validator(mode="after")
    def _policies_fit(self) -> "Server":
        for name, policy in self.tools.items():
            if policy.policy == "auto" and policy.side_effect not in ("pure", "read"):
                raise ValueError(f'auto needs side_effect = "read" for {name}')
            if unused := policy.model_fields_set & _TICKET_ONLY:
                raise ValueError(f"{_names(unused)} has no effect for the MCP tool {name}, only for ticket")
        return self


class ToolsFile(Frozen):
    """All of `tools.toml`."""

    tools: dict[str, ToolPolicy] = Field(default_factory=dict, description="the built-in tools")
    mcp: dict[str, Server] = Field(default_factory=dict, description="MCP servers by a name of your choice")

    @model_validator(mode="after")
    def _policies_fit(self) -> "ToolsFile":
        for name, policy in self.tools.items():
            if policy.policy == "auto":
                raise ValueError(f"the built-in tools all write; {name} cannot be auto")
            unused = policy.model_fields_set & ({"side_effect"} if name == "ticket" else {"side_effect", *_TICKET_ONLY})
            if unused:
                raise ValueError(f"{_names(unused)} has no effect for the built-in tool {name}")
        return self


def read_tools(file: Path | None) -> ToolsFile:
    """The file's contents; all defaults without one. Raises `ConfigError`."""
    if file is None or not file.is_file():
        return ToolsFile()
    try:
        return ToolsFile.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"Cannot read {str(file)!r}: {error}.") from error
    except ValidationError as invalid:
        details = [(".".join(map(str, detail["loc"])) or "file", detail["msg"]) for detail in invalid.errors()]
        reasons = "; ".join(f"{key}: {message}" for key, message in details)
        raise ConfigError(f"Wrong settings in {str(file)!r}: {reasons}.") from invalid


def _names(fields: set[str]) -> str:
    return ", ".join(sorted(fields))
