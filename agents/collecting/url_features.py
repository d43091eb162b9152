"""Lexical cues of an unfetched link: procedure, other page, or hub page with links to procedures.

The weights are general; how reliable they are on the hosts of this crawl is learned in `link_scorer.py`.
"""

import re
from math import exp, log

from soprag.agents.collecting.candidate_urls import CandidateUrl
from soprag.tools.procedure.filtering import document_filter
from soprag.tools.procedure.filtering.filter_features import extract_features
from soprag.tools.web import urls

_PROCEDURE = re.compile(
    r"\b(procedures?|sops?|standard[ -]operating|(work|operating|operation|maintenance|safety|job)[ -]instructions?|"
    r"checklists?|run-?books?|playbooks?|how to|method statement|job aid|instructions?|protocols?|permit to work|"
    r"start(ing)?[ -]?up|starting|shut(ting)?[ -]?down|stop(ping|page)?|replac(e|ing|ement)|chang(e|ing|eover)|"
    r"inspect(ion|ing)?|maintenance|calibrat(e|ion|ing)|isolat(e|ion|ing)|lock-?out|tag-?out|emergency|response|"
    r"clean(ing)?|test(ing)?|restor(e|ing|ation)|recover(y|ing)?|troubleshoot(ing)?|commissioning|handling|alarm|"
    r"fail(ure|over)|fault|adjust(ing|ment)|lubricat(e|ion|ing)|overhaul|flushing|draining|filling|checks?|rounds?|"
    r"sampl(e|es|ing)|purging|venting|mitigat\w+|"
    r"verfahren|arbeitsanweisung|anleitung|wartung|procédure|mode opératoire|"
    r"procedimiento|procedura|instrucci\w+)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"\b(procedures?|sops?|standard[ -]operating|(work|operating)[ -]instructions?|checklists?|run-?books?)\b",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"\b(news|press|announc\w+|orders?|wins?|awarded|contract|jobs?|vacanc\w+|careers?|hiring|wanted|apprentice\w*|"
    r"price|prices|buy|shop|store|cart|checkout|delivery|sale|offer|discount|products?|brochure|"
    r"questions?|answers?|q ?& ?a|"
    r"forum|anyone|thread|comments?|replies|blog|opinion|interview|reviews?|podcast|video|webinar|conference|fair|"
    r"exhibition|course|training dates|seminar|history|wiki(pedia)?|encyclopa?edia|annual|minutes|agenda|meeting|"
    r"incident|accident|investigation|survey|study|paper|thesis|abstract|market|forecast|obituary|case study|"
    r"privacy|imprint|cookies?|login|log in|sign ?in|sign ?up|account|password|"
    r"polic(y|ies)|blank form|site ?map|"
    r"calendar|events?|canteen|newsletter|subscribe|author|gallery|photos?|statistics|"
    r"release notes|changelog|data ?sheet|specifications?|glossary|what is|definition|explained|introduction|"
    r"overview)\b",
    re.IGNORECASE,
)
# Pages of a site about itself; in longer titles these words mean other things, such as the contact of a relay.
_ITSELF = re.compile(r"\W*(contact|about|legal|terms|home|search|menu|team|tags?)\b\W*(\w+\W*){0,2}", re.IGNORECASE)
_HUB = re.compile(
    r"\b(library|libraries|index|documents?|documentation|manuals|procedures|sops|instructions|checklists|runbooks|"
    r"playbooks|resources?|downloads?|archives?|portal|collection|catalogue|directory|contents|list|all|browse|topics?|"
    r"categor(y|ies)|register of|attachments?|full text|next|more|sitemap|wissensdatenbank|dokumente)\b",
    re.IGNORECASE,
)
_TAG = re.compile(r"\b[A-Z]{1,5}-?\d{2,5}\b")  # a machine of its own, such as P-204
_NEXT = re.compile(
    r"^(next|more|older|continue|further|weiter|suivant|siguiente)\b|^(page |seite )?\d{1,3}$|^[»›>→]+$", re.IGNORECASE
)
_DATED = re.compile(r"(^|[/?&=-])(19|20)\d\d([/-]\d\d?)?([/&-]|$)|\b(month|year|day|date|week)=", re.IGNORECASE)
_DOCUMENTS = frozenset({".pdf", ".docx", ".doc", ".odt", ".xlsx", ".xls", ".pptx", ".ppt", ".rtf", ".md", ".txt"})
_NEITHER = frozenset(
    {".jpg", ".jpeg", ".png", ".gif", ".svg", ".ico", ".webp", ".css", ".js", ".json", ".xml", ".rss", ".mp4", ".mp3",
     ".avi", ".mov", ".zip", ".gz", ".tar", ".7z", ".rar", ".exe", ".dmg", ".iso", ".woff", ".woff2"}
)  # fmt: skip

_SESSION = 6.0  # log-odds against an address that names one visit: what it shows has an address of its own
_FEED = 1.5  # log-odds that a sitemap or feed leads to procedures
_LEAST = 1e-6  # of a chance that is to have log-odds
_EVERYWHERE = 4  # pages that link to the same address


def procedure(lead: CandidateUrl) -> float:
    """The log-odds that the link leads to a procedure, from words in title, path and snippet."""
    title, path = lead.title, " ".join(lead.path_words)
    odds = -0.5
    odds += 1.4 * bool(_PROCEDURE.search(title)) + 0.6 * bool(_NAMED.search(title)) + 0.4 * bool(_NAMED.search(path))
    odds += 0.5 * bool(_TAG.search(title))
    odds -= _genre(title) + 1.2 * bool(_OTHER.search(path)) + 1.0 * bool(_DATED.search(lead.url))
    odds += _wording(lead) + 0.4 * (lead.suffix in _DOCUMENTS) - 9.0 * (lead.suffix in _NEITHER)
    odds -= 0.3 * lead.depth + 1.5 * _in_menus(lead) + _SESSION * urls.has_session(lead.url)
    return odds + 0.6 * any(sighting.embedded for sighting in lead.sightings)


def hub(lead: CandidateUrl) -> float:
    """The log-odds that the link leads to a hub page with links to procedures."""
    if any(sighting.feed for sighting in lead.sightings):
        return _FEED
    title, path = lead.title, " ".join(lead.path_words)
    odds = -2.2 + 1.9 * bool(_HUB.search(title)) + 0.5 * bool(_HUB.search(path)) + 0.6 * bool(_NAMED.search(title))
    odds -= 1.6 * bool(_OTHER.search(title)) + 0.8 * bool(_OTHER.search(path)) + 1.5 * bool(_DATED.search(lead.url))
    odds -= (
        0.5 * lead.depth
        + 1.5 * _in_menus(lead)
        + _SESSION * urls.has_session(lead.url)
        + 9.0 * (lead.suffix in _DOCUMENTS | _NEITHER)
    )
    return odds + 2.0 * goes_on(lead)


def both(odds: float, likely: float) -> float:
    """The log-odds of the conjunction of two independent events, given one's log-odds and the other's probability."""
    joint = chance(odds) * max(_LEAST, likely)
    return log(joint / (1 - joint))


def goes_on(lead: CandidateUrl) -> bool:
    """Whether the link is a pagination link."""
    return any(sighting.parent and _NEXT.match(sighting.title.strip()) for sighting in lead.sightings)


def chance(odds: float) -> float:
    """The probability for log-odds (the logistic function)."""
    return 1 / (1 + exp(-max(-15.0, min(15.0, odds))))


def _genre(title: str) -> float:
    """The penalty for titles of other genres; higher when the title begins with the genre, as in `Minutes of ...`."""
    if _ITSELF.fullmatch(title):
        return 2.8
    if not _OTHER.search(title):
        return 0.0
    return 1.4 if _NAMED.search(title) and not _OTHER.match(title) else 2.8


def _in_menus(lead: CandidateUrl) -> bool:
    """Whether every link to it was in a menu, or so many pages link to it that it must be one."""
    return all(sighting.menu for sighting in lead.sightings) or lead.parents >= _EVERYWHERE


def _wording(lead: CandidateUrl) -> float:
    """The log-odds of the SOP filter on the search snippet, clipped; 0 for leads known only from links."""
    if not lead.first.searched or len(lead.text.split()) < 8:
        return 0.0
    signals = document_filter.signals(extract_features(lead.title, f"# {lead.title}\n\n{lead.text}"))
    balance = document_filter.BIAS + sum(signal.weight * signal.value for signal in signals)
    return max(-0.6, min(1.2, 0.6 * balance))  # a snippet may leave out the best
