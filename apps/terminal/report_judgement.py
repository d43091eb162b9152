"""Asks the person at the terminal whether a research report is good enough."""

import sys
from collections.abc import Mapping
from typing import Any

from soprag.tools.approval import HumanDecision, RequestedAction
from soprag.tools.errors import ApprovalNeeded


def judge_report(proposal: RequestedAction, run: str) -> HumanDecision:
    """Show the report and ask; nothing but a yes accepts it. Raises `ApprovalNeeded` when nobody is at a terminal."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise ApprovalNeeded(
            f"Run {run!r} waits for a person's judgement: go on with soprag research --resume {run} and --approve or "
            "--reject 'what is missing'."
        )
    arguments: Mapping[str, Any] = proposal.arguments
    _say(f"\n{arguments['report']}\n")
    for judge, score in arguments["scores"].items():
        _say(f"{judge}: {score:.1f} of 4")
    for answer in arguments["feedback"]:
        _say(f"- {answer}")
    sys.stderr.write("Is this report good enough? [y/N, or what is missing] ")
    sys.stderr.flush()
    answer = sys.stdin.readline().strip()
    if answer.lower() in ("y", "yes"):
        return HumanDecision(type="approve")
    message = "" if answer.lower() in ("", "n", "no") else answer
    return HumanDecision(type="reject", message=message)


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")
