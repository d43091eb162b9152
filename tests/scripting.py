"""A scripted model for the tests of graphs: tasks without a scripted reply are answered by rule."""

from soprag.tools.llm.scripted import Script, ScriptedLlm
from soprag.tools.rules.adapter import RulesLlm


def scripted(script: Script | None = None, *, delay: float = 0.0) -> ScriptedLlm:
    """A model that follows `script` and then the rules; `delay` is in seconds per reply."""
    return ScriptedLlm(script or {}, RulesLlm(), name="test:scripted", delay=delay)
