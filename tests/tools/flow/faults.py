"""The nine faults that were seen in the old reading of procedures, read again: what was, and what happens now.

    python -m tests.tools.flow.faults docs/faults.md

The column "was" quotes the report of the faults; "now" is made by this command from the lines above it.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from soprag.tools.flow.commands import parse
from soprag.tools.flow.cursor import Cursor
from soprag.tools.procedure.filtering.document_filter import judge
from soprag.tools.procedure.plan import plan
from soprag.tools.procedure.reader import read_procedure
from soprag.tools.tasks.benchmark import MarkdownAsk
from tests.tools.rules.reading import sop, views, ways

_HEAD = """# Nine faults, before and now

Check here what became of nine ways in which procedures were misread. Written by `python -m tests.tools.flow.faults`; a
test compares it with a new run. "Was" is the report of the fault, "now" what the reader and a guided run do with the
same lines.
"""


class Fault(NamedTuple):
    """A fault with its lines, what was reported, and what tells how it is read now."""

    name: str
    body: str
    was: str
    now: Callable[[str], Iterator[str]]


def replies(*typed: str) -> Callable[[str], Iterator[str]]:
    """Tells what a guided run says to each reply."""

    def told(body: str) -> Iterator[str]:
        cursor = Cursor(plan(sop(body), views(body).flow))
        run = cursor.begin()
        for words in typed:
            run = cursor.reply(run, parse(words)).run
            step = cursor.plan.by_id[run.at].text.split("\n")[0] if run.at else f"the run has {run.status}"
            yield f"`{words}`: {run.problem or step}"

    return told


def edges(body: str) -> Iterator[str]:
    """Tells every way between steps, by their first words."""
    for start, end, condition in sorted(ways(body)):
        yield f"{start} → {end}" + (f" ({condition})" if condition else "")


def parts(body: str) -> Iterator[str]:
    """Tells the steps, with their warnings."""
    for step in views(body).flow.steps:
        warned = [warning.text.replace("\n", " ") for warning in step.warnings if warning.kind != "note"]
        yield f"step: {step.text.splitlines()[0]}" + (f" — warned before: {'; '.join(warned)}" if warned else "")


def told(body: str) -> Iterator[str]:
    """Tells how many steps a narrative has."""
    yield f"{len(read_procedure(body, narrative=True).steps)} steps"


def passed(body: str) -> Iterator[str]:
    """Tells what the filter says of each document."""
    for document in body.split("\n---\n"):
        verdict = judge(MarkdownAsk(name="document.md", markdown=document))
        yield f"{document.splitlines()[0].strip('# ')}: {'a procedure' if verdict.is_sop else 'no procedure'}"


FAULTS = (
    Fault(
        "A stop is a stop",
        "1. Check that the other pump runs and delivers at least 400 L/min. If it does not, stop here "
        "and go back to the lead.\n"
        "2. Set PUMP to OUT OF SERVICE.\n",
        '"It does not" went on to the next step, PUMP to OUT OF SERVICE.',
        replies("done 350 L/min", "1", "done"),
    ),
    Fault(
        "A limit that must not be passed",
        "1. Close the valve. The flow must not dip below 380 L/min.\n2. Open the drain.\n",
        'Shown as "Range: below 380 L/min"; 350 was refused as "outside below 380 L/min".',
        replies("done 350 L/min", "done 390 L/min"),
    ),
    Fault(
        "Several readings",
        "1. Measure the supply: it must be 400 V ± 10 % and 50 Hz ± 1 Hz.\n2. Close the breaker.\n",
        "Passed with `done 398 V` alone.",
        replies("done 398 V", "done 50.1 Hz"),
    ),
    Fault(
        "Alternatives",
        "## Card F01 Low flow\n"
        "\n"
        "1. Read the flow.\n"
        "2. Open the bypass.\n"
        "\n"
        "## Card P05 Pump fault\n"
        "\n"
        "1. Reset the drive.\n"
        "\n"
        "## Card C08 Conductivity high\n"
        "\n"
        "1. Take a sample.\n",
        "One procedure of all cards in a row: the last step of a card led to the first one of the next.",
        edges,
    ),
    Fault(
        "Ways that were not followed",
        "# T\n"
        "\n"
        "## A Check\n"
        "\n"
        "1. Read the gauge. If it is red, proceed to [Drain](#drain).\n"
        "2. Repeat steps 1-2 until it is green.\n"
        "3. If it is dry, skip the remaining steps.\n"
        "4. Perform section B, then continue.\n"
        "5. Tell the lead.\n"
        "\n"
        "## B Filter\n"
        "\n"
        "1. Change the filter.\n"
        "\n"
        "## Drain\n"
        "\n"
        "1. Open the drain.\n",
        "Every one of them went on to the next line.",
        edges,
    ),
    Fault(
        "Lines that are no steps, and warnings",
        "# Pump\n"
        "\n"
        "Owner: Mechanical team\n"
        "\n"
        "**Safety officer:** J. Doe\n"
        "\n"
        '<div class="warning">The pipe is hot.</div>\n'
        "\n"
        "1. Isolate the pump.\n"
        "\n"
        "   > **CAUTION:** The shaft may still turn.\n"
        "\n"
        "2. Lift it out.\n"
        "\n"
        "| Range | Meaning |\n"
        "|---|---|\n"
        "| 24.0 to 27.0 | in order |\n",
        "The owner, the role label and the row became steps or warnings; the warning in the box was lost.",
        parts,
    ),
    Fault(
        "Orders in prose",
        "# Leak\n"
        "\n"
        "1. Close the valve.\n"
        "2. Look for leaks in the following locations:\n"
        "\n"
        "   - the flange\n"
        "   - the drain\n"
        "\n"
        "If your safety is at risk call the control room.\n",
        "The order and the list of places were dropped without a word.",
        parts,
    ),
    Fault(
        "Narratives",
        "# Claims\n"
        "\n"
        "The clerk checks the claim. The claim is registered by the clerk. The manager signs the form. "
        "The clerk sends a letter. The letter is filed. The customer receives a refund.\n",
        "A paragraph with all activities was one step.",
        told,
    ),
    Fault(
        "What passes for a procedure",
        "# Buffer preparation\n"
        "\n"
        "1. **1.** Combine 10 mL of buffer and 5 mL of water.\n"
        "2. Vortex the tube for 30 s.\n"
        "3. Incubate the tube on ice for 10 min.\n"
        "4. The pellet is resuspended in 1 mL of buffer.\n"
        "---\n"
        "# fastlib\n"
        "\n"
        "A small library for fast lists.\n"
        "\n"
        "## Installation\n"
        "\n"
        "```\n"
        "pip install fastlib\n"
        "```\n"
        "\n"
        "## Usage\n"
        "\n"
        "```\n"
        "import fastlib\n"
        "```\n"
        "\n"
        "## License\n"
        "\n"
        "MIT\n",
        "Laboratory verbs were not seen (recall .78 there); 33 of 137 package READMEs passed.",
        passed,
    ),
)


def page() -> str:
    """The page of all faults."""
    return "\n".join([_HEAD, *(line for number, fault in enumerate(FAULTS, 1) for line in _section(number, fault))])


def _section(number: int, fault: Fault) -> Iterator[str]:
    yield f"## {number}. {fault.name}\n"
    yield f"~~~text\n{fault.body.rstrip()}\n~~~\n"
    yield f"Was: {fault.was}\n"
    yield "Now:\n"
    yield from (f"- {line}" for line in fault.now(fault.body))
    yield ""


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
