"""Rule-based audit of a document: is it an SOP, and if so, its atomic procedures."""

from soprag.tools.procedure.filtering import document_filter
from soprag.tools.rules import split
from soprag.tools.tasks.benchmark import DocumentVerdict, MarkdownAsk


def audit(ask: MarkdownAsk) -> DocumentVerdict:
    """The verdict of the document filter with the parts of the splitter; a document that is no SOP has no parts."""
    judged = document_filter.judge(ask)
    if not judged.is_sop:
        return DocumentVerdict(**judged.model_dump())
    cut = split.split(ask)
    return DocumentVerdict(**judged.model_dump(), parts=cut.parts, shared=cut.shared)
