"""Control flow in the words of a step: conditions, go-tos and loops, read by regular expressions."""

import re
from dataclasses import dataclass, replace

from soprag.tools.markdown.inline import LabelledLine, labelled
from soprag.tools.procedure.lexicon import is_instruction, requires
from soprag.tools.text.sentences import sentences

_CONDITION = re.compile(
    r"^\W*(?:\((?:optional|recommended)\)\s*)?(?:(?:and|but|however|then)[,\s]+)?"
    r"(?P<word>if|unless|in case(?: of| that)?|in the event (?:of|that)|should|provided(?: that)?|wenn|falls|si|"
    r"en cas d[e'])\s"
    r"(?P<what>.+?)(?=,\s|:\s|:?$|\bthen\b|[;–—]|\.\s|\?$)",
    re.IGNORECASE | re.DOTALL,
)
# A further part of a condition: what an "or" or "and" begins, or what stands before one, up to its own comma.
_LISTED = re.compile(
    r",\s+(?P<part>(?:or|and)\s[^,;:.]{2,90}|[^,;:.]{2,60}?\s(?:or|and)\s[^,;:.]{2,60}|[^,;:.]{2,60})(?=,\s)",
    re.IGNORECASE,
)
_ELSE = re.compile(
    r"^\W*(?:otherwise|else|if (?:not|no|(?:it|they|this|that) (?:did|does|do|is|are|was|has|have)(?:n't| not))"
    r"(?=\s*(?:[,:;.]|$|then\b))|"
    r"andernfalls|sonst|sinon)",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"^\W*if (?P<what>not|(?:it|they|this|that) (?:did|does|do|is|are|was|has|have)(?:n't| not))(?=\s*[,:;.])",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"^\W*(?:(?:check|verify|determine|decide|confirm|see|find out|assess|inspect|test|evaluate)\s+"
    r"(?:if|whether|which)\b|(?:is|are|does|do|did|has|have|was|were|can|will)\s+"
    r"(?:the|there|it|any|all|this|an?)\b.*\?)",
    re.IGNORECASE | re.DOTALL,
)
_NAME = r"(?:\#|\\\#|no\.?\s*)?(?:\(?\d{1,4}(?:\.\d{1,3}|\.?[a-z](?![a-z]))*\)?|\(?[a-z]\)|[A-H]\b(?!\w))"
_STEPS = (
    rf"(?:the\s+)?(?:steps?|items?|points?|schritt|étape|paso|passo)\s+(?P<step>{_NAME})"
    rf"(?:\s*(?:-|–|—|to|through|and|bis)\s*(?:step\s+)?{_NAME})?"
)
_AGAIN = r"repeat(?:ing)?|redo|re-?do|perform again|wiederhole\w*|répéte[rz]"
_JUMP = re.compile(
    rf"\b(?P<verb>go(?:ing)? (?:back |directly |straight |on )?to|return(?:ing)? to|"
    rf"proceed(?:ing)? (?:directly )?(?:to|with|from)|"
    rf"skip(?:ping)? (?:ahead |forward )?to|jump(?:ing)? (?:back |ahead )?to|continue (?:with|at|from|to)|"
    rf"move (?:on |back )?to|"
    rf"advance to|back to|resume (?:at|from|with)|(?:re)?start (?:again |over )?(?:at|from|with)|begin again (?:at|"
    rf"from|with)|"
    rf"perform|execute|carry out|start at|begin at|weiter mit|zurück zu|gehe zu|aller à|ir al|{_AGAIN})\s+(?:{_STEPS}|"
    r"(?:the\s+)?(?:section|chapter|part|phase|page|slide|abschnitt)\s+(?P<section>\d{1,3}(?:\.\d{1,3})*|[A-H]\b)|"
    r"[\"“„](?P<title>[^\"”“\n]{2,60})[\"”“]|(?P<letter>\(?[a-z]\))(?=\W)|"
    r"the next (?P<following>section|slide|page|part|chapter)|"
    rf"(?P<near>the (?:next|previous|preceding) step)|"
    rf"(?P<bare>\d{{1,3}}(?:\.\d{{1,3}})+|\d{{1,3}}\s*(?:-|–|to)\s*\d{{1,3}})(?=\s+(?:again|until|with|for)|[.,;]|$))",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"\b(?:not|never|before|without|until|prior to|after|don't|when|while|once)\s*$", re.IGNORECASE)
_ELSEWHERE = re.compile(r"^\s*(?:of|in|from)\s+(?!this\b|the (?:above|same|list)|section\b)", re.IGNORECASE)
_TRAILING = re.compile(
    r"^[^.;]*?\b(?P<word>until|if|unless|for (?:each|every|all|the (?:next|other|remaining))|as (?:long as|"
    r"necessary|needed|required)|"
    r"(?:\w+ )?(?:more )?times|while|when)\b(?P<rest>(?:[^.;]|(?<=\d)\.(?=\d))*)",
    re.IGNORECASE,
)
# What stands before a go-to and limits it: "After the third attempt go to step 9".
_FIRST = re.compile(
    r"^\W*(?P<what>(?:after|once|when|as soon as|in (?:this|that|either|such a) case|for|on|at)\s[^,;:]{2,80}?)"
    r"(?:,|\s)\s*$",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r";|,?\s+(?=(?:otherwise|else|if not)\b)", re.IGNORECASE)


@dataclass(frozen=True)
class Jump:
    """A go-to: the label of its target (or "next" / "previous"), its condition, and whether it repeats steps."""

    target: str
    condition: str
    repeats: bool
    leaves: str = ""  # the condition under which the next step follows instead of the target, such as a loop's end


def condition_of(text: str) -> str:
    """The condition that `text` opens with, without its "if"; empty when it opens with none."""
    if _ELSE.match(text):
        return "otherwise"
    match = _CONDITION.match(text)
    if not match:
        return ""
    word, condition = match["word"].lower(), " ".join(_whole(text, match).split())
    return f"{word} {condition}" if word in ("unless", "should") else condition


def _whole(text: str, match: re.Match[str]) -> str:
    """The condition including the list that follows it: "snow, freezing rain or fog falls, or it is late"."""
    end = match.end("what")
    while more := _LISTED.match(text, end):
        if is_instruction(more["part"]) or requires(more["part"]):
            break
        end = more.end()
    return text[match.start("what") : end]


def clauses(sentence: str) -> list[str]:
    """The parts of a sentence that have conditions of their own."""
    return [part for part in _CLAUSES.split(sentence) if part.strip()]


def denial_of(text: str) -> str:
    """The negated condition that opens `text` ("If it does not, ..."), without its "if"; else empty."""
    match = _DENIES.match(text)
    return match["what"] if match else ""


def is_question(text: str) -> bool:
    """Whether `text` is a question or a check on which the next step may depend."""
    return bool(_QUESTION.match(text))


def jumps(text: str) -> list[Jump]:
    """The go-tos in plain `text`, each with the condition of its own sentence."""
    go_tos: list[Jump] = []
    if not _JUMP.search(text):
        return go_tos
    negated = ""  # the condition that an "otherwise" denies
    for sentence in sentences(text):
        for clause in _CLAUSES.split(sentence):
            condition = condition_of(clause)
            condition = (condition if negated else denial_of(clause)) or condition
            go_tos += [
                jump if jump.condition or jump.repeats or not negated else replace(jump, condition=negated)
                for jump in _jumps(clause, condition, negated)
            ]
            negated = condition if condition and condition != "otherwise" else negated
    return go_tos


def _jumps(clause: str, condition: str, negated: str) -> list[Jump]:
    go_tos = []
    for jump in _JUMP.finditer(clause):
        after = clause[jump.end() :]
        if _NEGATED.search(clause[: jump.start()]) or _ELSEWHERE.match(after):
            continue
        is_repeat = " again" in after
        if jump["verb"].lower() in ("perform", "execute", "carry out") and not is_repeat:
            continue
        repeats = is_repeat or bool(re.match(_AGAIN, jump["verb"], re.IGNORECASE))
        trailing = _TRAILING.match(after)
        leaves = trailing["rest"].strip() if trailing and trailing["word"].lower() == "until" else ""
        if condition == "otherwise":
            leaves = leaves or negated
        before = _FIRST.match(clause[: jump.start()])
        limited = (_trailing(trailing) if trailing else "") or (before["what"].strip() if before else "")
        go_tos.append(Jump(_target(jump), condition or limited, repeats, leaves))
    return go_tos


def _target(jump: re.Match[str]) -> str:
    for kind in ("section", "title", "following"):
        if jump[kind]:
            return f"{kind} {jump[kind].strip().lower()}"
    if jump["letter"]:
        return normal(jump["letter"])
    if jump["near"]:
        return "next" if "next" in jump["near"].lower() else "previous"
    if jump["bare"]:
        return re.match(r"[\d.]+", jump["bare"])[0].rstrip(".")  # type: ignore[index]  # the group begins with digits
    return normal(re.sub(r"^(?:\\?#|no\.?\s*)", "", jump["step"], flags=re.IGNORECASE))


def _trailing(match: re.Match[str]) -> str:
    word = match["word"].lower()
    rest = match["rest"].strip(" ,")
    return rest if word == "if" and rest else f"{word} {rest}".strip()


_LETTER = re.compile(r"^\s*([a-z])\.\s+(?=[^\W\d_a-z])")


def printed(line: str) -> LabelledLine | None:
    """The printed label `line` begins with and the text after it; unlike `labelled`, also reads `a.` as a label."""
    letter = _LETTER.match(line)
    return LabelledLine(letter[1], line[letter.end() :]) if letter else labelled(line)


def normal(label: str) -> str:
    """A label in canonical form, for comparison: `(2.A)` and `2a.` become `2.a`, `Step 4` becomes `4`."""
    stripped = re.sub(r"^(?:step|stage|phase|schritt|étape|paso|passo|stap)\s+", "", label.strip().lower())
    return re.sub(r"(?<=\d)(?=[a-z]$)", ".", stripped.strip(" ().:#\\"))
