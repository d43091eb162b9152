"""Page relevance: whether a page is a procedure (by the filter) and on the topic (by coverage of the topic's words)."""

from soprag.tools.procedure.filtering import document_filter
from soprag.tools.search.topic_words import bare, coverage, times
from soprag.tools.tasks.benchmark import MarkdownAsk
from soprag.tools.tasks.collecting import Wanted, WantedAsk

_LEAST = 0.34  # minimum share of the topic's words, weighted by length, on a relevant page


def judge(ask: WantedAsk) -> Wanted:
    """The verdict of the filter, and the share of the topic's specific words that occur on the page."""
    verdict = document_filter.judge(MarkdownAsk(name=ask.name, markdown=ask.text))
    share = coverage(times(bare(ask.topic), f"{ask.name}\n{ask.text}"))
    return Wanted(
        is_procedure=verdict.is_sop,
        on_topic=share >= _LEAST,
        reason=f"{verdict.reason} It names {share:.0%} of the topic's words.",
    )
