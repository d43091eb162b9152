"""Reads a model's answer: JSON as models write it, fitted to the schema of the answer where the fit is certain.

What does not fit is named with its path. Malformed items of a list are left out of the answer, so that one of them does
not cost the whole answer; the chat adapter sends them back alone.
"""

import ast
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic

from pydantic import BaseModel, Field, ValidationError
from pydantic_core import ErrorDetails

from soprag.tools.llm.answer_fitting import fit
from soprag.tools.sop import Frozen
from soprag.tools.tasks.task import Answer

_ROUNDS = 12  # of fitting; each mends all the faults that pydantic reports at once
Path = tuple[int | str, ...]


@dataclass(frozen=True)
class MalformedItem:
    """An item of a list that does not fit: its path in the answer, what was written, and what is wrong with it."""

    path: Path
    value: Any
    faults: str

    @property
    def dotted(self) -> str:
        """The path as text, such as `flow.steps.3`."""
        return ".".join(map(str, self.path))


@dataclass(frozen=True)
class AnswerReading(Generic[Answer]):
    """The answer without its malformed items; None, with the error, when there is no usable answer."""

    answer: Answer | None = None
    error: ValidationError | None = None
    malformed: tuple[MalformedItem, ...] = ()
    raw: Any = field(default=None, repr=False)

    def with_items(self, items: dict[str, Any], answers: type[Answer]) -> "AnswerReading[Answer]":
        """The reading with corrected items at the paths of malformed ones."""
        raw = json.loads(json.dumps(self.raw))
        for malformed in self.malformed:
            if malformed.dotted in items:
                _put(raw, malformed.path, items[malformed.dotted])
        return _read(answers, raw)


class CorrectedItem(Frozen):
    """A malformed item, written again."""

    path: str
    item: str = Field(description="the item as JSON text")


class CorrectedItems(Frozen):
    """The malformed items of an answer, written again."""

    items: list[CorrectedItem]


def read(answers: type[Answer], text: str) -> AnswerReading[Answer]:
    """The answer in `text`; nothing is invented, and truncated JSON is not completed."""
    return _read(answers, _unwrapped(parse(text), answers))


def parse(text: str) -> Any:  # noqa: ANN401 - any JSON
    """The JSON value in `text`, also with trailing commas, Python literals or comments; the text itself if none."""
    for load in (json.loads, _first_object, ast.literal_eval, _repaired):
        try:
            return load(text)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            continue
    return text


def _first_object(text: str) -> Any:  # noqa: ANN401 - any JSON
    """The first JSON object, where another one or a remark follows it."""
    value, _ = json.JSONDecoder(strict=False).raw_decode(text, text.index("{"))
    return value


def _repaired(text: str) -> Any:  # noqa: ANN401 - any JSON
    """JSON with small faults; raises `ValueError` for one that ends early, since its end would be invented."""
    if text.count("{") != text.count("}") or text.count("[") != text.count("]") or "{" not in text:
        raise ValueError("the text is no complete JSON")
    from json_repair import repair_json

    return repair_json(text, return_objects=True, skip_json_loads=True)


def _unwrapped(value: Any, answers: type[BaseModel]) -> Any:  # noqa: ANN401 - any JSON
    """The answer itself, out of `{"answer": {...}}`, `[{...}]` or the bare list of its only required field."""
    names = answers.model_fields
    if isinstance(value, list):
        lists = [name for name, info in names.items() if info.is_required()]
        if len(value) == 1 and isinstance(value[0], dict) and set(value[0]) & set(names):
            return value[0]
        return {lists[0]: value} if len(lists) == 1 else value
    if isinstance(value, dict) and len(value) == 1 and not set(value) & set(names):
        (inner,) = value.values()
        return inner if isinstance(inner, dict) else value
    return value


def _read(answers: type[Answer], value: Any) -> AnswerReading[Answer]:  # noqa: ANN401 - any JSON
    raw = json.loads(json.dumps(value, default=str))
    for _ in range(_ROUNDS):
        try:
            return AnswerReading(answers.model_validate(raw), raw=raw)
        except ValidationError as error:
            mended = [fit(answers, raw, detail) for detail in error.errors()]
            if not any(mended):
                return _without_malformed(answers, raw, error)
    return AnswerReading(error=_error(answers, raw), raw=raw)


def _without_malformed(answers: type[Answer], raw: Any, error: ValidationError) -> AnswerReading[Answer]:  # noqa: ANN401
    """The answer without the list items in which `error` lies; unusable when a list would lose all its items."""
    kept = json.loads(json.dumps(raw))
    malformed: dict[Path, MalformedItem] = {}
    faults: ValidationError | None = error
    while faults:
        paths = {_item(detail, kept): detail for detail in faults.errors()}
        if () in paths:
            return AnswerReading(error=error, raw=raw)
        for path in sorted(paths, key=_order, reverse=True):
            original = _original(path, malformed)
            malformed[original] = MalformedItem(original, _get(raw, original), _words(faults.errors(), path))
            _drop(kept, path)
        faults = _error(answers, kept)
    if any(_emptied(kept, path) for path in malformed):
        return AnswerReading(error=error, raw=raw)
    items = tuple(malformed[path] for path in sorted(malformed, key=_order))
    return AnswerReading(answers.model_validate(kept), malformed=items, raw=raw)


def _error(answers: type[BaseModel], value: Any) -> ValidationError | None:  # noqa: ANN401 - any JSON
    try:
        answers.model_validate(value)
    except ValidationError as error:
        return error
    return None


def _item(detail: ErrorDetails, value: Any) -> Path:  # noqa: ANN401 - any JSON
    """The path of the innermost list item in which a fault lies; empty when it lies in none."""
    steps = list(_steps(value, detail["loc"]))
    last = max((position for position, step in enumerate(steps) if isinstance(step, int)), default=-1)
    return tuple(steps[: last + 1])


def _steps(value: Any, loc: Sequence[int | str]) -> Iterator[int | str]:  # noqa: ANN401 - any JSON
    """The parts of a location that are keys and positions of the value; pydantic adds the names of union members."""
    for step in loc:
        position = isinstance(value, list) and isinstance(step, int) and step < len(value)
        if position or (isinstance(value, dict) and step in value):
            value = value[step]
            yield step


def _original(path: Path, dropped: dict[Path, MalformedItem]) -> Path:
    """The path in the answer as it was written, given the items already dropped before it."""
    steps: list[int | str] = []
    for step in path:
        place = step
        if isinstance(place, int):
            for gone in sorted(p[-1] for p in dropped if list(p[:-1]) == steps and isinstance(p[-1], int)):
                place += 1 if gone <= place else 0
        steps.append(place)
    return tuple(steps)


def _order(path: Path) -> tuple[tuple[bool, int, str], ...]:
    return tuple((isinstance(step, int), step if isinstance(step, int) else 0, str(step)) for step in path)


def _words(faults: Sequence[ErrorDetails], path: Path) -> str:
    here = [detail for detail in faults if _item_prefix(detail["loc"], path)]
    return "; ".join(f"{'.'.join(map(str, detail['loc'][-1:]))}: {detail['msg']}" for detail in here[:3])


def _item_prefix(loc: Sequence[int | str], path: Path) -> bool:
    steps = iter(loc)
    return all(step in steps for step in path)


def _get(value: Any, path: Path) -> Any:  # noqa: ANN401 - any JSON
    for step in path:
        value = value[step]
    return value


def _put(value: Any, path: Path, item: Any) -> None:  # noqa: ANN401 - any JSON
    _get(value, path[:-1])[path[-1]] = item


def _drop(value: Any, path: Path) -> None:  # noqa: ANN401 - any JSON
    del _get(value, path[:-1])[path[-1]]


def _emptied(value: Any, path: Path) -> bool:  # noqa: ANN401 - any JSON
    """Whether the list that held `path` is empty now; the whole list was malformed then."""
    if sum(isinstance(step, int) for step in path) > 1:
        return False  # a list inside an item, such as the warnings of a step
    return not _get(value, path[:-1])
