"""`measure parsing --hostile`: outcome, time and peak memory of parsing malicious files with the default limits."""

import time
from collections.abc import Sequence

from pydantic import Field

from soprag.benchmarks.quality.hostile_files import HOSTILE, HostileFile
from soprag.configs.settings import ParsingSettings
from soprag.tools.errors import DocumentError
from soprag.tools.parsing import Parser
from soprag.tools.sop import Frozen

_STILL_HERE = b"<h1>Still here</h1><ol><li>Press STOP.</li></ol>"


class HostileOutcome(Frozen):
    """What became of one file; `after`: the next document was parsed as if nothing had been."""

    name: str
    parsed: bool
    said: str = Field(description="the refusal in one line, or by whom it was parsed and how long the result is")
    seconds: float
    peak: int = Field(description="MiB, of the largest parser process of this file")
    after: bool


class HostileReport(Frozen):
    """All files, and the limits they were parsed with."""

    outcomes: tuple[HostileOutcome, ...]
    timeout: float
    memory: int

    def render(self) -> str:
        """One line for each file."""
        lines = [f"limits: {self.timeout:.0f} s and {self.memory} MiB for one document"]
        lines += [
            f"{outcome.name:<26}{'parsed' if outcome.parsed else 'refused':<9}"
            f"{outcome.seconds:>6.1f} s{outcome.peak:>6} MiB"
            f"{'' if outcome.after else '  THE NEXT DOCUMENT FAILED'}  {outcome.said}"
            for outcome in self.outcomes
        ]
        return "\n".join(lines)


def measure_hostile(settings: ParsingSettings, files: Sequence[HostileFile] = HOSTILE) -> HostileReport:
    """Each file in a parser of its own, so that the peak is its own."""
    quiet = settings.model_copy(update={"cache": False, "workers": 1})
    return HostileReport(
        outcomes=tuple(_try(file, quiet) for file in files), timeout=quiet.timeout, memory=quiet.memory
    )


def _try(file: HostileFile, settings: ParsingSettings) -> HostileOutcome:
    data = file.make()
    with Parser(settings.model_copy(update=file.limits)) as parser:
        parser.parse_now(_STILL_HERE, "warm.html")
        begun = time.monotonic()
        try:
            document = parser.parse_now(data, file.name)
            parsed, summary = True, f"{document.engine} {document.tier}, {len(document.markdown):,} characters"
        except DocumentError as refusal:
            parsed, summary = False, str(refusal)
        seconds, peak = time.monotonic() - begun, parser.peak_memory()
        after = "Press STOP." in parser.parse_now(_STILL_HERE, "after.html").markdown
    return HostileOutcome(name=file.name, parsed=parsed, said=summary, seconds=seconds, peak=peak, after=after)
