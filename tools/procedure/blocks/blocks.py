"""The blocks of a Markdown document with their source lines: headings, paragraphs, list items, tables, code."""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from soprag.tools.markdown.html_tables import CODE_TAGS, HtmlRow, html_rows
from soprag.tools.markdown.tokens import with_spaced_headings
from soprag.tools.procedure.blocks.bare_labels import dotted
from soprag.tools.procedure.blocks.framing import is_tab, unframed
from soprag.tools.procedure.blocks.indenting import reindented
from soprag.tools.procedure.wording.passage import SourcePassage, passage

Kind = Literal["heading", "paragraph", "item", "code", "quote", "table", "row", "html", "rule", "matter"]
_NUMBERED = re.compile(
    r"^\W*(?:(?:step|schritt)\s+(?P<word>\d+[a-z]?(?:\.\d+)*)\s*[.:)\-–—]|"
    r"(?P<deep>(?:\d{1,2}|(?-i:[A-Z]))(?:\.\d{1,3}){1,3})\.?(?=\s+[\"“(]?(?-i:[A-Z]|[`*\[:]))|(?:\((?P<bracket>\d{1,3}|[a-z])\)|(?P<plain>\d{1,3}[a-z]?(?:\.\d+)*|[a-z]|(?-i:[A-Z])\d{1,2})[.)]|(?P<coded>(?-i:[A-Z])-\d{1,2})[.:)])(?=[\s*_]))[\s*_]*",
    re.IGNORECASE,
)
# A line that answers the question above it ("YES - Reset the panel").
_ANSWER = re.compile(
    r"^\W*(?:if\s+)?(?:yes|no|y|n|ok|not ok|nok)\b(?:,[^.:;=–—→]{2,60})?[*_]*\s*(?:[:=–—-]|->|→)[*_]*\s*\S",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^\s*[–—•·▪◦‣●○■□☐]\s+(?=\S)")  # marks that Markdown does not know
_BOXES = ("□", "☐")
_LONE_RETURN = re.compile(r"\r(?!\n)")  # a line end for Markdown, and none for the lines that are cited
_GREATER = re.compile(
    r"^(\s*(?:[-*+]|\d{1,3}[.)]|[a-z][.)])\s+|\s+)>(?=\s*\d)"
)  # "- > 240 V: ..." compares, and quotes nothing
_MARKED = re.compile(r"^\s*(?:\*\*|__)\W*(?:danger|warning|caution|attention)\b", re.IGNORECASE)
_FOOTER = re.compile(
    r"^\W*(?:page\s+\d+(?:\s*(?:of|/)\s*\d+)?|"
    r"(?:issue|rev(?:ision|\.)?|version|edition|doc(?:ument|\.)?(?: (?:no|number|id)\.?)?|effective(?: date| from)?|"
    r"(?:approved|prepared|printed|issued)(?: by| on)?)\s*(?::\s*\S.{0,40}|\.?\s*(?:\d[\w.-]*|[A-Z])))\W*$",
    re.IGNORECASE,
)
_HTML_HEADING = re.compile(r"^\s*<h(?P<level>[1-6])\b", re.IGNORECASE)
# Plain words from a capital letter on, as code hardly has them: a converter indented a list of sentences.
_SENTENCE = re.compile(r"^\s+[A-Z][\w'’-]*(?:/[\w'’-]+)?,?(?:\s+[(\"“]?[\w'’.%°/-]+[,;)\"”]{0,2})+[.:!?]?\)?\s*$")
_TITLE = re.compile(r"^\s*(\*\*|__)(?=\S)(?:\w{1,3}\.\s)?[^*_.!?]{2,70}\1\W*$")
_ARROWED = re.compile(r"^\s*[A-Za-z<>≤≥\\][^→⇒]{2,90}?\s+(?:→|⇒)\s*\S")  # "Sheet gone at the couch → section 2"
_SHOUTED = re.compile(r"^(?=(?:.*[A-Z]{3}){2})[^.!?:]{6,60}$")
_SHOUTED_LEVEL, _BOLD_LEVEL = 2, 5
_TASK = re.compile(r"^\[[ xX]\]\s+(?=\S)")
_SHORTEST_CELL = 4  # characters; a shorter first cell is a number
_CASE_ROW = re.compile(r"^\s{2,}[A-Za-z\d<>≤≥][\w ()/.%°<>–-]{1,40}:\s+[a-z]")
_COMMAND = re.compile(r"\s*`+\s*[\w./$~-]+\s+[^`]+`+\s*")
_HEAD = re.compile(r"<th\b", re.IGNORECASE)
_HTML_ITEM = re.compile(r"^\s*<li\b[^>]*>(?P<text>.*)", re.IGNORECASE)


@dataclass
class Block:
    """One block of a document.

    `lines` are its non-blank source lines with those of its children; `number` is the label of a numbered item.
    """

    kind: Kind
    lines: tuple[int, ...]
    passage: SourcePassage = field(default_factory=lambda: SourcePassage("", ((0, 0),)))
    level: int = 0
    number: str = ""
    children: "list[Block]" = field(default_factory=list)
    cells: list[SourcePassage] = field(default_factory=list)
    code: str = ""
    language: str = ""  # of code, as its fence names it
    marked: bool = False  # opens with a bold word of warning
    title: bool = False  # is bold as a whole, and short
    task: bool = False  # has a box to tick off
    command: bool = False  # is one command in code and nothing else
    tab: bool = False  # one of several ways that a page shows beside each other

    @property
    def text(self) -> str:
        """The plain words of the block itself."""
        return self.passage.text


def read_blocks(markdown: str) -> list[Block]:
    """The top-level blocks of a document, in order of their lines."""
    rows = _LONE_RETURN.sub(" ", markdown).split("\n")
    matter = _front_matter(rows)
    body = [""] * matter + reindented(unframed(dotted([_GREATER.sub(r"\1\\>", row) for row in rows[matter:]])))
    blocks = [block for node in _tree("\n".join(body)).children for block in _Builder(rows).block(node)]
    head = [Block("matter", tuple(n for n in range(1, matter + 1) if rows[n - 1].strip()))] if matter else []
    blocks = _with_answers(blocks)
    return [*head, *_with_bold_headings(_with_shouted_headings(blocks, rows), rows)]


def _with_answers(blocks: list[Block]) -> list[Block]:
    """Neighbouring paragraphs that answer a question ("**YES** – Dial 112") or open with a mark ("☐ On") are items."""
    for block in blocks:
        block.children = _with_answers(block.children)
    for mark in (_ANSWER, _BULLET):
        marked = [block.kind == "paragraph" and bool(mark.match(block.text)) for block in blocks]
        for at, block in enumerate(blocks):
            if marked[at] and any(marked[max(0, at - 1) : at] + marked[at + 1 : at + 2]):
                block.kind = "item"
                _labelled(block)
    return blocks


def _with_bold_headings(blocks: list[Block], rows: list[str]) -> list[Block]:
    """Lettered or numbered lines that are bold as a whole are headings where a document has several of them."""
    titles = [block for block in blocks if block.title and block.number and block.kind == "paragraph"]
    for block in titles if len(titles) > 1 else []:
        block.kind, block.level = "heading", _BOLD_LEVEL
        block.passage = passage([(line, rows[line - 1]) for line in block.lines])
    return blocks


def _with_shouted_headings(blocks: list[Block], rows: list[str]) -> list[Block]:
    """Numbered lines in capitals are headings where a document has several ("2. BREAK AT THE COUCH")."""
    shouted = [
        block
        for block in blocks
        if block.kind in ("paragraph", "item")
        and block.number
        and not block.children
        and block.text.isupper()
        and _SHOUTED.match(block.text)
    ]
    for block in shouted if len(shouted) > 1 else []:
        block.kind, block.level = "heading", _SHOUTED_LEVEL
        block.passage = passage([(line, rows[line - 1]) for line in block.lines])
    return blocks


@lru_cache(maxsize=4)  # a document is read by the rules and again with what the models say
def _tree(body: str) -> SyntaxTreeNode:
    return SyntaxTreeNode(MarkdownIt("commonmark").enable("table").parse(with_spaced_headings(body)))


def numbered(text: str) -> re.Match[str] | None:
    """The label that a plain text opens with ("Step 3:", "2.", "b)"), if any."""
    found = _NUMBERED.match(text)
    return found if found and text[found.end() :].strip() else None


def footer(text: str) -> bool:
    """Whether a line belongs to the form and not to its text ("Issue: 3", "Rev. B", "Page 2 of 4")."""
    return bool(_FOOTER.match(text))


def label_of(found: re.Match[str]) -> str:
    """The number or letter of a label."""
    return (found["word"] or found["deep"] or found["bracket"] or found["plain"] or found["coded"]).lower()


def _front_matter(rows: list[str]) -> int:
    """How many lines the front matter takes, fences included."""
    if not rows or rows[0].strip() not in ("---", "+++"):
        return 0
    fence = rows[0].strip()
    return next((at + 1 for at, row in enumerate(rows[1:], 1) if row.strip() == fence), 0)


@dataclass(frozen=True)
class _Builder:
    rows: list[str]

    def block(self, node: SyntaxTreeNode) -> list[Block]:
        if node.type in ("bullet_list", "ordered_list"):
            return self._items(node)
        if node.type == "table":
            return self._tables(node)
        if node.type == "blockquote":
            children = [block for child in node.children for block in self.block(child)]
            if children and all(child.kind == "item" for child in children):
                return children  # converters put a nested list into a quote
            return [Block("quote", self._lines(node), _joined(children), children=children)]
        if node.type == "heading":
            words = self._words(node)
            found = numbered(words.text)
            return [
                Block(
                    "heading", self._lines(node), words, level=int(node.tag[1]), number=label_of(found) if found else ""
                )
            ]
        return self._paragraph(node) if node.type == "paragraph" else self._raw(node)

    def _raw(self, node: SyntaxTreeNode) -> list[Block]:
        if node.type == "code_block" and (lines := self._sentences(node)):
            return lines
        if node.type in ("fence", "code_block"):
            return [Block("code", self._lines(node), code=node.content.strip(), language=node.info.strip().lower())]
        return self._html(node) if node.type == "html_block" else [Block("rule", self._lines(node))]

    def _sentences(self, node: SyntaxTreeNode) -> list[Block]:
        """The rows of an indented block that holds sentences and no code, as items; empty for code."""
        rows = [(line, self.rows[line - 1]) for line in self._lines(node)]
        if not all(_SENTENCE.match(row) for _, row in rows):
            return []
        return [Block("item", (line,), passage([(line, row)])) for line, row in rows]

    def _lines(self, node: SyntaxTreeNode) -> tuple[int, ...]:
        start, end = node.map or (0, 0)
        return tuple(n for n in range(start + 1, end + 1) if self.rows[n - 1].strip(" \t>"))

    def _words(self, node: SyntaxTreeNode) -> SourcePassage:
        inline = node.children[0] if node.children else None
        if inline is None or inline.map is None:
            return passage([])
        return passage(enumerate(inline.content.split("\n"), inline.map[0] + 1))

    def _paragraph(self, node: SyntaxTreeNode) -> list[Block]:
        """A paragraph, or its parts where further lines of it are numbered themselves, or answers to a question."""
        inline = node.children[0]
        rows = list(enumerate(inline.content.split("\n"), (inline.map or (0, 0))[0] + 1))
        listed = {at for mark in (_ANSWER, _BULLET, _ARROWED) for at in _listed(mark, [row for _, row in rows])}
        cases = _indented_cases([self.rows[line - 1] for line, _ in rows])
        listed |= cases
        titled = {
            at + 1
            for at, (_, row) in enumerate(rows)
            if _TITLE.match(row) and (_NUMBERED.match(row) or (at == 0 and len(rows) > 1 and _begins(rows[1][1])))
        }
        cuts = [
            at
            for at, (_, row) in enumerate(rows)
            if at == 0 or at in listed | titled | {case + 1 for case in cases} or _begins(row)
        ]
        parts = [rows[start:end] for start, end in zip(cuts, [*cuts[1:], len(rows)], strict=True)]
        return [
            _labelled(
                Block(
                    "item" if cut in listed else "paragraph",
                    tuple(n for n, row in part if row.strip()),
                    passage(part),
                    marked=_bold(part),
                    title=len(part) == 1 and (len(rows) == 1 or cut + 1 in titled) and bool(_TITLE.match(part[0][1])),
                    command=len(part) == 1 and bool(_COMMAND.fullmatch(part[0][1])),
                )
            )
            for cut, part in zip(cuts, parts, strict=True)
        ]

    def _items(self, node: SyntaxTreeNode) -> list[Block]:
        first = int(str(node.attrs.get("start", 1))) if node.type == "ordered_list" else 0
        found = []
        for at, item in enumerate(node.children):
            children = [block for child in item.children for block in self.block(child)]
            number = str(first + at) if node.type == "ordered_list" else ""
            head = children[0] if children and children[0].kind == "paragraph" else None
            if not number and head and head.number:
                number = head.number
            words = head.passage if head else passage([])
            box = _TASK.match(words.text)
            found.append(
                Block(
                    "item",
                    self._lines(item),
                    words.cut(box.end(), len(words.text)) if box else words,
                    task=bool(box),
                    number=number,
                    children=children[1 if head else 0 :],
                    marked=bool(head and head.marked),
                    title=bool(head and head.title),
                    command=bool(head and head.command),
                    tab=is_tab(self.rows[(item.map or (0, 0))[0]]),
                )
            )
        return found

    def _tables(self, node: SyntaxTreeNode) -> list[Block]:
        """A table; lines without a bar right below it are no rows of it, whatever Markdown holds."""
        start, end = node.map or (0, 0)
        below = next((at for at in range(start + 2, end) if "|" not in self.rows[at]), end)
        rows = [row for part in node.children for row in part.children if (row.map or (0, 0))[0] < below]
        loose = [(at + 1, self.rows[at]) for at in range(below, end) if self.rows[at].strip()]
        following = [
            _labelled(Block("paragraph", (line,), passage([(line, row)]), marked=_bold([(line, row)])))
            for line, row in loose
        ]
        return [self._table(rows, tuple(line for line in self._lines(node) if line <= below)), *following]

    def _table(self, rows: list[SyntaxTreeNode], lines: tuple[int, ...]) -> Block:
        children = []
        for row in rows:
            line = (row.map or (0, 0))[0] + 1
            cells = [passage([(line, cell.children[0].content if cell.children else "")]) for cell in row.children]
            children.append(Block("row", (line,), _joined_cells(cells), cells=cells))
        return Block("table", lines, children=children)

    def _html(self, node: SyntaxTreeNode) -> list[Block]:
        lines = self._lines(node)
        words = passage((n, self.rows[n - 1]) for n in lines)
        items = [(n, match["text"]) for n in lines if (match := _HTML_ITEM.match(self.rows[n - 1]))]
        rows = self._rows(lines) if "<table" in self.rows[lines[0] - 1].lower() else []
        headed = len(rows) > 2 and len(rows[0].cells) > 1 and any(_HEAD.search(self.rows[n - 1]) for n in lines)
        if len(rows) > 1 and (headed or not items):  # else the items of its lists are the steps, and no row
            return [Block("table", lines, children=rows)]
        if any("<figcaption" in self.rows[n - 1] for n in lines):
            return [Block("html", lines)]
        title = _HTML_HEADING.match(words_raw := " ".join(self.rows[n - 1] for n in lines))
        if title:
            return [Block("heading", lines, words, level=int(title["level"]))] if words_raw else []
        if not items:
            return [Block("html", lines, words)]
        ordered = any("<ol" in self.rows[n - 1].lower() for n in lines)
        return [
            Block("item", (n,), passage([(n, text)]), number=str(at) if ordered else "")
            for at, (n, text) in enumerate(items, 1)
        ]

    def _rows(self, lines: tuple[int, ...]) -> list[Block]:
        """The rows with words of an HTML table; the text of its figures is left out."""
        html = "\n".join(self.rows[lines[0] - 1 : lines[-1]])
        rows = []
        for row in html_rows(html, lines[0], (*CODE_TAGS, "figcaption")):
            cells = [passage(cell) for cell in row.cells]
            if own := _lines_with_words(row):
                rows.append(Block("row", own, _joined_cells(cells), cells=cells))
        return rows


def _lines_with_words(row: HtmlRow) -> tuple[int, ...]:
    """The source lines with words, each once; a number alone in the first cell counts as none."""
    cells = row.cells[1:] if len(row.cells) > 1 and len(row.texts[0]) < _SHORTEST_CELL else row.cells
    return tuple(sorted({line for cell in cells for line, words in cell if words.strip()}))


def _begins(row: str) -> bool:
    """Whether a row of a paragraph opens a part of its own: a warning, a numbered line or a footer."""
    return bool(_MARKED.match(row) or _NUMBERED.match(row)) or footer(row)


def _listed(mark: re.Pattern[str], rows: list[str]) -> set[int]:
    """The rows of a paragraph that such marks make items of a list; the first one only beside others."""
    found = {at for at, row in enumerate(rows) if mark.match(row)}
    return found if len(found) > 1 else found - {0}


def _indented_cases(rows: list[str]) -> set[int]:
    """The rows of a paragraph that are indented and open with a name each ("  F1: let it cool"), of two or more."""
    found = {at for at, row in enumerate(rows) if _CASE_ROW.match(row)}
    return {at for at in found if {at - 1, at + 1} & found}


def _bold(rows: list[tuple[int, str]]) -> bool:
    return bool(rows) and bool(_MARKED.match(rows[0][1]))


def _labelled(block: Block) -> Block:
    mark = _BULLET.match(block.text) if block.kind == "item" else None
    if mark:
        block.task = mark[0].strip() in _BOXES
        block.passage = block.passage.cut(mark.end(), len(block.text))
    found = numbered(block.text)
    if found and not block.text.startswith("("):
        block.number = label_of(found)
        block.passage = block.passage.cut(found.end(), len(block.text))
    return block


def _joined(children: list[Block]) -> SourcePassage:
    text, starts = "", []
    for child in children:
        if child.text:
            text += " " if text else ""
            starts += [(len(text) + offset, line) for offset, line in child.passage.starts]
            text += child.text
    return SourcePassage(text, tuple(starts) or ((0, child_line(children)),))


def _joined_cells(cells: list[SourcePassage]) -> SourcePassage:
    line = cells[0].starts[0][1] if cells else 0
    return SourcePassage(" | ".join(cell.text for cell in cells), ((0, line),))


def child_line(children: list[Block]) -> int:
    """The first line of the first child; 0 without one."""
    return next((child.lines[0] for child in children if child.lines), 0)
