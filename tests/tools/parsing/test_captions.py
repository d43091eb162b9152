"""Pictures say what they show: by the caption printed beside them, or by the vision model."""

import base64
import io
import random

import pytest
from PIL import Image as Pillow

from soprag.configs.settings import load
from soprag.tools.parsing import Parser
from soprag.tools.parsing.captions import add_captions, caption_printed, surroundings, undescribed
from soprag.tools.parsing.document import Image
from soprag.tools.parsing.engines.vlm import VlmFault, VlmServer

BARE = "![](images/a.png)"


def picture(caption: str = "", size: int = 5000) -> Image:
    return Image(name="images/a.png", media_type="image/png", data=b"x" * size, caption=caption)


@pytest.mark.parametrize("said", ["Figure 3: Valve V-1", "*Fig. 3 - Valve V-1*", "Abb. 3: Valve V-1"])
def test_the_caption_below_a_picture_is_its_caption_and_stays_in_the_text(said: str) -> None:
    made = caption_printed(f"1. Open.\n\n{BARE}\n\n{said}\n", (picture(),))
    assert made.images[0].caption.endswith("Valve V-1")
    assert said in made.markdown and f"![{made.images[0].caption}](images/a.png)" in made.markdown


def test_text_that_only_follows_a_picture_is_no_caption() -> None:
    made = caption_printed(f"{BARE}\n\nFigures must be read twice a day.\n", (picture(),))
    assert made.images[0].caption == ""


def test_pictures_with_an_alternative_text_and_small_marks_are_shown_to_no_model() -> None:
    assert undescribed((picture("Pump"), picture(size=100))) == []
    assert undescribed((picture(),)) == [picture()]


def test_a_model_sees_the_text_around_a_picture() -> None:
    around = surroundings(f"{'a' * 5000}\n\n1. Open V-1.\n\n{BARE}\n\n2. Start.\n{'b' * 5000}", picture())
    assert "1. Open V-1.\n\n[the picture]\n\n2. Start." in around
    assert len(around) < 1500


def test_what_the_model_says_cannot_become_markdown() -> None:
    made = add_captions(BARE, (picture(),), {"images/a.png": "A pump](http://x) \n\n# Heading | <b>"})
    assert made.markdown == "![A pump http://x Heading b](images/a.png)"


def page() -> bytes:
    dice, out = random.Random(1), io.BytesIO()
    Pillow.frombytes("RGB", (60, 60), dice.randbytes(60 * 60 * 3)).save(out, "PNG")
    inline = base64.b64encode(out.getvalue()).decode()
    return f"<h1>SOP-1</h1><p>Open valve V-1.</p><p><img src='data:image/png;base64,{inline}'></p>".encode()


@pytest.mark.slow
def test_with_a_vision_model_pictures_are_described_and_without_its_answer_the_document_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("mineru_vl_utils")
    monkeypatch.setattr(VlmServer, "describe", lambda self, one: f"A pump, {one.media_type}")
    chosen = load(options={"parsing": {"workers": 1, "vlm": "http://127.0.0.1:1"}}, environment={}).parsing
    with Parser(chosen) as parser:
        document = parser.parse_now(page(), "a.html")
        assert document.images[0].caption == "A pump, image/png"
        assert "![A pump, image/png](images/" in document.markdown

        def away(self: VlmServer, one: Image) -> str:
            raise VlmFault("no route to the model")

        monkeypatch.setattr(VlmServer, "describe", away)
        document = parser.parse_now(page(), "a.html")
    assert "no route to the model" in document.warnings[-1]
    assert "Open valve V-1." in document.markdown
