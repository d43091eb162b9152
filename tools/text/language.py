"""Language detection by script, and among Latin scripts by the most frequent function words."""

import re

# Function words only: they occur in texts on any topic.
_SMALL_WORDS = {
    "en": "the of and to in is that for it with as on be this are by from or an at if not you will can has have which",
    "de": "der die das und ist nicht den von mit sich des auf für dem im ein eine als auch wird werden sind oder bei",
    "fr": "le la les de des du et est une un pour dans que qui sur par avec ne pas plus au aux ce cette sont ou être",
    "es": "el la los las de del que y en un una por con para no se es al lo como más su sus este esta son o si debe",
    "it": "il lo la gli le di del della che e è un una per con non si in da dal nel sono come più al alla questo deve",
    "pt": "o a os as de do da dos das que e em um uma para com não por se na no ao é são como mais ou deve este",
    "nl": "de het een en van is dat op te in voor met niet zijn aan door wordt worden als bij of naar uit ook deze",
    "sv": "och att det som en på är av för med till den inte om ett har eller från vid kan ska de när så under",
    "da": "og at det er en på af for med til den ikke om et har eller fra ved kan skal de når der som være",
    "no": "og å det er en på av for med til den ikke om et har eller fra ved kan skal de når som være i",
    "fi": "ja on ei se että tai kun ovat sen joka myös jos kuin oli voi tämä mukaan sekä ole pitää",
    "pl": "i w na z do nie się jest to że o po od przez dla lub oraz przy za są jak należy być po",
    "cs": "a v na je se z do že s o po pro od k jsou nebo při jako není za být musí ve není",
    "tr": "ve bir bu için ile da de olarak olan daha çok en gibi kadar sonra veya ise her ne değil",
}
_PROFILES = {code: frozenset(function_words.split()) for code, function_words in _SMALL_WORDS.items()}
_SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
    ("uk", re.compile(r"[іїєґІЇЄҐ]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
)
_WORD = re.compile(r"[^\W\d_]+")
_READ = 20_000  # characters that are examined
_FEWEST = 5  # function words required to report a language other than English


def detect(text: str) -> str:
    """The ISO 639-1 code of the language of `text`; English when there is too little to tell."""
    text = text[:_READ]
    letters = sum(1 for character in text if character.isalpha())
    # One ideograph says about as much as three Latin letters; kana may be rare in a Japanese text full of kanji.
    for code, script in _SCRIPTS:
        share = len(script.findall(text)) / max(letters, 1)
        if share > (0.04 if code in ("ja", "uk") else 0.2):
            return code
    tokens = [word.lower() for word in _WORD.findall(text)]
    counts = {code: sum(1 for word in tokens if word in small) for code, small in _PROFILES.items()}
    best = max(counts, key=lambda code: (counts[code], code == "en"))
    return best if counts[best] >= _FEWEST else "en"
