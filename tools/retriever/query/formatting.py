"""Formats a ranking as plain text: one line per hit, optionally with explanations.

Ids are printed with the explanations, and where two procedures have one title.
"""

from collections import Counter
from collections.abc import Iterator

from soprag.tools.retriever.query.results import CitedText, RankedHit, Ranking
from soprag.tools.text.sanitize import one_line

_WIDE = 160  # signs of a quoted text


def tell(ranking: Ranking, *, reasons: bool = False) -> str:
    """The ranking as text for a terminal."""
    return "\n".join(_lines(ranking, reasons))


def _lines(ranking: Ranking, reasons: bool) -> Iterator[str]:
    if not ranking.hits:
        yield "The index holds nothing to look through; add SOPs with `soprag index add`."
        return
    if ranking.abstained:
        yield "Nothing fits. The nearest, which probably do not answer this:"
    titles = Counter(hit.title for hit in ranking.hits)
    for rank, hit in enumerate(ranking.hits, 1):
        id = f"  [{hit.sop}]" if reasons or titles[hit.title] > 1 else ""
        score = f"score {hit.score:.2f}, " if reasons else ""
        yield f"{rank:>2}. {one_line(hit.title)}{id}  {score}confidence {hit.confidence:.2f}"
        if reasons:
            yield from _reasons(hit)
    if ranking.separating:
        yield f"To be sure: {one_line(ranking.separating)}"
    if ranking.warning:
        yield one_line(ranking.warning)
    if reasons:
        entity, causal, flow = ranking.weights
        took = sum(ranking.seconds.values()) * 1000
        yield f"Router: {ranking.intent}; entity {entity:.2f}, causal {causal:.2f}, flow {flow:.2f}. {took:.0f} ms."


def _reasons(hit: RankedHit) -> Iterator[str]:
    parts = hit.parts
    yield (
        f"    card {parts.card:+.2f}  entity {parts.entity:+.2f} (of it words {parts.lexical:+.2f})  "
        f"causal {parts.causal:+.2f}  flow {parts.flow:+.2f}  purpose {parts.purpose:+.2f}"
    )
    if hit.entities:
        yield f"    names   {', '.join(one_line(name) for name in hit.entities)}"
    if hit.states:
        yield f"    state   {'  ->  '.join(map(_quoted, hit.states))}  ->  this procedure"
    if hit.step:
        yield f"    step    {_quoted(hit.step)}"
    if hit.why:
        yield f"    {one_line(hit.why)}"


def _quoted(cited: CitedText) -> str:
    lines = cited.lines
    if lines is None:
        return one_line(cited.text, _WIDE)
    where = f"line {lines.start}" if lines.start == lines.end else f"lines {lines.start}-{lines.end}"
    return f"{one_line(cited.text, _WIDE)} ({where})"
