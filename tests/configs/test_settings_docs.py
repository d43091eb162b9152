"""Every setting has a description, and docs/settings.md and the comments of default.toml are generated from them."""

from pydantic import BaseModel

from soprag.configs.settings import Settings
from soprag.configs.settings_docs import DEFAULTS, PAGE, render_defaults, render_page

COMMAND = "run: uv run python -m soprag.configs.settings_docs"


def test_every_setting_has_a_description_that_is_a_sentence() -> None:
    for section, field in Settings.model_fields.items():
        kind = field.annotation
        fields = kind.model_fields if isinstance(kind, type) and issubclass(kind, BaseModel) else {section: field}
        for key, inner in fields.items():
            text = inner.description or ""
            assert text.endswith("."), f"{section}.{key}: {text!r}"
            assert len(text) >= 12, f"{section}.{key}: {text!r}"


def test_the_page_of_settings_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == render_page(), COMMAND


def test_the_comments_of_the_defaults_are_the_descriptions() -> None:
    assert DEFAULTS.read_text(encoding="utf-8") == render_defaults(), COMMAND
