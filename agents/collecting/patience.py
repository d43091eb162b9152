"""How long a crawl goes on without a new document: by how frequent documents were, and by what is left to look at."""

from dataclasses import dataclass

_MISSED = 8  # documents that there would have been since the last one at the usual yield, and were not
_LEAST = 8  # pages
_SPARE = 1 / 2  # share of the requests left that may be spent on pages without a document ...
_WORTHWHILE = 1.0  # ... while the links that wait promise so many documents
_PROMISE = 5  # pages without a document that each document which new links promise allows


@dataclass(frozen=True)
class Progress:
    """Where a crawl stands."""

    pages: int
    documents: int
    requests_left: int
    promised: float  # documents among the links that wait, or behind them
    newly_promised: float  # those of the links that were found since the last document


def patience(progress: Progress, most: int) -> float:
    """Pages without a new document after which there seem to be none: the more frequent they were, the fewer.

    While much of the budget is left and the links that wait promise a document, a part of it goes into looking
    further: one list may lead on. `most` bounds both. New links that promise documents at most double it: an endless
    tree of lists promises for ever.
    """
    usual = _MISSED * (progress.pages + 2) / (progress.documents + 1)
    spare = _SPARE * progress.requests_left if progress.promised >= _WORTHWHILE else 0.0
    pages = max(_LEAST, min(max(usual, spare), most))
    return pages + min(pages, _PROMISE * progress.newly_promised)
