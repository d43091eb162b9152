"""Any document to Markdown that keeps its headings, steps, tables and warnings.

    document = parse(Path("P-101 start-up.docx"), settings.parsing)      # blocks; scripts and notebooks
    document = await Parser(settings.parsing).parse(data, "P-101.docx")  # many at once

Files from strangers are opened only in parser processes of our own, with limits and without a network.
"""

import atexit
import functools
from pathlib import Path

from soprag.configs.settings import ParsingSettings
from soprag.tools.parsing.document import Attempt, Image, ParsedDocument
from soprag.tools.parsing.parser import Parser, Tell
from soprag.tools.parsing.readiness import EngineReadiness, readiness

__all__ = [
    "Attempt",
    "EngineReadiness",
    "Image",
    "ParsedDocument",
    "Parser",
    "Tell",
    "parse",
    "readiness",
    "shared_parser",
]


def parse(source: Path | bytes, settings: ParsingSettings, name: str = "") -> ParsedDocument:
    """The document as Markdown; raises `DocumentError` when it cannot be used."""
    return shared_parser(settings).parse_now(source, name)


@functools.cache
def shared_parser(settings: ParsingSettings, cache: Path | None = None) -> Parser:
    """The one parser of this process for these settings; it ends with the process."""
    parser = Parser(settings, cache)
    atexit.register(parser.close)
    return parser
