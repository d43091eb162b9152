"""The Auditor: rejects documents that are no procedures and splits the others into atomic SOPs."""

from dataclasses import dataclass

from soprag.tools.errors import DocumentError
from soprag.tools.llm import Llm
from soprag.tools.markdown.excerpt import numbered, sample
from soprag.tools.procedure.spans import complete
from soprag.tools.rules.filter import damage
from soprag.tools.sop import Document, Sop, Span
from soprag.tools.tasks import benchmark as tasks
from soprag.tools.text.language import detect


@dataclass(frozen=True)
class Auditor:
    """Filters and splits documents (paper section 4.1); the bodies of SOPs are cut by code, never written by a model.

    `limit` is the maximum number of characters per request. Without it the whole Markdown is sent unchanged, as the
    rules expect; with it the model receives numbered lines, and a sample of a long document.
    """

    llm: Llm
    limit: int | None = None

    async def judge(self, name: str, markdown: str) -> tasks.FilterAnswer:
        """Classify the document as SOP (or collection of SOPs) or not; unreadable text is rejected unasked."""
        unreadable = damage(markdown)
        if unreadable:
            return tasks.FilterAnswer(is_sop=False, reason=unreadable, confidence=0.95)
        excerpt = markdown if self.limit is None else sample(markdown, self.limit)
        return await self.llm.ask(tasks.FILTER, tasks.MarkdownAsk(name=name, markdown=excerpt))

    async def split(self, document: Document, markdown: str) -> list[Sop]:
        """The atomic SOPs of a document, in its order; every line is in one of them or in the preamble they share.

        Raises `DocumentError` when there is no text, `AnswerInvalid` when the answer names no line of the document.
        """
        if not markdown.strip():
            raise DocumentError(f"{document.name!r} holds no text; nothing can be cut from it.")
        markdown = markdown.replace("\r\n", "\n").replace("\r", "\n")
        excerpt = markdown if self.limit is None else numbered(markdown, self.limit)
        answer = await self.llm.ask(tasks.SPLIT, tasks.MarkdownAsk(name=document.name, markdown=excerpt))
        lines = markdown.split("\n")
        split = complete(answer, lines)
        preamble = tuple(Span(start=span.start, end=span.end) for span in split.shared)
        return [_cut(document, lines, part, preamble) for part in split.parts]


def _cut(document: Document, lines: list[str], part: tasks.SopPart, preamble: tuple[Span, ...]) -> Sop:
    span = Span(start=part.start, end=part.end)
    body = "\n".join("\n".join(lines[piece.start - 1 : piece.end]) for piece in (*preamble, span))
    return Sop(
        id=f"{document.id[:12]}-{part.start}",
        title=" ".join(part.title.split()),
        body=body,
        document=document.id,
        span=span,
        preamble=preamble,
        language=detect(body),
    )
