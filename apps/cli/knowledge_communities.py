"""`soprag knowledge communities` and `recluster`: groups of closely connected names."""

from typing import TYPE_CHECKING, Any

import click

from soprag.apps.cli.knowledge_call import KnowledgeCall, common
from soprag.apps.cli.output import finish

if TYPE_CHECKING:
    from soprag.apps.cli.knowledge_pages import CommunityList
    from soprag.tools.knowledge.community_store import ClusterReport


@click.command("communities")
@common
def communities_command(as_json: bool, **values: Any) -> None:  # noqa: ANN401 - the shared options
    """List the communities with their summaries, which are made where they are missing."""

    def work() -> "CommunityList":
        from soprag.apps.cli.knowledge_pages import CommunityList
        from soprag.tools.knowledge import community_store

        call = KnowledgeCall(**values)
        call.build({"communities": True})
        with call.opened() as (opened, _):
            return CommunityList(communities=community_store.pages(opened.library))

    finish("knowledge communities", as_json, work)


@click.command("recluster")
@click.option("--fresh", is_flag=True, help="Cluster everything again, also what no change has touched.")
@common
def recluster_command(fresh: bool, as_json: bool, **values: Any) -> None:  # noqa: ANN401 - the shared options
    """Bring the communities up to date; only those that changes touched are clustered again."""

    def work() -> "ClusterReport":
        from soprag.apps.compose.knowledge import clustering
        from soprag.tools.knowledge.community_store import recluster

        with KnowledgeCall(**values).opened() as (opened, settings):
            return recluster(opened.library, clustering(settings), fresh=fresh)

    finish("knowledge recluster", as_json, work)
