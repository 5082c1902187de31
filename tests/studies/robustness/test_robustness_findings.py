"""Sentences of study 3 say what its tables say, and the opposite where they say that."""

import numpy as np
import pandas as pd
import pytest

from helpers.studies.robustness import findings
from helpers.studies.robustness.counterparts import ALL, INSTEAD, WITHOUT

RANKERS = ("RankSVM", "AdaRank", "ListNet")


def explained(differences, over=ALL):
    """Shares of which pNoise has .5 and the difference, with an interval of .1 on both sides of it."""
    rows = []
    for ranker, difference in zip(RANKERS, differences, strict=False):
        shares = {"pNoise": 0.5 + difference, "dNoise": 0.5, "difference": difference}
        rows += [(ranker, by, share, share - 0.1, share + 0.1, over, "") for by, share in shares.items()]
    return pd.DataFrame(rows, columns=["ranker", "by", "explained", "low", "high", "over", "without"])


def groups(five, without, instead):
    frames = [explained(d, over) for d, over in zip((five, without, instead), (ALL, WITHOUT, INSTEAD), strict=True)]
    return pd.concat(frames, ignore_index=True)


AHEAD, OPEN, BEHIND = (0.4,) * 3, (0.0,) * 3, (-0.4,) * 3


@pytest.mark.parametrize(
    ("five", "without", "instead", "title", "sentence"),
    [
        (AHEAD, OPEN, OPEN, "with TD2003 only, and no real", "one synthetic collection"),
        (AHEAD, OPEN, AHEAD, "few relevant documents, TD2003 or a real one", "Where few documents are relevant"),
        (AHEAD, AHEAD, AHEAD, "with TD2003 and without it", "Count wrong pairs"),
        (AHEAD, BEHIND, OPEN, "with TD2003 only", "one synthetic collection"),
        (OPEN, OPEN, OPEN, "Even with TD2003 pNoise does not", "tells no more"),
        (BEHIND, AHEAD, AHEAD, "Even with TD2003 pNoise does not", "tells no more"),
    ],
)
def test_whether_the_claim_hangs_on_td2003(five, without, instead, title, sentence):
    table = groups(five, without, instead)
    assert title in findings.hangs(table)
    assert sentence in findings.colleague(table)


def test_a_colleague_hears_of_rankers_that_wrong_pairs_tell_less_about():
    said = findings.colleague(groups(AHEAD, OPEN, (0.0, -0.4, -0.4)))
    assert said.endswith(
        "on the real ones it was not shown to tell more, and told clearly less with AdaRank and ListNet."
    )
    assert findings.colleague(groups(AHEAD, OPEN, OPEN)).endswith("it was not shown to tell more.")


def test_half_of_the_rankers_are_not_most():
    table = groups((0.4, 0.4, 0.0), (0.4, 0.0, -0.4), OPEN)
    assert findings.ahead(table[table["over"] == WITHOUT]) == (1, 1, 3)
    assert "with TD2003 only" in findings.hangs(table)


def test_shares_of_data_sets_name_their_range_and_both_directions():
    said = findings.of_data_sets(explained((0.4, 0.0, -0.4)), "four data sets")
    assert said == (
        "Four data sets: one curve over pNoise explains 10 to 90 % of what differs, one over dNoise 50 %; pNoise "
        "explains clearly more with 1 of 3 rankers, and clearly less with 1."
    )


def test_where_performance_never_changes_the_share_is_unknown():
    nothing = explained(OPEN).assign(explained=np.nan, low=np.nan, high=np.nan)
    said = findings.of_data_sets(nothing, "one")
    assert "explains an unknown share of what differs" in said
    assert "with none of 3 rankers" in said


def test_no_share_of_wrong_labels_may_be_enough():
    assert findings.reaching({"a": np.nan}) == "On a no share of wrong labels makes a pNoise of .4."
    assert findings.reaching({"a": 0.2}) == "The share of wrong labels that makes a pNoise of .4 is 20 % on a."


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
    one = {"falls": falls([0, 0.2, 0.4], [1, 0.9, 0.8]), "explained": explained(AHEAD)}
    assert findings.live(one) == (
        "Of their NDCG@10 without noise rankers keep 80 % on mine at the highest dNoise, .5. One data set alone "
        "cannot tell pNoise from dNoise, as each follows from the other."
    )
    more = pd.concat([one["falls"], falls([0, 0.4, 0.5], [1, 0.5, 0.1], "other")])
    said = findings.live({"falls": more, "explained": explained(AHEAD)})
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


def kept(few, many, width=0.01, levels=(0.0, 0.4)):
    rows = [
        (queries, ranker, level, share, share - width, share + width)
        for level in levels
        for queries, shares in ((250, few), (1500, many))
        for ranker, share in zip(RANKERS, shares, strict=True)
    ]
    return pd.DataFrame(rows, columns=["queries", "ranker", "dnoise", "relative", "low", "high"])


def test_more_queries_help_hurt_or_do_nothing_clear():
    few, many = (0.6, 0.7, 0.8), (0.8, 0.9, 0.81)
    assert findings.sizes(kept(few, many)).endswith("2 of 3 rankers keep clearly more with more training queries")
    assert findings.sizes(kept(many, few)).endswith("2 of 3 rankers keep clearly less with more training queries")
    assert findings.sizes(kept(few, many, width=0.2)).endswith("more training queries clearly help 0 of 3 rankers")
    assert "RankSVM 60 %, then 80 % (250 to 1,500 queries)" in findings.sizes_in_words(kept(few, many))


def test_a_ranker_that_was_not_trained_on_all_sizes_is_held_against_its_own_largest():
    table = kept((0.6, 0.7, 0.8), (0.8, 0.9, 0.81))
    more = table[(table["queries"] == 1500) & (table["ranker"] == "AdaRank")].assign(queries=6000, relative=0.95)
    said = findings.sizes_in_words(pd.concat([table, more]))
    assert "AdaRank 70 %, then 95 % (250 to 6,000 queries)" in said
    assert "ListNet 80 %, then 81 % (250 to 1,500 queries)" in said


def test_shapes_name_the_least_and_the_most_noise():
    table = pd.DataFrame({"grades": [2, 5], "relevant": [0.01, 0.5], "documents": 100, "dnoise": [0.04, 0.55]})
    assert findings.shapes(table) == (
        "The dNoise that makes a pNoise of .4 goes from .04 (2 grades, 1 % relevant) to .55 (5 grades, 50 % relevant)"
    )
