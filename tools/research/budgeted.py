"""A model client with a token budget; when it is used up, the rules answer for the rest of the run."""

from dataclasses import dataclass

from soprag.tools.errors import BudgetSpent
from soprag.tools.llm import Ledger, Llm
from soprag.tools.tasks.task import Answer, Ask, Task
from soprag.tools.web.budget import RunBudget

_PER_TOKEN = 3  # characters; on the safe side for English
_AROUND = 1500  # tokens of the prompt, the schema and a usual answer


@dataclass
class BudgetedLlm:
    """Takes an estimate before each request, and corrects it by what the model says it used."""

    llm: Llm
    budget: RunBudget
    spare: Llm
    spent: str = ""  # why the rules answer by now; empty as long as the model does
    _counted: int = 0

    @property
    def name(self) -> str:
        """The model's name."""
        return self.llm.name

    @property
    def ledger(self) -> Ledger:
        """What the model was asked."""
        return self.llm.ledger

    def edition(self, task: Task[Ask, Answer]) -> str:
        """The model's edition."""
        return self.llm.edition(task)

    async def ask(self, task: Task[Ask, Answer], inputs: Ask) -> Answer:
        """The model's answer, or the rule's when no tokens or no time is left."""
        if self.llm.name == self.spare.name:
            return await self.llm.ask(task, inputs)
        estimate = len(inputs.model_dump_json()) // _PER_TOKEN + _AROUND
        try:
            self.budget.take(tokens=estimate)
        except BudgetSpent as spent:
            self.spent = str(spent)
            return await self.spare.ask(task, inputs)
        try:
            return await self.llm.ask(task, inputs)
        finally:
            self.budget.give_back(tokens=estimate - self._used())

    def _used(self) -> int:
        """Tokens used since the last look; what runs at the same time is counted once, by whoever looks first."""
        total = self.llm.ledger.total
        before, self._counted = self._counted, total.tokens_in + total.tokens_out
        return self._counted - before
