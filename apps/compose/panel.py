"""The panel of systems that a new benchmark is tried with; it asks no model, whatever the settings name."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from soprag.apps.compose import services
from soprag.apps.compose.index import extraction
from soprag.configs.settings import Settings

if TYPE_CHECKING:
    from soprag.tools.evaluation.panel import PanelMeasurement
    from soprag.tools.evaluation.retrieval.systems import System


def open_panel(settings: Settings) -> "PanelMeasurement":
    """The measurement by the panel; its systems are opened when they are tried."""
    from soprag.tools.evaluation.panel import PanelMeasurement, PanelPlan

    plan = PanelPlan(
        k=settings.evaluate.k,
        draws=settings.evaluate.bootstrap,
        seed=settings.evaluate.seed,
        embedding=settings.embedding.model,
    )

    def open_systems() -> "tuple[Sequence[System], Callable[[], None]]":
        from soprag.tools.evaluation.retrieval import open_baselines
        from soprag.tools.evaluation.retrieval.product import Builder, Product

        embedder, rules = services.open_embedder(settings), services.open_rules()
        builder = Builder(embedder, extraction(settings, rules), settings.index)
        product = Product("soprag", "soprag", builder, rules, settings.retriever)
        return [*open_baselines(embedder), product], builder.close

    return PanelMeasurement(open_systems, plan)
