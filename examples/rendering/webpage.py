"""How a source becomes a page of the plant intranet, menus and footers included."""

from html import escape
from string import Template

from soprag.examples.rendering.blocks import markdown
from soprag.examples.rendering.source import Source

# The clutter is the point: a collector meets pages like this one.
PAGE = Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>$title | Engineering intranet</title>
<style>
body { font-family: sans-serif; max-width: 70em; margin: auto }
table { border-collapse: collapse }
td, th { border: 1px solid #999; padding: .3em }
</style>
</head>
<body>
<header class="site-header">
<p>$header</p>
<form action="/search"><input name="q" placeholder="Search documents"><button>Search</button></form>
</header>
<nav class="top-nav"><ul>
<li><a href="/">Home</a></li><li><a href="/shift">Shift log</a></li><li><a href="/permits">Permits</a></li>
<li><a href="/docs">Documents</a></li><li><a href="/contacts">Contacts</a></li>
</ul></nav>
<nav class="breadcrumb"><a href="/docs">Documents</a> &gt; <a href="/docs/$domain">$area</a> &gt; $title</nav>
<main>
<article>
$article</article>
</main>
<aside><h2>Most read this month</h2><ul>
<li><a href="/canteen">Canteen menu</a></li><li><a href="/parking">Parking changes, north gate</a></li>
<li><a href="/safety/observations">Report a safety observation</a></li>
</ul></aside>
<footer><p>$footer</p>
<p><a href="/legal">Legal</a> · <a href="/privacy">Privacy</a> · Printed copies are uncontrolled.</p></footer>
</body>
</html>
""")


def render_html(source: Source) -> bytes:
    """The whole page as UTF-8."""
    about = source.about
    page = PAGE.substitute(
        title=escape(about.title),
        header=escape(about.header or "Engineering intranet"),
        footer=escape(about.footer),
        domain=source.domain,
        area=escape(source.domain.replace("-", " ").capitalize()),
        article=markdown().render(source.body),
    )
    return page.encode()
