"""The flow task without a model: what `tools.procedure` reads, in the form in which a model answers."""

from soprag.tools.procedure.reader import read_procedure
from soprag.tools.retriever.index.flow_answers import answer_of
from soprag.tools.tasks.retriever import FlowAnswer, NumberedSop, OverlookedAnswer, OverlookedAsk, unnumber


def extract(sop: NumberedSop) -> FlowAnswer:
    """The steps, ways and warnings of the body."""
    return answer_of(read_procedure("\n".join(unnumber(sop.numbered)[1])))


def overlooked(_: OverlookedAsk) -> OverlookedAnswer:
    """Nothing: what the code proposes it has read."""
    return OverlookedAnswer()
