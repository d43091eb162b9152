"""Rule-based reflection: which suspect step is repeated, and with which change."""

from soprag.tools.history import ErrorKind
from soprag.tools.procedure.wording.lexicon import words
from soprag.tools.tasks.troubleshoot import Repair, RepairAsk, Suspect, ToolArgument
from soprag.tools.text.stop_words import STOP
from soprag.tools.text.terms import terms

# The change for the second attempt by kind of error; other kinds need a person.
_FIXES: dict[ErrorKind, str] = {
    "syntax": "Write the code anew, as complete Python without any text around it.",
    "name": "Use only names that are defined in the code or offered by the sandbox.",
    "type": "Check what each value is before it is used, and convert it.",
    "runtime": "Guard against the case that failed, or take another way to the same value.",
    "timeout": "Take a way that needs fewer operations.",
    "limit": "Take a way that needs less memory and prints less.",
    "arguments": "Call the tool in the form that its description gives.",
    "dimension": "Carry every quantity with its unit, and convert before quantities are added or compared.",
    "range": "Check the value against its physical bounds and its unit, and work it out again.",
    "inconsistent": "Work it out again in another way and put the result back into the equations.",
}
_FILLER = STOP | words(
    "hello hi hey please help thanks thank quick question need know tell show find got get anyone someone something "
    "really maybe now today just somehow apparently sorry"
)


def repair(ask: RepairAsk) -> Repair:
    """Repair the earliest step whose stored result is wrong, else the failed step; `fix` is empty without a remedy."""
    broken = [suspect for suspect in ask.suspects if suspect.evidence and suspect.step != ask.failed]
    if broken:
        return _again(ask, broken[-1], broken[-1].evidence)
    failed = next((suspect for suspect in ask.suspects if suspect.step == ask.failed), ask.suspects[0])
    if ask.kind == "empty":
        return _other_words(ask, failed)
    return _again(ask, failed, ask.message)


def _again(ask: RepairAsk, suspect: Suspect, cause: str) -> Repair:
    return Repair(step=suspect.step, cause=cause, fix=_FIXES.get(ask.kind, ""))


def _other_words(ask: RepairAsk, failed: Suspect) -> Repair:
    """Repeat the search with the content words only, when these are fewer."""
    question = next((argument.value for argument in failed.arguments if argument.name in ("question", "query")), "")
    tokens = question.split()
    content = " ".join(word for word in tokens if terms(word) and word.strip("?!.,").lower() not in _FILLER)
    name = next((argument.name for argument in failed.arguments if argument.name in ("question", "query")), "question")
    if not content or terms(content) == terms(question) or ask.attempts:
        return Repair(step=failed.step, cause=ask.message, fix="")
    return Repair(
        step=failed.step,
        cause="Words that say nothing about the plant can hide those that do.",
        fix="Search for the content words only.",
        arguments=[ToolArgument(name=name, value=content.strip("?!., "))],
    )
