"""Reads image hits: the chat model describes the picture, or title and metadata replace the description."""

from dataclasses import dataclass

from soprag.tools.llm import Llm
from soprag.tools.research.sources import Got, Sources
from soprag.tools.search.engine import SearchHit
from soprag.tools.tasks import deepsearch as tasks
from soprag.tools.text.sanitize import one_line

_SHOWN = ("source", "publication", "date")


@dataclass(frozen=True)
class PictureReader:
    """Describes pictures in words; `sees` says that the chat model takes images."""

    llm: Llm
    sources: Sources
    sees: bool

    async def read(self, hit: SearchHit, query: str) -> Got:
        """The picture as a source of sentences."""
        metadata = _metadata(hit)
        if not self.sees:
            return Got(await self.sources.described(hit, query, [metadata], "metadata"))
        picture = await self.sources.picture(hit)
        if isinstance(picture, str):
            note = one_line(f"The picture {hit.title!r} was not seen: {picture}", 300)
            return Got(await self.sources.described(hit, query, [metadata], "metadata"), note)
        ask = tasks.CaptionAsk(query=query, title=metadata, picture=picture)
        sentences = (await self.llm.ask(tasks.CAPTION_PICTURE, ask)).sentences
        if not sentences:
            return Got(None, one_line(f"The picture {hit.title!r} has nothing to do with the query.", 300))
        return Got(await self.sources.described(hit, query, sentences, "caption"))


def _metadata(hit: SearchHit) -> str:
    """What the search engine says about the picture, as one sentence."""
    facts = [hit.facts[name] for name in _SHOWN if hit.facts.get(name)]
    about = "; ".join([hit.snippet, *facts] if hit.snippet else facts)
    return f"Picture: {one_line(hit.title, 300)}{f' ({one_line(about, 300)})' if about else ''}."
