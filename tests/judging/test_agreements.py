import judged_by_hand
import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from helpers.judging import agreements, formats


def long(table, queries=1):
    """Long frame from a table of judges by documents, -1 where there is no judgment; documents are dealt to queries."""
    frame = judged_by_hand.long({f"j{j}": row for j, row in enumerate(table)})
    return frame.assign(query="q" + (frame["doc"].str[1:].astype(int) % queries).astype(str))


@st.composite
def tables(draw, least=2):
    """Judgments of 2 to 5 judges of 4 to 12 documents, some missing."""
    n_judges, n_docs = draw(st.integers(2, 5)), draw(st.integers(4, 12))
    row = st.lists(st.integers(-1, 3), min_size=n_docs, max_size=n_docs)
    return np.array(draw(st.lists(row, min_size=n_judges, max_size=n_judges)))


def test_two_judges_by_hand():
    # equal on 3 of 5; shares .4 .4 .2 and .6 .2 .2, so .24 + .08 + .04 by chance; squares 1 and 4
    table = agreements.by_judges(long([[0, 0, 1, 1, 2], [0, 0, 0, 1, 0], [-1, -1, 1, -1, -1]]))
    first = table.iloc[0]
    assert first[["first", "second", "documents"]].tolist() == ["j0", "j1", 5]
    chance = 0.4 * 0.8 + 0.4 * 0.2
    assert first["equal"] == pytest.approx(0.6)
    assert first["chance"] == pytest.approx(chance)
    assert first["kappa"] == pytest.approx((0.6 - chance) / (1 - chance))
    expected_squares = 0.4 * (0.2 * 1) + 0.4 * (0.8 * 1) + 0.2 * (0.8 * 4 + 0.2 * 1)
    assert first["weighted_kappa"] == pytest.approx(1 - (1 + 4) / 5 / expected_squares)
    assert table["documents"].tolist() == [5, 1, 1]


def test_of_one_grade_kappa_is_undefined_and_without_an_overlap_there_is_no_row_and_no_alpha():
    table = agreements.by_judges(long([[1, 1], [1, 1]]))
    assert table["equal"].item() == 1
    assert table[["kappa", "weighted_kappa"]].isna().all(axis=None)
    frame = long([[0, -1], [-1, 1]])
    assert agreements.by_judges(frame).empty
    assert agreements.by_query(frame).empty
    assert agreements.unanimity(frame).empty
    assert agreements.disputed(frame).empty
    assert np.isnan(agreements.alpha(frame, draws=10, rng=np.random.default_rng(0))["alpha"])


@given(tables())
def test_kappas_are_those_of_scikit_learn(table):
    frame = long(table)
    if frame.empty:
        return
    labels = np.unique(frame["grade"])
    for row in agreements.by_judges(frame).itertuples():
        one, other = (table[int(name[1:])] for name in (row.first, row.second))
        both = (one >= 0) & (other >= 0)
        assert row.documents == both.sum()
        assert row.equal == pytest.approx(np.mean(one[both] == other[both]))
        if len(np.unique([one[both], other[both]])) > 1:
            plain = cohen_kappa_score(one[both], other[both])
            scale = np.arange(labels.max() + 1)
            squares = cohen_kappa_score(one[both], other[both], labels=scale, weights="quadratic")
            assert row.kappa == pytest.approx(plain, nan_ok=True)
            assert row.weighted_kappa == pytest.approx(squares, nan_ok=True)


def test_the_published_example_of_ordinal_alpha():
    table = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, -1, -1, -1],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, -1, 3],
        [-1, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, -1],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, -1],
    ]
    found = agreements.alpha(long(table), draws=2, rng=np.random.default_rng(0))
    assert found["alpha"] == pytest.approx(0.815, abs=5e-4)


@given(tables())
def test_alpha_is_that_of_krippendorffs_package(table):
    frame = long(table, queries=3)
    if frame.empty:
        return
    found = agreements.alpha(frame, draws=2, rng=np.random.default_rng(0))["alpha"]
    known = np.where(table < 0, np.nan, table.astype(float))
    several = known[:, np.isfinite(known).sum(axis=0) > 1]
    if len(np.unique(several[np.isfinite(several)])) > 1:
        expected = krippendorff.alpha(reliability_data=known, level_of_measurement="ordinal")
        assert found == pytest.approx(expected)


def test_alpha_of_a_query_is_that_of_its_documents_alone():
    rng = np.random.default_rng(3)
    frame = long(rng.integers(-1, 3, size=(4, 60)), queries=5)
    for row in agreements.by_query(frame).itertuples():
        own = frame[frame["query"] == row.query]
        known = own.pivot(index="assessor", columns="doc", values="grade").to_numpy()
        assert row.alpha == pytest.approx(krippendorff.alpha(known, level_of_measurement="ordinal"))
        assert row.documents == (own.groupby("doc").size() > 1).sum()


def test_the_interval_of_alpha_holds_what_many_queries_say_and_narrows_with_their_number():
    rng = np.random.default_rng(5)

    def width(queries):
        truth = rng.integers(0, 3, size=queries * 10)
        table = np.array(
            [np.where(rng.random(len(truth)) < 0.7, truth, rng.integers(0, 3, len(truth))) for _ in range(3)]
        )
        found = agreements.alpha(long(table, queries), draws=400, rng=rng)
        assert found["units"] == queries
        assert found["low"] < found["alpha"] < found["high"]
        return found["high"] - found["low"]

    assert width(200) < 0.5 * width(20)


def test_the_most_disputed_documents_come_first_and_unanimous_ones_not_at_all():
    table = agreements.disputed(long([[0, 1, 2, 0], [3, 1, 1, 0], [3, 1, 1, 1]]))
    assert table[["doc", "labels", "apart"]].values.tolist() == [
        ["d0", "0 3 3", 3],
        ["d2", "1 1 2", 1],
        ["d3", "0 0 1", 1],
    ]


def test_chorus_kappas_unanimity_and_range(real_data):
    frame = formats.read(real_data / "judgments" / "chorus-ratings" / "Broad_Query_Set_individual_ratings.csv").frame
    table = agreements.by_judges(frame)
    assert table["kappa"].round(2).tolist() == [0.68, 0.65, 0.60]
    apart = agreements.unanimity(frame).set_index("apart")["share"]
    assert apart[[0, 3]].round(3).tolist() == [0.715, 0.128]


def test_the_boundary_over_which_most_labels_differ_comes_first_by_hand():
    # labels two by two: 0 0, 0 1, 1 1, 1 3, 1 3 and 3 3; a document of one label says nothing
    table = agreements.boundaries(long([[0, 0, 1, 1, 1, 3, -1], [0, 1, 1, 3, 3, 3, 2]]))
    assert table[["below", "above"]].to_numpy().tolist() == [[1, 2], [2, 3], [0, 1]]
    assert table["differ"].tolist() == pytest.approx([2 / 6, 2 / 6, 1 / 6])
    for row, relevant in zip(table.itertuples(), (4, 4, 9), strict=True):
        chance = (relevant / 12) ** 2 + (1 - relevant / 12) ** 2
        assert row.kappa == pytest.approx(1 - row.differ / (1 - chance))
    assert agreements.boundaries(long([[0, 1, -1], [-1, -1, 2]])).empty
