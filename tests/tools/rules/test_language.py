import pytest

from soprag.tools.procedure.wording.instructions import conditional, directs, points
from soprag.tools.text.language import detect
from soprag.tools.text.sentences import sentences


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Close the valve and wait until the pressure is below the limit that is shown on the panel.", "en"),
        ("Die Pumpe ist mit dem Ventil verbunden und wird von der Warte aus geschaltet.", "de"),
        ("Fermer la vanne de refoulement et attendre que la pression soit dans les limites de la pompe.", "fr"),
        ("Cierre la válvula y espere hasta que la presión del tanque esté por debajo de los límites.", "es"),
        ("Chiudere la valvola e attendere che la pressione della pompa sia nei limiti con il motore.", "it"),
        ("Feche a válvula e aguarde até que a pressão não seja mais alta do que os limites para o tanque.", "pt"),
        ("Sluit de klep en wacht tot de druk van het vat onder de grens is en niet meer stijgt met de tijd.", "nl"),
        ("确认备用泵的进口阀全开。", "zh"),
        ("バルブを閉めて圧力を確認してください。", "ja"),
        ("Закройте клапан и дождитесь снижения давления.", "ru"),
        ("Ventil langsam schließen.", "de"),
        ("La vanne est fermée.", "fr"),
        ("Compruebe el nivel.", "es"),
        ("# Typical Configuration of VSX\n\n- a: 1\n- e: 2\n- o: 3\n- de: 4\n- se: 5\n", "en"),
        ("V-101 P-7 42", "en"),
        ("", "en"),
    ],
)
def test_the_language_of_a_text_is_detected_also_of_a_short_one(text: str, code: str) -> None:
    assert detect(text) == code


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        ("Close the valve.", "en"),
        ("If it leaks, close the valve.", "en"),
        ("Warden A: turn the switch to OFF.", "en"),
        ("Reconstitute the powder in buffer.", "en"),
        ("Ventil langsam schließen.", "de"),
        ("Fermez la vanne.", "fr"),
        ("Compruebe el nivel.", "es"),
        ("缓慢打开出口阀。", "zh"),
        ("バルブを閉めてください。", "ja"),
    ],
)
def test_orders_are_recognised(sentence: str, language: str) -> None:
    assert directs(sentence, language)


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        ("The valve was closed.", "en"),
        ("During the night shift the alarm is silent.", "en"),
        ("Die Pumpe wurde abgeschaltet.", "de"),
        ("La vanne est fermée.", "fr"),
    ],
)
def test_statements_are_no_orders(sentence: str, language: str) -> None:
    assert not directs(sentence, language)


def test_a_sentence_that_sends_the_reader_elsewhere_is_a_pointer() -> None:
    assert points("To drain the tank, refer to SOP-7.")
    assert not points("See the lamp and close the valve.")


def test_conditions_and_sentence_ends() -> None:
    assert conditional("Wenn der Druck steigt, Ventil schließen.", "de")
    assert sentences("Wait 5 min, e.g. longer. Then go on! 关闭阀门。打开泵。") == [
        "Wait 5 min, e.g. longer.",
        "Then go on!",
        "关闭阀门。",
        "打开泵。",
    ]
