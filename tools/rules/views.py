"""Rule-based abstract and views of an SOP in one answer."""

from soprag.tools.rules import card as cards
from soprag.tools.rules import causes, entities, flow
from soprag.tools.tasks.benchmark import SopAsk
from soprag.tools.tasks.retriever import NumberedSop, ViewsAnswer, unnumber


def extract(sop: NumberedSop) -> ViewsAnswer:
    """All views; identical to the answers of the four separate rules."""
    _, lines = unnumber(sop.numbered)
    card = cards.summarise(SopAsk(title=sop.title, body="\n".join(lines)))
    return ViewsAnswer.model_construct(
        abstract=card.abstract, entity=entities.extract(sop), causal=causes.extract(sop), flow=flow.extract(sop)
    )
