from typing import Any

import pytest

from soprag.agents.archivist import Archivist
from soprag.agents.collecting.page_filter import PageFilter, PageJudgement, file_name
from soprag.agents.collecting.topic_similarity import Topic
from soprag.configs.settings import load
from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.tasks.collecting import Wanted
from soprag.tools.web.budget import BudgetLimits, RunBudget
from soprag.tools.web.feeds import FeedLimits
from soprag.tools.web.html_page import HtmlPage, PageLimits, read_html
from soprag.tools.web.outcome import Fetched
from tests.agents.collecting import plants
from tests.words import WordEmbedder


class InProcess:
    async def read(self, data: bytes, url: str, charset: str) -> HtmlPage:
        return read_html(data, url, charset, PageLimits(max_text=200_000, max_links=400))


NO = ScriptedLlm({"wanted": Wanted(is_procedure=True, on_topic=False, reason="It is about another field.")})
FEEDS = FeedLimits(max_links=100, max_bytes=1_000_000)
LIMITS = BudgetLimits(credits=0, fetches=0, bytes=0, seconds=60, tokens=100_000)


def page(html: str, url: str = "http://plant.test/sop/1", **changes: Any) -> Fetched:
    known = {"url": url, "final_url": url, "kind": "ok", "mime": "text/html", "suffix": ".html", "data": html.encode()}
    return Fetched.model_validate(known | changes)


async def judge(fetched: Fetched, llm: Any = None, budget: RunBudget | None = None, called: str = "") -> PageJudgement:
    topic = Topic(plants.TOPIC, WordEmbedder())
    settings = load(environment={})
    archivist = Archivist(settings.parsing)
    budget = budget or RunBudget(LIMITS)
    gate = PageFilter(topic, archivist, llm or RulesLlm(), budget, InProcess(), settings.collect, FEEDS)
    return await gate.judge(fetched, called)


async def test_a_procedure_is_a_document_and_news_is_none() -> None:
    sheet = await judge(page(plants.sheet(1)))
    assert sheet.kind == "document"
    assert sheet.title == "Shutdown of slurry pump SL-107"
    assert (await judge(page(plants.news("Lindau")))).kind == "other"


async def test_a_page_that_only_points_to_procedures_is_none() -> None:
    links = "".join(f"<li><a href='/{at}'>Start the slurry pump SL-{at} and stop it again</a></li>" for at in range(20))
    assert (await judge(page(f"<h1>Procedures</h1><ol>{links}</ol>"))).kind == "other"


async def test_what_was_not_fetched_or_cannot_be_read_says_why() -> None:
    assert (await judge(page("", kind="robots", reason="not allowed", data=b""))).reason == "not allowed"
    broken = await judge(page("", data=b"PK\x03\x04 broken", mime="application/octet-stream", suffix=""))
    assert broken.kind == "unread"


async def test_a_model_has_the_last_word_on_what_the_rules_let_pass() -> None:
    NO.requests.clear()
    sheet = await judge(page(plants.sheet(1)), NO)
    assert (sheet.kind, sheet.reason) == ("other", "It is about another field.")
    assert len(NO.requests) == 1


async def test_without_tokens_left_no_model_is_asked() -> None:
    NO.requests.clear()
    budget = RunBudget(LIMITS.model_copy(update={"tokens": 500}))
    assert (await judge(page(plants.sheet(1)), NO, budget)).kind == "document"
    assert NO.requests == []
    assert budget.spent("tokens") == 0


@pytest.mark.parametrize(
    ("url", "header", "name"),
    [
        ("http://a.test/docs/Seal%20change.pdf?x=1", "", "Seal change.pdf"),
        ("http://a.test/download?id=7", 'attachment; filename="SOP 12.docx"', "SOP 12.pdf"),
        ("http://a.test/", "", "a.test.pdf"),
        ("http://a.test/..%2f..%2fetc", 'filename="../../passwd"', "passwd.pdf"),
    ],
)
def test_a_file_is_called_what_its_server_calls_it_with_the_suffix_it_deserves(
    url: str, header: str, name: str
) -> None:
    assert file_name(page("", url, suffix=".pdf", headers={"content-disposition": header})) == name


async def test_a_page_whose_headings_are_links_is_a_list() -> None:
    opening = "Before you begin, close the valve. Check the seal, open the drain slowly and record it in the log." * 2
    teasers = "".join(f"<h3><a href='/sop/{n}'>{plants.title(n)}</a></h3><p>{opening}</p>" for n in range(4))
    assert (await judge(page(teasers))).kind == "other"
    assert (await judge(page(plants.sheet(1)))).kind == "document"


async def test_a_sitemap_is_a_page_of_links() -> None:
    reading = await judge(page("<urlset><url><loc>http://plant.test/sop/2</loc></url></urlset>", mime="text/xml"))
    assert reading.kind == "other"
    assert [link.url for link in reading.links] == ["http://plant.test/sop/2"]


async def test_numbered_links_are_a_list_even_if_they_lead_back_to_the_page() -> None:
    links = "".join(f"<li><a href='/portal/home;jsessionid=0{at}'>Start slurry pump part {at}</a></li>" for at in "123")
    text = "Start the slurry pump slowly. Check the gland seal. Open the valve. Record the pressure in the log."
    portal = await judge(page(f"<h1>Portal</h1><p>{text}</p><ol>{links}</ol>", "http://plant.test/portal/home"))
    assert portal.kind == "other"
    assert portal.form is None


async def test_a_short_page_without_a_word_of_its_title_is_not_what_was_announced() -> None:
    steps = "".join(f"<li>{step}</li>" for step in ("Enter your user name.", "Enter your password.", "Press Enter."))
    signing_in = page(f"<h1>Sign in</h1><ol>{steps}</ol>")
    assert (await judge(signing_in, called="Shutdown of slurry pump SL-107 (PDF)")).reason == (
        "It is not what its links announce."
    )
    assert (await judge(signing_in, called="How to sign in")).kind == "document"


async def test_what_the_wording_says_is_kept_for_the_lists_to_decide() -> None:
    sure = await judge(page(plants.sheet(1)))
    news = await judge(page(plants.news("Lindau")))
    assert sure.form is not None
    assert news.form is not None
    assert sure.form > 0 > news.form
