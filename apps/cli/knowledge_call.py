"""The options that the commands of `soprag knowledge` share, and the graph that they open."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from soprag.apps.cli import options
from soprag.apps.cli.output import say
from soprag.apps.compose.settings import CallOptions
from soprag.apps.progress import open_progress

if TYPE_CHECKING:
    from soprag.apps.compose.knowledge import OpenedKnowledge
    from soprag.configs.settings import Settings
    from soprag.graphs.knowledge.state import KnowledgeInput
    from soprag.tools.knowledge.report import KnowledgeReport

Command = Callable[..., None]


def common(command: Command) -> Command:
    """The options that every command of the group takes."""
    return options.index_options(options.JSON(options.QUIET(command)))


@dataclass(frozen=True)
class KnowledgeCall(CallOptions):
    """The options that the commands of the group share, as given."""

    quiet: bool = False

    @contextmanager
    def opened(self) -> Iterator["tuple[OpenedKnowledge, Settings]"]:
        """The knowledge graph of the index, or that of the example library where there is none."""
        from soprag.apps.compose.example_index import choose_index
        from soprag.apps.compose.index import open_index
        from soprag.apps.compose.knowledge import open_knowledge

        with open_progress(self.quiet) as progress:
            settings = choose_index(self.settings(), say, progress.note)
        with closing(open_index(settings)) as index:
            yield open_knowledge(settings, index), settings

    def build(self, request: "KnowledgeInput") -> "KnowledgeReport":
        """Run the graph `knowledge` with its progress on stderr."""
        from soprag.apps.compose.knowledge import build_knowledge

        with self.opened() as (opened, settings), open_progress(self.quiet) as progress:
            return asyncio.run(build_knowledge(settings, opened, request, progress.note))
