"""Sentence splitting and classification: instruction, condition or cross-reference, in several languages."""

import re

from soprag.tools.procedure.wording.lexicon import IMPERATIVES, is_instruction

# An imperative, or an instruction in the infinitive, by language. English has a list of verbs, see `lexicon`.
_COMMANDS = {
    "de": (
        r"^\W*\w+(?:en|ern|eln) Sie\b",
        r"^(?!.*\b(?:ist|sind|wird|werden|war|waren|wurden?|hat|haben|kann|können)\b).*\w(?:en|ern|eln)[.!]?$",
    ),
    "fr": (
        r"^\W*(?!(?:pour|hier|cher|entre|autre|notre|votre|premier|dernier|chez|assez|derrière|première)\b)"
        r"\w{2,}(?:ez|er|ir|re)\b",
    ),
    "es": (
        r"^\W*(?:no\s+)?\w{2,}(?:ar|er|ir|arse|irse)\b",
        r"^\W*(?:no\s+)?(?:abra|active|ajuste|apague|asegúrese|avise|cambie|cierre|coloque|compruebe|conecte|confirme|"
        r"desconecte|detenga|encienda|espere|gire|inicie|inspeccione|limpie|llame|mantenga|mida|notifique|ponga|"
        r"presione|pulse|registre|reinicie|repita|retire|revise|seleccione|siga|silencie|use|utilice|vacíe|verifique|"
        r"vuelva)\b",
    ),
    "it": (
        r"^\W*(?:non\s+)?\w{2,}(?:are|ere|ire|arsi|ersi|irsi|arre|urre)\b",
        r"^\W*(?:accertarsi|apri|attendi|chiudi|controlla|premi|rimuovi|spegni|verifica)\b",
    ),
    "pt": (
        r"^\W*(?:não\s+)?\w{2,}(?:ar|er|ir|ar-se)\b",
        r"^\W*(?:não\s+)?(?:abra|acione|aguarde|ajuste|avise|certifique-se|coloque|confirme|desligue|feche|gire|"
        r"inicie|ligue|limpe|mantenha|meça|notifique|pressione|registre|reinicie|remova|repita|retire|substitua|"
        r"utilize|verifique)\b",
    ),
    "nl": (
        r"^\W*(?:bel|bevestig|controleer|draai|druk|gebruik|herhaal|herstart|koppel|laat|leg|maak|meet|meld|neem|"
        r"noteer|open|plaats|reinig|schakel|selecteer|sluit|start|stel|stop|trek|vervang|verwijder|vraag|vul|"
        r"waarschuw|wacht|zet|zorg)\b",
    ),
    "ru": (r"^\W*(?:не\s+)?\w{2,}(?:йте|ите|ьте|ать|ить|еть)(?:сь|ся)?\b",),
    "zh": (
        r"^\W*(?:请|先|再|立即|然后|应|须|必须|不得|禁止|严禁|切勿|勿)",
        r"^\W*(?:缓慢|缓缓|如果.{1,30}[,，])?(?:检查|确认|打开|关闭|启动|停止|按下|断开|连接|通知|记录|更换|清洁|拆下|安装|"
        r"测量|等待|佩戴|穿戴|切断|隔离|恢复|拨打|报告|调整|设置|选择|立即|将|把|在.{1,12}(?:中|里)记录)",
    ),
    "ja": (r"(?:ください|すること|しないこと|せよ|する|行う|ること|しろ)[。!！]?$",),
    "ko": (r"(?:시오|세요|한다|할 것|않는다|말 것)[.!]?$",),
}
_KNOWN = {code: re.compile("|".join(patterns), re.IGNORECASE) for code, patterns in _COMMANDS.items()}
_CONDITION = re.compile(
    r"\W*(?:if|when|whenever|in case|in the event|once|unless|should|until|where)\b|"
    r"\W*(?:wenn|falls|sobald|en cas|lorsque|dès que|cuando|en caso|quando|in caso|indien|wanneer|если|при)\b|"
    r"\W*(?:如果|若|当)|.{0,40}(?:場合|とき)",
    re.IGNORECASE,
)
# Conjunctions that open a condition in one language and have another meaning elsewhere.
_IF = {"fr": "si ", "es": "si ", "it": "se ", "pt": "se ", "nl": "als "}

# An actor before the instruction, as in "Warden A: turn the switch" and "Operator - close the valve".
_ACTOR = re.compile(r"[A-Z][\w /()&.-]{1,40}(?::|\s[-–—])\s+(?=\S)")
# A first word before an article is an imperative unless it is a function word or has a non-verb suffix.
_BEFORE_ARTICLE = re.compile(
    r"\W*(?:then |now |next,? |finally,? )?([A-Za-z]{3,})\s+(?:the|a|an|all|any|each|your|every)\s", re.IGNORECASE
)
_NO_ORDER = frozenset(
    """
    about above according across after against all also although among and are around because been before behind
    being below beneath beside besides between beyond both but can could despite does during either even every
    except finally for from had has have here how however inside instead into its just like likewise many may might
    more most much must near neither nor not off once one only onto opposite our out outside over past per plus
    quite rather same shall she should since such than that their then there these they this those though through
    throughout thus till together toward towards twice under underneath unless unlike until upon via was were what
    when whenever where whereas wherever whether which while who whom whose why will with within without would yet
    you often always half sometimes today yesterday tomorrow therefore hence otherwise meanwhile maybe perhaps
    almost
    """.split()  # noqa: SIM905 - a list of words reads better so
)
_NO_VERB = ("ing", "ed", "ly", "ion", "ment", "s")
_PASSIVE = re.compile(
    r"\b(?:is|are|(?:shall|must|should|to) be)\s+(?:then |now |first |\w+ly )?([a-z]{3,}(?:ed|en|ut|et))\b"
    r"(?! to (?!\d|the\b|an?\b))",
    re.IGNORECASE,
)
_POINTER = re.compile(
    r"(?:.{0,120}[,:]\s+)?(?:then\s+|please\s+|also\s+)*(?:see|refer to|consult|read more|visit|check out|click here|"
    r"learn more|go to (?:the|https?))\b(?!.*\band\b)",
    re.IGNORECASE,
)


def directs(sentence: str, language: str = "en") -> bool:
    """Whether `sentence` is an instruction ("Close V-3.", "If it leaks, close V-3.", "V-3 schließen.")."""
    actor = _ACTOR.match(sentence)
    if actor and directs(sentence[actor.end() :], language):
        return True
    pattern = _KNOWN.get(language)
    return bool(pattern.search(sentence)) if pattern else _english(sentence)


def passive_act(sentence: str) -> bool:
    """Whether an English `sentence` states an act in the present passive ("The supernatant is discarded.")."""
    return any(_stems(match[1].casefold()) & IMPERATIVES for match in _PASSIVE.finditer(sentence))


def _stems(participle: str) -> frozenset[str]:
    """Verbs that a participle may come from: stopped, discarded, centrifuged, applied."""
    base = participle.removesuffix("ed")
    doubled = base[:-1] if base[-2:-1] == base[-1:] else base
    return frozenset((base, f"{base}e", doubled, f"{base.removesuffix('i')}y", participle))


def points(sentence: str) -> bool:
    """Whether `sentence` is only a cross-reference ("To drain the tank, refer to SOP-7.")."""
    return bool(_POINTER.match(sentence))


def conditional(sentence: str, language: str = "en") -> bool:
    """Whether `sentence` begins with a condition."""
    if language in _IF and sentence.casefold().startswith(_IF[language]):
        return True
    return bool(_CONDITION.match(sentence))


def _english(sentence: str) -> bool:
    if is_instruction(sentence):
        return True
    match = _BEFORE_ARTICLE.match(sentence)
    first = match[1].casefold() if match else ""
    return bool(first) and first not in _NO_ORDER and not first.endswith(_NO_VERB)
