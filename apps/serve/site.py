"""The pages of `soprag serve`: the web client, each procedure with its lines and its flow, and Markdown as HTML.

The LangGraph server mounts `app` beside its own routes. The client itself is open to everybody who reaches the
server; everything that holds words of a procedure asks for the token, where one is set.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import wraps
from html import escape
from importlib.resources import files

from markdown_it import MarkdownIt
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from soprag.apps import studio
from soprag.apps.serve.access import HEADER, allowed
from soprag.apps.serve.shared_threads import MeetThreads, shared_threads
from soprag.apps.serve.turn_queue import wake_queue
from soprag.apps.studio import index
from soprag.tools.errors import UsageError
from soprag.tools.flow.draw import COLUMNS, svg
from soprag.tools.procedure.plan import FlowPlan

_log = logging.getLogger(__name__)
_AGAIN = 5  # seconds until an index that could not be opened is tried again
_TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
_PRIVATE = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'",
}

Page = Callable[[Request], Awaitable[Response]]


def _guarded(page: Page) -> Page:
    @wraps(page)
    async def checked(request: Request) -> Response:
        if not allowed(request.headers.get(HEADER) or request.cookies.get("soprag_token")):
            return PlainTextResponse("A token is needed.", 401)
        try:
            response = await page(request)
        except UsageError as error:
            return PlainTextResponse(str(error), 404)
        response.headers.update(_PRIVATE)
        return response

    return checked


async def client(request: Request) -> Response:
    """A file of the web client."""
    name = request.path_params.get("name", "index.html")
    file = files("soprag.apps.serve") / "page" / name
    if not file.is_file():
        return PlainTextResponse("There is no such page.", 404)
    return Response(await asyncio.to_thread(file.read_text, "utf-8"), media_type=_TYPES["." + name.rpartition(".")[2]])


@_guarded
async def markdown(request: Request) -> Response:
    """Markdown as HTML; HTML in it is shown as text."""
    words = (await request.body()).decode("utf-8", "replace")
    return HTMLResponse(MarkdownIt("js-default", {"linkify": False}).render(words))


@_guarded
async def procedure(request: Request) -> Response:
    """A procedure: its flow, and each line under its number."""
    plan = await _plan(request)
    rows = (f'<li id="L{number}">{escape(row) or "&nbsp;"}</li>' for number, row in enumerate(plan.rows, 1))
    title, picture = escape(plan.title), svg(plan, request.query_params.get("at", ""))
    body = f"<h1>{title}</h1>{picture}<h2>Lines</h2><ol class='lines'>{''.join(rows)}</ol>"
    head = f"<meta charset='utf-8'><title>{title}</title><link rel='stylesheet' href='/client/client.css'>"
    return HTMLResponse(f"<!doctype html><html lang='en'><head>{head}</head><body class='page'>{body}</body></html>")


@_guarded
async def drawing(request: Request) -> Response:
    """The flow of a procedure as SVG; `at` is the step to mark, `columns` the characters that a line has room for."""
    asked = request.query_params.get("columns", "")
    columns = min(int(asked), COLUMNS) if asked.isascii() and asked.isdigit() else COLUMNS
    picture = svg(await _plan(request), request.query_params.get("at", ""), columns)
    return Response(picture, media_type="image/svg+xml")


async def _plan(request: Request) -> FlowPlan:
    guide = await index.open()
    return (await asyncio.to_thread(guide.cursor, request.path_params["sop"])).plan


async def health(_: Request) -> Response:
    """This process answers."""
    return PlainTextResponse("ok")


async def ready(_: Request) -> Response:
    """This process can take turns: its index is open and the database of the sessions answers."""
    turns = await studio.turns.open()
    if index.context is None:
        reason = "cannot be opened; the log of the server says why" if index.failed else "is not open yet"
        return PlainTextResponse(f"The index {reason}.", 503)
    if turns and not await asyncio.to_thread(turns.database.answers):
        return PlainTextResponse("The database of the sessions does not answer.", 503)
    return PlainTextResponse("ready")


async def _open_index() -> None:
    """Open the index, again and again while it fails: its database may return."""
    while index.context is None:
        try:
            await index.open()
        except Exception as error:  # noqa: BLE001 - whatever it is, this process is not ready and says so
            index.failed = True
            _log.error("The index cannot be opened (%s); tried again in %d s.", error, _AGAIN)
            await asyncio.sleep(_AGAIN)


@asynccontextmanager
async def lifespan(_: Starlette) -> AsyncIterator[None]:
    """Open the index, begin turns at once, take up those of processes that died; at the end leave those under way."""
    wake_queue()
    shared = await shared_threads()
    tasks = [asyncio.create_task(_open_index()), *([asyncio.create_task(shared.watch())] if shared else [])]
    try:
        yield
    finally:
        if shared:
            shared.turns.leaving = True
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


app = Starlette(
    lifespan=lifespan,
    middleware=[Middleware(MeetThreads)],
    routes=[
        Route("/health", health),
        Route("/ready", ready),
        Route("/", client),
        Route("/client/{name}", client),
        Route("/markdown", markdown, methods=["POST"]),
        Route("/procedures/{sop}", procedure),
        Route("/procedures/{sop}/flow.svg", drawing),
    ],
)
