"""Settings come in layers, and a wrong name is an error wherever it came from."""

from pathlib import Path

import pytest

from soprag.configs.settings import SettingsError, load, profiles


@pytest.mark.parametrize("profile", profiles())
def test_every_profile_is_valid(profile: str) -> None:
    assert load(profile, environment={}).llm.model


def test_the_environment_wins_over_the_profile_and_options_over_both() -> None:
    environment = {"SOPRAG_EXAMINE__QUESTIONS": "3", "SOPRAG_EXAMINE__SEED": "11"}
    settings = load("offline", {"examine": {"questions": 4}}, environment)
    assert (settings.examine.questions, settings.examine.seed) == (4, 11)


def test_a_misspelt_variable_is_named() -> None:
    with pytest.raises(SettingsError, match=r"llm\.modle: no such setting"):
        load("offline", environment={"SOPRAG_LLM__MODLE": "openai:gpt-4o"})


def test_a_value_out_of_range_is_named_with_what_was_given() -> None:
    with pytest.raises(SettingsError, match=r"examine\.questions: .*\(got 0\)"):
        load("offline", {"examine": {"questions": 0}}, {})


def test_an_unknown_profile_lists_the_known_ones() -> None:
    with pytest.raises(SettingsError, match="offline, openai"):
        load("offlin", environment={})


def test_a_profile_may_be_a_file_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "plant.toml"
    file.write_text('[llm]\nmodel = "openai:plant"\nbase_url = "http://127.0.0.1:8000/v1"\n')
    assert load(str(file), environment={}).llm.base_url == "http://127.0.0.1:8000/v1"


def test_a_broken_profile_file_says_where(tmp_path: Path) -> None:
    file = tmp_path / "plant.toml"
    file.write_text("[llm\n")
    with pytest.raises(SettingsError, match=r"Cannot read the profile .*line 1"):
        load(str(file), environment={})


def test_a_server_address_with_a_password_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"llm\.base_url"):
        load("offline", {"llm": {"base_url": "http://me:secret@127.0.0.1/v1"}}, {})
