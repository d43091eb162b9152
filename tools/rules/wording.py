"""Sentences, and whether they tell somebody to do something."""

import re

from tools.rules.lexicon import is_instruction

_STOP = (
    r"(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\betc\.)(?<!\bNo\.)(?<!\bvs\.)(?<!\bcf\.)(?<!\bz\.B\.)(?<!\bbzw\.)(?<!\bapprox\.)"
)
_END = re.compile(rf"(?<=[.!?:;])[\"”’)\]]{{0,2}}{_STOP}\s+(?=[^\sa-zß-ÿ])|(?<=[。！？；])")

# An imperative or an instruction in the infinitive. English has a list of verbs of its own, see `lexicon`.
_COMMANDS = {
    "de": r"^\W*\w+(?:en|ern|eln) Sie\b"
    r"|^(?!.*\b(?:ist|sind|wird|werden|war|waren|wurden?|hat|haben|kann|können)\b).*\w(?:en|ern|eln)[.!]?$",
    "fr": r"^\W*(?!(?:pour|hier|cher|entre|autre|notre|votre|premier|dernier|le|chez|assez|rendez)\b)\w{2,}(?:ez|er|"
    "ir|re)\b",
    "es": r"^\W*(?:no\s+)?\w{2,}(?:ar|er|ir|arse|irse)\b"
    r"|^\W*(?:no\s+)?(?:abra|active|ajuste|apague|asegúrese|avise|cambie|cierre|coloque|compruebe|conecte|confirme|"
    r"desconecte|detenga|encienda|espere|gire|inicie|inspeccione|limpie|llame|mantenga|mida|notifique|ponga|"
    r"presione|pulse|"
    r"registre|reinicie|repita|retire|revise|seleccione|siga|use|utilice|vacíe|verifique|vuelva)\b",
    "it": r"^\W*(?:non\s+)?\w{2,}(?:are|ere|ire|arsi|ersi|irsi|arre|urre)\b"
    r"|^\W*(?:accertarsi|apri|attendi|chiudi|controlla|premi|rimuovi|spegni|verifica)\b",
    "pt": r"^\W*(?:não\s+)?\w{2,}(?:ar|er|ir|ar-se)\b"
    r"|^\W*(?:não\s+)?(?:abra|acione|aguarde|ajuste|avise|certifique-se|coloque|confirme|desligue|feche|gire|inicie|"
    r"ligue|"
    r"limpe|mantenha|meça|notifique|pressione|registre|reinicie|remova|repita|retire|substitua|utilize|verifique)\b",
    "nl": r"^\W*(?:bel|bevestig|controleer|draai|druk|gebruik|herhaal|herstart|koppel|laat|leg|maak|meet|meld|neem|"
    "noteer|open|"
    r"plaats|reinig|schakel|selecteer|sluit|start|stel|stop|trek|vervang|verwijder|vraag|vul|waarschuw|wacht|zet|"
    r"zorg)\b",
    "ru": r"^\W*(?:не\s+)?\w{2,}(?:йте|ите|ьте|ать|ить|еть)(?:сь|ся)?\b",
    "zh": r"^\W*(?:请|先|再|立即|然后|应|须|必须|不得|禁止|严禁|切勿|勿)|^\W*(?:检查|确认|打开|关闭|启动|停止|按下|断开|连接|通知|"
    r"记录|更换|清洁|"
    r"拆下|安装|测量|等待|佩戴|穿戴|切断|隔离|恢复|拨打|报告|调整|设置|选择|将|把)",
    "ja": r"(?:ください|すること|しないこと|せよ|する|行う|せず|ること|しろ)[。!！]?$",
    "ko": r"(?:시오|세요|한다|할 것|않는다|말 것)[.!]?$",
}
_KNOWN = {code: re.compile(pattern, re.IGNORECASE) for code, pattern in _COMMANDS.items()}
_ENGLISH_CONDITION = re.compile(r"\W*(?:if|when|whenever|in case|in the event|once|unless|should|until|where)\b", re.I)
_CONDITION = re.compile(
    r"\W*(?:if|when|whenever|in case|in the event|once|unless|until|wenn|falls|sobald|bei|si|en cas|lorsque|dès que|"
    r"cuando|en caso|se|quando|in caso|als|indien|wanneer|если|при|如果|若|当)\b|"
    r"\W*(?:如果|若|当)|.{0,40}(?:場合|とき)",
    re.IGNORECASE,
)


def sentences(text: str) -> list[str]:
    """The sentences of `text`, which is plain text on one line."""
    return [part for part in (piece.strip() for piece in _END.split(text)) if part]


def directs(sentence: str, language: str = "en") -> bool:
    """Does `sentence` tell somebody to do something ("Close V-3.", "If it leaks, close V-3.", "V-3 schließen.")?"""
    known = _KNOWN.get(language)
    return bool(known.search(sentence)) if known else is_instruction(sentence)


def conditional(sentence: str, language: str = "en") -> bool:
    """Does `sentence` begin with the condition under which it holds?"""
    return bool((_ENGLISH_CONDITION if language == "en" else _CONDITION).match(sentence))
