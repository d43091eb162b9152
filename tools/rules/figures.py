"""Rule-based caption of a figure: always empty, since rules cannot interpret pictures."""

from soprag.tools.tasks.archive import FigureAsk, FigureSaid


def describe(ask: FigureAsk) -> FigureSaid:
    """An empty caption."""
    return FigureSaid(caption="")
