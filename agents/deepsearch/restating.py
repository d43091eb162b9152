"""Statements that their sources do not support go back to the model once, with the reason, before they are left out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from soprag.tools.llm import Llm
from soprag.tools.support.checker import SourceExcerpt, check
from soprag.tools.tasks.deepsearch import RESTATE, RefusedStatement, RestateAsk
from soprag.tools.text.sanitize import one_line


@dataclass(frozen=True)
class CitingStatement:
    """A statement as drafted, and the texts it cites (none: it cites nothing that exists)."""

    text: str
    cited: Sequence[str]


async def supported(llm: Llm, question: str, statements: Mapping[str, CitingStatement]) -> dict[str, str]:
    """The texts of the statements that stand on what they cite, by id; a refused one is worded anew once."""
    reasons = {id: _fault(statement.text, statement, question) for id, statement in statements.items()}
    texts = {id: statement.text for id, statement in statements.items() if not reasons[id]}
    refused = [
        RefusedStatement(id=id, text=statement.text, reason=reasons[id], cited=list(statement.cited))
        for id, statement in statements.items()
        if reasons[id] and statement.cited
    ]
    if refused:
        answer = await llm.ask(RESTATE, RestateAsk(question=question, statements=refused))
        for restated in answer.statements:
            text = one_line(restated.text)
            statement = statements.get(restated.id)
            if text and statement and restated.id not in texts and not _fault(text, statement, question):
                texts[restated.id] = text
    return texts


def _fault(text: str, statement: CitingStatement, question: str) -> str:
    return check(text, SourceExcerpt("\n\n".join(statement.cited)), question).reason
