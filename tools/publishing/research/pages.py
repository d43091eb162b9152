"""The report as Markdown, as plain text, and as one page that loads nothing; every mark leads to its stored passage."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from soprag.tools.publishing.research.facts import NumberedSource, ReportPart, ResearchReport, Statement
from soprag.tools.research.records import WebSourceRecord
from soprag.tools.sop import Span
from soprag.tools.store.run_folder import RunFolder, write_whole
from soprag.tools.text.sanitize import one_line

_AROUND = 2  # lines of the source shown before and after a cited passage
_MARKUP = re.compile(r"^#{1,6} |^> ?|\*\*(?=\S)|(?<=\S)\*\*", re.MULTILINE)
_SPECIAL = re.compile(r"([\\`*_\[\]<>#|!~])")


@dataclass(frozen=True)
class Passage:
    """A cited place of a source, with the lines around it."""

    anchor: str
    lines: Span
    before: str
    cited: str
    after: str


@dataclass(frozen=True)
class RenderedSource:
    """A source on the page; `link` is empty when its address is none that a browser should open."""

    source: NumberedSource
    link: str
    passages: tuple[Passage, ...]


def write_pages(run: RunFolder, report: ResearchReport) -> None:
    """Write `report.md`, `report.html` and the text of every cited source."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    folder = run.path / "report"
    stored = {one.number: run.read("sources", one.id, WebSourceRecord) for one in report.sources}
    for one in report.sources:
        write_whole(folder / one.file, stored[one.number].text.encode())
    write_whole(folder / "report.md", as_markdown(report).encode())
    shown = [_shown(one, stored[one.number], report) for one in report.sources]
    page = Environment(
        loader=PackageLoader("soprag.tools.publishing.research", "."), autoescape=True, undefined=StrictUndefined
    )
    page.filters["without_markup"] = _without_markup
    html = page.get_template("report.html.j2").render(report=report, shown=shown, anchor=anchor)
    write_whole(folder / "report.html", html.encode())


def _without_markup(text: str) -> str:
    """A passage without the marks of Markdown for headings, quotations and strong words; the stored text keeps them."""
    return _MARKUP.sub("", text)


def as_text(report: ResearchReport) -> str:
    """The report for a screen or a pipe."""
    lines = [report.question, ""]
    for part in report.parts:
        lines += [*([_title(part).upper(), ""] if part.heading else [])]
        lines += list(_text_lines(part))
        lines.append("")
    lines += _open_lines(report)
    lines.append("SOURCES")
    lines += [f"[{one.number}] {one.title}. {one_line(one.url)}{_how(one)}" for one in report.sources]
    if report.notices:
        lines += ["", "NOTICE", *(f"- {one_line(notice)}" for notice in report.notices)]
    return "\n".join(lines)


def as_markdown(report: ResearchReport) -> str:
    """The report as Markdown; words from pages cannot become markup."""
    lines = [f"# {_escape(report.question)}", ""]
    for part in report.parts:
        lines += [f"## {_escape(_title(part))}", ""] if part.heading else []
        lines += [*_markdown_lines(part, report), ""]
    if report.unanswered:
        lines += ["## Not answered", ""]
        lines += [f"- {_escape(one.query)}: {_escape(one.reason)}" for one in report.unanswered]
        lines.append("")
    lines += ["## Sources", ""]
    for one in report.sources:
        where = ", ".join(f"{start}-{end}" if end > start else f"{start}" for start, end in _places(report, one.number))
        lines.append(
            f"{one.number}. {_escape(one.title)}, {_escape(one.url)}{_how(one)}; [text]({one.file}), lines {where}"
        )
    if report.notices:
        lines += ["", "## Notice", "", *(f"- {_escape(notice)}" for notice in report.notices)]
    marks = ", ".join(f"{one.judge} {one.score:.1f}" for one in report.judgements)
    lines += [
        "",
        f"Version {report.version} of {report.versions}, {report.score:.1f} of 4 ({marks}). {report.cost}.",
    ]
    return "\n".join(lines) + "\n"


def _title(part: ReportPart) -> str:
    return f"Procedure: {part.heading}" if part.procedure else part.heading


def _text_lines(part: ReportPart) -> Iterator[str]:
    """The statements of a part, of a procedure each on a line of its own under the headings of its source."""
    heading = ""
    for one in part.statements:
        if part.procedure and one.heading and one.heading != heading:
            heading = one.heading
            yield f"\n{one_line(heading)}"
        yield f"{_marker(one, part)}{_shown_text(one)} {one.marks}"


def _shown_text(one: Statement) -> str:
    return "\n    " + one.text.replace("\n", "\n    ") + "\n   " if one.kind == "code" else one_line(one.text)


def _marker(one: Statement, part: ReportPart) -> str:
    """What stands before a statement: the printed number of a step, a dash, or a mark for a warning."""
    if one.kind == "warning":
        return "! "
    if not part.procedure or one.kind in ("sentence", "row", "code"):
        return ""
    return f"  {one.label.rstrip('.')}. " if one.label else "     - "


def _open_lines(report: ResearchReport) -> list[str]:
    """The parts of the question without an answer, for a screen."""
    if not report.unanswered:
        return []
    return ["NOT ANSWERED", "", *(f"- {one_line(one.query)}: {one_line(one.reason)}" for one in report.unanswered), ""]


def _markdown_lines(part: ReportPart, report: ResearchReport) -> Iterator[str]:
    if not part.procedure:
        yield " ".join(f"{_escape(one.text)} {_links(one, report)}" for one in part.statements)
        return
    heading = ""
    for one in part.statements:
        if one.heading and one.heading != heading:
            heading = one.heading
            yield f"\n### {_escape(heading)}\n"
        yield _markdown_line(one, report)


def _markdown_line(one: Statement, report: ResearchReport) -> str:
    """One line of a procedure; a printed number is kept as text, so that no renderer counts anew."""
    links = _links(one, report)
    if one.kind == "warning":
        return f"\n> **{_escape(one.text)}** {links}\n"
    if one.kind == "code":
        quoted = "\n".join(f"    {line}" for line in one.text.split("\n"))
        return f"\n{quoted}\n\n{links}\n"
    if one.kind == "step":
        return f"- **{_escape(one.label.rstrip('.'))}.** {_escape(one.text)} {links}"
    return f"{'  - ' if one.kind == 'item' else ''}{_escape(one.text)} {links}" + ("\n" if one.kind != "item" else "")


def anchor(number: int, lines: Span) -> str:
    """The place of a passage on the page."""
    return f"s{number}-{lines.start}-{lines.end}"


def _places(report: ResearchReport, number: int) -> list[tuple[int, int]]:
    """The cited lines of a source, in its order."""
    cited = [one for part in report.parts for said in part.statements for one in said.citations]
    return sorted({(one.lines.start, one.lines.end) for one in cited if one.source == number})


def _shown(numbered: NumberedSource, source: WebSourceRecord, report: ResearchReport) -> RenderedSource:
    lines = source.text.split("\n")
    places = [Span(start=start, end=end) for start, end in _places(report, numbered.number)]
    passages = tuple(_passage(numbered.number, lines, place) for place in places)
    link = source.url if urlsplit(source.url).scheme in ("http", "https") else ""
    return RenderedSource(numbered, link, passages)


def _passage(number: int, lines: list[str], span: Span) -> Passage:
    return Passage(
        anchor=anchor(number, span),
        lines=span,
        before="\n".join(lines[max(0, span.start - 1 - _AROUND) : span.start - 1]),
        cited="\n".join(lines[span.start - 1 : span.end]),
        after="\n".join(lines[span.end : span.end + _AROUND]),
    )


def _links(statement: Statement, report: ResearchReport) -> str:
    files = {one.number: one.file for one in report.sources}
    return "".join(f"[[{number}]]({files[number]})" for number in sorted({one.source for one in statement.citations}))


def _how(source: NumberedSource) -> str:
    """What was read when it was not the page itself."""
    said = {"search result": "only what the search engine showed", "caption": "picture, described by the model",
            "metadata": "picture, by its title", "procedure": "a procedure of a local index"}  # fmt: skip
    return f" ({said[source.read]})" if source.read in said else ""


def _escape(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", one_line(text))
