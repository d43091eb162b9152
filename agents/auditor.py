"""The Auditor: rejects documents that are no procedures and splits the others into atomic SOPs."""

from dataclasses import dataclass, field

from soprag.tools.errors import DocumentError
from soprag.tools.function_runner import FunctionRunner, ThreadRunner
from soprag.tools.llm import Llm
from soprag.tools.markdown.excerpt import numbered
from soprag.tools.procedure.filtering.document_filter import damage
from soprag.tools.procedure.spans import complete
from soprag.tools.segmentation.standing import standing_alone
from soprag.tools.sop import Document, Sop, Span
from soprag.tools.tasks import benchmark as tasks
from soprag.tools.text.language import detect

# Confidence of the rules from which on their "procedure" stands: none of 418 documents of `measure audit` and 250 pages
# of installed packages passes so wrongly, and 9 of 10 procedures do (docs/rules.md).
SURE = 0.8
_LANGUAGE_SAMPLE = 4000  # characters of the preamble that help to tell the language of a short procedure


@dataclass(frozen=True)
class SplitLimits:
    """What one document may be cut into: procedures, and characters of all of them, each with its preamble.

    Every SOP is read, embedded and shown together with the preamble of its document.
    """

    procedures: int = 1000
    characters: int = 20_000_000


@dataclass(frozen=True)
class AuditedText:
    """The verdict on a document, and its SOPs in order; empty for a document that is none."""

    verdict: tasks.FilterAnswer
    sops: tuple[Sop, ...] = ()
    readable: bool = True

    @property
    def doubtful(self) -> bool:
        """Whether it can be read and is not surely a procedure."""
        return self.readable and not (self.verdict.is_sop and self.verdict.confidence >= SURE)


@dataclass(frozen=True)
class Auditor:
    """Filters and splits documents (paper section 4.1); the bodies of SOPs are cut by code, never written by a model.

    `limit` is the maximum number of characters per request. Without it the whole Markdown is sent unchanged, as the
    rules expect; with it the model receives numbered lines, of a long document its headings, and the parts it proposes
    must stand alone (`tools.segmentation.standing`). `runner` runs what reads the whole document.
    """

    llm: Llm
    limit: int | None = None
    most: SplitLimits = SplitLimits()
    runner: FunctionRunner = field(default_factory=ThreadRunner)

    async def audit(self, document: Document, markdown: str) -> AuditedText:
        """Whether the document is an SOP (or several), and its atomic SOPs, in one request at most.

        Every line is in one SOP or in the preamble they share. Unreadable text is rejected unasked. Raises
        `DocumentError` for too many or too long SOPs, `AnswerInvalid` when the answer names no line of the document.
        """
        markdown = markdown.replace("\r\n", "\n").replace("\r", "\n")
        unreadable = await self.runner.run(damage, markdown, document=document.name)
        if unreadable:
            return AuditedText(tasks.FilterAnswer(is_sop=False, reason=unreadable, confidence=0.95), readable=False)
        verdict = await self._judged(document, markdown)
        return AuditedText(verdict, tuple(self._cut(document, markdown, verdict)) if verdict.is_sop else ())

    async def _judged(self, document: Document, markdown: str) -> tasks.DocumentVerdict:
        verdict = await self.llm.ask(tasks.AUDIT, await self._ask(document, markdown))
        if self.limit is not None and len(verdict.parts) > 1:
            parts = await self.runner.run(standing_alone, markdown, verdict.parts, document=document.name)
            verdict = verdict.model_copy(update={"parts": parts})
        return verdict

    async def _ask(self, document: Document, markdown: str) -> tasks.MarkdownAsk:
        excerpt = markdown
        if self.limit is not None:
            excerpt = await self.runner.run(numbered, markdown, self.limit, document=document.name)
        return tasks.MarkdownAsk(name=document.name, markdown=excerpt)

    def _cut(self, document: Document, markdown: str, verdict: tasks.DocumentVerdict) -> list[Sop]:
        self._check_count(document, len(verdict.parts))
        lines = markdown.split("\n")
        split = complete(tasks.Split(parts=verdict.parts, shared=verdict.shared), lines)
        shared = _Preamble.of(split, lines)
        self._check_length(document, len(split.parts), shared, len(markdown))
        return [_cut(document, lines, part, shared) for part in split.parts]

    def _check_count(self, document: Document, count: int) -> None:
        if count > self.most.procedures:
            raise DocumentError(
                f"{document.name!r} would be cut into {count:,} procedures; parsing.max_procedures is "
                f"{self.most.procedures:,}: split the file."
            )

    def _check_length(self, document: Document, count: int, shared: "_Preamble", length: int) -> None:
        whole = length + (count - 1) * len(shared.text)
        if whole > self.most.characters:
            raise DocumentError(
                f"The {count:,} procedures of {document.name!r} share {len(shared.text):,} characters; with them they "
                f"have {whole:,}, and parsing.max_cut_characters is {self.most.characters:,}: split the file."
            )


@dataclass(frozen=True)
class _Preamble:
    """The lines that all procedures of a document share."""

    spans: tuple[Span, ...]
    text: str

    @staticmethod
    def of(split: tasks.Split, lines: list[str]) -> "_Preamble":
        spans = tuple(Span(start=span.start, end=span.end) for span in split.shared)
        return _Preamble(spans, "\n".join(_verbatim(lines, span) for span in spans))


def _verbatim(lines: list[str], span: Span) -> str:
    return "\n".join(lines[span.start - 1 : span.end])


def _cut(document: Document, lines: list[str], part: tasks.SopPart, shared: _Preamble) -> Sop:
    span = Span(start=part.start, end=part.end)
    text = _verbatim(lines, span)
    return Sop(
        id=f"{document.id[:12]}-{part.start}",
        title=" ".join(part.title.split()),
        text=text,
        document=document.id,
        span=span,
        preamble=shared.spans,
        preamble_text=shared.text,
        language=detect(f"{shared.text[:_LANGUAGE_SAMPLE]}\n{text}"),
    )
