"""A picture of a part of the graph as one HTML file: names and facts, coloured by community (paper 001, figure 15)."""

import html
from collections.abc import Sequence

from soprag.tools.knowledge.records import NameRef, QuotedFact

_SIZE = 1000
_COLOURS = (
    "#4269d0",
    "#efb118",
    "#ff725c",
    "#6cc5b0",
    "#3ca951",
    "#ff8ab7",
    "#a463f2",
    "#97bbf5",
    "#9c6b4e",
    "#9498a0",
)
_LABEL = 40  # characters


def picture(title: str, facts: Sequence[QuotedFact], communities: dict[str, int], most: int = 300) -> str:
    """The names of the first `most` facts and their links; the quote of a link shows under the pointer."""
    import networkx

    graph = networkx.Graph()
    for fact in facts[:most]:
        graph.add_edge(_key(fact.subject), _key(fact.object), quote=fact.text(), relation=fact.relation)
    places = networkx.spring_layout(graph, seed=7, iterations=60) if graph else {}
    points = {node: (_scaled(x), _scaled(y)) for node, (x, y) in places.items()}
    links = "".join(_link(points[source], points[target], data) for source, target, data in graph.edges(data=True))
    nodes = "".join(_node(node, points[node], communities.get(node, 0), graph.degree(node)) for node in graph)
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{html.escape(title)}</title>'
        "<style>body{font-family:sans-serif;margin:1em}line{stroke:#999;stroke-opacity:.6}"
        "line:hover{stroke:#000;stroke-width:3}text{font-size:9px}</style>"
        f"<h1>{html.escape(title)}</h1><p>{len(graph)} names, {graph.number_of_edges()} links; "
        "a link shows the line it is quoted from.</p>"
        f'<svg viewBox="0 0 {_SIZE} {_SIZE}" role="img" aria-label="{html.escape(title)}">{links}{nodes}</svg></html>\n'
    )


def _key(name: NameRef) -> str:
    return f"{name.kind}\t{name.text}"


def _scaled(value: float) -> int:
    return round((float(value) + 1) / 2 * (_SIZE - 120)) + 60


def _link(start: tuple[int, int], end: tuple[int, int], data: dict[str, str]) -> str:
    label = html.escape(f"{data['relation']}: {data['quote']}")
    return f'<line x1="{start[0]}" y1="{start[1]}" x2="{end[0]}" y2="{end[1]}"><title>{label}</title></line>'


def _node(node: str, point: tuple[int, int], community: int, degree: int) -> str:
    kind, _, text = node.partition("\t")
    short = text if len(text) <= _LABEL else f"{text[: _LABEL - 1]}…"
    radius, colour = min(4 + degree, 14), _COLOURS[community % len(_COLOURS)]
    circle = f'<circle cx="{point[0]}" cy="{point[1]}" r="{radius}" fill="{colour}"/>'
    label = f'<text x="{point[0] + radius + 2}" y="{point[1] + 3}">{html.escape(short)}</text>'
    return f"<g><title>{html.escape(f'{text} ({kind})')}</title>{circle}{label}</g>"
