"""Settings of what an operator works with: troubleshooting, guided runs, the sandbox, the chat."""

from typing import Literal

from pydantic import Field

from soprag.configs.section import ServerUrl, SettingsSection


class TroubleshootSettings(SettingsSection):
    """The troubleshooting agent, see docs/troubleshooting.md."""

    actions: int = Field(ge=1, le=50, description="Largest number of actions for one question.")
    repairs: int = Field(ge=0, le=20, description="Largest number of repairs for one question.")
    repairs_per_step: int = Field(ge=0, le=10, description="Largest number of repairs for one step.")
    seconds: float = Field(gt=0, description="Seconds for one question, without the time a person takes to answer.")
    remembered: int = Field(ge=2, description="Messages of a conversation in the graph state; the record has all.")
    passage_score: float = Field(
        ge=0,
        le=2,
        description="Score (cosine plus shared terms) at which a passage of the procedure at hand is quoted.",
    )
    search: Literal["off", "ask", "allow"] = Field(
        description="Web search by the agent: off, ask (each query needs an approval), or allow."
    )


class FlowSettings(SettingsSection):
    """Guided runs, see docs/flow.md."""

    tools: str = Field(
        description="File with the operator tools and their policies; without it each call needs approval."
    )
    passes: int = Field(ge=1, description="Visits of one step after which a run asks whether to repeat the loop.")


class SandboxSettings(SettingsSection):
    """Execution of Python that a model wrote, see docs/sandbox.md."""

    backend: Literal["wasm", "native"] = Field(
        description="wasm (every system), or native (Linux: full Python with numpy and scipy)."
    )
    seconds: float = Field(gt=0, le=600, description="Time limit of one program, in seconds.")
    memory: int = Field(ge=128, le=65536, description="Memory limit of one program, in MiB.")
    output: int = Field(ge=100, description="Output limit of one program, in characters.")
    calls: int = Field(ge=0, description="Tool calls one program may make.")


class ObserveSettings(SettingsSection):
    """Logs, traces and metrics, see docs/observing.md; traces and metrics need the extra `observe`."""

    log: str = Field(description="File of the log as JSON lines, `-` for stderr; empty: text on stderr, by --verbose.")
    traces: ServerUrl = Field(
        description="OpenTelemetry collector (OTLP over HTTP), such as http://127.0.0.1:4318; empty: none."
    )
    metrics: str = Field(
        pattern=r"^(\S+:\d+)?$",
        description="Address to serve Prometheus metrics at, such as 127.0.0.1:9464; empty: none.",
    )

    @property
    def anything(self) -> bool:
        """Whether anything is observed."""
        return bool(self.log or self.traces or self.metrics)


class ChatSettings(SettingsSection):
    """soprag chat and soprag ask, see docs/chat.md."""

    folder: str = Field(min_length=1, description="Folder of the sessions: checkpoints, records, drafts.")
    operator: str = Field(description="Name of the operator in the record; empty: the name of the user account.")
    approver: Literal["operator", "other"] = Field(
        description="Who approves actions: the operator, or a second person who enters a name."
    )
    pages: str = Field(description="Address of a server with pages of the procedures, for source links; empty: none.")
    bell: bool = Field(description="Ring the terminal bell when an answer or an approval is waited for.")


class ServeSettings(SettingsSection):
    """soprag serve and soprag mcp, see docs/serving.md."""

    sessions: str = Field(
        pattern=r"^(postgres(ql)?://\S+)?$",
        description="URL of a PostgreSQL schema for checkpoints and records, such as "
        "postgresql://user@host/database?schema=sessions (extra `postgres`); empty: SQLite and files on this machine.",
    )
    processes: int = Field(ge=1, le=256, description="Server processes behind the port; more than one need `sessions`.")
    turns: int = Field(ge=1, le=256, description="Turns that a process works on at the same time.")
    drain: float = Field(gt=0, description="Seconds a process that is to end may take for the turns under way.")
