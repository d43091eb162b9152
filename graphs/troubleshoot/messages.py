"""The messages of a conversation: what the operator asked, the last exchanges as text, and which are forgotten."""

from collections.abc import Sequence

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, RemoveMessage

from soprag.tools.text.sanitize import one_line, sanitize

KEY = "soprag"  # of the structured answer in a message's additional_kwargs
_WHOLE = 2  # the newest messages that keep their structured answer
_SAID = 300  # characters of an earlier message that a model is shown
_STORY = ("step", "reply")  # messages of a guided run
_EXCHANGED = 4  # earlier messages that a model is shown
_NOT_READ = "(An attached file was not read and not kept; say in words what it shows.)"
_LONGEST = 20_000  # characters of a question


def asked_by(messages: Sequence[AnyMessage]) -> str:
    """The text of the operator's last message."""
    latest = next((message for message in reversed(messages) if isinstance(message, HumanMessage)), None)
    return sanitize(str(latest.text)).strip()[:_LONGEST] if latest else ""


def before(messages: Sequence[AnyMessage]) -> str:
    """The last exchanges as prompt text."""
    earlier = [message for message in messages[:-1] if message.text and _kind(message) not in _STORY][-_EXCHANGED:]
    speakers = {"human": "Operator", "ai": "Assistant"}
    return "\n".join(
        f"{speakers.get(message.type, message.type)}: {one_line(str(message.text), _SAID)}" for message in earlier
    )


def without_files(messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """The operator's last message without attached files, which nobody here reads, as an update; empty without any."""
    latest = messages[-1] if messages else None
    if not isinstance(latest, HumanMessage) or isinstance(latest.content, str):
        return []
    files = [block for block in latest.content if not isinstance(block, str) and block.get("type") != "text"]
    words = str(latest.text) if not files else f"{latest.text}\n\n*{_NOT_READ}*".strip()
    return [HumanMessage(words, id=latest.id, additional_kwargs={KEY: {"kind": "message", "files": len(files)}})]


def forget(messages: Sequence[AnyMessage], remembered: int) -> list[AnyMessage | RemoveMessage]:
    """The updates that trim the messages: the oldest are removed, older ones lose their structured answer.

    `remembered` messages stay. The logbook holds the complete conversation.
    """
    cut = max(len(messages) - remembered, 0)
    removed = [RemoveMessage(id=str(message.id)) for message in messages[:cut]]
    answered = [message for message in messages[cut:] if isinstance(message, AIMessage)]
    return [*removed, *(_without_answer(message) for message in answered[:-_WHOLE] if _answer(message))]


def _kind(message: AnyMessage) -> object:
    structured = message.additional_kwargs.get(KEY)
    return structured.get("kind") if isinstance(structured, dict) else None


def _answer(message: AIMessage) -> object:
    structured = message.additional_kwargs.get(KEY)
    return structured.get("answer") if isinstance(structured, dict) else None


def _without_answer(message: AIMessage) -> AIMessage:
    structured = {**message.additional_kwargs[KEY], "answer": None, "sources": []}
    return message.model_copy(update={"additional_kwargs": {**message.additional_kwargs, KEY: structured}})
