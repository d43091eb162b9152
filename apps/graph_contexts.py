"""The contexts of the graphs that work on run folders, for Python programs."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from soprag.graphs.benchmark.context import BenchmarkContext
    from soprag.graphs.deepsearch.context import DeepSearchContext
    from soprag.graphs.review.context import ReviewContext


def open_benchmark_context(profile: str = "") -> "BenchmarkContext":
    """The collaborators for `create_benchmark_builder`; every run gets a folder of its own.

    `profile` is `offline`, `openai`, `paper`, or the path of a TOML file; empty chooses by the keys in the environment.
    """
    from soprag.apps.compose.served import ServedBuilds
    from soprag.graphs.benchmark.context import BenchmarkContext

    return BenchmarkContext(profile=profile, runs=ServedBuilds())


def open_research_context(profile: str = "") -> "DeepSearchContext":
    """The collaborators for `create_researcher`; `profile` as in `open_benchmark_context`."""
    from soprag.apps.compose.served import ServedResearch
    from soprag.graphs.deepsearch.context import DeepSearchContext

    return DeepSearchContext(profile=profile, runs=ServedResearch())


def open_review_context(reviewer: str) -> "ReviewContext":
    """The collaborators for `create_question_review`; `reviewer` is named in the benchmark."""
    from soprag.apps.compose.served import ServedReviews
    from soprag.graphs.review.context import ReviewContext

    return ReviewContext(reviewer=reviewer, runs=ServedReviews())
