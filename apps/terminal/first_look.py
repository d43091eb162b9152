"""The procedures nearest to a question, named before the graph and its packages are loaded: the first words."""

import shutil
import textwrap
from collections.abc import Sequence

import click

from soprag.apps.compose.example_index import has_index
from soprag.configs.settings import Settings
from soprag.tools.text.sanitize import one_line

_SHOWN = 3


def announce(settings: Settings, question: str) -> None:
    """Print their titles on stderr, the best first, ranked without a model; nothing where none fits."""
    from soprag.apps.compose.index import open_retriever

    if not has_index(settings):
        return
    rules = settings.llm.model_copy(update={"model": "rules", "record": "", "replay": ""})
    with open_retriever(settings.model_copy(update={"llm": rules})) as retriever:
        ranking = retriever.find(question, _SHOWN)
    if not ranking.abstained:
        click.echo(_line([one_line(hit.title) for hit in ranking.hits]), err=True)


def _line(titles: Sequence[str]) -> str:
    """The titles in a row, broken between words where the terminal is too narrow for it."""
    width = shutil.get_terminal_size().columns
    row = f"Nearest: {' · '.join(titles)}"
    return textwrap.fill(row, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
