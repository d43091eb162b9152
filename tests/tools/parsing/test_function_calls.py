"""The audit reads whole documents in a parser process: bounded in time and memory, and killed on cancelling."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from soprag.agents.auditor import Auditor
from soprag.configs.settings import load
from soprag.tools.errors import DocumentError
from soprag.tools.parsing import Parser, pool
from soprag.tools.procedure.filtering import document_filter
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.rules.audit import audit
from soprag.tools.sop import Document, Provenance, digest
from soprag.tools.tasks.benchmark import MarkdownAsk
from tests.tools.parsing import text_work

CARDS = "".join(f"## Start of pump P-{n}\n\n1. Open the valve.\n2. Start the pump.\n3. Close it.\n\n" for n in range(3))
TEXT = f"# Plant procedures\n\nThese warnings apply to all procedures.\n\n**WARNING:** Hot surfaces.\n\n{CARDS}"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Parser]:
    """A parser with little time and memory, whose processes can import the functions of the tests."""
    limits = {"memory": 1024, "timeout": 3.0, "workers": 1, "cache": False}
    with (
        pytest.MonkeyPatch.context() as patch,
        Parser(load(options={"parsing": limits}, environment={}).parsing) as parser,
    ):
        environment = pool.process_environment

        def with_tests(*arguments: Any) -> dict[str, str]:
            return {**environment(*arguments), "PYTHONPATH": str(text_work.__file__).partition("/tests/")[0]}

        patch.setattr(pool, "process_environment", with_tests)
        yield parser


def test_arguments_and_results_cross_to_the_process_and_back(small: Parser) -> None:
    assert asyncio.run(small.run(text_work.shout, "stop", 2, document="a.md")) == "STOP!!"


def test_the_rules_give_the_same_answers_in_a_process_of_their_own(small: Parser) -> None:
    ask = MarkdownAsk(name="plant.md", markdown=TEXT)
    assert asyncio.run(small.run(document_filter.judge, ask, document="plant.md")) == document_filter.judge(ask)
    assert asyncio.run(small.run(audit, ask, document="plant.md")) == audit(ask)


def test_a_document_that_takes_too_long_or_too_much_is_refused_by_name_and_the_next_one_is_read(small: Parser) -> None:
    with pytest.raises(DocumentError, match=r"'slow\.md' .*no result within 3 s"):
        asyncio.run(small.run(text_work.hang, "x", document="slow.md"))
    with pytest.raises(DocumentError, match=r"'huge\.md' .*parsing\.memory"):
        asyncio.run(small.run(text_work.swell, "x", document="huge.md"))
    assert asyncio.run(small.run(text_work.shout, "stop", 0, document="a.md")) == "STOP"


def test_cancelling_frees_the_process_at_once(small: Parser) -> None:
    async def leave() -> None:
        task = asyncio.create_task(small.run(text_work.hang, "x", document="slow.md"))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(leave())
    assert asyncio.run(small.run(text_work.shout, "stop", 0, document="a.md")) == "STOP"


def test_the_auditor_filters_and_splits_in_the_process(small: Parser) -> None:
    document = Document(
        id=digest(TEXT), name="plant.md", suffix=".md", size=len(TEXT),
        provenance=Provenance(origin="folder", location="plant.md"),
    )  # fmt: skip
    auditor = Auditor(RulesLlm(runner=small), runner=small)
    audit = asyncio.run(auditor.audit(document, TEXT))
    assert audit.verdict.is_sop
    assert len(audit.sops) == 3


@pytest.mark.parametrize("name", ["long.md", "long.txt"])
def test_text_that_is_longer_than_the_limit_is_refused_like_every_other_document(name: str) -> None:
    settings = load(options={"parsing": {"max_characters": 1000}}, environment={}).parsing
    with (
        Parser(settings) as parser,
        pytest.raises(DocumentError, match=r"1,001 characters; parsing\.max_characters is"),
    ):
        parser.parse_now(b"x" * 1001, name)
