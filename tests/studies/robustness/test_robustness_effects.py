"""What the stored runs give of each claim: by hand on made-up runs, and what is stored is what is computed."""

import numpy as np
import pandas as pd
import pytest
from robustness_by_hand import runs_of

from helpers.datasets import portrait
from helpers.judging import noise
from helpers.reporting import verdicts
from helpers.studies.robustness import effects

KEYS = ["claim", "collection", "ranker"]


@pytest.fixture(scope="module")
def few_samples():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(effects, "SAMPLES", 20)
        yield patch


def by_pnoise(steepness):
    """Stable up to a pNoise of .3, then two percent lost for each one percent."""

    def at(level):
        pnoise = min(0.5, steepness * level)
        return pnoise, 1 - 2 * max(0.0, pnoise - 0.3)

    return at


FIVE = {"ohsumed": 1.0, "td2003-portrait": 5.0, "mslr-sample-portrait": 0.8, "mq2008": 1.2, "clueweb09-webis": 1.4}


@pytest.fixture(scope="module")
def made(few_samples):
    """The effects of made-up runs that follow pNoise."""
    stored = {
        "five-data-sets": {"uniform": runs_of({n: by_pnoise(s) for n, s in FIVE.items()}, np.arange(11) / 20)},
        "real-counterparts": {"uniform": runs_of({"robust04": by_pnoise(3)}, np.arange(6) / 10)},
    }
    frames = [
        runs_of({name: by_pnoise(steepness)}).assign(kept=kept)
        for name, versions in {"a": {0.01: 5, 0.05: 4, 1.0: 1}, "target-types": {1.0: 3}}.items()
        for kept, steepness in versions.items()
    ]
    versions = pd.DataFrame(
        [("a", 0.01, 7, 0.003), ("a", 0.05, 7, 0.009), ("a", 1.0, 7, 0.3), ("target-types", 1.0, 9, 0.03)],
        columns=["dataset", "kept", "queries", "relevant"],
    )
    stored["thinned"] = {"uniform": pd.concat(frames, ignore_index=True), "versions": versions}
    few_samples.setattr(effects.learnable, "learned", lambda: ["robust04"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(effects.results, "stored", lambda study: stored)
        return effects.effects().set_index(KEYS)


def effect(made, claim, collection, ranker=effects.TOGETHER):
    return made.loc[(claim, collection, ranker), "effect"]


def test_what_is_lost_where_few_documents_are_relevant_less_where_many_are(made):
    # the version of .9 % relevant is nearest to TD2003's .8: at .1 a pNoise of .4 keeps .8, at .5 one of .5 keeps .6;
    # with all relevant documents .1 keeps 1, and .5 keeps .6
    assert effect(made, "N1", "a") == pytest.approx((0.2 + 0.0) / 2)
    assert effect(made, "N1", "a", effects.BY_MAP) == pytest.approx(0.1)
    # TD2003 at .1 has a pNoise of .5 and keeps .6; MSLR-WEB10K keeps 1 and, at .5 with a pNoise of .4, .8
    portraits = "td2003-portrait, mslr-sample-portrait"
    assert effect(made, "N1", portraits) == effect(made, "N1", portraits, "AdaRank") == pytest.approx((0.4 + 0.2) / 2)


def test_what_is_lost_on_mslr_and_lost_late_on_ohsumed(made):
    assert effect(made, "N2", "mslr-sample-portrait") == pytest.approx(0.2)
    # OHSUMED has a pNoise of the dNoise: nothing lost up to .25, and .4 up to .5
    assert effect(made, "N3", "ohsumed", "RankSVM") == pytest.approx(0.4)


def test_pnoise_explains_what_follows_it_and_its_curve_turns(made):
    assert effect(made, "N4", "a") > 0.1
    assert effect(made, "N4b", "a") == pytest.approx(effect(made, "N4", "a"))  # MAP is half of NDCG@10 in these runs
    # of 1 - 2 (pNoise - .3) .2 is lost from .4 to .5, and .2 up to .4, a quarter of which is a step of .1
    assert effect(made, "N5", "a") == pytest.approx(0.2 - 0.2 / 4, abs=0.01)


def test_what_follows_dnoise_speaks_against_the_claim(few_samples):
    runs = runs_of({"few": lambda level: (min(0.5, 5 * level), 1 - level), "many": lambda level: (level, 1 - level)})
    assert effect(effects.of_runs(runs).set_index(KEYS), "N4", "few, many") < 0


def test_a_row_is_real_where_all_of_its_collections_are(made):
    rows = made.reset_index()
    trained = rows[rows["basis"] != "arithmetic"]
    drawn = [any(portrait.named(name) for name in names.split(", ")) for names in trained["collection"]]
    assert (trained["basis"] == np.where(drawn, "portrait", "real")).all()
    together = rows[rows["claim"] == "N4"].drop_duplicates("ranker", keep="last").set_index("ranker")["collection"]
    assert together[effects.ACROSS] == "ohsumed, mq2008, clueweb09-webis, robust04, a, target-types"
    assert together[effects.WITHOUT_FEW] == "ohsumed, mq2008, clueweb09-webis, robust04, a"


def test_the_papers_rankers_are_averaged_on_common_samples(few_samples):
    names = (*effects.FOUR, "LambdaMART")
    runs = runs_of({"td2003": by_pnoise(5), "mslr": by_pnoise(1)}, rankers=names, draws=1)
    better = {name: 0.1 * number for number, name in enumerate(names)}
    runs.loc[(runs["level"] > 0) & (runs["dataset"] == "mslr"), "ndcg"] += runs["ranker"].map(better) * runs["fold"]
    found = effects.of_runs(runs).query("claim == 'N1'").set_index("ranker")
    singles = found.loc[list(effects.FOUR)]
    assert found.loc[effects.TOGETHER, "effect"] == pytest.approx(singles["effect"].mean())
    assert found.loc[effects.TOGETHER, "se"] == pytest.approx(singles["se"].mean())  # the same folds: none is taken off
    assert singles["se"].max() > 0


def test_where_pnoise_stays_low_or_rankers_are_fewer_less_is_said(few_samples):
    low = effects.of_runs(runs_of({"a": by_pnoise(0.7), "b": by_pnoise(0.9)}))
    assert set(low["claim"]) == {"N4", "N4b"}  # nothing of where it turns
    found = effects.of_runs(runs_of({"ohsumed": by_pnoise(1)}, rankers=effects.FOUR[:3]))
    assert found["ranker"].tolist() == list(effects.FOUR[:3])  # and no mean
    assert found["claim"].unique().tolist() == ["N3"]


def test_printed_numbers_need_no_ranker(made):
    assert effect(made, "N7b", "mslr-web10k", "") == pytest.approx(0.3935, abs=5e-5)
    few = noise.expected_pnoise([99.2 * 9.81, 0.8 * 9.81], 0.1)
    assert effect(made, "N7a", "td2003", "") == pytest.approx(few)
    assert [effect(made, "N6", name, "AdaRank") for name in ("ohsumed", "td2003", "mslr-web10k")] == [0.44, 0.47, 0.44]


def test_the_rule_says_of_the_printed_numbers_that_they_hold(made):
    found = verdicts.verdicts(made.reset_index()).set_index("claim")
    arithmetic = found[found["rests_on"] == "arithmetic"]
    assert set(arithmetic.index) == {"N6", "N7a", "N7b", "N7c"}
    assert set(arithmetic["verdict"]) == {"holds"}
