"""Studies some of whose runs failed: their tables say what the others say."""

import numpy as np
import pandas as pd
import pytest
import robustness_by_hand
from overlap_by_hand import runs_of

from helpers.engine import sweep
from helpers.making import common
from helpers.making import overlap as making_overlap
from helpers.making import robustness as making_robustness
from helpers.reporting import verdicts
from helpers.studies.depth import allocation
from helpers.studies.depth import tables as depth
from helpers.studies.overlap import runs as overlap_runs
from helpers.studies.robustness import runs as robustness_runs
from helpers.studies.robustness import tables as robustness

PARAMETERS = ["ranker", "setting", "draw", "dataset", "fold", "level", "queries", "documents"]


def failing(runs, failed):
    """The runs as a sweep gives them where those of a query on their parameters failed."""
    runs = runs.assign(error=None)
    hit = runs.eval(failed)
    results = [column for column in runs if column not in (*PARAMETERS, "choice", "error")]
    return runs.assign(
        **{column: runs[column].astype(object).where(~hit) for column in results},
        error=runs["error"].astype(object).mask(hit, "LookupError: no fold 6"),
    ).infer_objects()


def test_what_succeeded_is_handed_on_and_the_first_error_is_named():
    runs = failing(pd.DataFrame({"draw": [0, 1, 2], "ndcg": [0.1, 0.2, 0.3]}), "draw > 0")
    assert sweep.succeeded(runs)[["draw", "ndcg"]].values.tolist() == [[0, 0.1]]
    assert sweep.outcome(runs) == "3 trainings, 2 failed, first {'draw': 1}: LookupError: no fold 6"
    assert sweep.outcome(runs, runs).startswith("6 trainings, 4 failed, first {'draw': 1}")
    assert sweep.outcome(sweep.succeeded(runs)) == "1 trainings, 0 failed"


# study 1


@pytest.fixture
def overlapping(rng):
    """Two rankers, four settings, three draws, twelve queries of which one has nothing relevant."""
    values = {name: rng.random((3, 12)) for name in ("baseline", "if-good-3", "mv3", "3-overlap")}
    for by_draw in values.values():
        by_draw[:, 4] = np.nan
    return pd.concat([runs_of(values, ranker) for ranker in ("LambdaRank", "LambdaMART")], ignore_index=True)


def study_1(runs):
    return overlap_runs.tables("by a matrix", runs, np.random.default_rng(0))


def test_settings_are_compared_on_the_draws_that_both_have(overlapping):
    made = study_1(failing(overlapping, "ranker == 'LambdaRank' and setting == 'mv3' and draw == 1"))
    alone = study_1(overlapping[overlapping["draw"] != 1].assign(error=None))
    row = "ranker == 'LambdaRank' and question == 'majority vote or all labels'"
    assert made["comparisons"].query(row)["difference"].tolist() == pytest.approx(
        alone["comparisons"].query(row)["difference"].tolist()
    )
    whole = study_1(overlapping.assign(error=None))
    pd.testing.assert_frame_equal(made["accuracy"].query("ranker == 'LambdaMART'"),
                                  whole["accuracy"].query("ranker == 'LambdaMART'"))  # fmt: skip


@pytest.mark.parametrize("setting", ["baseline", "mv3"])
def test_a_setting_whose_runs_all_failed_is_left_out(overlapping, setting):
    made = study_1(failing(overlapping, f"ranker == 'LambdaRank' and setting == '{setting}'"))
    counts = made["accuracy"].groupby("ranker")["setting"].nunique()
    assert counts.to_dict() == {"LambdaRank": 3, "LambdaMART": 4}
    found = verdicts.of_rankers(verdicts.from_comparisons("01", made["comparisons"], "clean07", "portrait"))
    assert set(found["rankers"]) == {"LambdaRank", "LambdaMART", ""}  # costs depend on no ranker
    if setting == "baseline":
        first = made["accuracy"].query("ranker == 'LambdaRank'")
        assert first["p_value"].isna().all()
        assert "*" not in set(first["stars"])


def test_settings_that_share_no_draw_are_not_compared(overlapping):
    apart = "(setting == 'mv3' and draw > 0) or (setting != 'mv3' and draw == 0)"
    made = study_1(failing(overlapping, apart))
    row = made["comparisons"].query("question == 'majority vote or all labels'").iloc[0]
    assert np.isnan(row["difference"])
    assert made["accuracy"].query("setting == 'mv3'")["p_value"].isna().all()


def test_nothing_that_failed_is_stored_with_the_project(overlapping, tmp_path, monkeypatch):
    monkeypatch.setattr(common, "RESULTS", tmp_path)
    runs = failing(overlapping, "draw == 1")
    for write in (
        lambda: making_overlap.write_label_set("clean07", runs),
        lambda: making_robustness.write({"ties": runs}, []),
    ):
        with pytest.raises(ValueError, match=r"^24 trainings, 8 failed"):
            write()
    assert list(tmp_path.iterdir()) == []


def test_a_run_of_real_people_has_the_error_of_its_fold(rng):
    values = {setting: [[0.5, 0.5]] for setting in ("baseline", "mv4")}
    folds = [runs_of(values, "LambdaMART", fold=fold, instances=1.0, error=None) for fold in range(5)]
    by_fold = failing(pd.concat(folds, ignore_index=True), "setting == 'mv4' and fold == 2")
    costs = ["labels", "instances", "fair_to_good"]
    runs = overlap_runs.whole(by_fold, rng.permutation(10), ["ranker", "setting", "draw"], costs)
    assert runs["error"].isna().tolist() == [True, False]
    assert sweep.outcome(runs).startswith("2 trainings, 1 failed, first {'ranker': 'LambdaMART', 'setting':")
    assert sweep.succeeded(runs)["per_query"].tolist() == [[0.5] * 10]


# study 3


@pytest.fixture
def noisy(monkeypatch):
    """Two rankers, two data sets, three folds, four levels and two draws; and the tied pairs."""
    monkeypatch.setattr("helpers.studies.robustness.tables.SAMPLES", 20)
    kept = dict.fromkeys(["td2003", "mslr"], lambda level: (level, 1 - level**2 / 0.6))
    uniform = robustness_by_hand.runs_of(kept, rankers=["AdaRank", "ListNet"], free=0.6, spread=0.01)
    ties = uniform.query("level == 0")[["ranker", "dataset", "fold"]].assign(positive=0.49)
    judged = uniform.query("level == 0.3").drop(columns="draw").assign(judge="someone", dnoise=0.2)
    return {"uniform": uniform, "judged": judged, "ties": ties}


def study_3_tables(found, failed):
    found = {kind: failing(frame, failed.get(kind, "fold < 0")) for kind, frame in found.items()}
    return robustness_runs.tables(found, np.random.default_rng(0))


def test_the_mean_of_the_other_draws_stands_for_one_that_failed(noisy):
    one = "ranker == 'ListNet' and dataset == 'mslr' and fold == 2 and level == 0.3"
    falls = study_3_tables(noisy, {"uniform": f"{one} and draw == 0"})["falls"]
    kept = noisy["uniform"].query(f"not ({one} and draw == 0)")
    by_fold = kept.query("ranker == 'ListNet' and dataset == 'mslr' and level == 0.3").groupby("fold")["ndcg"].mean()
    measured = falls.query("ranker == 'ListNet' and dataset == 'mslr' and dnoise == 0.3")["performance"]
    assert measured.tolist() == pytest.approx([by_fold.mean()])


def test_a_ranker_without_a_run_in_some_fold_is_left_out_with_a_warning(noisy):
    failed = dict.fromkeys(noisy, "ranker == 'ListNet' and fold == 2")
    with pytest.warns(RuntimeWarning, match="left out for runs that failed: ListNet"):
        made = study_3_tables(noisy, failed)
    assert set(made["falls"]["ranker"]) == set(made["judges"]["ranker"]) == {"AdaRank"}


@pytest.mark.parametrize(
    ("failed", "message"),
    [
        ("fold > 0", "^84 trainings, 84 failed, first"),
        ("fold == 1 and level == 0.1 and dataset == 'mslr'", "^no ranker has a run in every fold .*: 84 trainings, 4 "),
    ],
)
def test_where_no_ranker_of_study_3_is_left_the_error_is_one_line(noisy, failed, message):
    with pytest.raises(ValueError, match=message):
        study_3_tables(noisy, {"uniform": failed})


# study 4


@pytest.fixture
def sampled(rng):
    """Runs of two rankers on the percentages of the first experiment and on the pool of the second."""

    def runs(cells):
        axes = [(ranker, cell, draw) for ranker in ("AdaRank", "ListNet") for cell in cells for draw in range(2)]
        rows = [{"ranker": r, "queries": n, "documents": d, "draw": k, "per_query": rng.random(9).tolist(),
                 "training_queries": 10, "judgments": 80}
                for r, (n, d), k in axes]  # fmt: skip
        return pd.DataFrame(rows)

    percent = runs([(p, 1.0) for p in (0.1, 0.5, 1.0)] + [(1.0, p) for p in (0.1, 0.5)])
    return percent, runs([(n, d) for n in (128, 64, 32, 16) for d in (32, 16, 8, 4, 2)])


@pytest.mark.parametrize(
    ("first", "second", "gone"),
    [
        ("queries == 1 and documents == 0.1", "queries == 0", ("documents or queries", 10)),
        ("queries == 0", "queries == 128 and documents == 32", ("all documents or fewer", 16)),
        ("queries == 0", "queries == 128 and documents == 4", ("fewer queries of 8 documents", 4)),
    ],
)
def test_what_lacks_one_of_its_cells_is_not_compared_and_all_else_is(sampled, first, second, gone):
    whole = depth.comparisons(*sampled, np.random.default_rng(0)).set_index(["ranker", "question", "at"])
    runs = [sweep.succeeded(failing(frame, f"ranker == 'ListNet' and {failed}"))
            for frame, failed in zip(sampled, (first, second), strict=True)]  # fmt: skip
    made = depth.comparisons(*runs, np.random.default_rng(0)).set_index(["ranker", "question", "at"])
    assert ("ListNet", *gone) in whole.index
    assert ("ListNet", *gone) not in made.index
    assert set(made.index) < set(whole.index)
    pd.testing.assert_series_equal(made["difference"], whole.loc[made.index, "difference"])


@pytest.mark.parametrize("experiments", [(0,), (1,), (0, 1)])
def test_a_ranker_whose_runs_all_failed_is_left_out_of_study_4(sampled, experiments):
    runs = [sweep.succeeded(failing(frame, "ranker == 'ListNet'")) if number in experiments else frame
            for number, frame in enumerate(sampled)]  # fmt: skip
    made = depth.comparisons(*runs, np.random.default_rng(0))
    assert ("ListNet" in set(made["ranker"])) == (len(experiments) == 1 and experiments != (0,))
    assert set(verdicts.from_comparisons("04", made, "toy", "real")["ranker"]) <= set(made["ranker"])


def test_the_complete_rankers_are_those_without_a_hole():
    runs = pd.DataFrame({"dataset": "toy", "ranker": ["A", "B", "A"], "fold": 1, "level": [0, 0, 0.1]})
    assert robustness.complete(runs) == ["A"]


def test_surfaces_are_fitted_to_what_succeeded(sampled):
    failed = "ranker == 'ListNet' and (queries == 1 or documents == 32)"
    pool = sweep.succeeded(failing(sampled[1].assign(ndcg=0.5, choice="random"), failed))
    assert set(allocation.losses(pool, np.random.default_rng(0))["ranker"]) == {"AdaRank", "ListNet"}
