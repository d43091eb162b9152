import gzip

import pytest

from soprag.tools.errors import DocumentError
from soprag.tools.web.feeds import FeedLimits, document_links, path_title, read_feed

LIMITS = FeedLimits(max_links=100, max_bytes=100_000)
SITEMAP = b"""<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>http://a.test/sop/pump-start_up.html</loc></url><url><loc>/sop/2</loc></url></urlset>"""
INDEX = b"<sitemapindex><sitemap><loc>http://a.test/part.xml.gz</loc></sitemap></sitemapindex>"
RSS = b"""<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><link>http://a.test/</link>
<atom:link rel="next" href="http://a.test/feed?page=2"/>
<item><title>Pump start-up</title><link>http://a.test/1</link><description>&lt;p&gt;Steps&lt;/p&gt;</description></item>
</channel></rss>"""
ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>Shutdown</title>
<link rel="alternate" href="http://a.test/2"/><summary>Stop it</summary></entry></feed>"""


def test_a_sitemap_gives_its_pages_with_the_words_of_their_paths() -> None:
    links = read_feed(SITEMAP, "http://a.test/sitemap.xml", LIMITS)
    assert links is not None
    assert [(link.url, link.anchor) for link in links] == [
        ("http://a.test/sop/pump-start_up.html", "pump start up"), ("http://a.test/sop/2", "2"),
    ]  # fmt: skip


def test_a_packed_sitemap_index_leads_to_its_parts() -> None:
    links = read_feed(gzip.compress(INDEX), "http://a.test/sitemap.xml.gz", LIMITS)
    assert links is not None
    assert [(link.url, link.feed) for link in links] == [("http://a.test/part.xml.gz", True)]


def test_rss_and_atom_give_titles_texts_and_the_next_page() -> None:
    rss, atom = read_feed(RSS, "http://a.test/feed", LIMITS), read_feed(ATOM, "http://a.test/atom", LIMITS)
    assert rss is not None
    assert atom is not None
    assert [(link.url, link.anchor, link.around.strip()) for link in (*rss, *atom)] == [
        ("http://a.test/feed?page=2", "next page", ""), ("http://a.test/1", "Pump start-up", "Steps"),
        ("http://a.test/2", "Shutdown", "Stop it"),
    ]  # fmt: skip


def test_a_page_of_html_is_no_feed_and_a_bomb_is_refused() -> None:
    assert read_feed(b"<html><body><h1>Feed</h1></body></html>", "http://a.test/", LIMITS) is None
    with pytest.raises(DocumentError, match="unpacks"):
        read_feed(gzip.compress(b"<urlset>" + b" " * 10**6), "http://a.test/s.gz", LIMITS)


def test_an_entity_is_not_expanded() -> None:
    bomb = b'<!DOCTYPE r [<!ENTITY e "http://b.test/x">]><urlset><url><loc>&e;</loc></url></urlset>'
    assert read_feed(bomb, "http://a.test/", LIMITS) == ()


def test_links_of_a_document_are_those_of_its_text_and_of_its_annotations() -> None:
    data = b"%PDF-1.4 /A << /S /URI /URI (http://a.test/annex.pdf) >>"
    links = document_links(data, "See http://a.test/other.", 10)
    assert [link.url for link in links] == ["http://a.test/other", "http://a.test/annex.pdf"]
    assert path_title("http://a.test/docs/NodeDown.md") == "Node Down"
