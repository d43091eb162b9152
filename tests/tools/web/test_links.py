from soprag.tools.web.html_page import HtmlPage, PageLimits, read_html

PAGE = b"""<html lang="de"><head><title> Pump  library </title><base href="/docs/">
<link rel="alternate" href="plan.pdf"><link rel="stylesheet" href="x.css">
<meta http-equiv="refresh" content="5; url='later.html'"></head><body>
<nav><a href="/home">Home</a></nav>
<h2>Slurry pumps</h2><ul><li>Seal change: <a href="seal.pdf">PDF</a></li></ul>
<iframe src="viewer.html"></iframe><object data="o.docx"></object><a href="mailto:x@y">Mail</a><a href="#top">Top</a>
<a rel="license" href="https://creativecommons.org/licenses/by/4.0/">CC BY</a>
<h1>Start</h1><p>Read <b>all</b> of it.</p><ol><li>Open V-1.</li><li>Close V-2.<ul><li>Wait.</li></ul></li></ol>
<table><tr><th>Reading</th><th>Low</th></tr><tr><td>bar</td><td>2</td></tr></table></body></html>"""


def read(data: bytes, url: str) -> HtmlPage:
    return read_html(data, url, "", PageLimits(max_text=200_000, max_links=400))


def test_every_way_to_a_document_is_found_with_the_words_round_it() -> None:
    page = read(PAGE, "http://plant.test/x/")
    found = {link.url.removeprefix("http://plant.test"): link for link in page.links}
    assert set(found) >= {
        "/docs/plan.pdf",
        "/docs/later.html",
        "/home",
        "/docs/seal.pdf",
        "/docs/viewer.html",
        "/docs/o.docx",
    }
    assert not any("css" in url or "mailto" in url for url in found)
    assert found["/docs/seal.pdf"].anchor == "PDF"
    assert "Slurry pumps" in found["/docs/seal.pdf"].around
    assert "Seal change" in found["/docs/seal.pdf"].around
    assert found["/home"].menu
    assert found["/docs/viewer.html"].embedded


def test_a_page_says_its_title_its_language_and_its_licence() -> None:
    page = read(PAGE, "http://plant.test/x/")
    assert (page.title, page.language) == ("Pump library", "de")
    assert page.licence == "https://creativecommons.org/licenses/by/4.0/"


def test_steps_and_tables_are_read_as_they_stand() -> None:
    text = read(PAGE, "http://plant.test/x/").text
    assert "# Start" in text
    assert "Read all of it." in text
    assert "1. Open V-1." in text
    assert "2. Close V-2." in text
    assert "| bar | 2 |" in text
    assert "Home" not in text


def test_a_table_that_lays_out_the_page_is_taken_apart() -> None:
    inner = b"<h1>Stop</h1><p>One.</p><p>Two.</p><table><tr><td>a</td></tr></table>"
    page = b"<table><tr><td><p>Menu</p></td><td>" + inner + b"</td></tr></table>"
    text = read(page, "http://plant.test/").text
    assert text.startswith("Menu")
    assert "# Stop" in text
    assert "\n\nTwo." in text


def test_what_is_no_html_at_all_does_no_harm() -> None:
    assert read(b"", "http://plant.test/").links == ()
    assert read(b"\x00\xff\xfe" * 99, "http://plant.test/").links == ()
    assert read(b"<div>" * 5000, "http://plant.test/").links == ()
