"""Sentences and exercises of study 3 say what its tables say."""

import numpy as np
import pandas as pd
import pytest

from helpers.studies.robustness import effects, exercises, findings, protocol
from helpers.studies.robustness.tables import ALL, REAL

RANKERS = ("RankSVM", "AdaRank", "ListNet")
EXPLAINED = pd.DataFrame(
    {
        "ranker": ["A", "B", "A", "A"],
        "over": [REAL, REAL, REAL, ALL],
        "by": ["difference", "difference", "pNoise", "difference"],
        "explained": [0.1, 0.3, 0.9, 0.5],
    }
)
FALLS = pd.DataFrame({"dataset": ["a", "a", "b", "b"], "dnoise": [0, 0.1] * 2, "pnoise": [0, 0.2, 0, 0.4]})
KEPT = pd.DataFrame(
    {"queries": [250, 1500] * 2, "ranker": ["A", "A", "B", "B"], "dnoise": 0.4, "relative": [0.6, 0.9, 0.8, 0.9]}
)


def explained(differences):
    """Shares of which pNoise has .5 and the difference."""
    rows = []
    for ranker, difference in zip(RANKERS, differences, strict=True):
        shares = {"pNoise": 0.5 + difference, "dNoise": 0.5, "difference": difference}
        rows += [(ranker, by, share, "") for by, share in shares.items()]
    return pd.DataFrame(rows, columns=["ranker", "by", "explained", "without"])


def test_shares_of_data_sets_name_their_range():
    said = findings.explains(explained((0.4, 0.0, -0.4)), "four data sets")
    assert said == "Four data sets: one curve over pNoise explains 10 to 90 % of what differs, one over dNoise 50 %."


def test_where_performance_never_changes_the_share_is_unknown():
    nothing = explained((0.0, 0.0, 0.0)).assign(explained=np.nan)
    assert "explains an unknown share of what differs" in findings.explains(nothing, "one")


def falls(pnoise, relative, name="mine", ranker="RankSVM"):
    levels = np.linspace(0, 0.5, len(pnoise))
    return pd.DataFrame({"ranker": ranker, "dataset": name, "dnoise": levels, "pnoise": pnoise, "relative": relative})


def test_a_gap_is_named_where_it_is_and_none_where_none_is():
    jumps, steps = falls([0, 0.43, 0.47], [1, 0.6, 0.2], "td2003"), falls([0, 0.1, 0.25], [1, 0.9, 0.8])
    assert findings.gap(pd.concat([steps, jumps])) == (
        "Nothing was measured at a pNoise between .00 and .43 on td2003: no line is drawn there."
    )
    assert findings.gap(steps) == "Neighbouring levels lie at most .15 apart in pNoise."


def test_what_is_kept_near_the_turning_point():
    both = pd.concat([falls([0, 0.2, 0.41], [1, 0.9, 0.8]), falls([0, 0.38, 0.47], [1, 0.6, 0.2], "other")])
    assert findings.near_turning(both) == "At a pNoise near .4 the median ranker keeps 60 % on other and 80 % on mine"
    assert findings.near_turning(falls([0, 0.1], [1, 1])) == "No level was measured at a pNoise near .4"


def test_one_data_set_cannot_tell_pnoise_from_dnoise():
    one = falls([0, 0.2, 0.4], [1, 0.9, 0.8])
    assert findings.kept(one, explained((0.4, 0.4, 0.4))) == (
        "Of their NDCG@10 without noise rankers keep 80 % on mine at the highest dNoise, .5. One data set alone "
        "cannot tell pNoise from dNoise, as each follows from the other."
    )
    said = findings.kept(pd.concat([one, falls([0, 0.4, 0.5], [1, 0.5, 0.1], "other")]), explained((0.4, 0.4, 0.4)))
    assert said.startswith("Of their NDCG@10 without noise rankers keep 80 % on mine and 10 % on other at the")
    assert "2 data sets: one curve over pNoise" in said
    assert "alone" not in said


def turning(**points):
    rows = [("all", value, value - 0.01, value + 0.01, without) for without, value in points.items()]
    columns = ["ranker", "turning_point", "turning_point_low", "turning_point_high", "without"]
    return pd.DataFrame(rows, columns=columns).replace({"without": {"whole": np.nan}})


def test_turning_points_with_and_without_td2003():
    assert findings.turning(turning(whole=0.46, TD2003=0.31)) == (
        "The curve of all rankers turns, of all data sets at a pNoise of .460 (.450 to .470) and without TD2003 at a "
        "pNoise of .310 (.300 to .320)."
    )
    assert "without TD2003" not in findings.turning(turning(whole=0.46))


def kept(few, many, levels=(0.0, 0.4)):
    rows = [
        (queries, ranker, level, share)
        for level in levels
        for queries, shares in ((250, few), (1500, many))
        for ranker, share in zip(RANKERS, shares, strict=True)
    ]
    return pd.DataFrame(rows, columns=["queries", "ranker", "dnoise", "relative"])


def test_what_more_queries_do_is_said_of_the_median_ranker_and_of_each():
    table = kept((0.6, 0.7, 0.8), (0.8, 0.9, 0.81))
    assert findings.by_size(table) == (
        "At a dNoise of .4 the median ranker keeps 70 % with the fewest training queries and 81 % with the most "
        "training queries"
    )
    assert "RankSVM 60 %, then 80 % (250 to 1,500 queries)" in findings.by_size_and_ranker(table)


def test_a_ranker_that_was_not_trained_on_all_sizes_is_held_against_its_own_largest():
    table = kept((0.6, 0.7, 0.8), (0.8, 0.9, 0.81))
    more = table[(table["queries"] == 1500) & (table["ranker"] == "AdaRank")].assign(queries=6000, relative=0.95)
    said = findings.by_size_and_ranker(pd.concat([table, more]))
    assert "AdaRank 70 %, then 95 % (250 to 6,000 queries)" in said
    assert "ListNet 80 %, then 81 % (250 to 1,500 queries)" in said


def test_shapes_name_the_least_and_the_most_noise():
    table = pd.DataFrame({"grades": [2, 5], "relevant": [0.01, 0.5], "documents": 100, "dnoise": [0.04, 0.55]})
    assert findings.shapes(table) == (
        "The dNoise that makes a pNoise of .4 goes from .04 (2 grades, 1 % relevant) to .55 (5 grades, 50 % relevant)"
    )


def test_titles_of_exact_pnoise():
    curves = pd.DataFrame({"dataset": ["a", "b"], "dnoise": 0.1, "pnoise": [0.47, 0.13]})
    assert findings.exact(curves) == "At a dNoise of .1 pNoise is .13 on b and .47 on a"
    assert findings.reaching({"a": np.nan}) == "On a no share of wrong labels makes a pNoise of .4."
    assert findings.reaching({"a": 0.456, "b": 0.03, "c": np.nan}) == (
        "The share of wrong labels that makes a pNoise of .4 is 3 % on b and 46 % on a. On c no share does."
    )


def test_runs_off_the_curve_are_counted():
    judges = pd.DataFrame({"relative": [0.9, 0.8, 0.5], "predicted": [0.8, 0.6, 0.6]})
    assert findings.off_curve(judges) == (
        "With the noise of judges 2 of 3 runs keep more than their pNoise says, the median run +.100"
    )


def test_collections_where_rankers_gain_and_where_they_do_not():
    compared = pd.DataFrame(
        {"dataset": ["a", "a", "b", "b", "b"], "ranker": ["LambdaMART", "RankSVM", "LambdaMART", "RankSVM", "CombSUM"],
         "over": [*["best run"] * 3, "CombSUM", "best run"], "ndcg": [0.02, 0.02, -0.01, 0.0, 0.02],
         "low": [-0.01, 0.01, -0.02, 0.01, 0.01], "high": [0.03, 0.03, 0.0, 0.02, 0.03]}
    )  # fmt: skip
    assert protocol.learned(compared, ["a", "b"]) == ["a"]
    assert findings.gained(compared, ["a", "b"]) == (
        "On a RankSVM is ahead of the best single run by +.020 (.010 to .030). On b no ranker is clearly ahead of it "
        "(LambdaMART -.010, -.020 to .000), so that noise has little to take there."
    )


def test_it_is_said_what_the_one_collection_of_few_relevant_documents_does():
    rows = [("N4", effects.ACROSS, 0.5, 0.4, 0.6), ("N4", effects.WITHOUT_FEW, -0.05, -0.1, 0.0)]
    found = pd.DataFrame(rows, columns=["claim", "ranker", "effect", "low", "high"])
    assert findings.hangs(found) == (
        "Across whole collections pNoise explains more than dNoise does by +.500 (.400 to .600) with target-types "
        "among them, of which few documents are relevant, and by -.050 (-.100 to .000) without it."
    )


@pytest.mark.parametrize(
    ("check", "tables", "right", "wrong"),
    [
        (exercises.check_1, [EXPLAINED], 0.2, 0.3),
        (exercises.check_2, [], 0.25, 0.5),
        (exercises.check_3, [], [0, 1], [1, 0]),
        (exercises.check_4, [], "ten grades", "two halves"),
        (exercises.check_5, [], 0.0388, 0.4),
        (exercises.check_6, [FALLS], "b", "a"),
        (exercises.check_7, [KEPT], "A", "B"),
    ],
)
def test_an_answer_is_told_right_from_wrong(check, tables, right, wrong, capsys):
    for answer, said in ((right, "Right."), (wrong, "Not yet: "), (..., "No answer yet.")):
        check(answer, *tables)
        assert capsys.readouterr().out.startswith(said)
