"""Without the extras the product works, and whatever needs them says how to get them."""

import sys
from collections.abc import Iterator

import pytest

from soprag.tools.errors import ConfigError
from soprag.tools.evaluation.retrieval.measures import measure
from soprag.tools.history import StepFailure
from soprag.tools.math import linear, properties
from soprag.tools.math.properties import FluidProperty, NotInstalled, need
from soprag.tools.rules.calculation.fluids import fluids

PACKAGES = (
    "CoolProp",
    "CoolProp.CoolProp",
    "fluids",
    "fluids.friction",
    "ht",
    "scipy",
    "scipy.optimize",
    "ir_measures",
)


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An environment without the packages of the extras."""
    for name in PACKAGES:
        monkeypatch.setitem(sys.modules, name, None)
    properties._fluids.cache_clear()
    properties._coolprop.cache_clear()
    yield
    properties._fluids.cache_clear()
    properties._coolprop.cache_clear()


def test_a_fluid_property_names_the_extra() -> None:
    call = FluidProperty.model_validate(
        {"fluid": "water", "properties": ["density"], "state": [
            {"name": "temperature", "value": 20, "unit": "degC"}, {"name": "pressure", "value": 1, "unit": "bar"}
        ]}
    )  # fmt: skip
    outcome = properties.compute(call)
    assert isinstance(outcome, StepFailure)
    assert (outcome.kind, "soprag[engineering]" in outcome.message) == ("unavailable", True)


def test_words_are_still_read_for_fluids() -> None:
    assert "water" in fluids("the density of water at 20 degC")


def test_a_linear_programme_names_the_extra() -> None:
    call = linear.Optimise.model_validate(
        {
            "sense": "max",
            "objective": [{"variable": "x", "coefficient": 1}],
            "variables": [{"name": "x", "lower": 0, "upper": 4}],
            "constraints": [],
        }
    )
    outcome = linear._programme(call)
    assert isinstance(outcome, StepFailure)
    assert "scipy is not installed" in outcome.message


def test_a_module_that_is_missing_is_named() -> None:
    with pytest.raises(NotInstalled, match="fluids is not installed"):
        need("fluids.friction")


def test_metrics_name_the_extra() -> None:
    with pytest.raises(ConfigError, match=r"soprag\[evaluation\]"):
        measure([], [])
