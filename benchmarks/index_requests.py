"""What a model is asked when documents come into an index: requests per document, and tokens beyond its text.

    uv run python -m benchmarks.index_requests ../shared/data                counted; the rules answer in its place
    uv run python -m benchmarks.index_requests ../shared/data --ask decoys   those in doubt are put to the model

DATA has a folder with `docs/*.md` for each corpus; `decoys` are no procedures. Files are audited and extracted as by
`soprag index add`. Tokens are characters / 4, with the schema of the answer. With `--ask` the model of the settings is
asked about the documents of one corpus of which the rules are not sure, and those that it admits are counted.
"""

import argparse
import asyncio
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, median, quantiles

from soprag.agents.auditor import Auditor
from soprag.apps.compose import services
from soprag.apps.compose.settings import input_window
from soprag.configs.settings import Settings, load
from soprag.tools.errors import NoProcedure
from soprag.tools.llm.base import LlmWrapper
from soprag.tools.llm.rendering import request_tokens
from soprag.tools.retriever.index.extraction import Extractor
from soprag.tools.retriever.index.loaders import read_text
from soprag.tools.sop import Document, Provenance, Sop
from soprag.tools.tasks.task import Answer, Ask, Task

NO_PROCEDURES = "decoys"
BEYOND = 2000  # tokens of a request that are not its document


@dataclass(frozen=True)
class CountingLlm(LlmWrapper):
    """Adds up requests and their tokens."""

    sizes: list[int] = field(default_factory=list)

    async def ask(self, task: Task[Ask, Answer], inputs: Ask) -> Answer:
        """The answer of the model, and the size of its request kept."""
        self.sizes.append(request_tokens(task, inputs))
        return await self.llm.ask(task, inputs)


@dataclass(frozen=True)
class DocumentRequests:
    """What one document took: requests, tokens beyond its text, whether it was in doubt and became an SOP."""

    corpus: str
    calls: int
    beyond: int
    doubtful: bool
    admitted: bool


async def read_corpus(folder: Path, settings: Settings, asks: bool) -> list[DocumentRequests]:
    """The requests for every document of one corpus; with `asks` for those in doubt, from the model."""
    llm = services.open_llm(settings) if asks else services.open_rules()
    sops, doubts = await _read(folder / "docs")

    async def requests(sop: Sop) -> DocumentRequests:
        counting = CountingLlm(llm)
        admitted = await _admitted(Extractor(counting, window=input_window(settings), doubts=doubts), sop)
        beyond = sum(counting.sizes) - len(sop.body) // 4
        return DocumentRequests(folder.name, len(counting.sizes), beyond, sop.id in doubts, admitted)

    return await asyncio.gather(*(requests(sop) for sop in sops if sop.id in doubts or not asks))


async def _read(docs: Path) -> tuple[list[Sop], dict[str, str]]:
    """Every file as one SOP, and of those of which the rules are not sure what they go by."""
    sops, doubts, auditor = list[Sop](), dict[str, str](), Auditor(services.open_rules())
    for file in sorted(docs.glob("*.md")):
        sop = read_text(file.read_bytes(), file.name, 20_000_000)
        place = Provenance(origin="folder", location=file.name)
        document = Document(id=sop.document, name=file.name, suffix=".md", size=len(sop.text), provenance=place)
        audit = await auditor.audit(document, sop.text)
        sops.append(sop)
        doubts |= {sop.id: audit.verdict.reason} if audit.doubtful else {}
    return sops, doubts


async def _admitted(extractor: Extractor, sop: Sop) -> bool:
    try:
        await extractor.extract(sop)
    except NoProcedure:
        return False
    return True


def render(documents: Sequence[DocumentRequests]) -> Iterator[str]:
    """A row per corpus, then one for all procedures where there are several corpora."""
    yield (
        f"{'':14}{'documents':>10}{'in doubt':>10}{'admitted':>10}{'calls':>7}{'most':>6}"
        f"{'beyond':>9}{'median':>8}{'95 %':>7}{'most':>7}{'<= 2000':>9}"
    )
    corpora = sorted({document.corpus for document in documents})
    for corpus in corpora:
        yield _row(corpus, [document for document in documents if document.corpus == corpus])
    if len(corpora) > 1:
        yield _row("procedures", [document for document in documents if document.corpus != NO_PROCEDURES])


def _row(name: str, some: Sequence[DocumentRequests]) -> str:
    beyond = [document.beyond for document in some]
    top = quantiles(beyond, n=20)[-1] if len(beyond) > 1 else max(beyond, default=0)
    return (
        f"{name:14}{len(some):10}{sum(document.doubtful for document in some):10}"
        f"{sum(document.admitted for document in some):10}{fmean(document.calls for document in some):7.2f}"
        f"{max(document.calls for document in some):6}{fmean(beyond):9.0f}{median(beyond):8.0f}{top:7.0f}"
        f"{max(beyond):7}{sum(size <= BEYOND for size in beyond):9}"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of corpora, each with docs/*.md")
    parser.add_argument("--ask", default="", metavar="CORPUS", help="put its documents in doubt to the model")
    options = parser.parse_args()
    settings = load()
    folders = [path.parent for path in sorted(options.data.glob("*/docs")) if options.ask in ("", path.parent.name)]
    documents = [
        document for folder in folders for document in asyncio.run(read_corpus(folder, settings, bool(options.ask)))
    ]
    sys.stdout.write("\n".join(render(documents)) + "\n")


if __name__ == "__main__":
    main()
