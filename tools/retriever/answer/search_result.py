"""What a search returns: hits with their scores, or an abstention."""

from pydantic import Field

from soprag.tools.sop import Frozen


class SopHit(Frozen):
    """A retrieved SOP with its score."""

    sop: str
    title: str
    score: float
    begins: str = Field(
        default="", description="id of the step with which the card of the alarm begins; empty: the procedure has none"
    )


class SearchResult(Frozen):
    """Search results: hits by falling score, and whether the retriever abstained."""

    hits: tuple[SopHit, ...] = ()
    abstained: bool = False
    doubtful: bool = Field(default=False, description="it abstained, but one of the first hits may well be meant")
    separating: str = Field(default="", description="the one question that tells the first hits apart")
    twins: tuple[str, ...] = Field(default=(), description="ids of the procedures that this question is about")
    judge: str = Field(default="", description="the model that judged the candidates; empty: none did")
