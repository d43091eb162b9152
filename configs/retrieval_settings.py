"""Settings of the index, the retriever and its evaluation."""

from typing import Literal

from pydantic import Field, field_validator

from soprag.configs.section import ServerUrl, SettingsSection


class IndexSettings(SettingsSection):
    """The index of SOPs, see docs/indexing.md."""

    folder: str = Field(min_length=1, description="Folder of the index, or the postgresql:// URL of a database.")
    connections: int = Field(
        ge=1, le=1000, description="Connections of a process to an index in PostgreSQL; further threads wait for one."
    )
    chroma_url: ServerUrl = Field(
        description='URL of a Chroma server, such as "http://127.0.0.1:8000"; empty: a folder inside the index.'
    )
    exact_below: int = Field(
        ge=0, description="Number of vectors below which they are searched in memory; from it on Chroma is searched."
    )
    anchors: tuple[Literal["card", "gist", "passage"], ...] = Field(
        description="Kinds of vectors that are written to Chroma; gist is the mean of an SOP's passage vectors."
    )
    element_vectors: bool = Field(
        description="Also embed entities, states and steps, which retriever.sim = cosine and hybrid compare."
    )
    token_bits: int = Field(
        ge=1,
        le=2,
        description="Bits for each number of a token vector; 1 halves the index and finds other best steps more often.",
    )
    window: int = Field(ge=1, le=10_000, description="SOPs extracted and embedded together in one batch.")
    decoded: int = Field(ge=0, description="SOPs held in memory ready for scoring (0.1 to 0.3 MB each).")


class RetrieverSettings(SettingsSection):
    """The query path with the paper's equations 5 to 9, see docs/retriever.md."""

    sim: Literal["cosine", "hybrid", "late"] = Field(
        description="Sim: late interaction (token by token), hybrid (cosine and words), or cosine (the paper's)."
    )
    anchors: tuple[Literal["card", "gist", "passage", "text"], ...] = Field(
        min_length=1, description="Eq. 5: searches that select the candidates; text is BM25, the others are vectors."
    )
    candidates: int = Field(ge=1, le=1000, description="Eq. 5, K: candidates per search.")
    judged: int = Field(
        ge=0,
        le=40,
        description="Candidates whose sheets a chat model compares, if there is one; 0: it only routes (the paper's).",
    )
    sure: float = Field(
        ge=0,
        description="Lead of the best candidate over the next, in score, from which on the model is not asked to "
        "compare; 0: always asked.",
    )
    answer_characters: int = Field(
        ge=500,
        description="Characters of the chosen SOP that a chat model answers from; of a longer one the nearest parts.",
    )
    keep: int = Field(ge=1, le=1000, description="Hits returned by a search (k).")
    card: float = Field(ge=0, le=1, description="Eq. 6, λ: weight of the card against the three views.")
    alpha: float = Field(ge=0, le=1, description="Eq. 7, α: weight of exact against similar entity names.")
    decay: float = Field(ge=0, le=1, description="Eq. 8, Path: factor per hop.")
    hops: int = Field(ge=1, le=20, description="Eq. 8, k: largest number of hops from a card.")
    rarity: float = Field(ge=0, le=2, description="Exponent of the idf weight of a query word (sim = late).")
    passages: int = Field(ge=1, le=1000, description="Passages per SOP that are compared (sim = late).")
    prior: tuple[float, float, float] = Field(
        description="Weights of the entity, causal and flow view before routing; not negative and not all 0."
    )
    temperature: float = Field(
        ge=0, description="Temperature of the router's softmax; larger values change the prior less. 0: prior only."
    )
    purpose: float = Field(
        ge=0,
        description="Weight of the agreement of purpose for a question of ten terms: a report of an abnormal state "
        "asks for a response procedure. 0: off; used with minilm only.",
    )
    standardise: bool = Field(description="Standardise each score over the candidates before it is weighted.")
    without: tuple[Literal["card", "entity", "causal", "flow", "router"], ...] = Field(
        description="Parts left out, for ablations."
    )
    abstain: float = Field(
        ge=0, le=1, description="Confidence below which no SOP is said to fit; 0: never. See soprag calibrate."
    )
    doubt: float = Field(
        ge=0,
        le=1,
        description="Confidence from which one of the nearest may be meant and is asked for; below: none fits.",
    )
    separate: float = Field(
        ge=0, description="Score difference below which near-duplicate SOPs are told apart by a question to the user."
    )

    @field_validator("prior")
    @classmethod
    def _check_weights(cls, prior: tuple[float, float, float]) -> tuple[float, float, float]:
        if min(prior) < 0 or not sum(prior):
            raise ValueError("the three weights are 0 or more, and not all 0")
        return prior


class KnowledgeSettings(SettingsSection):
    """The knowledge graph, see docs/knowledge.md."""

    mode: Literal["document", "paper"] = Field(
        description="What a model is asked: document (at most one call each) or paper (three for every window)."
    )
    window: int = Field(ge=32, le=8192, description="Tokens of a window of a document that is no SOP.")
    overlap: int = Field(ge=0, le=4096, description="Tokens that two neighbouring windows share.")
    facts: int = Field(ge=1, le=200, description="Most facts per window that a model may state.")
    cosine_similarity: float = Field(
        gt=0, le=1, description="Least cosine of two names that differ in spelling and are merged all the same."
    )
    search: Literal["neighbours", "communities"] = Field(
        description="Where facts are looked for: around the names of a question, or in its best communities (paper)."
    )
    hops: int = Field(ge=1, le=3, description="Most facts on a path.")
    passages: int = Field(ge=1, le=50, description="Passages shown for a question.")
    paths: int = Field(ge=1, le=20, description="Paths shown for a question.")
    communities: int = Field(ge=1, le=100, description="Communities that are searched, the nearest first.")
    resolution: float = Field(gt=0, description="Resolution of the modularity that communities maximise.")
    largest: int = Field(ge=2, description="Names of a community above which it is divided further.")
    calls: int = Field(ge=0, description="Most model calls for summaries in one run; the others are made of quotes.")


class EvaluateSettings(SettingsSection):
    """Evaluation of retrieval, see docs/evaluation.md."""

    k: int = Field(ge=10, description="Ranking depth of every system; MRR is cut at it.")
    bootstrap: int = Field(ge=100, description="Bootstrap samples for confidence intervals and tests.")
    seed: int = Field(ge=0, description="Seed of the bootstrap.")
