"""A process that reads HTML pages: `python -m soprag.tools.web.html_worker MEMORY_MIB`.

It reads one JSON line with the size of a page and then the page from stdin, and writes one JSON line for each page. It
has a memory limit and no network, and the kernel ends it when a page takes too much processor time.
"""

import sys
from typing import BinaryIO

from pydantic import ValidationError

from soprag.tools.parsing.isolation import allow_cpu, confine
from soprag.tools.sop import Frozen
from soprag.tools.web.html_page import HtmlPage, PageLimits, read_html


class PageRequest(Frozen):
    """The head of one page: `size` bytes follow, to be read in `seconds` of processor time."""

    url: str
    charset: str
    size: int
    seconds: float
    limits: PageLimits


class PageReply(Frozen):
    """The page, or why it could not be read."""

    page: HtmlPage | None = None
    failure: str = ""


def main() -> None:
    """Serve pages until the parent closes the pipe."""
    confine(int(sys.argv[1]))
    serve(sys.stdin.buffer, sys.stdout.buffer)


def serve(requests: BinaryIO, replies: BinaryIO) -> None:
    """Answer every request in `requests`."""
    while line := requests.readline():
        request = PageRequest.model_validate_json(line)
        allow_cpu(request.seconds)
        replies.write(_answer(request, requests.read(request.size)).model_dump_json().encode() + b"\n")
        replies.flush()


def _answer(request: PageRequest, data: bytes) -> PageReply:
    try:
        return PageReply(page=read_html(data, request.url, request.charset, request.limits))
    except MemoryError:
        return PageReply(failure="it needs more memory than web.html_memory allows")
    except (ValidationError, ValueError, RecursionError) as error:
        return PageReply(failure=f"it cannot be read ({type(error).__name__})")


if __name__ == "__main__":
    main()
