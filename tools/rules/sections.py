"""Under which headings the reader of an SOP is, and whether they announce things to do."""

import re
from dataclasses import dataclass, field

from tools.rules.branches import condition_of, normal
from tools.rules.inline import labelled
from tools.rules.lexicon import announces, is_instruction
from tools.rules.outline import Block

_STEP = re.compile(r"^(?:step|stage|phase|schritt|étape|paso)\s+\d", re.IGNORECASE)
_NUMBERED = re.compile(r"^\(?\d+(?:\.\d+)*[.):]?\s")


@dataclass
class Heading:
    """An open heading: its line, whether what stands under it is to be done, and the step it is itself."""

    level: int
    line: int
    acts: bool | None
    step: int = -1


@dataclass
class Sections:
    """The open headings, outermost first."""

    open: list[Heading] = field(default_factory=list)

    @property
    def acts(self) -> bool | None:
        """Whether the present section says what to do; None when its headings do not tell."""
        return self.open[-1].acts if self.open else None

    @property
    def above(self) -> int:
        """The step that the nearest heading is; -1 when none is one."""
        return next((heading.step for heading in reversed(self.open) if heading.step >= 0), -1)

    @property
    def here(self) -> int:
        """The line of the innermost heading, as the name of the present section."""
        return self.open[-1].line if self.open else 0

    def enter(self, block: Block) -> None:
        """Go on under the heading `block`."""
        while self.open and self.open[-1].level >= block.level:
            self.open.pop()
        above = self.acts
        announced = announces(block.words) if self.open or block.level > 1 else None  # a title names the whole SOP
        inherited = above if announced is None else None
        self.open.append(
            Heading(block.level, block.start, announced == "acts" if announced in ("acts", "tells") else inherited)
        )

    def step_in(self, block: Block) -> tuple[str, str] | None:
        """Label and words of the heading just entered when it is a step: `Step 4: Close`, `2. Drain it`, `If it leaks`.

        One word alone is a title, also when it could be an order (`3.2 Transfer`).
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
