"""The benchmark builder for Python programs, as one call."""

from pathlib import Path
from typing import TYPE_CHECKING

from soprag.apps.sop_index import run_apart

if TYPE_CHECKING:
    from soprag.tools.publishing import RunSummary


def build_benchmark(
    topic: str,
    *,
    source: str | Path | None = None,
    out: str | Path | None = None,
    questions: int | None = None,
    profile: str | None = None,
    model: str | None = None,
) -> "RunSummary":
    """Collect documents, split them into procedures, and write questions for them.

    Args:
        topic: The industrial topic, such as `Data Center Maintenance`.
        source: A folder with documents. None searches the web where a search engine is set, else the embedded library.
        out: The folder of the run, empty or new. None makes one in `runs`.
        questions: Questions per procedure, 1 to 25. None takes the setting, 5 by default.
        profile: `offline`, `openai`, `paper`, or the path of a TOML file. None chooses by the keys in the environment.
        model: The chat model as `provider:name`, or `rules` for none.

    Returns:
        The counts, and in `benchmark` the folder with `corpus.jsonl`, `queries.jsonl` and `qrels/test.tsv`.

    Raises:
        UsageError: the source is no folder, or `out` is not empty.
        NothingFound: there is no document on the topic.
    """
    from soprag.apps.cli.build import BuildCall
    from soprag.apps.cli.build import build_benchmark as run_build

    call = BuildCall(
        topic=topic,
        source=str(source) if source else None,
        out=str(out) if out else None,
        questions=questions,
        profile=profile,
        model=model,
    )
    return run_apart(lambda: run_build(call, quiet=True)).summary
