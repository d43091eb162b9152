"""Search results: hits with their score parts and explanations, or an abstention."""

from typing import Literal

from pydantic import Field

from soprag.tools.retriever.answer.search_result import SearchResult, SopHit
from soprag.tools.sop import Frozen, Span

Fit = Literal["fits", "partly", "no", ""]


class HitScores(Frozen):
    """The summands of a score; `lexical` is the part of `entity` that comes from exact term matches.

    `purpose` is the agreement between a question that reports or orders and a procedure that responds or is planned.
    """

    card: float
    entity: float
    causal: float
    flow: float
    lexical: float
    purpose: float = 0.0


class CitedText(Frozen):
    """A text of an SOP with its line span in the body."""

    text: str
    lines: Span | None = None


class RankedHit(SopHit):
    """A hit with its score parts and explanation."""

    parts: HitScores
    confidence: float = Field(description="0 to 1, the same for every question: how much of what was asked is in it")
    entities: tuple[str, ...] = Field(default=(), description="things that the question names and the SOP is about")
    states: tuple[CitedText, ...] = Field(
        default=(), description="from the state that fits to the one linked to the card"
    )
    step: CitedText | None = Field(default=None, description="the step that fits")
    why: str = Field(default="", description="what puts it before the next")
    fit: Fit = Field(default="", description="what the model that judged the candidates says of it; empty: nothing")


class Ranking(SearchResult):
    """An answer to a question: `weights` are what entity, causal and flow view count in the first hit, with sum 1.

    Where views compete for the words of the question, they count by the words they won. `seconds` are by stage.
    """

    question: str
    hits: tuple[RankedHit, ...] = ()
    intent: str = ""
    weights: tuple[float, float, float] = (0.0, 0.0, 0.0)
    warning: str = Field(default="", description="why the rules stood in for the model, when they did")
    seconds: dict[str, float] = Field(default_factory=dict)

    def text(self) -> str:
        """A line per hit."""
        from soprag.tools.retriever.query.formatting import tell

        return tell(self)
