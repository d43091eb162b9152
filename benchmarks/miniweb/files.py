"""Turns a text into a file of any format, and a web page into HTML with the clutter of its site."""

import hashlib
import random
import re
from dataclasses import dataclass
from html import escape

from soprag.benchmarks.miniweb.truth import Format
from soprag.benchmarks.miniweb.writing import Text
from soprag.examples.rendering.blocks import markdown
from soprag.examples.rendering.source import Format as Drawn
from soprag.examples.rendering.source import FrontMatter, Source

MIMES: dict[Format, str] = {
    "html": "text/html; charset=utf-8",
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "md": "text/markdown; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
}
Link = tuple[str, str]  # address, words


@dataclass(frozen=True)
class Chrome:
    """What stands round every page of one site."""

    name: str
    slogan: str
    menu: tuple[Link, ...]
    closing: str
    shape: int  # which of the page forms

    def page(self, title: str, inside: str, head: str = "") -> bytes:
        """A whole page as UTF-8."""
        menu = "".join(f'<li><a href="{escape(url)}">{escape(label)}</a></li>' for url, label in self.menu)
        frame = (_PLAIN, _DIVS, _TABLE)[self.shape % 3]
        return frame.format(
            title=escape(title), site=escape(self.name), slogan=escape(self.slogan), closing=escape(self.closing),
            menu=menu, inside=inside, head=head,
        ).encode()  # fmt: skip


_PLAIN = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title} | {site}</title>{head}</head>
<body><header><p>{site} - {slogan}</p><nav><ul>{menu}</ul></nav></header>
<main><article>{inside}</article></main>
<footer><p>{closing}</p></footer></body></html>
"""
_DIVS = """<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8">
<title>{site}: {title}</title>{head}
<style>.nav li {{ display: inline }}</style></head>
<body><div class="top"><span>{site}</span> <em>{slogan}</em></div><div class="nav"><ul>{menu}</ul></div>
<div id="content">{inside}</div><div class="foot"><small>{closing}</small></div>
<script>window.visits = (window.visits || 0) + 1;</script></body></html>
"""
_TABLE = """<HTML><HEAD><TITLE>{title}</TITLE>{head}</HEAD><BODY BGCOLOR="#ffffff">
<TABLE WIDTH="100%"><TR><TD VALIGN="top"><B>{site}</B><BR>{slogan}<UL>{menu}</UL></TD>
<TD>{inside}</TD></TR></TABLE><HR><I>{closing}</I></BODY></HTML>
"""
_MENUS = (
    ("/", "Home"), ("/about", "About us"), ("/news", "News"), ("/contact", "Contact"), ("/imprint", "Imprint"),
    ("/careers", "Careers"), ("/sitemap", "Site map"), ("/canteen", "Canteen"), ("/search", "Search"),
)  # fmt: skip
_SLOGANS = ("safety first", "since 1948", "engineering for people", "knowledge shared", "your partner", "reliable")
_CLOSINGS = (
    "Printed copies are uncontrolled.",
    "All rights reserved. No liability for contents.",
    "This document is available under CC BY 4.0.",
    "Uncontrolled when printed. Ask your supervisor when in doubt.",
)


def chrome(chance: random.Random, name: str) -> Chrome:
    """The look of a site; its menu leads to pages that mostly are not there."""
    menu = tuple(sorted(chance.sample(_MENUS, chance.randint(3, 6))))
    return Chrome(name, chance.choice(_SLOGANS), menu, chance.choice(_CLOSINGS), chance.randrange(3))


def article(text: Text, links: tuple[Link, ...] = (), heading: str = "Related documents") -> str:
    """The text as HTML, with links below it."""
    body: str = markdown().render(text.body)
    return body + (f"<h2>{escape(heading)}</h2>{listing(links)}" if links else "")


def listing(links: tuple[Link, ...]) -> str:
    """A list of links."""
    rows = "".join(f'<li><a href="{escape(url)}">{escape(label)}</a></li>' for url, label in links)
    return f"<ul>{rows}</ul>"


def document(text: Text, form: Format, header: str = "", footer: str = "") -> bytes:
    """The text as a file of its own; HTML pages need a chrome and are made by `Chrome.page`."""
    match form:
        case "md":
            return text.body.encode()
        case "txt":
            return _bare(text.body).encode()
        case "html":
            return (
                b"<!DOCTYPE html><meta charset=utf-8><title>"
                + escape(text.title).encode()
                + b"</title>"
                + (article(text).encode())
            )
        case "pdf":
            from soprag.examples.rendering.pdf import render_pdf as draw
        case "docx":
            from soprag.examples.rendering.word import render_docx as draw
        case "xlsx":
            from soprag.examples.rendering.sheets import render_xlsx as draw
        case "pptx":
            from soprag.examples.rendering.slides import render_pptx as draw
    return draw(_source(text, form, header, footer))


def _source(text: Text, form: Drawn, header: str, footer: str) -> Source:
    about = FrontMatter(
        format=form, title=text.title, kind="sop", sops=(text.title,), header=header or text.title, footer=footer
    )
    sha256 = hashlib.sha256(text.body.encode()).hexdigest()
    return Source("mini-web", text.slug[:60], about, text.body, sha256)


def _bare(body: str) -> str:
    """Markdown as somebody would type it into an editor."""
    body = re.sub(r"^(#+) (.*)$", lambda match: match[2].upper(), body, flags=re.MULTILINE)
    body = re.sub(r"^\|[-|]+\|\n", "", body, flags=re.MULTILINE)
    return body.replace("**", "").replace("> ", "").replace("| ", "  ").replace(" |", "")
