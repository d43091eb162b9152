"""The one door to models: `await llm.ask(tasks.FILTER, MarkdownAsk(...))` gives a valid, typed answer."""

from tools.llm.task import Answer, Ask, Llm, Task

__all__ = ["Answer", "Ask", "Llm", "Task"]
