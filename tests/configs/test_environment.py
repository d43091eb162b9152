"""Lists and tables are settable by environment variables, and .env.example lists every key the product reads."""

import ast
import re
from pathlib import Path

import pytest
from dotenv import dotenv_values

from soprag.configs.environment import KEYS
from soprag.configs.settings import SettingsError, load

ROOT = Path(__file__).parents[2]
TEMPLATE = ROOT / ".env.example"
SECRET = re.compile(r"[A-Z][A-Z0-9_]*_(KEY|APPID|TOKEN|SECRET)")
# The ticket tool reads the variable that the operator's own tools.toml names; its docstring shows this one.
EXAMPLES = {"CMMS_TOKEN"}


def template_without_comment_signs(folder: Path) -> dict[str, str | None]:
    file = folder / ".env"
    file.write_text(re.sub(r"(?m)^# (?=[A-Z_]+=)", "", TEMPLATE.read_text()))
    return dotenv_values(file)


def test_a_list_is_given_with_commas_or_as_json() -> None:
    commas = load(environment={"SOPRAG_WEB__ALLOW": "10.1.0.0/16, wiki.plant.example", "SOPRAG_WEB__PORTS": "80,8443"})
    assert commas.web.allow == ("10.1.0.0/16", "wiki.plant.example")
    assert commas.web.ports == (80, 8443)
    json = load(environment={"SOPRAG_WEB__ALLOW": '["10.1.0.0/16"]', "SOPRAG_RETRIEVER__PRIOR": "[1, 0, 0.5]"})
    assert (json.web.allow, json.retriever.prior) == (("10.1.0.0/16",), (1.0, 0.0, 0.5))


def test_an_empty_variable_is_an_empty_list() -> None:
    assert load(environment={"SOPRAG_INDEX__ANCHORS": ""}).index.anchors == ()


def test_prices_are_a_json_object_that_adds_to_the_defaults() -> None:
    prices = load(environment={"SOPRAG_PRICES": '{"openai:plant": [1, 2]}'}).prices
    assert prices["openai:plant"] == (1.0, 2.0)
    assert "openai:gpt-4o" in prices


@pytest.mark.parametrize(
    ("name", "value"),
    [("SOPRAG_WEB__PORTS", "[80"), ("SOPRAG_WEB__PORTS", "http"), ("SOPRAG_PRICES", "{"), ("SOPRAG_PRICES", "[1]")],
)
def test_a_list_or_table_that_cannot_be_read_is_named(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=r"SOPRAG_PRICES|SOPRAG_WEB__PORTS|web\.ports|prices"):
        load(environment={name: value})


def test_every_setting_can_be_given_as_a_variable() -> None:
    settings = load(environment={})
    variables = {
        f"SOPRAG_{section.upper()}__{key.upper()}": ",".join(map(str, value))
        if isinstance(value, tuple)
        else str(value)
        for section, values in settings
        if section != "prices"
        for key, value in values
    }
    assert load(environment=variables) == settings


def test_the_template_has_every_key_and_no_unknown_setting(tmp_path: Path) -> None:
    variables = template_without_comment_signs(tmp_path)
    keys = {name for name in variables if "__" not in name} - {"SOPRAG_PRICES"}
    assert keys == {key.name for key in KEYS}
    load(environment={name: value for name, value in variables.items() if value})


def test_every_secret_the_product_reads_is_in_the_catalogue_of_keys() -> None:
    read = {
        node.value
        for folder in ("agents", "apps", "graphs", "tools")
        for file in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and SECRET.fullmatch(node.value)
    }
    assert read - EXAMPLES <= {key.name for key in KEYS}
    assert "SERPAPI_API_KEY" in read


def test_a_password_in_a_server_url_is_not_repeated_in_the_error() -> None:
    with pytest.raises(SettingsError, match=r"llm\.base_url") as raised:
        load(environment={"SOPRAG_LLM__BASE_URL": "http://me:geheim@127.0.0.1/v1"})
    assert "geheim" not in str(raised.value)
