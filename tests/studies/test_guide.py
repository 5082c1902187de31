"""The guide: titles of pictures made by hand, its six sentences, and its index; nbval compares what is stored."""

import numpy as np
import pandas as pd
import pytest

from helpers.engine import results
from helpers.studies import guide, ledger
from helpers.studies.budget import stored, tables


def rows(names, values, **columns):
    return pd.DataFrame({"name": names, "value": values} | columns)


DEPTHS = [f"to depth {depth}" for depth in (5, 10, 20, 5, 10, 20)]
CASES = [
    (guide.of_losses, rows(["2", "4", "8", "16"], [0.04, 0.024, 0.01, 0], low=[0.01, 0.001, -0.01, -0.1]),
     "Trained on 4 of each query a ranker loses .024 NDCG@10; from 8 on no loss is shown"),
    (guide.of_worth, rows(DEPTHS, [0.5, 0.7, 0.9, 0.6, 0.8, 1.0]),
     "To compare, a query is worth 70 % to 80 % of one judged whole at depth 10, 90 % to 100 % at depth 20"),
    (guide.of_opinions, rows(["a", "b"], [-0.02, 0.003]),
     "For the price of more queries, several opinions of a document change NDCG@3 by -.020 to +.003"),
    (guide.of_asked, rows("x", [0.3, 0.9, 0.1, 0.2], how=["chosen", "chosen", "random", "random"]),
     "A fifth of a judge's labels closes 30 % to 90 % of the gap where documents are chosen, 10 % to 20 % at random"),
    (guide.of_limits, rows(["a", "b"], [0.55, 0.81]),
     "A ranking that is perfect for one assessor has an nDCG@10 of .55 to .81 with another, on 2 collections"),
]  # fmt: skip


@pytest.mark.parametrize(("title", "picture", "said"), CASES)
def test_a_title_says_what_its_picture_does(title, picture, said):
    assert title(picture) == said


def test_a_ceiling_is_what_disagreement_leaves_of_one():
    found = guide.limits(
        pd.DataFrame({"claim": ["M1", "M3"], "collection": "x", "effect": 0.25, "low": 0.2, "high": 0.35})
    )
    assert found[["value", "low", "high"]].to_numpy().tolist() == [pytest.approx([0.75, 0.65, 0.8])]


def test_the_six_sentences_have_a_number_a_price_and_a_notebook():
    kept = {study: results.stored(study) for study in ("02", "05", "06")}
    advice = guide.advice(ledger.stored(), kept, guide.worth(tables.depth_worth(stored.pilots())))
    assert len(advice) == 6
    assert advice[["the number", "the price"]].apply(lambda texts: texts.str.contains(r"\d")).all(axis=None)
    assert advice["more"].str.fullmatch(r"\[0\d\]\(0\d\w+\.ipynb\)").all()
    assert "8 documents or more" in advice["what to do"].iloc[0]


def test_twice_as_narrow_takes_four_times_the_documents(monkeypatch):
    kept = results.stored("02")
    once = guide.judged_twice(kept)
    monkeypatch.setattr(guide, "WIDTH", guide.WIDTH / 2)
    assert np.isclose(guide.judged_twice(kept) / once, 4, rtol=0.01)


def test_every_numbered_table_and_figure_of_the_papers_stands_in_a_notebook():
    index = guide.index()
    assert len(index) == 24
    assert index["beside ours in"].str.match(r"\[0[1-4]a?\]\(0\w+\.ipynb\), In \[\d+\]").all()
