"""A MinerU vision model behind an OpenAI-compatible server, spoken to by MinerU's own client."""

import base64
import contextlib
import io
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import pytest
from PIL import Image as Pillow

from soprag.tools.parsing.document import Image
from soprag.tools.parsing.engines.vlm import VlmServer

LAYOUT = (
    "<|box_start|>100 050 900 100<|box_end|><|ref_start|>title<|ref_end|><|rotate_up|>\n"
    "<|box_start|>100 150 900 300<|box_end|><|ref_start|>text<|ref_end|><|rotate_up|>\n"
    "<|box_start|>100 900 900 950<|box_end|><|ref_start|>footer<|ref_end|><|rotate_up|>"
)
ANALYSIS = (
    "<|class_start|>natural_image<|class_end|><|caption_start|>A pump with its isolating valve closed.<|caption_end|>"
    "<|content_start|><|content_end|>"
)


class Model(BaseHTTPRequestHandler):
    """Answers the layout question with three blocks and every other one by the shape of the block it is shown."""

    keys: ClassVar[list[str]]

    def do_GET(self) -> None:
        self._send({"object": "list", "data": [{"id": "mineru", "object": "model"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.keys.append(self.headers.get("Authorization", ""))
        asked = json.dumps(body["messages"])
        content = LAYOUT if "Layout" in asked else ANALYSIS if "Image Analysis" in asked else words_of(shown(body))
        message = {"role": "assistant", "content": content}
        self._send({"model": "mineru", "choices": [{"index": 0, "finish_reason": "stop", "message": message}]})

    def log_message(self, *words: object) -> None:
        pass

    def _send(self, body: object) -> None:
        data = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def shown(body: dict[str, Any]) -> Pillow.Image:
    """The picture a question carries."""
    parts = [part for message in body["messages"] for part in message["content"] if isinstance(part, dict)]
    url = next(part["image_url"]["url"] for part in parts if part["type"] == "image_url")
    return Pillow.open(io.BytesIO(base64.b64decode(url.partition(",")[2])))


def words_of(block: Pillow.Image) -> str:
    """Blocks are read in parallel, so what is answered must not hang on whose turn it is: the title is the flat one."""
    return "SOP-1" if block.width / block.height > 8 else "1. Open valve V-1."


def picture() -> Image:
    out = io.BytesIO()
    Pillow.new("RGB", (600, 800), "white").save(out, "PNG")
    return Image(name="page-1.png", media_type="image/png", data=out.getvalue())


@contextlib.contextmanager
def model() -> Iterator[tuple[str, list[str]]]:
    """The address of the server, and the keys that were sent to it."""

    class Once(Model):
        keys: ClassVar[list[str]] = []

    server = ThreadingHTTPServer(("127.0.0.1", 0), Once)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", Once.keys
    finally:
        server.shutdown()
        server.server_close()


def test_blocks_of_a_page_come_back_as_markdown_without_page_feet() -> None:
    pytest.importorskip("mineru_vl_utils")
    with model() as (url, keys):
        markdown = VlmServer(url, key="k").read([picture()], lambda _: None)
    assert markdown == "## SOP-1\n\n1. Open valve V-1."
    assert set(keys) == {"Bearer k"}


def test_a_picture_of_a_document_is_described() -> None:
    pytest.importorskip("mineru_vl_utils")
    with model() as (url, _):
        assert VlmServer(url).describe(picture()) == "A pump with its isolating valve closed."
