"""What the known beginning and end of a text tell about its other title lines, whoever wrote it."""

import numpy as np
import pytest

from soprag.benchmarks.quality.splitting import join
from soprag.tools.markdown.page import read
from soprag.tools.segmentation.anchors import chains
from soprag.tools.segmentation.evidence import weigh
from soprag.tools.segmentation.title_lines import title_lines

CAKE = "## Plum Cake with Almonds\n\n- [x] tested\n\n## stuff\n\n- plums\n- flour\n\n## doing\n\nMix. Bake the plums.\n"
SOUP = "## Leek Soup with Saffron\n\n- [x] tested\n\n## stuff\n\n- leeks\n- stock\n\n## doing\n\nFry. Boil the leeks.\n"


def column(markdown: str, name: str) -> list[float]:
    page = read(markdown)
    evidence = weigh(page, title_lines(page))
    return [float(value) for value in evidence.rows[:, evidence.names.index(name)]]


def test_a_title_written_as_the_first_one_is_told_from_the_sections_between() -> None:
    joined = join([CAKE, SOUP, CAKE.replace("Plum", "Pear")]).markdown
    for name in ("like first title", "rather like first", "rather capitalised", "begins like text"):
        values = column(joined, name)
        assert min(values[3], values[6]) > max(values[k] for k in (1, 2, 4, 5, 7, 8)), name


def test_what_follows_the_first_title_and_ends_the_text_comes_again_around_a_boundary() -> None:
    joined = join([CAKE, SOUP]).markdown
    assert column(joined, "same next title") == [0, 0, 0, 1, 0, 0]
    assert column(joined, "last title before") == [0, 0, 0, 1, 0, 0]
    assert column(joined, "ends like text")[3] > column(joined, "ends like text")[2]


def test_rare_terms_bind_within_a_procedure_and_not_across_a_boundary() -> None:
    bound = chains(np.array([0, 1, 0, 1, 2, 3, 2, 3, 9]), (0, 2, 4, 6, 9))
    assert bound[2].tolist() == [0, 0, 0]
    assert (bound[[1, 3]] > 0).all()
    frequent = chains(np.array([0, 1] * 40), (0, 40, 80))
    assert not frequent.any()
    far = chains(np.array([0, *range(1, 500), 0]), (0, 250, 501))
    assert far[1].tolist() == [0, 0, pytest.approx(5 / np.log1p(2) / (250 + 20))]


def test_a_text_with_one_title_or_none_has_evidence_too() -> None:
    assert column("# Plum cake\n\nBake.\n", "like first title") == [1.0]
    page = read("Bake the plums.\n")
    assert weigh(page, title_lines(page)).rows.shape == (0, 4 + 3)
