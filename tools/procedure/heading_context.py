"""The stack of open headings while an SOP is read, and whether the current section holds instructions."""

import re
from dataclasses import dataclass, field

from soprag.tools.markdown.inline import labelled
from soprag.tools.markdown.outline import OutlineBlock
from soprag.tools.procedure.branches import condition_of, normal
from soprag.tools.procedure.lexicon import announces, is_instruction

_STEP = re.compile(r"^(?:step|stage|phase|schritt|étape|paso)\s+\d", re.IGNORECASE)
_NUMBERED = re.compile(r"^\(?\d+(?:\.\d+)*[.):]?\s")


@dataclass
class OpenHeading:
    """An open heading: its line, whether its section holds instructions, and its step index if it is a step itself."""

    level: int
    line: int
    acts: bool | None
    step: int = -1


@dataclass
class Sections:
    """The open headings, outermost first."""

    open: list[OpenHeading] = field(default_factory=list)

    @property
    def acts(self) -> bool | None:
        """Whether the current section holds instructions; None when its headings are undecided."""
        return self.open[-1].acts if self.open else None

    @property
    def above(self) -> int:
        """The step index of the nearest heading that is a step; -1 when there is none."""
        return next((heading.step for heading in reversed(self.open) if heading.step >= 0), -1)

    @property
    def here(self) -> int:
        """The line of the innermost heading, which identifies the current section; 0 before the first heading."""
        return self.open[-1].line if self.open else 0

    def enter(self, block: OutlineBlock) -> None:
        """Open the heading `block` and close those of its level and below."""
        while self.open and self.open[-1].level >= block.level:
            self.open.pop()
        above = self.acts
        announced = announces(block.words) if self.open or block.level > 1 else None  # a title names the whole SOP
        inherited = above if announced is None else None
        self.open.append(
            OpenHeading(block.level, block.start, announced == "acts" if announced in ("acts", "tells") else inherited)
        )

    def step_in(self, block: OutlineBlock) -> tuple[str, str] | None:
        """Label and text of the heading just entered when it is a step: `Step 4: Close`, `2. Drain it`, `If it leaks`.

        A single word is a title even where it could be an imperative (`3.2 Transfer`).
        """
        title = block.words
        numbered = _NUMBERED.match(title)
        unnumbered = title[numbered.end() :] if numbered else title
        inside = len(self.open) > 1 and self.acts is not False
        acted = inside and bool(self.open[-2].acts)
        if (
            not _STEP.match(title)
            and not (inside and numbered and len(unnumbered.split()) > 1 and is_instruction(unnumbered))
            and not (acted and condition_of(unnumbered))
        ):
            return None
        entry = labelled(title)
        if entry:
            return normal(entry.label), entry.rest
        return (normal(numbered[0]) if numbered else ""), unnumbered
