"""Whether the parts that a model proposes stand alone, by the evidence that the rules use."""

from bisect import bisect_left

from soprag.tools.markdown.page import read
from soprag.tools.procedure.blocks import heading_kinds
from soprag.tools.segmentation.boundary_model import fitted
from soprag.tools.segmentation.evidence import weigh
from soprag.tools.segmentation.orders import instructs
from soprag.tools.segmentation.title_lines import title_lines
from soprag.tools.tasks.benchmark import SopPart
from soprag.tools.text.language import detect

_NEVER = -3.0  # log-odds of an independent procedure below which a part needs a title and a step of its own


def standing_alone(markdown: str, parts: list[SopPart]) -> list[SopPart]:
    """`parts` in order without those that do not stand alone, which go to the part before them.

    A part stands alone when the text is likely to begin anew at its first line, or when it has a title that is no form
    heading (Overview, Steps, Appendix) and an instruction of its own. The first part always stays.
    """
    page = read(markdown)
    titles = title_lines(page)
    log_odds = dict(zip((title.begin for title in titles), fitted().log_odds(weigh(page, titles)), strict=True))
    opening = {title.begin: title for title in titles} | {title.line: title for title in titles}
    language = detect(markdown)
    kept: list[SopPart] = []
    proposed = sorted(parts, key=lambda part: part.start)
    nexts = [*(part.start for part in proposed[1:]), len(page.lines) + 1]
    lines = [block.lines.start for block in page.blocks]
    for part, following in zip(proposed, nexts, strict=True):
        title = opening.get(part.start)
        is_form = title is not None and title.role != "named" and not heading_kinds.ordinal(title.text)
        likely = title is not None and log_odds.get(title.begin, _NEVER) > _NEVER
        blocks = page.blocks[bisect_left(lines, part.start) : bisect_left(lines, following)]
        if not kept or likely or (not is_form and any(instructs(block, language) for block in blocks)):
            kept.append(part)
        else:
            kept[-1] = kept[-1].model_copy(update={"end": max(part.end, kept[-1].end)})
    return kept
