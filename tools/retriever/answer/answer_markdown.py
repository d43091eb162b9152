"""Renders an answer as Markdown: the answer first, then the steps for the question with their warnings and sources."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from soprag.tools.procedure.page import way_words
from soprag.tools.procedure.rendered_steps import runs
from soprag.tools.procedure.wording.safety_labels import missing_label
from soprag.tools.retriever.answer.answer import AnsweredStep, SopAnswer
from soprag.tools.retriever.answer.answer_page import OPENINGS, missed_warnings
from soprag.tools.retriever.answer.search_result import SopHit
from soprag.tools.text.markdown_writer import quoted_warning, source_link
from soprag.tools.text.sanitize import one_line, sanitize


def _no_page(sop: str) -> str:
    return ""


@dataclass(frozen=True)
class MarkdownAnswer:
    """Markdown of answers; `page` maps the id of an SOP to the address of its page, or to nothing.

    With a page, the steps that are not for this question are left to it.
    """

    page: Callable[[str], str] = _no_page

    def text(self, text: str) -> str:
        """Plain lines with their line ends kept."""
        return "  \n".join(sanitize(text).split("\n"))

    def answer(self, answer: SopAnswer) -> str:
        """The whole answer."""
        return "\n\n".join([*self._head(answer), *self._steps(answer), *self._foot(answer)])

    def _head(self, answer: SopAnswer) -> Iterator[str]:
        yield f"### {one_line(answer.title)}"
        words = " ".join(sentence.shown() for sentence in answer.answer.sentences)
        if words:
            yield f"**{OPENINGS.get(answer.form, 'Answer: ').strip()}** {words}"
        elif answer.summary:
            yield sanitize(answer.summary)
        if answer.notice:
            yield f"*{one_line(answer.notice)}*"
        if answer.separating:
            yield f"Several procedures fit. Which is it? {one_line(answer.separating)}"

    def _steps(self, answer: SopAnswer) -> Iterator[str]:
        part, count = frozenset(answer.part), len(answer.steps)
        others = frozenset(range(1, count + 1)) - part
        missed = missed_warnings(answer, min(part)) if part and others else []
        yield from (quoted_warning(f"Step {number}", warning.text) for number, warning in missed)
        shown = runs(answer.steps, part)
        for run in shown if self.page(answer.sop) and part else [*shown, *runs(answer.steps, others)]:
            yield from self._run(answer, run, whole=not others)
        if answer.body:
            yield sanitize(answer.body)

    def _run(self, answer: SopAnswer, run: list[AnsweredStep], *, whole: bool) -> Iterator[str]:
        if not whole:
            yield f"#### Steps {run[0].number} to {run[-1].number} of {len(answer.steps)}"
        section = ""
        for step in run:
            if step.section != section and whole:
                section = step.section
                heading = one_line(section).removeprefix(f"{answer.title} / ")
                yield from [] if heading == answer.title else [f"#### {heading}"]
            yield from self._step(answer, step)

    def _step(self, answer: SopAnswer, step: AnsweredStep) -> Iterator[str]:
        steps = {step.number: step for step in answer.steps}
        yield from (quoted_warning(missing_label(w.kind, w.text), w.text) for w in step.warnings)
        lines = (step.lines.start, step.lines.end)
        words = f"{sanitize(step.passage)}\n\n**This step:** {sanitize(step.text)}" if step.passage else step.text
        first = " ← **look at this first**" if step.number == answer.first else ""
        gap = "\n\n" if "\n" in words.strip() else " "  # behind a list it would belong to the last item
        yield f"**{step.marker}** {sanitize(words)}{gap}*({source_link('', lines, self.page(answer.sop))})*{first}"
        rows = [f"- Only if: {one_line(step.only_if)}"] if step.only_if else []
        rows += [f"- {way_words(step, way, steps)}" for way in step.ways]
        rows += [f"- See: {'; '.join(map(one_line, step.references))}"] if step.references else []
        if rows:
            yield "\n".join(rows)

    def _named(self, hit: SopHit) -> str:
        """The title of a procedure, linked to its page; its id where it has none."""
        page, title = self.page(hit.sop), one_line(hit.title)
        return f"[{title}]({page})" if page else f"{title} ({one_line(hit.sop)})"

    def _foot(self, answer: SopAnswer) -> Iterator[str]:
        page = self.page(answer.sop)
        if page:
            yield f"[The whole procedure, {len(answer.steps)} steps]({page}) · `guide me` goes through it step by step."
        if answer.near:
            yield f"Other procedures: {'; '.join(self._named(hit) for hit in answer.near)}"
        if answer.author != "rules":
            yield (
                f"*{one_line(answer.author)} wrote the answer and chose the steps; each sentence was checked against "
                "its lines. Steps, warnings and conditions are the procedure's own words.*"
            )
