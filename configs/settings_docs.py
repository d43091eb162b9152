"""Writes docs/settings.md and the comments of default.toml from the descriptions of the settings.

Run `python -m soprag.configs.settings_docs` in the repository after a setting was added or changed.
"""

import re
import textwrap
import tomllib
from pathlib import Path
from typing import Any, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from soprag.configs.environment import KEYS, PREFIX
from soprag.configs.settings import Settings

FOLDER = Path(__file__).resolve().parent  # resolved, because an editable install is a tree of links
DEFAULTS = FOLDER / "default.toml"
PAGE = FOLDER.parent / "docs" / "settings.md"
_WIDTH = 120

_TITLE = """\
# Settings

Look up every setting here: its default, its type and limits, and its meaning. Written by
`python -m soprag.configs.settings_docs` from the descriptions in `configs/`; do not edit this page.

A value comes from the first of these that sets it:

1. a command-line option, such as `--model`;
2. an environment variable or a line of `.env`: `SOPRAG_SECTION__KEY`, for example `SOPRAG_LLM__MODEL=openai:gpt-4o`;
3. the profile: `--profile offline`, `openai`, `paper`, or a TOML file of your own;
4. `configs/default.toml`.

A list in an environment variable has items separated by commas (`SOPRAG_WEB__PORTS=80,443,8080`) or is a JSON array;
`SOPRAG_PRICES` is a JSON object. An unknown name is an error (exit code 3). `.env.example` is a template.
"""
_KEYS_TITLE = """\
## Keys and other variables

Environment variables, also read from `.env`. Keys are read where they are used and never stored, logged or sent to
another service.

| variable | used for |
|---|---|
"""
_LIMITS = {"ge": "≥ ", "gt": "> ", "le": "≤ ", "lt": "< "}


def render_page() -> str:
    """The text of docs/settings.md."""
    values = tomllib.loads(DEFAULTS.read_text(encoding="utf-8"))
    parts = [_TITLE]
    for name, field in Settings.model_fields.items():
        parts.append(f"## {name}\n\n{_section(name, field, values[name])}")
    keys = "".join(f"| `{key.name}` | {_cell(key.description)} |\n" for key in KEYS)
    return "\n".join([*parts, _KEYS_TITLE + keys])


def render_defaults() -> str:
    """The text of default.toml: its first paragraph and its values, with the descriptions as comments."""
    introduction, _, body = DEFAULTS.read_text(encoding="utf-8").partition("\n\n")
    lines, section = [introduction, ""], ""
    for line in body.splitlines():
        if match := re.match(r"\[(\w+)\]", line):
            section = match[1]
            lines += [*_comment(_summary(section)), match[0]]
        elif not line.startswith("#"):
            lines += _setting(section, line)
    return "\n".join(lines) + "\n"


def _setting(section: str, line: str) -> list[str]:
    field = _fields(Settings.model_fields[section]).get(line.partition(" = ")[0])
    value = re.sub(r"\s+#.*$", "", line)
    return [*_comment(field.description or ""), value] if field else [value]


def _comment(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)


def _summary(section: str) -> str:
    field = Settings.model_fields[section]
    kind = field.annotation
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return " ".join((kind.__doc__ or "").split())
    return field.description or ""


def _fields(section: FieldInfo) -> dict[str, FieldInfo]:
    kind = section.annotation
    return dict(kind.model_fields) if isinstance(kind, type) and issubclass(kind, BaseModel) else {}


def _section(name: str, field: FieldInfo, values: dict[str, Any]) -> str:
    rows = [
        f"| `{key}` | `{_literal(values[key])}` | {_cell(_kind(inner))} | {_cell(inner.description or '')} |\n"
        for key, inner in _fields(field).items()
    ]
    if not rows:
        entries = "".join(f"| `{key}` | `{_literal(value)}` |\n" for key, value in values.items())
        return f"{_summary(name)} As a variable: `{PREFIX}{name.upper()}`.\n\n| key | default |\n|---|---|\n{entries}"
    head = f"{_summary(name)} Variables: `{PREFIX}{name.upper()}__...`.\n\n| setting | default | type | meaning |\n"
    return head + "|---|---|---|---|\n" + "".join(rows)


def _kind(field: FieldInfo) -> str:
    """The type with its limits: `int, ≥ 1, ≤ 64`, or the allowed values."""
    names = {str: "text", int: "integer", float: "number", bool: "true or false"}
    kind: Any = field.annotation
    limits = [
        sign + f"{getattr(mark, name):,}".removesuffix(".0")
        for mark in field.metadata
        for name, sign in _LIMITS.items()
        if hasattr(mark, name)
    ]
    if get_origin(kind) is tuple:
        items = [item for item in get_args(kind) if item is not ...]
        text = f"{len(items)} numbers" if len(items) > 1 else f"list of {names.get(items[0]) or _choices(items[0])}"
    else:
        text = names.get(kind) or _choices(kind)
    return ", ".join([text, *limits])


def _choices(literal: object) -> str:
    return " \\| ".join(get_args(literal))


def _literal(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return f'"{value}"'
        case list():
            return f"[{', '.join(map(_literal, value))}]"
        case int() if value >= 10_000:
            return f"{value:,}".replace(",", "_")
        case _:
            return str(value)


def _cell(text: str) -> str:
    return re.sub(r"(?<!\\)\|", r"\\|", text)


def main() -> None:
    """Write both files."""
    DEFAULTS.write_text(render_defaults(), encoding="utf-8")
    PAGE.write_text(render_page(), encoding="utf-8")


if __name__ == "__main__":
    main()
