"""Which tasks a model is trusted with: the result of its self-check, and the adapter that keeps to it."""

import logging
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import Field, ValidationError

from soprag.configs.settings import LlmSettings
from soprag.tools.llm.base import LlmWrapper
from soprag.tools.llm.fallback import AttributedAnswer, attributed
from soprag.tools.sop import Frozen, digest
from soprag.tools.store.run_folder import write_whole
from soprag.tools.tasks.task import Answer, Ask, Llm, Task

log = logging.getLogger(__name__)


class TaskTrust(Frozen):
    """How a model did at one task."""

    task: str
    passed: bool
    reason: str = Field(default="", description="what was wrong with its answer; empty when it passed")


class ModelTrust(Frozen):
    """The self-check of one model: a task that it failed is answered by the rules."""

    model: str
    server: str = ""
    tasks: list[TaskTrust]

    @property
    def weak(self) -> bool:
        """Whether the model failed half of the checks or more; it is not trusted with unchecked tasks either."""
        return 2 * sum(task.passed for task in self.tasks) <= len(self.tasks)

    def distrust(self, task: str) -> str:
        """Why the model is not trusted with a task; empty when it is."""
        checked = next((entry for entry in self.tasks if entry.task == task), None)
        if checked is not None:
            return "" if checked.passed else checked.reason
        return "it failed most of its checks" if self.weak else ""


def trust_file(cache: Path, settings: LlmSettings, server: str) -> Path:
    """Where the self-check of the model of these settings is kept."""
    return cache / "model-trust" / f"{digest(f'{settings.model} {server} {settings.method}')[:24]}.json"


def write_trust(file: Path, trust: ModelTrust) -> None:
    """Keep the result of a self-check, in place of an earlier one."""
    write_whole(file, trust.model_dump_json(indent=1).encode() + b"\n")


def read_trust(file: Path) -> ModelTrust | None:
    """The result of the last self-check; None when there was none."""
    try:
        return ModelTrust.model_validate_json(file.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        log.warning("%s is not readable (%s); run `soprag doctor --model` again", file, error)
        return None


@dataclass(frozen=True)
class TrustingLlm(LlmWrapper):
    """Asks `llm` the tasks it is trusted with and `rules` the others, and says so once for each task."""

    rules: Llm
    trust: ModelTrust
    _reported: set[str] = field(default_factory=set)

    def trusts(self, task: Task[Ask, Answer]) -> bool:
        """Whether the model answers this task."""
        return not self.trust.distrust(task.name)

    def fingerprint(self, task: Task[Ask, Answer]) -> str:
        """That of the adapter that answers the task."""
        return (self.llm if self.trusts(task) else self.rules).fingerprint(task)

    async def ask(self, task: Task[Ask, Answer], inputs: Ask) -> Answer:
        """The answer of the model, or of the rules for a task that it is not trusted with."""
        return (await self.attributed(task, inputs)).answer

    async def attributed(self, task: Task[Ask, Answer], inputs: Ask) -> AttributedAnswer[Answer]:
        """The answer with its author."""
        reason = self.trust.distrust(task.name)
        if not reason:
            return await attributed(self.llm, task, inputs)
        if task.name not in self._reported:
            self._reported.add(task.name)
            log.warning("%s: answered by the rules; %s is not trusted with it: %s", task.name, self.llm.name, reason)
        return AttributedAnswer(await self.rules.ask(task, inputs), self.rules.name)


def answering(llm: Llm, task: Task[Ask, Answer]) -> Llm:
    """The adapter that answers `task`: the rules, where the model is not trusted with it."""
    return llm.rules if isinstance(llm, TrustingLlm) and not llm.trusts(task) else llm
