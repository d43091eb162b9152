"""What a turn was: its experts' steps, the progress of the guided run, and the tokens it cost."""

from collections.abc import Iterator

from soprag.apps.terminal.dialogue import GraphStatus
from soprag.tools.flow.run import StepResult
from soprag.tools.tasks.cost import Spent
from soprag.tools.text.sanitize import one_line

_TEXT = 100


def account(standing: GraphStatus) -> Iterator[str]:
    """A line per step of the solution history, the failed ones too."""
    for step in standing.history:
        version = f".{step.version}" if step.version > 1 else ""
        failure = step.failure
        reason = f": {failure.kind}" if failure else ""
        status = "" if step.status == "ok" else f" {step.status}{reason}"
        text = (failure.message if failure else "") or step.task or step.text
        yield one_line(f"{step.step}{version} {step.tool}{status} · {step.seconds:.1f} s · {one_line(text, _TEXT)}")


def run_account(standing: GraphStatus) -> Iterator[str]:
    """The guided run: what was done, skipped and measured."""
    run = standing.flow
    if not run:
        return
    yield f"Guided run of {one_line(run.title or run.sop)}: {run.status}"
    for result in run.trail:
        yield f"  step {result.number} {_outcome(result)}"


def tokens_used(before: Spent, after: Spent) -> str:
    """`602 tokens sent, 26 received, $0.0003`; empty when no model was asked between the two."""
    sent, received = after.tokens_in - before.tokens_in, after.tokens_out - before.tokens_out
    if not sent and not received:
        return ""
    cost = "" if before.cost is None or after.cost is None else f", ${after.cost - before.cost:.4f}"
    return f"{sent:,} tokens sent, {received:,} received{cost}"


def _outcome(result: StepResult) -> str:
    value = f"{result.value.value} {result.value.unit}".strip() if result.value else ""
    return one_line(": ".join(filter(None, (result.outcome, value, result.condition, result.reason))))
