"""Question templates for de, fr, es, it, nl and, in part, pt, where conditions can be copied unchanged.

After "wenn", "dass", "si", "se" or "als" a clause keeps its word order, so a condition of the procedure fits into a
template without inflection; an instruction in the infinitive fits after "comment" or "cómo". Procedures in
other languages get search phrases only, unless a model writes the questions.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from soprag.tools.rules.questions.candidates import QuestionCandidate
from soprag.tools.rules.questions.speakable import is_sayable
from soprag.tools.rules.questions.spoken_sentences import SpokenSentence
from soprag.tools.sop import Level


@dataclass(frozen=True)
class Tongue:
    """One language: the words that open a condition, the pattern of an infinitive instruction, and the templates.

    `you` matches second-person words, which would need rewriting; sentences with them are skipped. A missing template
    would need another verb form.
    """

    when: str
    infinitive: str
    you: str
    how: str
    scene: str
    frames: dict[Level, str] = field(default_factory=dict)

    def clause(self, sentence: str) -> str:
        """The condition that opens `sentence`, without its conjunction; empty when there is none to copy."""
        match = re.match(rf"(?:{self.when})\s+(?P<clause>[^,;:.]{{8,140}}),\s+\S.{{5,}}$", sentence)
        return match["clause"].strip() if match and self._sayable(match["clause"]) else ""

    def order(self, sentence: str) -> str:
        """The instruction that `sentence` is, ready for `how`; empty when it is none."""
        order = sentence.rstrip(" .")
        if not re.fullmatch(self.infinitive, order) or not self._sayable(order):
            return ""
        return order if ":" in self.how else order[:1].lower() + order[1:]

    def _sayable(self, text: str) -> bool:
        return is_sayable(text) and not re.search(rf"\b(?:{self.you})\b", text)


TONGUES = {
    "de": Tongue(
        when="Wenn|Falls|Sobald",
        infinitive=r"[A-ZÄÖÜ][^,;:.]{8,90} [a-zäöü]+(?:en|ern|eln)",
        you="Sie|Ihnen|Ihre?|du|dein",
        how="Wie geht das im Einzelnen: {order}?",
        scene="Ich bin neu in der Schicht und die Übergabe war kurz.",
        frames={
            "direct": "Was ist zu tun, wenn {clause}?",
            "symptom": "Mir fällt auf, dass {clause}. Woran kann das liegen?",
            "scenario": "Jetzt sehe ich, dass {clause}. Was mache ich nun?",
            "conditional": "Was gilt für den Fall, dass {clause}, und worauf muss ich dann achten?",
        },
    ),
    "fr": Tongue(
        when="Si|Lorsque|Quand",
        infinitive=r"[A-ZÉ][a-zéèêç]+(?:er|ir|re) [^,;:.]{8,90}",
        you="vous|votre|vos|tu",
        how="Comment {order} ?",
        scene="Je viens de prendre mon poste et la relève a été courte.",
        frames={
            "direct": "Que dois-je faire si {clause} ?",
            "symptom": "Je constate que {clause}. D'où cela peut-il venir ?",
            "scenario": "Je constate que {clause}. Que faire maintenant ?",
            "conditional": "Si {clause}, qu'est-ce que cela change pour la suite et que dois-je faire ?",
        },
    ),
    "es": Tongue(
        when="Si",
        infinitive=r"[A-Z][a-zñ]+(?:ar|er|ir) [^,;:.]{8,90}",
        you="usted|ustedes|su|sus|tú",
        how="¿Cómo puedo {order}?",
        scene="Acabo de empezar el turno y el relevo fue breve.",
        frames={
            "direct": "¿Qué debo hacer si {clause}?",
            "symptom": "Veo que {clause}. ¿A qué puede deberse?",
            "scenario": "Veo que {clause}. ¿Qué hago ahora?",
            "conditional": "Si {clause}, ¿qué cambia para lo que sigue y qué tengo que hacer?",
        },
    ),
    "it": Tongue(
        when="Se|Quando",
        infinitive=r"[A-Z][a-z]+(?:are|ere|ire) [^,;:.]{8,90}",
        you="Lei|voi|vostr[oaie]|Suo|Sua|tuo",
        how="Come posso {order}?",
        scene="Ho appena iniziato il turno e le consegne erano poche.",
        frames={
            "direct": "Che cosa devo fare se {clause}?",
            "symptom": "Vedo che {clause}. Da che cosa può dipendere?",
            "scenario": "Vedo che {clause}. Che cosa faccio adesso?",
            "conditional": "Se {clause}, che cosa cambia per il seguito e che cosa devo fare?",
        },
    ),
    "nl": Tongue(
        when="Als|Wanneer|Indien",
        infinitive=r"[A-Z][^,;:.]{8,90} [a-z]+en",
        you="u|uw|je|jouw|jij",
        how="Hoe gaat dat precies: {order}?",
        scene="Mijn dienst is net begonnen en de overdracht was kort.",
        frames={
            "direct": "Wat moet ik doen als {clause}?",
            "symptom": "Ik zie dat {clause}. Waar kan dat aan liggen?",
            "scenario": "Ik zie dat {clause}. Wat doe ik nu?",
            "conditional": "Stel dat {clause}: wat verandert er dan en wat moet ik doen?",
        },
    ),
    "pt": Tongue(
        when="Se",
        infinitive=r"[A-Z][a-zç]+(?:ar|er|ir) [^,;:.]{8,90}",
        you="você|vocês|seu|sua|seus|suas",
        how="Como posso {order}?",
        scene="Acabei de começar o turno e a passagem de serviço foi curta.",
        frames={
            "direct": "O que devo fazer se {clause}?",
            "conditional": "Se {clause}, o que muda para o que se segue e o que tenho de fazer?",
        },
    ),
}


def asked_abroad(language: str, level: Level, sentences: list[SpokenSentence]) -> Iterator[QuestionCandidate]:
    """Candidates of one level in `language`; none when the language is not known here."""
    tongue = TONGUES.get(language)
    if not tongue:
        return
    scene = f"{tongue.scene} " if level == "scenario" else ""
    for sentence in sentences:
        clause = tongue.clause(sentence.text)
        if clause and level in tongue.frames:
            yield QuestionCandidate(
                _elided(scene + tongue.frames[level].format(clause=clause), language), sentence.evidence
            )
    for sentence in sentences if level in ("direct", "scenario") else []:
        order = tongue.order(sentence.text)
        if order:
            yield QuestionCandidate(scene + tongue.how.format(order=order), sentence.evidence, 1)


def _elided(text: str, language: str) -> str:
    """French elision: `que il` becomes `qu'il`, `si il` becomes `s'il`."""
    if language != "fr":
        return text
    return re.sub(r"\b([Ss])i (?=ils?\b)", r"\1'", re.sub(r"\b([Qq]u)e (?=[aeiouéèêhAEIOU])", r"\1'", text))
