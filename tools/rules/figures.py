"""What a picture of a document shows, without a model: rules do not see."""

from tools.llm.tasks.archive import FigureAsk, FigureSaid


def describe(ask: FigureAsk) -> FigureSaid:
    """Nothing is said of a picture that nobody looked at."""
    return FigureSaid(caption="")
