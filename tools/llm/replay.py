"""The replay adapter: returns recorded answers only; needs no network and no key."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from soprag.tools.errors import ModelError
from soprag.tools.llm.answer_store import AnswerKey, RecordedAnswers
from soprag.tools.llm.base import ConfiguredLlm
from soprag.tools.tasks.cost import Spent
from soprag.tools.tasks.task import Answer, Ask, Task


@dataclass(frozen=True)
class ReplayLlm(ConfiguredLlm):
    """Plays back the recording in `folder`, for the model and the settings it was recorded with."""

    folder: Path = field(kw_only=True)

    async def ask(self, task: Task[Ask, Answer], inputs: Ask) -> Answer:
        """The recorded answer; raises `ModelError` when there is none."""
        request = AnswerKey(task.name, self.fingerprint(task), inputs.model_dump_json())
        store = RecordedAnswers(self.folder)
        recorded = await asyncio.to_thread(store.find, request)
        if recorded is None:
            raise ModelError(await asyncio.to_thread(self._missing, store, request))
        self.meter.add(task.name, Spent(cached=1))
        try:
            return task.answers.model_validate_json(recorded)
        except ValidationError as error:
            raise ModelError(
                f"{str(store.file(request))!r} does not hold a {task.answers.__name__}: {error}"
            ) from error

    def _missing(self, store: RecordedAnswers, request: AnswerKey) -> str:
        others = store.count(request.task)
        why = f" ({others} others are: its input, prompt, model or settings have changed)" if others else ""
        return (
            f"No answer to this {request.task!r} is recorded in {str(self.folder)!r}{why}. Record it with a key and "
            f"llm.record={str(self.folder)!r}. Looked for: {request.fingerprint}."
        )
