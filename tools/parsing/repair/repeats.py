"""Text that the page prints once and the Markdown has twice, in a table and beside it for example, is left out once."""

from collections import Counter

from soprag.tools.parsing.layout import PrintedLine
from soprag.tools.parsing.repair.headings import norm, running_heads
from soprag.tools.parsing.repair.wording import markdown_words, printed_words, shingles

_RUN = 4  # words by which a repetition is noticed
_SHORTEST = 16  # letters and digits; shorter text may stand in several places
_KEPT = ("#", "```", "![")


def drop_repeats(blocks: list[str], lines: list[PrintedLine]) -> list[str]:
    """The blocks without paragraphs and items that stand elsewhere in them more often than they are printed."""
    words = [markdown_words(block) for block in blocks]
    running = running_heads(lines)
    lines = [line for index, line in enumerate(lines) if index not in running]
    suspect = _repeated([word for block in words for word in block], lines)
    if not suspect:
        return blocks
    printed = norm("".join(line.text for line in lines))
    norms = [norm(block) for block in blocks]
    out: list[str] = []
    for index in range(len(blocks) - 1, -1, -1):  # the later of two goes
        if _is_repeat(blocks[index], words[index], suspect) and _too_often(norms[index], norms, printed):
            norms[index] = ""
        else:
            out.append(blocks[index])
    return out[::-1]


def _repeated(words: list[str], lines: list[PrintedLine]) -> set[tuple[str, ...]]:
    """The runs of words that the text has more often than the page."""
    printed = Counter(shingles(printed_words(lines, frozenset(words)), _RUN))
    counts = Counter(shingles(words, _RUN))
    return {run for run, count in counts.items() if count > printed[run] > 0}


def _is_repeat(block: str, words: list[str], suspect: set[tuple[str, ...]]) -> bool:
    runs = list(shingles(words, _RUN))
    return not block.startswith((*_KEPT, "|")) and bool(runs) and all(run in suspect for run in runs)


def _too_often(key: str, norms: list[str], printed: str) -> bool:
    return len(key) >= _SHORTEST and sum(text.count(key) for text in norms) > printed.count(key) > 0
