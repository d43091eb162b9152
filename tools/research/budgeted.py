"""A model client with a token budget; when it is used up, the rules answer for the rest of the run."""

from dataclasses import dataclass, field

from soprag.tools.errors import BudgetSpent
from soprag.tools.llm import Llm
from soprag.tools.llm.base import LlmWrapper
from soprag.tools.tasks.task import Answer, Ask, Task
from soprag.tools.web.budget import RunBudget

_PER_TOKEN = 3  # characters; on the safe side for English
_AROUND = 1500  # tokens of the prompt, the schema and a usual answer


@dataclass
class TokenUse:
    """Tokens of the model counted so far, and why the budget ended (empty as long as it lasts)."""

    counted: int = 0
    spent: str = ""


@dataclass(frozen=True)
class BudgetedLlm(LlmWrapper):
    """Takes an estimate before each request, and corrects it by what the model says it used."""

    budget: RunBudget
    rules: Llm
    use: TokenUse = field(default_factory=TokenUse)

    @property
    def spent(self) -> str:
        """Why the rules answer by now; empty as long as the model does."""
        return self.use.spent

    async def ask(self, task: Task[Ask, Answer], inputs: Ask) -> Answer:
        """The model's answer, or the rule's when no tokens or no time is left."""
        if self.llm.name == self.rules.name:
            return await self.llm.ask(task, inputs)
        estimate = len(inputs.model_dump_json()) // _PER_TOKEN + _AROUND
        try:
            self.budget.take(tokens=estimate)
        except BudgetSpent as spent:
            self.use.spent = str(spent)
            return await self.rules.ask(task, inputs)
        try:
            return await self.llm.ask(task, inputs)
        finally:
            self.budget.give_back(tokens=estimate - self._used())

    def _used(self) -> int:
        """Tokens used since the last look; what runs at the same time is counted once, by whoever looks first."""
        total = self.llm.ledger.total
        before, self.use.counted = self.use.counted, total.tokens_in + total.tokens_out
        return self.use.counted - before
