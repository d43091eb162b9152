"""Plays the feedback loop of paper 001 once with a person, a gold model and a reward model, on the example library.

    python -m tests.apps.research_feedback docs/research-feedback.md

The gold model and the reward model are loopback servers that mark the first version low and the second high.
"""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any
from unittest.mock import patch

from click.testing import CliRunner

from soprag.apps.cli.main import soprag
from soprag.tools.publishing.research import ResearchReport
from soprag.tools.research.records import AXES, SubtaskPlan, Version
from soprag.tools.store.run_folder import RunFolder
from tests.loopback import Loopback, says

QUESTION = "How is a UPS put into maintenance bypass?"
MISSING = "how are UPS batteries replaced"
_HEAD = """# The feedback loop of research

Read here how a report goes back to its judges: a person, a gold model, a reward model (paper 001, Algorithm 1). Written
by `python -m tests.apps.research_feedback` on the example library; rules plan and write, both
models are loopback servers.
"""


def main(file: str) -> None:
    """Play all three and write the transcript."""
    low, high = ({**dict.fromkeys(AXES, mark), "feedback": [], "missing": []} for mark in (1.0, 3.9))
    low |= {"feedback": ["Say what comes after the bypass."], "missing": [MISSING]}
    rewards = [",".join(f"{axis}:{mark}" for axis in AXES) for mark in (1.0, 3.9)]
    parts = [_HEAD, *_played("A person", _person())]
    with Loopback(says(low), says(high)) as server:
        gold = {"SOPRAG_RESEARCH__JUDGE_MODEL": "openai:gold", "SOPRAG_LLM__BASE_URL": server.url}
        parts += _played("A gold model", _asked("model", gold | {"OPENAI_API_KEY": "test"}))
    with Loopback(*map(says, rewards)) as server:
        parts += _played("A reward model", _asked("reward", {"SOPRAG_RESEARCH__REWARD_URL": server.url}))
    Path(file).write_text("\n".join(parts), encoding="utf-8")


def _played(heading: str, play: Iterator[str]) -> list[str]:
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        return [f"## {heading}\n", "```", *play, *_versions(RunFolder(Path(folder, "run"))), "```\n"]


def _person() -> Iterator[str]:
    yield from _typed(QUESTION, "--judge", "human", "--judge", "rules", "--out", "run")
    yield from _typed("--resume", "run", "--reject", MISSING)
    yield from _typed("--resume", "run", "--approve")


def _asked(judge: str, environment: dict[str, str]) -> Iterator[str]:
    with patch.dict("os.environ", environment):
        yield from _typed(QUESTION, "--judge", judge, "--out", "run")


def _typed(*words: str) -> Iterator[str]:
    shown = " ".join(f'"{word}"' if " " in word else word for word in words)
    yield f"> soprag research {shown}"
    fixed = () if words[0] == "--resume" else ("--profile", "offline", "--search", "library", "--local", "library")
    done = CliRunner().invoke(soprag, ["research", *words, *fixed, "--quiet"])
    yield f"{type(done.exception).__name__}: {done.exception}" if done.exception else done.stdout.splitlines()[-2]


def _versions(run: RunFolder) -> Iterator[str]:
    """Every version with its judgements and sections, the subtasks that were added, and which version is published."""
    added = [one for one in run.read("plan", "plan", SubtaskPlan).subtasks if one.round]
    for version in sorted(run.read_all("versions", Version), key=lambda one: one.number):
        yield f"\nversion {version.number}"
        yield from (f"  {section.heading} ({len(section.sentences)} lines)" for section in version.sections)
        for said in version.judgements:
            remarks: list[Any] = [*said.feedback, *(f"missing: {query}" for query in said.missing)]
            yield f"  judge {said.judge}: {said.score:.1f} of 4 {'; '.join(dict.fromkeys(remarks))}".rstrip()
        yield from (f"  new subtask: {one.query}" for one in added if one.round == version.number)
    report = ResearchReport.model_validate_json((run.path / "report" / "report.json").read_text(encoding="utf-8"))
    yield f"\npublished: version {report.version} of {report.versions}"


if __name__ == "__main__":
    main(*sys.argv[1:])
