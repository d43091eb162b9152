"""What requests cost, from the recorded pairs: `python -m tests.replay.costs`.

A row per task, then one per thing that a user does. Tokens are characters / 4; a request counts with its prompt and its
schema or tools, `input` without its instructions.
"""

from collections.abc import Sequence
from statistics import fmean

from soprag.tools.llm.rendering import request_tokens
from tests.replay.cases import ReplayCase
from tests.replay.test_replay import PAIRS, RECORDED

# What is done, and the tasks that it asks, one call each; a refused sentence or failed call costs one more.
_DONE = {
    "read one SOP into an index": ("extract",),
    "answer a question": ("choose", "answer"),
    "answer where the search is sure": ("answer",),
    "the same in words of the model": ("answer", "support"),
    "calculate": ("plan", "math"),
    "calculate with a program": ("plan", "code"),
    "calculate with values of a procedure": ("plan", "choose", "answer", "math"),
    "build: judge a document": ("audit",),
    "build: questions for an SOP": ("questions",),
    "read another document into the knowledge graph": ("knowledge",),
}


def main() -> None:
    """Print both tables."""
    by_task: dict[str, list[ReplayCase]] = {}
    for case in RECORDED:
        by_task.setdefault(case.task.name, []).append(case)
    rows = [_row(task, (task,), by_task) for task in sorted(by_task)]
    rows += ["", *(_row(what, tasks, by_task) for what, tasks in _DONE.items())]
    head = f"{'':48}{'pairs':>6}{'calls':>6}{'prompt':>8}{'most':>8}{'input':>8}{'answer':>8}"
    print("\n".join([head, *rows]))  # noqa: T201


def _row(name: str, tasks: Sequence[str], by_task: dict[str, list[ReplayCase]]) -> str:
    """Tokens of the tasks together: prompts on average and at most, what of them is input, and answers."""
    groups = [by_task[task] for task in tasks]
    sizes = [[request_tokens(case.task, case.inputs) for case in group] for group in groups]
    prompt, most = sum(map(fmean, sizes)), sum(map(max, sizes))
    given = sum(fmean(len(case.inputs.model_dump_json(exclude={"tools"})) / 4 for case in group) for group in groups)
    said = sum(fmean(len(PAIRS[case.id].answer) / 4 for case in group) for group in groups)
    pairs = sum(map(len, groups))
    return f"{name:48}{pairs:6}{len(tasks):6}{prompt:8.0f}{most:8}{given:8.0f}{said:8.0f}"


if __name__ == "__main__":
    main()
