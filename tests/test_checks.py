import importlib
import inspect
import pkgutil
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import helpers
from helpers import checks
from helpers.datasets import sampling
from helpers.datasets.collection import Collection
from helpers.judging import asking, ceilings, noise, pool, rankings, real_ceilings, replacing
from helpers.judging.agreements import met
from helpers.metrics import average_precision, ndcg, ranking
from helpers.metrics.ranking import checked_offsets
from helpers.rankers import LambdaRank
from helpers.rankers.lambdarank import judged_lists
from helpers.studies.budget.pilot import pilot
from helpers.studies.robustness.trial import predicted_positive


def test_what_is_allowed_passes():
    checks.one_of("good", 2, [1, 2])


@pytest.mark.parametrize("value", ["stduy", None, 3, ["demo"]])
def test_a_refusal_names_argument_value_and_choices(value):
    with pytest.raises(ValueError, match=r"expected one of demo, study$") as refusal:
        checks.one_of("scale", value, ["demo", "study"])
    assert str(refusal.value).startswith(f"scale is {value!r},")


def test_a_way_out_is_worded_as_each_command_takes_it():
    advised = [checks.advice("grades", "so so:1", command) for command in ("run", "judgments", "batch", "")]
    line = 'the line `grades: "so so:1"`'
    assert advised == ["-p grades 'so so:1'", "--grades 'so so:1'", line, "grades='so so:1'"]
    assert checks.some(["query", "doc", "url"], most=2) == "query, doc and 1 more"


# --- cut-offs and offsets, in everything that takes them

GRADES, SCORES, OFFSETS = np.array([0, 1, 2, 0, 1]), np.array([1.0, 3.0, 2.0, 5.0, 4.0]), [0, 3, 5]
COLLECTION = Collection(SCORES[:, None], GRADES, OFFSETS)
FRAME = pd.DataFrame(
    [(q, d, who, (3 * d + len(who)) % 3) for q in "abc" for d in range(3) for who in ("Al", "Bob", "Carl")],
    columns=["query", "doc", "assessor", "grade"],
)
PAIRS = FRAME[["query"]].assign(testing=FRAME["grade"], training=FRAME["grade"].to_numpy()[::-1])
RUN = FRAME.drop_duplicates(["query", "doc"]).assign(score=1.0)
RUNS = [SimpleNamespace(name=name, notes=(), frame=lambda k: RUN.groupby("query").head(k)) for name in "ab"]
SURE, JUDGES = np.array([[0.9, 0.1], [0.2, 0.8]]), pool.Pool(pool.Settings(0, 1, 1, 0))


def rng():
    return np.random.default_rng(0)


CUT = {
    "metrics.ndcg": lambda k: ndcg(GRADES, SCORES, OFFSETS, k),
    "sampling.best_feature": lambda k: sampling.best_feature(COLLECTION, k),
    "asking.worth_asking": lambda k: asking.worth_asking(FRAME, k),
    "asking.repairs": lambda k: asking.repairs(FRAME, k),
    "asking.hidden": lambda k: asking.hidden(FRAME, k, rng=rng()),
    "ceilings.exact": lambda k: ceilings.exact([2, 1], SURE, k),
    "ceilings.approximate": lambda k: ceilings.approximate([2, 1], SURE, k),
    "ceilings.simulated": lambda k: ceilings.simulated([2, 1], SURE, k, draws=2, rng=rng()),
    "ceilings.interval": lambda k: ceilings.interval([2, 1], [[8, 2], [2, 8]], k, draws=2, rng=rng()),
    "ceilings.double_judgments": lambda k: ceilings.double_judgments([2, 1], SURE, k),
    "real_ceilings.real": lambda k: real_ceilings.real(PAIRS, k),
    "real_ceilings.predictions": lambda k: real_ceilings.predictions(PAIRS, 3, k, draws=2, rng=rng()),
    "real_ceilings.held_out": lambda k: real_ceilings.held_out(PAIRS, 3, k, splits=2, rng=rng()),
    "replacing.crossed": lambda k: replacing.crossed(FRAME, k),
    "rankings.of_runs": lambda k: rankings.scored(rankings.of_runs(FRAME, RUNS, k)),
    "rankings.imagined": lambda k: rankings.scored(rankings.imagined(FRAME, k, rng=rng())),
    "lambdarank.judged_lists": lambda k: judged_lists(COLLECTION, None, k),
    "lambdarank.LambdaRank": lambda k: LambdaRank(k=k, epochs=1).fit(SCORES[:, None], GRADES, [3, 2]).net_,
    "pilot.pilot": lambda k: pilot(FRAME, {"a": RUN, "b": RUN}, cutoff=k),
}
PLACED = {
    "metrics.ndcg": lambda offsets: ndcg(GRADES, SCORES, offsets),
    "metrics.average_precision": lambda offsets: average_precision(GRADES, SCORES, offsets),
    "metrics.ranking": lambda offsets: ranking(SCORES, offsets),
    "ranking.checked_offsets": lambda offsets: checked_offsets(offsets, len(GRADES)),
    "collection.Collection": lambda offsets: Collection(SCORES[:, None], GRADES, offsets),
    "agreements.met": lambda offsets: met(np.eye(5, dtype=np.int64), offsets),
    "noise.pnoise": lambda offsets: noise.pnoise(GRADES, GRADES, offsets),
    "pool.Pool.draw": lambda offsets: JUDGES.draw(GRADES, offsets, rng()),
    "pool.Pool.assign": lambda offsets: JUDGES.assign(offsets, rng()),
    "pool.AlikeJudges.draw": lambda offsets: pool.AlikeJudges(np.eye(3)).draw(GRADES, offsets, rng()),
    "trial.predicted_positive": lambda offsets: predicted_positive(GRADES, SCORES, offsets),
}
NEEDED = {"rankings.of_runs", "asking.worth_asking", "asking.repairs", "asking.hidden", "pilot.pilot"}
"""What has no cut-off at the end of the list."""

NO_CUTOFF = st.one_of(
    st.integers(max_value=0),
    st.floats(allow_nan=True).filter(lambda k: not (k >= 1 and k.is_integer())),
    st.booleans() | st.booleans().map(np.bool_),
    st.text(max_size=3)
    | st.sampled_from(["10", "all", b"10", [10], (), {}, 10j, pd.NA, float("inf"), np.float32("inf")]),
)


@st.composite
def no_offsets(draw):
    """What does not rise in whole steps from 0 to the 5 documents."""
    kind = draw(st.sampled_from(["half", "start", "falling", "equal", "text", "missing", "shape", "truth", "short"]))
    return {
        "half": [0, draw(st.floats(0.1, 4.9).filter(lambda x: not x.is_integer())), 5],
        "start": [draw(st.integers().filter(lambda x: x and abs(x) < 2**62)), 5],
        "falling": [0, draw(st.integers(2, 5)), draw(st.integers(0, 1)), 5],
        "equal": [0, 3, 3, 5],
        "text": draw(st.sampled_from([["0", "5"], "05", [0, "x"], b"05"])),
        "missing": [0, draw(st.sampled_from([np.nan, None, pd.NA, np.inf])), 5],
        "shape": draw(st.sampled_from([[[0, 5]], 5, [0, [5]]])),
        "truth": [False, True],
        "short": draw(st.sampled_from([[], [0], None])),
    }[kind]


@pytest.mark.parametrize("name", CUT)
@settings(max_examples=12)
@given(k=NO_CUTOFF)
def test_what_is_no_cutoff_is_refused_by_name(name, k):
    with pytest.raises(ValueError, match=r"(k|cutoff) is .*, expected a whole number of at least 1"):
        CUT[name](k)


@pytest.mark.parametrize("name", CUT)
def test_a_cutoff_may_be_any_whole_number_and_beyond_the_list_is_all_of_it(name):
    first = repr(CUT[name](1))
    assert repr(CUT[name](1.0)) == repr(CUT[name](np.int8(1))) == first
    whole = CUT[name](10**9 if name != "pilot.pilot" else 100)
    if name not in NEEDED and not name.startswith(("replacing", "lambdarank")):
        assert repr(CUT[name](None)) == repr(whole)


@pytest.mark.parametrize("name", PLACED)
@settings(max_examples=20)
@given(offsets=no_offsets())
def test_what_are_no_offsets_is_refused(name, offsets):
    with pytest.raises(ValueError, match=r"offsets|inhomogeneous"):
        PLACED[name](offsets)


@pytest.mark.parametrize("name", PLACED)
def test_offsets_may_be_any_whole_numbers(name):
    for kind in (list, tuple, np.float64, np.int8, np.uint64):
        PLACED[name](kind(OFFSETS) if kind in (list, tuple) else np.array(OFFSETS, dtype=kind))


def test_everything_that_takes_them_is_tried():
    found = {"k": set(), "offsets": set()}
    for module in pkgutil.walk_packages(helpers.__path__, "helpers."):
        if module.name.split(".")[1] in ("metrics", "datasets", "judging"):
            for where, called in public(importlib.import_module(module.name)):
                for argument in found.keys() & inspect.signature(called).parameters.keys():
                    found[argument].add(where)
    tried = {"k": CUT, "offsets": PLACED}
    for argument, names in found.items():
        assert {name.split(".")[-1] for name in names} <= {name.split(".")[-1] for name in tried[argument]}, argument


def public(module):
    """(name, function) of what a module defines for others; of classes that are more than their fields."""
    for name, thing in vars(module).items():
        if name.startswith("_") or getattr(thing, "__module__", None) != module.__name__:
            continue
        if inspect.isclass(thing):
            if "__init__" in vars(thing) and not hasattr(thing, "__dataclass_fields__"):
                yield name, thing
            yield from (
                (f"{name}.{each}", of) for each, of in vars(thing).items() if inspect.isfunction(of) and each[0] != "_"
            )
        elif inspect.isfunction(thing):
            yield name, thing
