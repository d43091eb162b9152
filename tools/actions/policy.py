"""`tools.toml`: which tools there are, and what may be done with each; only this file decides, never a server's hint.

[tools.ticket]
policy = "confirm-twice"          # auto | confirm | confirm-twice | deny; without a line: confirm
separate_approver = true          # the second approval must be another person's
url = "https://cmms.example/api/tickets"
token_variable = "CMMS_TOKEN"

[mcp.plant]
command = "plant-mcp"             # or url = "https://..."
[mcp.plant.tools.read_tag]
policy = "auto"
side_effect = "read"              # you vouch for it; `auto` is refused without
"""

import tomllib
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError, model_validator

from tools.errors import ConfigError
from tools.protocols import SideEffect
from tools.sop import Frozen

Consent = Literal["auto", "confirm", "confirm-twice", "deny"]


class Policy(Frozen):
    """What may be done with one tool."""

    policy: Consent = "confirm"
    side_effect: SideEffect | None = Field(default=None, description="what you vouch for; only for MCP tools")
    separate_approver: bool = False
    url: str = Field(default="", pattern=r"^(?:|https?://.+)$", description="where tickets are posted")
    token_variable: str = ""
    timeout: float = Field(default=20.0, gt=0, le=600)

    @property
    def approvals(self) -> int:
        """How many approvals a call needs."""
        return {"auto": 0, "confirm": 1, "confirm-twice": 2, "deny": 0}[self.policy]


class Server(Frozen):
    """One MCP server: a command to start, or an address."""

    command: str = ""
    args: tuple[str, ...] = ()
    env: dict[str, str] = Field(default_factory=dict)
    url: str = Field(default="", pattern=r"^(?:|https?://.+)$")
    timeout: float = Field(default=30.0, gt=0, le=600, description="seconds for one call")
    tools: dict[str, Policy] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one_door(self) -> "Server":
        if bool(self.command) == bool(self.url):
            raise ValueError("an MCP server has either a command or a url")
        if vouchless := [
            name for name, one in self.tools.items() if one.policy == "auto" and one.side_effect not in ("pure", "read")
        ]:
            raise ValueError(f'auto needs side_effect = "read" for {", ".join(vouchless)}')
        return self


class ToolsFile(Frozen):
    """All of `tools.toml`."""

    tools: dict[str, Policy] = Field(default_factory=dict)
    mcp: dict[str, Server] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _writes_are_asked(self) -> "ToolsFile":
        if unasked := [name for name, one in self.tools.items() if one.policy == "auto"]:
            raise ValueError(f"the built-in tools all write; {', '.join(unasked)} cannot be auto")
        return self


def read_tools(file: Path | None) -> ToolsFile:
    """The file's contents; all defaults without one. Raises `ConfigError`."""
    if file is None or not file.is_file():
        return ToolsFile()
    try:
        return ToolsFile.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as fault:
        raise ConfigError(f"Cannot read {str(file)!r}: {fault}.") from fault
    except ValidationError as wrong:
        faults = "; ".join(f"{'.'.join(map(str, one['loc'])) or 'file'}: {one['msg']}" for one in wrong.errors())
        raise ConfigError(f"Wrong settings in {str(file)!r}: {faults}.") from wrong
