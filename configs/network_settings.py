"""Settings of everything that uses the web: search engines, fetching, budgets, collecting, research."""

from typing import Literal

from pydantic import Field

from soprag.configs.section import ServerUrl, SettingsSection


class CollectSettings(SettingsSection):
    """Which documents enter a run."""

    threshold: float = Field(
        ge=0, le=1, description="Least similarity (cosine) to the topic for a document of the embedded library."
    )
    limit: int = Field(ge=1, description="Largest number of documents in one run.")
    max_bytes: int = Field(ge=1, description="Largest document, in bytes.")
    good: float = Field(
        ge=0, le=1, description="Estimated relevance from which a page is fetched before further searches are made."
    )
    fair: float = Field(ge=0, le=1, description="Least estimated relevance of a page that is fetched at all.")
    depth: int = Field(ge=0, le=10, description="Largest number of links between a search result and a fetched page.")
    first_queries: int = Field(ge=1, le=50, description="Search queries planned from the topic.")
    next_queries: int = Field(ge=1, le=50, description="Search queries planned from accepted documents, per round.")
    query_rounds: int = Field(ge=1, le=100, description="Largest number of rounds of query planning.")
    barren_rounds: int = Field(
        ge=1, description="Rounds in a row without a new promising page after which searching ends."
    )
    dry_searches: int = Field(
        ge=1, description="Searches in a row without a new promising page, per engine, after which a round ends."
    )
    result_pages: int = Field(ge=1, le=20, description="Largest number of result pages per query.")
    new_share: float = Field(
        ge=0, le=1, description="Share of new promising results from which the next result page is requested."
    )
    promising_share: float = Field(
        ge=0, le=1, description="Share of promising results, new or not, from which the next result page is requested."
    )
    fruitless_pages: int = Field(
        ge=1,
        description="Most pages in a row without a new document, after which no fair page is fetched any more; fewer "
        "where documents were frequent.",
    )
    folder_probes: int = Field(
        ge=1, description="Pages of one URL folder fetched at once before the folder has given a document."
    )
    same_pattern: int = Field(
        ge=1, description="Pages of one URL pattern without a document after which the pattern is left out."
    )
    repeats: int = Field(
        ge=1, description="Pages of one URL pattern that repeat other pages after which the pattern is left out."
    )
    longest_query: int = Field(ge=0, description="Longest query string of a URL that is followed, in characters.")
    waiting_links: int = Field(ge=100, description="Links that wait to be fetched; beyond them the worst are dropped.")
    sightings: int = Field(ge=1, description="Titles and snippets of one URL that are used; later ones are not.")
    least_words: int = Field(ge=0, description="Least number of words of an HTML page with links that is no link list.")
    link_share: float = Field(
        ge=0, le=1, description="Largest share of link text of an HTML page that is no link list."
    )
    confidence: float = Field(
        ge=0, le=1, description="Confidence from which the rules reject a page without asking the chat model."
    )
    model_characters: int = Field(ge=200, description="Text of a page that the chat model receives, in characters.")
    answer_tokens: int = Field(ge=1, description="Tokens reserved from budget.tokens for one answer of the chat model.")
    compared_characters: int = Field(
        ge=1000, description="Text of a page that is compared with other pages to find duplicates, in characters."
    )


class SearchSettings(SettingsSection):
    """Search engines, see docs/search.md; the number of paid searches is budget.credits."""

    engine: Literal["auto", "serpapi", "keyless", "none"] = Field(
        description="Search service; auto: serpapi when SERPAPI_API_KEY is set, else none."
    )
    base_url: ServerUrl = Field(min_length=1, description="URL of SerpAPI.")
    web: Literal["google", "google_light", "duckduckgo", "bing"] = Field(
        description="Engine that SerpAPI searches the web with."
    )
    country: str = Field(
        pattern=r"^([a-z]{2})?$", description='Country code as Google uses it, such as "de"; empty: not sent.'
    )
    wikipedia_url: ServerUrl = Field(
        min_length=1, description="URL of Wikipedia for keyless search; {language} is replaced by the language code."
    )
    stack_exchange: str = Field(
        pattern=r"^[a-z.]*$", description="Stack Exchange site for keyless search; empty: not searched."
    )
    stack_exchange_url: ServerUrl = Field(min_length=1, description="URL of the Stack Exchange API.")
    keyless_web: Literal["auto", "searxng", "duckduckgo", "marginalia", "none"] = Field(
        description="Web search without a key; auto: searxng when searxng_url is set, else duckduckgo when the extra "
        "soprag[duckduckgo] is installed (unofficial, may fail any day), else marginalia."
    )
    searxng_url: str = Field(pattern=r"^(https?://\S+)?$", description="URL of a SearXNG instance that allows JSON.")
    marginalia_url: ServerUrl = Field(min_length=1, description="URL of Marginalia Search.")
    timeout: float = Field(gt=0, description="Seconds for one attempt.")
    retries: int = Field(ge=0, le=10, description="How often a failed search is repeated.")
    longest_wait: float = Field(
        ge=0, description="Longest wait before a retry, in seconds; a longer Retry-After of the service is an error."
    )
    first_wait: float = Field(ge=0, description="Wait before the first retry, in seconds; doubled for each later one.")
    max_bytes: int = Field(ge=1000, description="Largest answer of a keyless service, in bytes.")
    stack_exchange_results: int = Field(ge=1, le=100, description="Results per page of Stack Exchange.")
    keyless_pause: float = Field(ge=0, description="Seconds between two web searches without a key.")
    duckduckgo_empties: int = Field(
        ge=1, description="Empty answers in a row after which DuckDuckGo is not searched any more."
    )
    cache_hours: float = Field(ge=0, description="Hours for which answers are stored and reused; 0: not stored.")


class WebSettings(SettingsSection):
    """Fetching web pages, see docs/collecting.md."""

    agent: str = Field(
        pattern=r"^[A-Za-z_-]+(/[\w.]+)?$",
        description='User-Agent name; the part before "/" is matched with the rules of robots.txt.',
    )
    contact: str = Field(description="E-mail address or URL for webmasters, sent in the User-Agent of every request.")
    allow: tuple[str, ...] = Field(
        description="Networks (10.1.0.0/16) and host names that may be dialled although they are not public."
    )
    ports: tuple[int, ...] = Field(description="Allowed ports; hosts and networks in web.allow may use any port.")
    connect_timeout: float = Field(gt=0, description="Seconds for opening a connection, name resolution included.")
    read_timeout: float = Field(gt=0, description="Seconds without a received byte after which a request has failed.")
    deadline: float = Field(gt=0, description="Seconds for one request from start to end.")
    slowest: int = Field(ge=0, description="Least transfer rate of a body, in bytes per second.")
    slow_after: float = Field(ge=0, description="Seconds of a transfer after which its rate is checked.")
    attempts: int = Field(ge=1, le=10, description="Attempts per page while a retry may help.")
    first_wait: float = Field(ge=0, description="Wait before the first retry, in seconds; doubled for each later one.")
    redirects: int = Field(ge=0, le=20, description="Redirects followed per page.")
    delay: float = Field(
        ge=0, description="Seconds between two requests to one host; a longer Crawl-delay of its robots.txt is obeyed."
    )
    longest_delay: float = Field(
        ge=0, description="Largest Crawl-delay, in seconds; hosts that ask for more are not visited."
    )
    longest_pause: float = Field(ge=0, description="Longest wait for a Retry-After before a request, in seconds.")
    longest_hold: float = Field(
        ge=0, description="Longest time without requests to a host because of one Retry-After, in seconds."
    )
    per_host: int = Field(ge=1, le=8, description="Requests under way at once to one host.")
    concurrency: int = Field(ge=1, le=64, description="Pages and searches under way at once.")
    max_head: int = Field(
        ge=131072, description="Largest response head with informational responses, in bytes; reads are of 64 KiB."
    )
    max_wire: int = Field(ge=1, description="Largest body as received, in bytes.")
    max_body: int = Field(ge=1, description="Largest decoded body, in bytes.")
    max_html: int = Field(ge=1, description="Largest decoded HTML page, in bytes; other types: web.max_body.")
    max_text: int = Field(ge=1000, description="Longest text taken from one HTML page, in characters.")
    max_links: int = Field(ge=1, le=5000, description="Links used of one page; beyond them menus are left out first.")
    max_feed_links: int = Field(ge=1, description="Links used of one sitemap or feed.")
    fetch_workers: int = Field(
        ge=0, le=16, description="Processes that send the requests, each to its share of the hosts; 0: no others."
    )
    html_workers: int = Field(ge=1, le=16, description="Worker processes that read HTML.")
    html_seconds: float = Field(gt=0, description="Seconds of processor time for reading one HTML page.")
    html_memory: int = Field(ge=256, description="Memory limit of a worker process that reads HTML, in MiB.")
    max_robots: int = Field(ge=512000, description="Largest robots.txt, in bytes; RFC 9309 asks for 500 KiB at least.")
    robots_hours: float = Field(gt=0, description="Hours for which a robots.txt is stored and reused.")


class BudgetSettings(SettingsSection):
    """Limits of one run for searching and fetching; nothing is sent once one of them is reached."""

    credits: int = Field(ge=0, description="Paid searches.")
    fetches: int = Field(ge=0, description="Requests to web sites: pages, redirects, retries and robots.txt together.")
    bytes: int = Field(ge=0, description="Bytes received from web sites, before decompression.")
    seconds: float = Field(ge=0, description="Seconds of searching and fetching, over all processes of the run.")
    tokens: int = Field(ge=0, description="Tokens of chat models for searching and judging pages, input and output.")


class ResearchSettings(SettingsSection):
    """DeepSearch (soprag research), see docs/research.md; its limits are in [budget]."""

    subtasks: int = Field(ge=1, le=50, description="Largest number of subtasks in a plan.")
    local: tuple[str, ...] = Field(
        description='Local indexes that are searched beside the web: folders, or "library" for the example library; '
        "empty: the own index if there is one, without the web else the library."
    )
    agents: tuple[Literal["image", "scholar", "patent", "wiki", "web"], ...] = Field(
        min_length=1, description="Agents that may get a subtask."
    )
    floor: float = Field(
        ge=-1, le=1, description="Least similarity (cosine) of a subtask to an agent; below it the web agent is used."
    )
    margin: float = Field(ge=0, le=2, description="Cosine difference up to which two agents both get a subtask.")
    results: int = Field(ge=1, le=100, description="Results used of one search.")
    pages: int = Field(ge=1, le=50, description="Pages read of one search: the results nearest to the subtask.")
    pages_per_host: int = Field(ge=1, description="Pages read of one site per search, unless there are no others.")
    max_characters: int = Field(ge=1000, description="Text read of one source, in characters.")
    links: int = Field(
        ge=0, le=20, description="Links followed per search from the pages that were read, one hop away."
    )
    procedures: int = Field(ge=1, le=20, description="Procedures and sections that a subtask is answered from.")
    confidence: float = Field(
        ge=0, le=1, description="Least confidence of the retriever in a procedure that is evidence."
    )
    lines: int = Field(ge=1, le=500, description="Lines of these procedures that a summary is written from.")
    steps: int = Field(ge=1, le=1000, description="Lines copied of one procedure.")
    claims: int = Field(ge=1, le=50, description="Largest number of statements per agent, besides copied procedures.")
    facts: int = Field(ge=1, le=1000, description="Largest number of statements that a report is written from.")
    concurrency: int = Field(ge=1, le=256, description="Agents under way at once.")
    images: bool = Field(description="The chat model accepts images and describes them; otherwise titles are used.")
    judges: tuple[Literal["rules", "model", "reward", "human"], ...] = Field(
        min_length=1, description="Judges of a report; their scores are averaged."
    )
    judge_model: str = Field(
        pattern=r"^(|rules|[\w-]+:.+)$", description='"provider:name" of the judging model; empty: the chat model.'
    )
    reward_url: ServerUrl = Field(
        description="URL of an OpenAI-compatible server with a reward model; its key: SOPRAG_REWARD_API_KEY."
    )
    reward_model: str = Field(description="Name of the reward model.")
    weights: tuple[float, float, float, float, float] = Field(
        description="Weights of helpfulness, correctness, coherence, complexity and verbosity in a score."
    )
    good_enough: float = Field(ge=0, le=4, description="Score (0 to 4) from which a report is not revised further.")
    versions: int = Field(ge=1, le=20, description="Largest number of versions of a report (N_max).")
