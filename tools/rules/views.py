"""Rule-based abstract and views of an SOP in one answer."""

from soprag.tools.procedure.filtering import document_filter
from soprag.tools.rules import card as cards
from soprag.tools.rules import causes, entities, flow
from soprag.tools.tasks.benchmark import MarkdownAsk, SopAsk
from soprag.tools.tasks.retriever import NumberedSop, ViewsAnswer, unnumber


def extract(sop: NumberedSop) -> ViewsAnswer:
    """All views; identical to the answers of the four separate rules. An SOP in doubt is judged by the filter."""
    body = "\n".join(unnumber(sop.numbered)[1])
    card = cards.summarise(SopAsk(title=sop.title, body=body))
    views = ViewsAnswer.model_construct(
        abstract=card.abstract, entity=entities.extract(sop), causal=causes.extract(sop), flow=flow.extract(sop)
    )
    if not sop.doubt:
        return views
    judged = document_filter.judge(MarkdownAsk(name=sop.title, markdown=body))
    return views.model_copy(update={"is_sop": judged.is_sop, "reason": judged.reason})
