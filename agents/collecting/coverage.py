"""Coverage of the search engines, estimated by capture-recapture (Chao 1984)."""

from collections.abc import Sequence

from soprag.agents.collecting.candidate_urls import CandidateUrl
from soprag.tools.sop import Frozen


class Coverage(Frozen):
    """Documents found by searches, how many there may be (Chao 1984), and the share that was found."""

    found: int
    estimated: float
    share: float


def estimate(leads: Sequence[CandidateUrl]) -> Coverage:
    """Estimate from the number of documents listed by exactly one search and by exactly two.

    Chao's lower bound in its bias-corrected form; documents no search can list are not included.
    """
    times = [len({sighting.query for sighting in lead.sightings if sighting.searched}) for lead in leads]
    observed, once, twice = sum(1 for count in times if count), times.count(1), times.count(2)
    total = observed + once * (once - 1) / (2 * (twice + 1))
    return Coverage(found=observed, estimated=round(total, 1), share=round(observed / total, 3) if total else 0.0)
