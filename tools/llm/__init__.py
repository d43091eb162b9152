"""The model interface: `await llm.ask(tasks.AUDIT, MarkdownAsk(...))` returns a validated, typed answer."""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from soprag.configs.settings import LlmSettings
from soprag.tools.errors import ConfigError
from soprag.tools.tasks.cost import Ledger, Spent
from soprag.tools.tasks.task import Answer, Ask, Llm, Task

__all__ = ["Answer", "Ask", "Ledger", "Llm", "Spent", "Task", "every_task", "open_llm"]


def open_llm(
    settings: LlmSettings, prices: Mapping[str, tuple[float, float]], cache_dir: Path, rules: Callable[[], Llm]
) -> Llm:
    """The `Llm` of these settings: rules, a recording, or a chat model with its cache. No request is made.

    `prices` are US dollars per million tokens (in, out) by model name. Answers are cached below `cache_dir`.
    `rules` opens the rules adapter; the composition passes it in, so that this room does not import it.
    """
    if settings.model == "rules":
        if settings.record or settings.replay:
            raise ConfigError("llm.record and llm.replay are about a model; name it with llm.model, not 'rules'.")
        return rules()
    from soprag.tools.providers import server_of

    server = server_of(settings.model, settings.base_url)
    if settings.replay:
        from soprag.tools.llm.replay import ReplayLlm

        return ReplayLlm(settings, server, folder=Path(settings.replay))
    return _open_chat(settings, prices.get(settings.model), server, cache_dir)


def _open_chat(settings: LlmSettings, prices: tuple[float, float] | None, server: str, cache_dir: Path) -> Llm:
    from soprag.tools.llm.answer_store import AnswerStore, RecordedAnswers, SqliteAnswers
    from soprag.tools.llm.cached import CachedLlm
    from soprag.tools.llm.chat import ChatLlm

    chat = ChatLlm(settings, server, prices)
    stores: list[AnswerStore] = []
    if settings.cache:
        stores.append(SqliteAnswers(cache_dir / "answers.sqlite"))
    if settings.record:
        stores.append(RecordedAnswers(Path(settings.record)))
    return CachedLlm(chat, chat.meter, tuple(stores)) if stores else chat


def every_task() -> list[Task[Any, Any]]:
    """All tasks, in the order of their modules in `tools/tasks`."""
    from soprag.tools import tasks

    modules = [import_module(f"{tasks.__name__}.{module.name}") for module in iter_modules(tasks.__path__)]
    return [task for module in modules for task in getattr(module, "TASKS", ())]
