"""Pictures: described by a model that sees, with the picture beside the text; otherwise by their titles."""

import base64
from pathlib import Path

from soprag.agents.deepsearch.image import PictureReader
from soprag.configs.settings import load
from soprag.tools.llm import Llm, open_llm
from soprag.tools.research.sources import Got, Sources
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.search.engine import SearchHit
from soprag.tools.web.outcome import Fetched
from tests.loopback import Loopback, says
from tests.research import PlainParser, open_folder
from tests.scripting import scripted

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
HIT = SearchHit(
    url="https://a.test/page",
    title="Flow sheet of an absorber",
    rank=1,
    engine="serpapi:google_images",
    facts={"image": "https://a.test/sheet.png", "source": "Plant Atlas"},
)


class Gallery:
    def __init__(self, data: bytes = PNG, mime: str = "image/png") -> None:
        self.data, self.mime, self.asked = data, mime, list[str]()

    async def fetch(self, url: str) -> Fetched:
        self.asked.append(url)
        return Fetched(url=url, kind="ok", status=200, mime=self.mime, suffix=".png", data=self.data)


async def read(folder: Path, llm: Llm, gallery: Gallery, sees: bool) -> Got:
    sources = Sources(open_folder(folder, "?"), gallery, PlainParser())
    return await PictureReader(llm, sources, sees).read(HIT, "absorber")


async def test_without_eyes_the_title_stands_for_the_picture_and_nothing_is_fetched(tmp_path: Path) -> None:
    gallery = Gallery()
    got = await read(tmp_path, scripted(), gallery, sees=False)
    assert got.source and (got.source.read, gallery.asked) == ("metadata", [])
    assert got.source.text == "Picture: Flow sheet of an absorber (Plant Atlas)."


async def test_a_model_that_sees_gets_the_picture_beside_the_text_and_its_words_are_the_source(tmp_path: Path) -> None:
    caption = {"sentences": ["The flow sheet shows an absorber with three trays.", "Water enters at the top."]}
    with Loopback(says(caption)) as server:
        settings = load("offline", {"llm": {"model": "openai:eyes", "base_url": server.url, "cache": False}}, {}).llm
        got = await read(tmp_path, open_llm(settings, {}, tmp_path, RulesLlm), Gallery(), sees=True)
        text, picture = server.requests[0].messages[1]["content"]
    assert picture["image_url"]["url"] == f"data:image/png;base64,{base64.b64encode(PNG).decode()}"
    assert "image/png" in text["text"] and base64.b64encode(PNG).decode()[:40] not in text["text"]
    assert got.source and got.source.read == "caption" and "three trays" in got.source.text


async def test_a_picture_that_has_nothing_to_do_with_the_query_is_no_source(tmp_path: Path) -> None:
    got = await read(tmp_path, scripted({"caption_picture": [{"sentences": []}]}), Gallery(), sees=True)
    assert got.source is None and "nothing to do" in got.note


async def test_what_is_no_picture_is_shown_to_no_model(tmp_path: Path) -> None:
    llm = scripted()
    got = await read(tmp_path, llm, Gallery(b"<svg>", "image/svg+xml"), sees=True)
    assert got.source and got.source.read == "metadata" and llm.requests == []
