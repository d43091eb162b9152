"""Neighbouring sections of which an operator takes one: solutions that each hold under a condition, opposite tasks."""

import re
from dataclasses import dataclass
from itertools import combinations

from soprag.tools.procedure.blocks.blocks import numbered
from soprag.tools.procedure.drafting.draft import Draft
from soprag.tools.procedure.drafting.tree import Act, Choice, DraftStep, Node, Part

# A condition that looks back at what was done, or is only a courtesy, names no cause of its own.
_NO_CAUSE = re.compile(
    r".*\b(?:still|again|above|previous|these steps|none of|persists?|already|procedure|this (?:fails|works|does))\b|"
    r"(?:you|we|this|that|it) (?:can|could|do|does|did|is|was)(?:not| not|n't)\b|"
    r"(?:you|we) (?:need|want|wish|would|prefer|plan|like)\b|"
    r"(?:so|not|necessary|needed|required|possible|applicable|desired|in doubt)\b",
    re.IGNORECASE,
)
# What was done before, and was of no use: the section comes after it, and is no way beside it.
_BEFORE = (
    r"(?:steps?|actions?|measures?|methods?|attempts?|procedures?|above|this|that|it|"
    r"re(?:start|boot|set|try|pair)(?:ing|ed)?)"
)
_NOT = r"(?:(?:do|does|did|is|are|was|were|has|have)(?: not|n't)|cannot)"
_AFTER = re.compile(
    rf"(?!\W*(?:an?|any|one|each)\b).*(?:\b{_BEFORE}\s+(?:\w+\s+){{0,2}}?(?:fail(?:s|ed)?|"
    rf"{_NOT}\s+(?:\w+\s+)?(?:work|succe|success|enough|sufficient)\w*|"
    r"(?:(?:is|are|was|were|proved|remains?)\s+)?unsuccessful)|none of the (?:above|previous|preceding)|"
    rf"\b{_NOT}\s+(?:\w+\s+)?(?:help|fix|solve|resolve)\w*|"
    r"still (?:not|fails?|persists?|present|active)|(?:issue|problem|error|fault|alarm|alert)s?\s+"
    r"(?:(?:still|again)\s+)?(?:persists?|remains?|is still|(?:has|is) not (?:been )?\w+ed))\b",
    re.IGNORECASE | re.DOTALL,
)
_GENRE = re.compile(
    r"^\W*(?:(?:error|alarm|initial|further|first|next|safety|procedure|recovery|mitigation|diagnosis|diagnostic|"
    r"resolution|troubleshooting|contingency|verification|validation|prevention|escalation|remediation|support|notes?|"
    r"steps?|actions?|checks?|and)\W*)+$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z]{2,}")
_TURNS_ON = re.compile(
    r"\b(?:start|turn(?:ing)?|power(?:ing)?|switch(?:ing)?)[- ]?(?:on|up)\b|\b(?:start|boot)\b", re.I
)
_TURNS_OFF = re.compile(
    r"\b(?:turn(?:ing)?|power(?:ing)?|switch(?:ing)?)[- ]?off\b|\bshut(?:ting)?[- ]?(?:down|off)\b|\bstop\b",
    re.IGNORECASE,
)
_OPPOSITES = (
    ("open", "close"),
    ("start", "stop"),
    ("start", "shut"),
    ("apply", "remove"),
    ("apply", "release"),
    ("apply", "unlock"),
    ("enable", "disable"),
    ("activate", "deactivate"),
    ("engage", "release"),
    ("connect", "disconnect"),
    ("mount", "remove"),
    ("install", "remove"),
    ("add", "remove"),
    ("raise", "lower"),
    ("power on", "power off"),
    ("switch on", "switch off"),
    ("turn on", "turn off"),
    ("lock", "unlock"),
    ("mount", "unmount"),
)


@dataclass(frozen=True)
class Solution:
    """A section that holds under the condition of its first act, or when nothing says when it holds."""

    part: Part
    step: DraftStep | None

    def set_apart(self, draft: Draft) -> None:
        """Makes the section an outcome; the operator is told where nothing says when it applies."""
        if self.part.condition:
            return
        only = _only_choice(self.part)
        if only is not None:
            self.part.condition, self.part.line = only.outcomes[0].when, only.step.lines[0]
            self.part.body = only.outcomes[0].body
            draft.remove(
                only.step,
                next(step for step in draft.steps if step.scope in self.part.scopes and step is not only.step),
            )
            return
        if self.step is not None:
            self.part.condition, self.part.line, self.step.only_if = self.step.only_if, self.step.lines[0], ""
            return
        first = next(step for step in draft.steps if step.scope in self.part.scopes)
        self.part.condition, self.part.line = self.part.situation, first.lines[0]
        draft.unresolved.append(((first.lines[0],), "stands beside sections for a case each; its own is not said"))


def solutions(nodes: list[Node]) -> list[Solution]:
    """The sections of runs in which two or more, and at least half, stand under a condition of their own."""
    found: list[Solution] = []
    run: list[Solution] = []
    for node in [*nodes, None]:
        part = node if isinstance(node, Part) and not node.detached and not node.lead else None
        member = _solution(part, bool(run)) if part else None
        if member:
            run.append(member)
            continue
        found += _complete(run)
        run = []
    return found


def looks_back(condition: str) -> bool:
    """Whether a condition asks if what stands above it has helped ("the above steps do not work")."""
    return bool(_AFTER.match(condition))


def _complete(run: list[Solution]) -> list[Solution]:
    """The run when conditions are not the exception in it."""
    conditional = [one for one in run if one.step is not None or one.part.condition or _only_choice(one.part)]
    own = [one for one in conditional if not one.part.condition]
    return run if own and len(conditional) > 1 and len(conditional) * 2 >= len(run) else []


def _solution(part: Part, follows: bool) -> Solution | None:
    if numbered(part.situation) or _GENRE.match(part.situation):
        return None
    if part.condition:
        return None if looks_back(part.condition) else Solution(part, None)
    if _only_choice(part) is not None:
        return Solution(part, None)
    first = part.body[0] if part.body else None
    if isinstance(first, Act) and first.step.only_if:
        return None if _NO_CAUSE.match(first.step.only_if) else Solution(part, first.step)
    return Solution(part, None) if follows else None


def _only_choice(part: Part) -> Choice | None:
    """The single condition that all of a section stands under."""
    first = part.body[0] if len(part.body) == 1 else None
    return (
        first
        if isinstance(first, Choice) and first.open and len(first.outcomes) == 1 and first.outcomes[0].body
        else None
    )


def operations(nodes: list[Node]) -> list[Part]:
    """Three or more neighbouring sections that turn a thing on or off ("Cold start", "Warm start", "Shut down")."""
    parts = [node for node in nodes if isinstance(node, Part) and not node.detached and not node.lead]
    turning = [part for part in parts if _TURNS_ON.search(part.situation) or _TURNS_OFF.search(part.situation)]
    both = [any(map(way.search, (part.situation for part in turning))) for way in (_TURNS_ON, _TURNS_OFF)]
    return turning if len(turning) > 2 and all(both) and not any(numbered(one.situation) for one in turning) else []


def opposite_parts(nodes: list[Node]) -> list[Part]:
    """Sections for a task and for the one that undoes it ("Applying LOTO", "Unlocking LOTO"), but for the first."""
    parts = [node for node in nodes if isinstance(node, Part) and not node.detached and not node.lead]
    return [two for one, two in combinations(parts, 2) if _undoes(one.situation, two.situation)][:1]


def _undoes(title: str, other: str) -> bool:
    """Whether two titles name opposite acts on one thing."""
    one, two = (re.sub(r"^[\W\d]+", "", words.lower()) for words in (title, other))
    if _whole(one) and _whole(one) == _whole(two) and one != two:
        return True
    shared = set(_WORD.findall(one)) & set(_WORD.findall(two)) - {"the", "of", "on", "off", "in", "to", "up", "down"}
    pairs = [*_OPPOSITES, *((b, a) for a, b in _OPPOSITES)]
    return bool(shared) and any(_opens(one, a) and _opens(two, b) for a, b in pairs)


def _whole(title: str) -> tuple[str, str] | None:
    """The thing and the kind of text in a title such as "cryostat cooling procedure"; None for other titles."""
    found = re.fullmatch(r"(?P<thing>[\w-]+)\s+\S.*?\s*(?P<kind>procedure|checklist)\W*", title)
    return (found["thing"], found["kind"]) if found else None


def _opens(title: str, words: str) -> bool:
    """Whether a title opens with a verb, as an order or as its -ing form."""
    verb, _, rest = words.partition(" ")
    stem = verb.removesuffix("e")
    return bool(
        re.match(rf"(?:how to )?(?:{stem}(?:e|ing)?|{verb}|{verb}{verb[-1]}ing){' ' + rest if rest else ''}\b", title)
    )
