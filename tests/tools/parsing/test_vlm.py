"""A MinerU vision model behind an OpenAI-compatible server, spoken to by MinerU's own client."""

import io
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tools.parsing.document import Image
from tools.parsing.engines.vlm import VlmServer

LAYOUT = (
    "<|box_start|>100 050 900 100<|box_end|><|ref_start|>title<|ref_end|><|rotate_up|>\n"
    "<|box_start|>100 150 900 300<|box_end|><|ref_start|>text<|ref_end|><|rotate_up|>\n"
    "<|box_start|>100 900 900 950<|box_end|><|ref_start|>footer<|ref_end|><|rotate_up|>"
)


class Model(BaseHTTPRequestHandler):
    """Answers the layout question with three blocks and every other one with the words of its turn."""

    words: list[str]
    keys: list[str]

    def do_GET(self) -> None:
        self._send({"object": "list", "data": [{"id": "mineru", "object": "model"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.keys.append(self.headers.get("Authorization", ""))
        layout = "Layout" in json.dumps(body["messages"])
        content = LAYOUT if layout else self.words.pop(0)
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


def picture() -> Image:
    from PIL import Image as Pillow

    out = io.BytesIO()
    Pillow.new("RGB", (600, 800), "white").save(out, "PNG")
    return Image(name="page-1.png", media_type="image/png", data=out.getvalue())


def test_blocks_of_a_page_come_back_as_markdown_without_page_feet() -> None:
    pytest.importorskip("mineru_vl_utils")
    model = type("One", (Model,), {"words": ["SOP-1", "1. Open valve V-1."] * 3, "keys": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        markdown = VlmServer(f"http://127.0.0.1:{server.server_port}/v1", key="k").read([picture()])
    finally:
        server.shutdown()
        server.server_close()
    assert markdown.startswith("## ")
    assert "1. Open valve V-1." in markdown
    assert set(model.keys) == {"Bearer k"}
