"""Inline Markdown: the plain text of a line and the step label printed before it."""

import re
from html import unescape
from typing import NamedTuple

# Every repetition is bounded, so that a line of any length and any content is read in linear time.
_MARKUP = re.compile(r"[\\`*_~<>\[\]&\0]|\s\s|^\s|\s$|\n")
_IMAGE = re.compile(r"!\[([^\[\]]{0,300})\]\([^()\s]{0,1000}(?:\s\"[^\"]{0,300}\")?\)")
_LINK = re.compile(r"\[([^\[\]]{0,500})\](?:\([^()]{0,1000}(?:\([^()]{0,300}\)[^()]{0,300})?\)|\[[^\[\]]{0,100}\])")
_ADDRESS = re.compile(r"<((?:https?|mailto):[^<>\s]{1,1000})>")
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,1000}>|<!--.{0,2000}?-->", re.DOTALL)
_EMPHASIS = re.compile(r"\*{1,3}|~~|(?<![^\W_])_{1,3}(?=[^\s_])|(?<=[^\s_])_{1,3}(?![^\W_])")
_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)(.{1,1000}?)(?<!`)\1(?!`)", re.DOTALL)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_BOLD = re.compile(r"\s*(\*\*|__)(?=\S)([^*\n]{1,300}|[^_\n]{1,300})\1\s*[:.]?\s*")
_KEPT = re.compile("\0(\\d+)\0")

_LABELS = (
    # Step 4: | STEP 4 - | Schritt 4
    r"(?P<step>(?i:step|stage|phase|schritt|étape|etape|paso|passo|stap)\s+\d{1,3}(?:\.\d{1,2}){0,3}[a-z]?\b)"
    r"\s?(?:[:.)]|[-–—](?=\s))?",
    # 2.1 Open | 2.1.3. Open; the capitalised word after it keeps "3.3 V" and "1.5 m" out
    r"(?P<decimal>\d{1,3}(?:\.\d{1,2}){1,4})[.):]?(?=\s{1,9}[*_`\"'“(\[]{0,4}(?:[A-ZÀ-Þ]\w|A\s|[^\W\d_\u0000-\u024F]))",
    # 4) | 4. | (4) | **4.** | **4**.
    r"(?P<number>\(\d{1,3}\)|\d{1,3}(?:[.)]|(?=[*_]{2,3}[.)])))(?=\s|[*_]{1,3}[.)]?\s)",
    # b) | (b) | iv); "B." is left out, for it is an initial more often than a step
    r"(?P<letter>\([a-z]{1,4}\)|[a-z]\)|[ivx]{1,5}\))(?=\s)",
    r"(?P<circled>[①-⑳])",
    # bullets that a PDF or a word processor printed as characters
    r"(?P<bullet>[•◦▪■□▫●○‣⁃–☐☑✓✔➢➤►·]|\[[ xX]?\])(?=\s|$)",
)
_LABEL = re.compile(rf"\s{{0,20}}(?P<mark>[*_]{{1,3}})?(?:{'|'.join(_LABELS)})(?(mark)(?:[*_]{{1,3}}[.)]?)?)\s*")
_SECTION_NUMBER = re.compile(r"(?:(?i:section|chapter|part|kapitel)\s+)?(\d{1,3}(?:\.\d{1,3}){0,5})(?=[.):\s]|$)")


class LabelledLine(NamedTuple):
    """A line split into its label as printed (empty for a bullet) and the text after it."""

    label: str
    rest: str


def plain(text: str) -> str:
    """The words of `text` without Markdown and HTML markup, on one line."""
    if not _MARKUP.search(text):
        return text
    code_spans: list[str] = []

    def keep(code: re.Match[str]) -> str:
        code_spans.append(code[2].strip())
        return f"\0{len(code_spans) - 1}\0"

    text = _CODE.sub(keep, text.replace("\0", " "))
    text = _TAG.sub(" ", _ADDRESS.sub(r"\1", text))
    text = _LINK.sub(r"\1", _IMAGE.sub(r"\1", text))
    text = unescape(_ESCAPE.sub(r"\1", _EMPHASIS.sub("", text)))
    text = _KEPT.sub(lambda placeholder: code_spans[int(placeholder[1])], text)
    return " ".join(text.split())


def is_bold(text: str) -> bool:
    """Whether all of `text` is bold, as in a heading that lost its style."""
    return bool(_BOLD.fullmatch(text))


def labelled(line: str) -> LabelledLine | None:
    """The step label that `line` begins with and the rest of it, or None when it has none.

    Known are `4.`, `4)`, `(4)`, `2.1`, `b)`, `(b)`, `Step 4:` and printed bullets; the label is as printed, without
    a closing full stop or colon.
    """
    match = _LABEL.match(line)
    if not match:
        return None
    groups = match.groupdict()
    label = "" if groups["bullet"] else next(groups[name] for name in groups if name != "mark" and groups[name])
    rest = line[match.end() :]
    # "**2.1 Open the valve**": the bold that opened before the label goes on after it
    emphasis = groups["mark"] or ""
    opens = emphasis and not line[: match.end()].rstrip(" .)").endswith(emphasis)
    return LabelledLine(label.rstrip(".:"), f"{emphasis}{rest}" if opens else rest)


def section_number(title: str) -> tuple[int, ...]:
    """The decimal number a heading begins with: `4.1 Checks` gives (4, 1); empty when there is none."""
    match = _SECTION_NUMBER.match(title)
    return tuple(int(part) for part in match[1].split(".")) if match else ()
