"""How an operator is told of a step: by the number that the document prints, or by its words where it prints none."""

from soprag.tools.flow.requests import StepArguments, WayShown
from soprag.tools.text.sanitize import one_line


def printed_number(label: str, number: int, total: str = "") -> str:
    """The number that the document prints for a step, and behind it the place in the run where that is another one."""
    printed = label.strip(" .:()")
    if not printed or printed == str(number) or printed[0].isalpha():
        return f"{number}{total}"
    return f"{printed} ({number}{total})"


def place_words(step: StepArguments, total: str = "") -> str:
    """Where a step stands: its number, or that the run has still to begin."""
    return f"step {printed_number(step.label, step.number, total)}" if step.number else "the first step"


def way_words(way: WayShown) -> str:
    """A branch as a sentence: its condition and where it leads; a place to begin at is its situation."""
    if way.begins and way.condition:
        return one_line(way.condition)
    return f"{one_line(way.condition) or 'otherwise'}: {_goal(way)}"


def _goal(way: WayShown) -> str:
    if way.unresolved:
        return "the text does not tell where to go on; you choose"
    back = f", then back to step {way.back}" if way.back else ""
    if not way.to:
        return f"the procedure ends{back}"
    if way.words:  # its place alone would read like a number of the document
        return f"go to “{one_line(way.words)}” ({way.to}){back}"
    return f"go to step {printed_number(way.label, way.to)}{back}"
