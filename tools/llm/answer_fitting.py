"""Small corrections of a model's JSON, driven by the faults that pydantic reports; each is certain or is not made."""

import difflib
import re
from collections.abc import Callable
from typing import Any, get_args

from pydantic import BaseModel
from pydantic_core import ErrorDetails

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_RANGE = re.compile(r"\D*(\d{1,6})\s*(?:-|\u2013|to|\.\.)\s*(\d{1,6})\D*")
_WIDEST = 40  # numbers of a range such as the lines of one citation
_EXPECTED = re.compile(r"'([^']*)'")
_CLOSE = 0.84  # similarity of a misspelled field name, such as `warning` for `warnings`
NOTHING = object()  # no certain correction


def fit(answers: type[BaseModel], value: Any, detail: ErrorDetails) -> bool:  # noqa: ANN401 - any JSON
    """Correct one fault inside `value`; False when no correction is certain."""
    holder, key = _holder(value, detail["loc"])
    if holder is None:
        return False
    if detail["type"] == "missing":
        return _rename_to(holder, key)
    if detail["type"] == "extra_forbidden":
        return _remove(holder, key, _fields(answers, detail["loc"][:-1]))
    old = holder[key]
    if old is None and isinstance(holder, dict):
        del holder[key]  # the default, where there is one
        return True
    if isinstance(holder, list) and _spread(holder, key, detail["type"]):
        return True
    return _replace(holder, key, detail)


def _replace(holder: Any, key: Any, detail: ErrorDetails) -> bool:  # noqa: ANN401 - any JSON
    change = _CHANGES.get(detail["type"])
    new = change(holder[key], detail) if change else NOTHING
    if new is NOTHING or new == holder[key]:
        return False
    holder[key] = new
    return True


def _holder(value: Any, loc: tuple[Any, ...]) -> tuple[Any, Any]:  # noqa: ANN401 - any JSON
    """The object or list with the key that a location ends at; (None, None) when the location is not in the value."""
    for step in loc[:-1]:
        if (isinstance(value, dict) and step in value) or (isinstance(value, list) and isinstance(step, int)):
            value = value[step]
    if not loc:
        return None, None
    if isinstance(value, dict):
        return value, loc[-1]
    inside = isinstance(value, list) and isinstance(loc[-1], int) and loc[-1] < len(value)
    return (value, loc[-1]) if inside else (None, None)


def _fields(answers: type[BaseModel], loc: tuple[int | str, ...]) -> list[str]:
    """The field names of the model at a location; none where the location passes a union of models."""
    model: type[BaseModel] | None = answers
    for step in loc:
        if isinstance(step, int):
            continue
        info = model.model_fields.get(step) if model else None
        inner = _models(info.annotation) if info else []
        model = inner[0] if len(inner) == 1 else None
    return list(model.model_fields) if model else []


def _models(annotation: Any) -> list[type[BaseModel]]:  # noqa: ANN401 - any annotation
    if isinstance(annotation, type) and not get_args(annotation):
        return [annotation] if issubclass(annotation, BaseModel) else []
    return [model for part in get_args(annotation) for model in _models(part)]


def _rename_to(holder: Any, name: Any) -> bool:  # noqa: ANN401 - any JSON
    """Rename the one field that is spelled almost like the missing one."""
    if not isinstance(holder, dict) or not isinstance(name, str) or name in holder:
        return False
    alike = difflib.get_close_matches(name, list(holder), 1, _CLOSE)
    alike = alike or [key for key in holder if key.strip().casefold() == name.casefold()]
    if not alike:
        return False
    holder[name] = holder.pop(alike[0])
    return True


def _remove(holder: Any, key: Any, names: list[str]) -> bool:  # noqa: ANN401 - any JSON
    """Remove a field that the answer does not have, or give it the name that it nearly has."""
    if not isinstance(holder, dict) or key not in holder:
        return False
    value = holder.pop(key)
    meant = difflib.get_close_matches(str(key).casefold(), [name for name in names if name not in holder], 1, _CLOSE)
    if meant:
        holder[meant[0]] = value
    return True


def _spread(numbers: list[Any], place: int, fault: str) -> bool:
    """Replace `12-14` in a list of numbers by the first; the others are appended, so that no place changes."""
    match = _RANGE.fullmatch(str(numbers[place])) if fault in ("int_parsing", "int_type") else None
    first, last = (int(match[1]), int(match[2])) if match else (0, 0)
    if not first < last <= first + _WIDEST:
        return False
    numbers[place] = first
    numbers.extend(range(first + 1, last + 1))
    return True


def _as_list(old: Any, _: ErrorDetails) -> Any:  # noqa: ANN401 - any JSON
    return [old]


def _as_text(old: Any, _: ErrorDetails) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(old, bool) or not isinstance(old, int | float | list):
        return NOTHING
    if isinstance(old, list):
        return old[0] if len(old) == 1 and isinstance(old[0], str) else NOTHING
    return str(old)


def _as_number(old: Any, _: ErrorDetails) -> Any:  # noqa: ANN401 - any JSON
    """The number in `line 12`, `L12` or `12-14`: for a first line the first of two."""
    match = None if isinstance(old, list | dict) else _NUMBER.search(str(old))
    if match is None:
        return NOTHING
    return float(match[0]) if "." in match[0] else int(match[0])


def _as_choice(old: Any, detail: ErrorDetails) -> Any:  # noqa: ANN401 - any JSON
    """The only allowed word that the text is or contains, whatever its case."""
    allowed = _EXPECTED.findall(str((detail.get("ctx") or {}).get("expected", "")))
    text = str(old).strip().casefold()
    spoken = re.findall(r"[^\W_]+", text)
    same = [word for word in allowed if text == word.casefold()]
    within = [word for word in allowed if word.casefold() in spoken or f"{word.casefold()}s" in spoken]
    chosen = same or within
    return chosen[0] if len(chosen) == 1 else NOTHING


def _shortened(old: Any, detail: ErrorDetails) -> Any:  # noqa: ANN401 - any JSON
    """A list that is too long keeps its first items, which the prompts ask to be the best."""
    most = (detail.get("ctx") or {}).get("max_length")
    return old[:most] if isinstance(old, list) and isinstance(most, int) else NOTHING


_CHANGES: dict[str, Callable[[Any, ErrorDetails], Any]] = {
    "list_type": _as_list,
    "tuple_type": _as_list,
    "string_type": _as_text,
    "int_type": _as_number,
    "int_parsing": _as_number,
    "float_parsing": _as_number,
    "literal_error": _as_choice,
    "too_long": _shortened,
}
