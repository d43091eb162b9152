"""`soprag review`: a person goes through the questions of a benchmark at this terminal."""

import asyncio
from pathlib import Path

import click

from soprag.apps.cli import options
from soprag.apps.cli.output import finish
from soprag.apps.compose.settings import choose_profile, open_settings
from soprag.apps.runs import find_run, only_one
from soprag.apps.terminal.question_review import open_desk
from soprag.apps.terminal.sessions import operator
from soprag.tools.publishing import ReviewSummary
from soprag.tools.store.review_record import reviewer_folder

EXAMPLES = """\b
Examples:
  soprag review runs/pump-station-20260101-120000-000 --reviewer ana
  soprag review pump-station-20260101-120000-000 --reviewer bob     a second pass; their agreement is printed
"""


@click.command(epilog=EXAMPLES)
@click.argument("run")
@click.option("--reviewer", metavar="NAME", help="Who reviews, for the benchmark.  [default: the account]")
@click.option("--plain", is_flag=True, help="Plain lines, for screen readers and slow terminals.")
@options.PROFILE
@options.JSON
def review(run: str, reviewer: str | None, plain: bool, profile: str | None, as_json: bool) -> None:
    """Accept, edit or reject the questions of RUN, a run of soprag build, one by one.

    Every decision is kept at once: a review goes on where it was left or killed. At the end, and when it is left, the
    benchmark of the run is written again with the decisions of all reviewers.
    """
    finish("review", as_json, lambda: review_questions(run, operator(reviewer or ""), profile, plain=plain or as_json))


def review_questions(run: str, reviewer: str, profile: str | None, *, plain: bool) -> ReviewSummary:
    """Go through the open questions of a run; the lock keeps a second process of the same reviewer out."""
    folder = find_run(run, Path(open_settings(choose_profile(profile), {}).run.folder), "run")
    own = reviewer_folder(folder, reviewer)
    own.path.mkdir(parents=True, exist_ok=True)
    with only_one(own):
        return asyncio.run(open_desk(folder, reviewer, plain=plain).review())
