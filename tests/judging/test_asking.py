from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import metrics
from helpers.datasets.collection import majority_grade
from helpers.datasets.runs import read_runs
from helpers.judging import asking, formats, rankings
from helpers.judging.judgments import coded

COLUMNS = ["query", "doc", "assessor", "grade"]


def long(said, queries=1):
    rows = [
        (f"q{d % queries}", f"d{d}", who, g) for who, grades in said.items() for d, g in enumerate(grades) if g >= 0
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def lost(gains, after, row, k):
    """1 - nDCG of the ranking by gains with one gain changed, the mean over all orders of ties."""
    new = np.array(gains, dtype=float)
    new[row] = after
    discount = np.append(metrics.discounts(k), np.zeros(len(gains)))[: len(gains)]
    orders = [o for o in map(list, permutations(range(len(gains)))) if all(np.diff(np.take(gains, o)) <= 0)]
    reached = np.mean([(new[order] * discount).sum() for order in orders])
    best = (np.sort(new)[::-1] * discount).sum()
    return 1 - reached / best if best > 0 else 0


@given(
    st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0, 7.0]), min_size=1, max_size=5),
    st.sampled_from([0.0, 0.2, 1.0, 2.0, 3.0, 9.0]),
    st.integers(1, 6),
)
def test_losses_are_those_of_all_orders_of_ties(gains, after, k):
    offsets = np.array([0, len(gains)])
    found = asking._losses(np.array(gains), np.full((len(gains), 1), after), offsets, metrics.discounts(k))
    assert found[:, 0] == pytest.approx([lost(gains, after, row, k) for row in range(len(gains))], abs=1e-12)


def test_where_nothing_was_judged_twice_no_document_is_worth_more_than_another_and_none_is_asked():
    table = asking.repairs(long({"a": [0, 1, -1], "b": [-1, -1, 2]}), 10)
    assert table[["expected", "summed", "ask"]].to_numpy().tolist() == [[0, 0, False]] * 3


def test_a_label_that_can_at_most_make_a_tie_of_means_loses_nothing():
    """In q0 one document has the grade 1, the other 0, whose mean is 1 at most after one of 0, 1 and 2."""
    judged = pd.concat([long({"ann": [1, 0]}), long({"ann": [2, 0], "bob": [0, 2]}).assign(query="q1")])
    found = asking.worth_asking(judged, 10).set_index("query")["expected"]
    assert found["q0"].tolist() == [0.0, 0.0]


def test_a_query_whose_second_document_is_disputed_is_worth_more_than_one_that_is_agreed_on():
    agreed, disputed = ([3, 2, 1, 0], [3, 2, 1, 0]), ([3, 3, 2, 0], [3, 0, 1, 0])
    said = {who: [*agreed[j] * 20, *disputed[j] * 5] for j, who in enumerate("ab")}
    rows = long(said)
    rows["query"] = "q" + (rows["doc"].str[1:].astype(int) // 4).astype(str)
    worth = asking.worth_asking(rows, 5).groupby("query")["expected"].sum()
    disputes = [f"q{q}" for q in range(20, 25)]
    assert worth[disputes].min() > worth.drop(disputes).max()


def test_what_is_agreed_on_where_nothing_is_relevant_is_not_asked_again_and_the_list_has_a_place_to_stop():
    said = {"ann": [3, 3, 2, 0, 0, 0, 0, 0, 0], "bob": [3, 0, 1, 0, 0, 0, 0, 0, 0], "cy": [2, 1, 1, 0, 1, 0, 0, 0, -1]}
    frame = pd.concat([long(said), pd.DataFrame([("q1", "d9", "ann", 0)], columns=COLUMNS)])
    frame["query"] = "q" + (frame["doc"].str[1:].astype(int) // 3).astype(str)
    table = asking.repairs(frame, 10)
    # of q1 the document that one of three calls relevant, of q2 none, of q3 the one that nobody else has seen
    assert table.groupby("query")["doc"].apply(sorted).to_dict() == {
        "q0": ["d0", "d1", "d2"],
        "q1": ["d4"],
        "q3": ["d9"],
    }
    assert table.set_index("doc").loc[["d1", "d4", "d9"], "labels"].tolist() == ["0 1 3", "0 0 1", "0"]
    worth = asking.worth_asking(frame, 10).merge(table[["query", "doc"]])["expected"]
    assert table["expected"].tolist() == worth.tolist() == sorted(worth, reverse=True)
    assert table["summed"].tolist() == pytest.approx((worth.cumsum() / worth.sum()).tolist())
    assert table["ask"].tolist() == [value >= worth.mean() for value in worth]
    assert 0 < table["ask"].sum() < len(table)


@pytest.mark.parametrize("queries", range(1, 14))
def test_documents_that_are_worth_the_same_are_all_asked_however_their_mean_is_rounded(queries):
    said = {"ann": [1] * queries + [0] * queries, "bob": [0] * queries + [1] * queries}
    assert asking.repairs(long(said, queries), 10)["ask"].tolist() == [True] * 2 * queries


def test_a_hidden_judge_is_asked_by_worth_alone_also_of_what_the_list_leaves_out(monkeypatch):
    """By pandas: the labels of a third of the documents are added, and the documents ranked by their means again."""
    monkeypatch.setattr(asking, "JUDGES", 1)
    monkeypatch.setattr(asking, "SHARES", (1 / 3, 1.0))
    rng = np.random.default_rng(5)
    relevant = np.arange(240) % 60 < 30  # of 60 queries with four documents each half have nothing
    truth = np.where(relevant, rng.integers(0, 3, 240), 0)
    frame = long({who: np.clip(truth + rng.choice([0, 1, 3], 240, p=[0.8, 0.1, 0.1]), 0, 3) for who in "abc"}, 60)
    row, whole = asking.hidden(frame, 3, rng=rng).to_dict("records")
    assert [whole["chosen"], whole["random"]] == pytest.approx([1, 1])
    own, rest = (frame[(frame["assessor"] == row["judge"]) == is_own] for is_own in (True, False))
    truth = frame.groupby(["query", "doc"])["grade"].mean().add(0.5).apply(np.floor)

    def lost(bought):
        means = pd.concat([rest, own.merge(bought)]).groupby(["query", "doc"])["grade"].mean()
        offsets = np.append(0, truth.groupby("query").size().cumsum())
        return 1 - np.nanmean(metrics.ndcg(truth, means, offsets, 3))

    by_worth, listed = (of(rest, 3)[["query", "doc"]] for of in (asking.worth_asking, asking.repairs))
    first = by_worth.head(80)
    assert row["documents"] == 80 > len(first.merge(listed))
    assert row["chosen"] == pytest.approx(1 - lost(first) / lost(first.head(0)))
    assert row["chosen"] != pytest.approx(1 - lost(listed.head(80)) / lost(first.head(0)))


def test_of_the_chorus_shop_no_document_is_asked_on_which_all_agree_where_nothing_is_relevant(real_data, monkeypatch):
    from helpers.making.judgments import chorus

    monkeypatch.setenv("LABEL_STUDIES_DATA", str(real_data))
    labels = coded(chorus())
    table = asking.repairs(labels, 10)
    means = labels.votes @ labels.values / labels.votes.sum(axis=1)
    best = labels.pairs.assign(mean=means).groupby("query")["mean"].max()
    nothing = table["query"].map(best) < 0.5
    assert set(table.loc[nothing, "labels"].map(lambda said: len(set(said.split())))) == {2}
    assert len(labels.pairs) - len(table) == 108
    # before, these held a third of the first tenth
    first = asking.worth_asking(labels, 10).head(len(labels.pairs) // 10).merge(table[["query", "doc"]])
    assert len(first) == pytest.approx(0.68 * len(labels.pairs) / 10, abs=5)


@pytest.mark.parametrize(("k", "models"), [(2, False), (5, True), (30, False)])
def test_how_far_a_label_moves_two_runs_is_the_mean_over_what_it_may_say(k, models, rng):
    """Three runs of 5 queries, one of which none lists, one without anything relevant, by brute force."""
    said = {who: np.where(np.arange(30) % 5 == 1, 0, rng.integers(-1, 4, 30)) for who in ("ann", "bob", "cy")}
    labels = coded(long(said, queries=5))
    everyone = coded(long(said | {"model: m": rng.integers(0, 3, 30)}, queries=5)) if models else labels
    tops = np.full((3, 5, min(k, 4)), rankings.OVER)
    for run, q in np.ndindex(3, 4):
        own = np.flatnonzero(everyone.of_query == q)
        tops[run, q] = np.append(rng.permutation(own)[: min(k, 4) - 1], rankings.NOT)
    ranked = rankings.among(rankings.Rankings(everyone, np.array(["a", "b", "c"]), k, tops), labels)

    def apart(votes):
        ndcg = ranked.ndcg(labels.values[majority_grade(votes)])
        return np.nanmean(ndcg[2] - ndcg[0])

    now, chances = apart(labels.votes), asking.next_label(labels)
    found = asking._moved(labels, chances, ranked, np.array([0, 2]))
    assert found.max() > 0
    for pair in range(len(labels.pairs)):
        more = [labels.votes + (np.arange(len(labels.pairs)) == pair)[:, None] * row for row in np.eye(4, dtype=int)]
        expected = chances[pair] @ [abs(apart(votes) - now) for votes in more]
        assert found[pair] == pytest.approx(expected, abs=1e-12)
    table = asking.repairs(labels, k, ranked, ["c", "a"]).merge(labels.pairs.assign(found=found))
    assert table["decides"].tolist() == table["found"].tolist() == sorted(table["found"], reverse=True)
    assert table["ask"].tolist() == [value >= table["found"].mean() for value in table["found"]]
    assert "decides" not in asking.repairs(labels, k)


def test_a_third_label_where_runs_are_decided_settles_them_sooner_than_where_ndcg_gains(real_data):
    """Two people judged each passage; NIST's label is bought for 300 of 4,511, for every two of the best ten runs."""
    folder = real_data / "judgments/dl19-people-machines"
    frame = formats.read(folder / "judgments.csv").frame
    nist, people = (frame[frame["assessor"].str.match(who)] for who in ("NIST", "person"))
    labels = coded(people)
    pairs = pd.MultiIndex.from_frame(labels.pairs)
    third = nist.set_index(["query", "doc"])["grade"].reindex(pairs).to_numpy()
    ranked = rankings.of_runs(labels, read_runs(str(folder / "runs")), 10)

    def ndcg(bought):
        more = (np.arange(len(third)) == bought[:, None]).any(axis=0)[:, None] & (third[:, None] == labels.values)
        return np.nanmean(ranked.ndcg(labels.values[majority_grade(labels.votes + more)]), axis=1)

    best = np.argsort(-ndcg(np.arange(0)))[:10]
    ranked = replace(ranked, names=ranked.names[best], tops=ranked.tops[best])
    now, then, chances = ndcg(np.arange(0)), ndcg(np.arange(len(third))), asking.next_label(labels)
    worth = asking.worth_asking(labels, 10).head(300)[["query", "doc"]]
    by_worth = ndcg(pairs.get_indexer(pd.MultiIndex.from_frame(worth)))
    off = []
    for two in map(np.array, combinations(range(10), 2)):
        first = np.argsort(-asking._moved(labels, chances, ranked, two))[:300]
        off.append([abs(np.subtract(*(found - then)[two])) for found in (now, by_worth, ndcg(first))])
    nothing, chosen_by_worth, decided = np.mean(off, axis=0)
    assert 5 * decided < nothing
    assert 5 * decided < chosen_by_worth
