"""Parses a model response: answer text, finish reason, token usage."""

import json
from typing import TYPE_CHECKING, Any

from soprag.tools.errors import AnswerCut, ModelRefused

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage

# Finish reasons of providers for answers cut at the token limit, and for withheld answers.
_CUT = {"length", "max_tokens", "incomplete", "model_length"}
_WITHHELD = {
    "content_filter",
    "safety",
    "refusal",
    "recitation",
    "prohibited_content",
    "blocklist",
    "guardrail_intervened",
}


def answer_of(message: "AIMessage", who: str, *, calls: bool = False) -> str:
    """The JSON text of the answer; raises `ModelRefused`, or `AnswerCut` when it was cut short.

    With `calls` the answer is a call of a tool: its name is the field `tool` beside its arguments.
    """
    refusal = message.additional_kwargs.get("refusal") or _refusal_block(message)
    if refusal:
        raise ModelRefused(f"{who} declined: {str(refusal)[:300]!r}")
    data = message.response_metadata
    ending = str(data.get("finish_reason") or data.get("stop_reason") or data.get("status") or "").lower()
    check_ending(ending, who)
    if message.tool_calls:
        call = message.tool_calls[0]
        return json.dumps({"tool": call["name"], **call["args"]} if calls else call["args"], ensure_ascii=False)
    if message.invalid_tool_calls:
        return str(message.invalid_tool_calls[0]["args"] or "")
    return _object_in(str(message.text))


def check_ending(ending: str, who: str) -> None:
    """Raise `AnswerCut` for a truncated and `ModelRefused` for a withheld answer."""
    if ending in _CUT:
        raise AnswerCut(f"The answer of {who} was cut short at its limit; raise llm.max_output_tokens.")
    if ending in _WITHHELD:
        raise ModelRefused(f"{who} withheld its answer ({ending}).")


def tokens_of(message: "AIMessage") -> tuple[int, int] | None:
    """Tokens in and out; None when the provider does not say."""
    used = message.usage_metadata
    return (used["input_tokens"], used["output_tokens"]) if used else None


def tokens_in_fault(error: Exception) -> tuple[int, int] | None:
    """Tokens in and out from an exception that carries the incomplete answer; None when it has no usage."""
    used: Any = getattr(getattr(error, "completion", None), "usage", None)
    return (used.prompt_tokens, used.completion_tokens) if used else None


def _refusal_block(message: "AIMessage") -> str:
    """The refusal in the content blocks of OpenAI's Responses API."""
    blocks = message.content if isinstance(message.content, list) else []
    return "".join(str(block.get("refusal", "")) for block in blocks if isinstance(block, dict))


def _object_in(text: str) -> str:
    """From the first brace to the last: local models put code fences, thoughts or a greeting around their JSON."""
    _, _, rest = text.rpartition("</think>")
    start, end = rest.find("{"), rest.rfind("}")
    return rest[start : end + 1] if 0 <= start < end else rest.strip()
