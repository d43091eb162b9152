"""Aligns an extraction answer with its source: line numbers become verbatim text, unsupported parts are dropped."""

from dataclasses import dataclass, field

from soprag.tools.procedure.flow_view import flow_view
from soprag.tools.procedure.procedure import ProcedureFlow
from soprag.tools.procedure.reader import read_procedure
from soprag.tools.procedure.source_text import SourceText
from soprag.tools.retriever.index.flow_alignment import FlowAligner
from soprag.tools.retriever.index.losses import Losses
from soprag.tools.sop import Card, CausalEdge, CausalView, Entity, EntityView, State, Views
from soprag.tools.tasks.retriever import CausalAnswer, EntityAnswer, FlowAnswer


@dataclass(frozen=True)
class WindowAnswer:
    """The extraction answers for one window of an SOP."""

    entity: EntityAnswer
    causal: CausalAnswer
    flow: FlowAnswer


@dataclass
class SourceAligner:
    """Merges the answers for all windows of one SOP into its views."""

    title: str
    source: SourceText
    losses: Losses = field(default_factory=Losses)
    entities: dict[str, Entity] = field(default_factory=dict)
    states: dict[str, State] = field(default_factory=dict)  # by its text in lower case
    edges: dict[CausalEdge, None] = field(default_factory=dict)
    resolves: dict[str, None] = field(default_factory=dict)
    flow: FlowAligner = field(init=False)

    def __post_init__(self) -> None:
        """The flow is aligned beside the code's own reading of the SOP."""
        self.flow = FlowAligner(self.source, read_procedure(self.source.body), self.losses)

    def take(self, answer: WindowAnswer) -> None:
        """Add the parts of one answer that the SOP supports."""
        self._entities(answer.entity)
        self._causal(answer.causal)
        self.flow.take(answer.flow)

    def views(self, card: Card, flow: ProcedureFlow) -> Views:
        """The views, with the flow view of the checked flow."""
        return Views(
            card=card,
            entity=EntityView(entities=tuple(self.entities.values())),
            causal=CausalView(
                states=tuple(self.states.values()), edges=tuple(self.edges), resolves=tuple(self.resolves)
            ),
            flow=flow_view(flow, self.source),
        )

    # entities and causes --------------------------------------------------------------------------------------------

    def _entities(self, answer: EntityAnswer) -> None:
        title = SourceText(self.title)
        for draft in answer.entities:
            key = draft.name.strip().lower()
            if key in self.entities:
                continue
            if not self.source.find(draft.name) and not title.find(draft.name):
                self.losses.entities += 1
                continue
            attributes = {pair.name: pair.value for pair in draft.attributes if self.source.find(pair.value)}
            self.entities[key] = Entity.model_construct(name=draft.name.strip(), kind=draft.kind, attributes=attributes)

    def _causal(self, answer: CausalAnswer) -> None:
        state_ids: dict[str, str] = {}
        for draft in answer.states:
            lines = self.source.find(draft.text, draft.line)
            if not lines:
                self.losses.states += 1
                continue
            text = " ".join(draft.text.split())
            state = self.states.get(text.lower())
            if not state:
                state = State.model_construct(id=f"s{len(self.states) + 1}", text=text, lines=lines)
                self.states[text.lower()] = state
            state_ids[draft.id] = state.id
        for link in answer.links:
            if (
                link.source in state_ids
                and link.target in state_ids
                and state_ids[link.source] != state_ids[link.target]
            ):
                edge = CausalEdge(source=state_ids[link.source], relation=link.relation, target=state_ids[link.target])
                self.edges.setdefault(edge)
            else:
                self.losses.links += 1
        self.resolves.update({state_ids[state]: None for state in answer.resolves if state in state_ids})
