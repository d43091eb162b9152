"""Shared bases of the `Llm` adapters: those that count their calls, and those that wrap another adapter."""

from dataclasses import dataclass, field

from soprag import prompts
from soprag.configs.settings import LlmSettings
from soprag.tools.llm import rendering
from soprag.tools.tasks.cost import Ledger, Meter
from soprag.tools.tasks.task import Answer, Ask, Llm, Task


@dataclass(frozen=True)
class MeteredLlm:
    """An adapter with a meter of its own."""

    meter: Meter = field(default_factory=Meter, kw_only=True)

    @property
    def ledger(self) -> Ledger:
        """Calls, tokens and cost so far."""
        return self.meter.ledger


@dataclass(frozen=True)
class ConfiguredLlm(MeteredLlm):
    """The model of the settings; `server` is its base URL, empty for the provider's own."""

    settings: LlmSettings
    server: str = ""

    @property
    def name(self) -> str:
        """The model as `provider:name`."""
        return self.settings.model

    def fingerprint(self, task: Task[Ask, Answer]) -> str:
        """Model, server, prompt version and schema hash, such as `openai:gpt-4o prompt 0a1b form 2c3d`."""
        location = f" at {self.server}" if self.server else ""
        shape = rendering.form(task, self.settings.method, self.settings.temperature)
        return f"{self.settings.model}{location} prompt {prompts.version(task.name)} form {shape}"


@dataclass(frozen=True)
class LlmWrapper:
    """An adapter around another one, with its name, ledger and fingerprints."""

    llm: Llm

    @property
    def name(self) -> str:
        """The model's name."""
        return self.llm.name

    @property
    def ledger(self) -> Ledger:
        """Calls, tokens and cost of the model."""
        return self.llm.ledger

    def fingerprint(self, task: Task[Ask, Answer]) -> str:
        """The model's fingerprint."""
        return self.llm.fingerprint(task)
