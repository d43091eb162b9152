"""Rule-based action generator: chooses the next action from the question and the history of the turn.

The order is fixed: a guided run on request; a calculation when a quantity is requested; the knowledge graph for a
question across procedures; retrieval, unless the calculation answered all; web search when retrieval is empty. Then
the turn finishes with the results. A calculation that cannot be done does not hide the procedure that fits.
"""

import re

from soprag.tools.flow.message_intent import is_about, is_guide_request, is_resume_request, says_nothing
from soprag.tools.rules.calculation import stated_quantities
from soprag.tools.tasks.troubleshoot import FINISH, GUIDE, ActionAsk, ActionPlan, ToolArgument
from soprag.tools.units.quantity import same_dimension

RETRIEVAL, QUOTE, MATH, SEARCH, KNOWLEDGE = "retrieval", "quote", "math", "search", "knowledge"
# A question about a set of procedures or steps, or about how two things connect; never one that an operator acts on.
_ACROSS = re.compile(
    r"^\W*(?:in\s+)?(?:which|what)\s+(?:other\s+)?(?:procedures|sops|documents|cards)\b|^\W*list\s+(?:all\s+)?"
    r"(?:the\s+)?(?:procedures|sops|steps|documents|cards)\b|^\W*which\s+steps\s+(?:of|need|require|involve|use|touch)\b|"
    r"\band\s+which\s+(?:card|procedure|sop|document)s?\s+answers?\b|"
    r"^\W*how\s+(?:is|are)\s+.{2,60}\s(?:connected|related|linked)\s+(?:to|with)\b",
    re.IGNORECASE,
)
# "Every build fails" and "connection refused" are about one thing; "every procedure for", "connected to" are not.
_SEVERAL = re.compile(
    r"\b(?:procedures|sops|cards)\b|\b(?:every|each|all|list|which|what)\s+(?:(?:of|the|our|other)\s+){0,2}"
    r"(?:procedure|sop|document|card)s?\b|^\W*(?:please\s+)?list\b|"
    r"\bhow\s+(?:is|are|does|do)\s.{2,60}\b(?:connect|relate|link)\w*\s+(?:to|with)\b|"
    r"\b(?:on|in|search)\s+the\s+(?:web|internet)\b|\bsearch\s+(?:for|online)\b",
    re.IGNORECASE,
)
_PERSONAL = re.compile(r"\b(?:I|we|you|my|our|me|us)\b", re.IGNORECASE)
_NOUN = (
    r"(?:volume|mass|weight|density|pressure|temperature|flow|rate|velocity|speed|power|duty|energy|heat|enthalpy|entropy|"
    r"area|diameter|head|drop|concentration|conversion|number|efficiency|level|capacity|time|length|thickness|viscosity|"
    r"coefficient|ratio|fraction|amount|value|current|voltage|resistance|quality|runtime|duration|bore|force|torque)s?"
)
_ASKS_NOUN = re.compile(
    rf"\b(?:what|which|how|determine|find|estimate|work out|give|tell)\b(?:\W+[\w'’-]+){{0,6}}?\W+{_NOUN}\b|"
    r"\bhow (?:many|much)\b",
    re.IGNORECASE,
)
# A quantity is asked for by its name, by everyday words ("how big", "how many litres"), or by an order to compute.
_ASKS_VALUE = re.compile(
    rf"\b{_NOUN}\b(?!-)|\bhow (?:many|much|big|large|heavy|dense|hot|cold|warm|fast|long|high|deep|far|thick|wide)\b|"
    r"\b(?:what|which) (?:size|is \W*\d)|\bwhen (?:is|will) .{1,20}\b(?:full|empty)\b|^\W*[\d.,]+ ?\S+ in \S+\?$",
    re.IGNORECASE,
)
_ASKS = re.compile(
    rf"\?|\b(?:what|which|how|tell|give|find|determine|need to know|want to know|please|estimate|work out|look up)\b|"
    rf"^\W*(?:the )?{_NOUN} (?:of|at|for|needed|required|occupied|in)\b",
    re.IGNORECASE,
)
_ORDERS_VALUE = re.compile(
    r"(?:^|[.,:;!?]|\b(?:please|and|then|you|me))\W*(?:calculate|compute|convert|evaluate|integrate|solve|express)\b",
    re.IGNORECASE,
)
_FORMULA = re.compile(r"\^[\d{(]|_\{")
# Asks what to do, which no calculation answers.
_ASKS_ACT = re.compile(
    r"\bwhat (?:do|should|must|can|shall) (?:i|we|you|the \w+) (?:do|check)|\bwhat (?:now|next|to do)\b|"
    r"\bhow (?:do|should|can|must|shall|to|would) (?!.{0,12}\b(?:convert|calculate|compute))|"
    r"\b(?:procedures?|instructions|checklist|guide me|walk me)\b",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"^\W*(?:and|but|what if|what about|how about|then|also|or)\b", re.IGNORECASE)


def plan(ask: ActionAsk) -> ActionPlan:
    """The next action."""
    tried = {past.tool for past in ask.history}
    available = {tool.name for tool in ask.tools}
    if any(
        past.status == "ok" and (past.tool in (GUIDE, QUOTE, KNOWLEDGE) or past.kind == "choices")
        for past in ask.history
    ):
        return _finish(ask)
    for action in (guide(ask), _calculate(ask), _connect(ask), _retrieve(ask), _search(ask)):
        if action and action.tool in available - tried and ask.left:
            return action
    return _finish(ask)


def guide(ask: ActionAsk) -> ActionPlan | None:
    """The guided run that is asked for, of the procedure just found or of the one that the conversation is about."""
    if ask.run and is_resume_request(ask.question):
        return _act(GUIDE, "Go on with the guided run.", sop=ask.procedure)
    if not is_guide_request(ask.question):
        return None
    retrieved = [past for past in ask.history if past.tool == RETRIEVAL and past.status == "ok" and past.about]
    if retrieved:
        guide = _act(
            GUIDE, "Guide the operator through the procedure.", sop=retrieved[-1].about, begins=retrieved[-1].begins
        )
        return guide.model_copy(update={"uses": [retrieved[-1].step]})
    if ask.procedure and not ask.history and is_about(ask.question, ask.title):
        return _act(GUIDE, "Guide the operator through the procedure.", sop=ask.procedure, begins=ask.begins)
    return None


def _calculate(ask: ActionAsk) -> ActionPlan | None:
    """A calculation, when a quantity is requested and the question states numbers with units."""
    if is_guide_request(ask.question) or not asks_quantity(ask.question):
        return None
    return _act(MATH, ask.question)


def is_across(question: str) -> bool:
    """Whether a question is about a set of procedures or a connection, rather than about what to do."""
    return bool(_ACROSS.search(question)) and not _PERSONAL.search(question)


def _connect(ask: ActionAsk) -> ActionPlan | None:
    return _act(KNOWLEDGE, ask.question, question=ask.question) if is_across(ask.question) else None


def _retrieve(ask: ActionAsk) -> ActionPlan | None:
    computed = any(past.tool == MATH and past.status == "ok" for past in ask.history)
    if computed and not _ASKS_ACT.search(ask.question):
        return None
    if ask.procedure and is_about(ask.question, ask.title):
        return _act(RETRIEVAL, "Answer from the procedure found before.", question=ask.question, sop=ask.procedure)
    return retrieve(ask)


def retrieve(ask: ActionAsk) -> ActionPlan:
    """The search for the procedure that answers; a question that goes on from the one before is put with it."""
    goes_on = ask.earlier and _GOES_ON.match(ask.question)
    question = f"{ask.earlier} {ask.question}" if goes_on else ask.question
    return _act(RETRIEVAL, "Find the procedure that answers.", question=question)


def _search(ask: ActionAsk) -> ActionPlan | None:
    """A web search, only when retrieval returned nothing."""
    empty = any(past.tool == RETRIEVAL and past.failure == "empty" for past in ask.history)
    return _act(SEARCH, "Search the web.", query=ask.question) if empty else None


def asks_quantity(question: str) -> bool:
    """Whether a value is requested and at least one number with a unit is stated.

    A generous reading: the calculator refuses what it cannot bind, and the procedure is looked for then.
    """
    asked = _ASKS_VALUE.search(question) and _ASKS.search(question) and not _ASKS_ACT.search(question)
    return bool((asked or _ORDERS_VALUE.search(question)) and _units(question))


def names_value(question: str) -> bool:
    """Whether a value is asked for and another one is given, whatever else is asked."""
    return bool(_ASKS_VALUE.search(question) and _units(question))


def is_calculation(question: str) -> bool:
    """Whether the question asks for a value from a number with its unit, and not to be guided."""
    return not is_guide_request(question) and asks_quantity(question)


def is_to_look_up(question: str) -> bool:
    """Whether one procedure answers: no value is to be computed from another, and no set of procedures is meant."""
    refused = (_ORDERS_VALUE, _SEVERAL, _FORMULA)
    return not (_may_compute(question) or says_nothing(question) or any(words.search(question) for words in refused))


def _may_compute(question: str) -> bool:
    """Whether a value may be asked for that another one gives. Words of a value are known in English only.

    Times and what has no dimension (shares, sizes of stores, angles) mostly say what happened: "95 % used for 2 h".
    """
    acts = _ASKS_ACT.search(question)
    noun = _ASKS_NOUN.search(question) and not acts
    value = _ASKS_VALUE.search(question) or (_ASKS.search(question) and not acts)
    units = _units(question) if noun or value else []
    describes = all(same_dimension(unit, "") or same_dimension(unit, "s") for unit in units)
    return bool(units and (noun if describes else value))


def _units(question: str) -> list[str]:
    """The units of the quantities of a question; numbers of things ("3 copies") and of pages have none.

    Asked last: the library of units takes half a second to load.
    """
    return [quantity.unit for quantity in stated_quantities.read(question) if quantity.unit]


def _finish(ask: ActionAsk) -> ActionPlan:
    """Finish with the results of the successful steps; the responder reports the failed ones."""
    return ActionPlan(tool=FINISH, shows=[past.step for past in ask.history if past.status == "ok"])


def _act(tool: str, step: str, **arguments: str) -> ActionPlan:
    filled = [ToolArgument(name=name, value=value) for name, value in arguments.items() if value]
    return ActionPlan(tool=tool, step=step, arguments=filled)
