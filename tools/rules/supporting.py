"""Rule-based second opinion: none, so that the verdict of the support checker stands."""

from soprag.tools.tasks.support import SupportAsk, SupportOpinions


def give_opinions(ask: SupportAsk) -> SupportOpinions:
    """No opinion on any statement."""
    return SupportOpinions(opinions=[])
