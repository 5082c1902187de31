"""Portraits: what they tell of a collection and what they hide, and what is drawn from them."""

import hashlib
import io
import os
import re
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from damage import damaged
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from helpers.datasets import catalog, portrait
from helpers.datasets.collection import Collection, concatenate, offsets_of
from helpers.datasets.portrait import measuring
from helpers.datasets.portrait.drawing import _interpolated, product
from helpers.making import portraits

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
REAL = ["clueweb09-webis", "dbpedia-entity", "microblog", "mq2007-part", "mq2008", "mslr-sample", "ohsumed", "robust04"]


@pytest.fixture(scope="module")
def toy():
    """Sixty queries: a feature that follows the grade, its twin, noise, zeros, a query's own value, and nothing."""
    rng = np.random.default_rng(5)
    group = rng.integers(15, 40, 60)
    query = np.repeat(np.arange(60), group)
    grades = rng.choice(3, size=len(query), p=[0.6, 0.3, 0.1])
    signal = grades + rng.standard_normal(len(query)) + rng.standard_normal(60)[query]
    noise = rng.standard_normal(len(query))
    columns = [
        signal,
        np.exp(signal),
        noise,
        np.maximum(noise - 0.5, 0),
        rng.standard_normal(60)[query],
        np.full(len(query), 7.0),
    ]
    return Collection(np.column_stack(columns), grades, offsets_of(group), name="toy")


@pytest.fixture(scope="module")
def toy_portrait(toy):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measuring, "MOST_DRAWS", 4)
        return portrait.measure(toy, "toy")


def test_a_curve_has_quantiles_at_normal_scores_steps_at_point_masses_and_no_document_at_its_ends():
    knots, values = measuring._curve(np.arange(10_001) / 10_000)
    assert np.interp(norm.ppf([0.25, 0.5, 0.9]), knots, values) == pytest.approx([0.25, 0.5, 0.9], abs=1e-6)
    knots, values = measuring._curve(np.concatenate([np.zeros(300), np.linspace(1, 2, 700)]))
    assert norm.cdf(knots[values == 0].max()) == pytest.approx(0.3)
    values = np.concatenate([[-1e6], np.arange(1000.0), [1e6]])
    assert measuring._curve(values)[1][[0, -1]] == pytest.approx([values[:5].mean(), values[-5:].mean()])


@given(st.lists(st.integers(-5, 5), min_size=12, max_size=200), st.integers(1, 40))
@settings(max_examples=20, deadline=None)
def test_curves_never_fall(values, spread):
    knots, heights = measuring._curve(np.array(values) * spread / 7)
    assert np.all(np.diff(knots) >= 0)
    assert np.all(np.diff(heights) >= 0)


def beyond(values, knots):
    """Of each knot, how many values are as high or higher, and as low or lower, whichever are fewer."""
    ordered = np.sort(values)
    higher = len(ordered) - np.searchsorted(ordered, knots, side="left")
    return np.minimum(higher, np.searchsorted(ordered, knots, side="right"))


def ends(values):
    """Lowest and highest value that may be told: shared by five, or the mean of five."""
    ordered = np.sort(values).astype(np.float64)
    return ordered[:5].mean(), ordered[-5:].mean()


FEATURES_OF_RUNS = {
    "retrieved": lambda rng, n: (rng.random(n) < rng.random()).astype(float),
    "score": lambda rng, n: np.maximum(rng.random(n) - rng.random(), 0),
    "reciprocal rank": lambda rng, n: np.where(rng.random(n) < 0.5, 0, 1 / rng.integers(1, 100, n)),
}


@pytest.mark.parametrize("kind", FEATURES_OF_RUNS)
@given(n=st.integers(12, 3000), seed=st.integers(0, 2**32))
@settings(max_examples=10, deadline=None)
def test_five_values_hide_behind_every_knot_of_a_feature_of_a_run(kind, n, seed):
    values = FEATURES_OF_RUNS[kind](np.random.default_rng(seed), n)
    _, knots = measuring._curve(values)
    assert beyond(values, knots[1:-1]).min(initial=n) >= 5
    assert [knots[0], knots[-1]] == pytest.approx(ends(values))


def test_scores_of_distinct_values_are_normal_quantiles():
    features = np.array([[30.0], [10.0], [20.0], [40.0]])
    found = measuring._normal_scores(features, np.zeros((4, 1)), np.array([False]), np.random.default_rng(0))
    assert found[:, 0] == pytest.approx(norm.ppf([0.625, 0.125, 0.375, 0.875]))


def test_ties_are_broken_as_a_related_feature_suggests():
    rng = np.random.default_rng(3)
    latent = rng.standard_normal(2000)
    features = np.column_stack([np.maximum(latent, 0), latent + 0.1 * rng.standard_normal(2000)])
    found = measuring._normal_scores(features, np.zeros((2000, 1)), np.array([True, True]), rng)
    zero = features[:, 0] == 0
    assert np.corrcoef(found[zero].T)[0, 1] > 0.9
    assert found[zero, 0].max() <= norm.ppf(zero.mean()) + 1e-9


@pytest.mark.parametrize(("last", "contrast", "variance"), [(13.0, 2.0, 0.0), (15.0, 3.0, 1.0)])
def test_contrasts_are_differences_within_queries_with_the_variance_of_their_mean(last, contrast, variance):
    """Grades 0, 1 are at 1, 3 in one query, at 11, 13 or 15 in another; nothing between them counts."""
    c = Collection(np.zeros((4, 1)), [0, 1, 0, 1], [0, 2, 4])
    indicators, values = np.array([[-0.5], [0.5]] * 2), np.array([[1.0], [3.0], [11.0], [last]])
    found = measuring._contrasts(indicators, values, c)
    assert [float(part[0, 0]) for part in found] == pytest.approx([contrast, variance], rel=1e-6, abs=1e-12)


def test_known_effects_are_found_again():
    rng = np.random.default_rng(11)
    group = np.full(400, 50)
    query = np.repeat(np.arange(400), group)
    grades = rng.integers(0, 3, len(query))
    slope = rng.normal(0, 0.3, 400)[query]
    position = (grades - grades.mean()) / grades.std()
    scatter = rng.standard_normal((len(query), 2)) * [0.8, 0.5]
    signal = np.array([0.0, 0.1, 1.0])[grades] + slope * position
    z = scatter + signal[:, None] * [1, 0]
    found = measuring._estimate(z, Collection(z, grades, offsets_of(group)))
    assert found["components"].T @ found["components"] == pytest.approx(np.diag([0.64, 0.25]), abs=0.01)
    assert found["shift"] == pytest.approx(np.array([[0, 0], [0.1, 0], [1, 0]]), abs=0.06)
    slopes = found["components"].T @ np.diag(found["slope"] ** 2) @ found["components"]
    assert np.sqrt(slopes[0, 0]) == pytest.approx(0.3, abs=0.03)
    assert slopes[1, 1] < 0.001
    assert found["spread"] == pytest.approx(1, abs=0.03)


def test_measure_counts_what_can_be_counted_and_shows_no_value_that_a_feature_has_for_one_query(toy, toy_portrait):
    p = toy_portrait
    assert (p.grade_counts == toy.grade_counts(3)).all()
    assert p.varying.tolist() == [True, True, True, True, True, False]
    assert p.graded.tolist() == [True, True, True, True, False, False]
    assert not p.normalised.any()
    assert p.whole.tolist() == [False] * 5 + [True]
    assert np.interp(0, *p.curve(3)) == 0
    assert not np.isin(toy.features[:, 4], p.curve(4)[1]).any()


def test_drawn_features_are_distributed_related_and_ranked_as_measured(toy, toy_portrait):
    c = portrait.draw(toy_portrait, 600, np.random.default_rng(1))
    assert measuring.cross_validated(c) == pytest.approx(measuring.cross_validated(toy), abs=0.03)
    drawn, own = c.features, c.features[:, 4]
    assert (drawn[:, 3] == 0).mean() == pytest.approx((toy.features[:, 3] == 0).mean(), abs=0.02)
    assert np.quantile(drawn[:, 0], [0.1, 0.5, 0.9]) == pytest.approx(
        np.quantile(toy.features[:, 0], [0.1, 0.5, 0.9]), abs=0.15
    )
    assert np.corrcoef(drawn[:, 0], np.log(drawn[:, 1]))[0, 1] > 0.97
    assert (drawn[:, 5] == 7).all()
    assert (own == own[c.offsets[:-1]][c.query_index]).all()  # constant within queries
    assert len(np.unique(own)) > 300


def test_a_stronger_portrait_is_easier_to_rank(toy_portrait):
    weak, strong = (
        measuring.cross_validated(portrait.draw(replace(toy_portrait, strength=s), 60, np.random.default_rng(1)))
        for s in (0.2, 2.0)
    )
    assert strong > weak + 0.1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c.take_queries(np.arange(9)), "has 9 queries, expected at least 10"),
        (lambda c: c.with_grades(np.ones(c.n_docs)), "has grade 1 only"),
        (lambda c: Collection(c.features[:, 4:], c.grades, c.offsets), "no feature that varies within a query"),
    ],
)
def test_what_cannot_be_portrayed_is_refused(toy, change, message):
    with pytest.raises(ValueError, match=message):
        portrait.measure(change(toy), "mine")


def test_impossible_draws_are_refused(toy_portrait, rng):
    with pytest.raises(ValueError, match="n_queries is 0"):
        portrait.draw(toy_portrait, 0, rng)
    assert portrait.draw(toy_portrait, 9, rng, min_docs=30).group.min() >= 30
    with pytest.raises(ValueError, match="min_docs is 1000, but the longest query of toy has 39 documents"):
        portrait.draw(toy_portrait, 5, rng, min_docs=1000)


def test_all_portraits_are_here_and_an_unknown_one_is_refused():
    assert portrait.names() == sorted([*REAL, "td2003"])
    with pytest.raises(ValueError, match=r"portrait is 'letor', expected one of .*mslr-sample"):
        portrait.open("letor")


@pytest.mark.parametrize("name", [*REAL, "td2003"] if LARGE else ["mq2008", "mslr-sample", "dbpedia-entity"])
def test_a_shipped_portrait_draws_what_it_describes(name):
    p = portrait.open(name)
    c = portrait.draw(p, len(p.grade_counts), np.random.default_rng(2))
    assert c.name == f"like {name}"
    assert np.bincount(c.grades) / c.n_docs == pytest.approx(p.grade_shares, abs=1e-12)
    low, high = np.minimum.reduceat(c.features, c.offsets[:-1]), np.maximum.reduceat(c.features, c.offsets[:-1])
    constant, unit = low == high, p.normalised
    assert (constant | ((low == 0) & (high == 1)))[:, unit].all()
    assert (constant[:, ~p.graded]).all()
    assert (c.features[:, p.whole] == np.rint(c.features[:, p.whole])).all()
    for j in range(p.n_features):
        knots = np.rint(p.curve(j)[1]) if p.whole[j] else p.curve(j)[1]
        ends = (0, 1) if unit[j] else (knots.min(), knots.max())
        assert ends[0] <= c.features[:, j].min() <= c.features[:, j].max() <= ends[1]


@given(n_queries=st.integers(1, 200), seed=st.integers(0, 2**32))
@settings(max_examples=5, deadline=None)
def test_any_size_is_drawn_and_the_seed_decides(n_queries, seed):
    p = portrait.open("mq2008")
    first, second = (portrait.draw(p, n_queries, np.random.default_rng(seed)) for _ in range(2))
    assert first.n_queries == n_queries
    assert (first.features == second.features).all()
    assert (first.grades == second.grades).all()


def test_twins_of_td2003_resemble_the_feature_they_double():
    c = portrait.draw(portrait.open("td2003"), 10, np.random.default_rng(0))
    assert c.n_features == 64
    assert np.corrcoef(c.features[:, 10], c.features[:, 52])[0, 1] == pytest.approx(0.95, abs=0.02)
    assert c.group.mean() == pytest.approx(981, abs=1)


def test_the_shipped_portrait_is_that_of_the_real_collection(real_data):
    c, p = catalog.load("ohsumed"), portrait.open("ohsumed")
    assert sorted(p.grade_counts.tolist()) == sorted(c.grade_counts(3).tolist())
    drawn = portrait.draw(p, c.n_queries, np.random.default_rng(0))
    assert (drawn.features == 0).mean(axis=0) == pytest.approx((c.features == 0).mean(axis=0), abs=0.03)
    assert drawn.features.mean(axis=0) == pytest.approx(c.features.mean(axis=0), abs=0.03)


@pytest.mark.parametrize("name", REAL if LARGE else ["dbpedia-entity", "mq2008"])
def test_five_documents_or_queries_hide_behind_every_knot_of_a_shipped_curve(real_data, name):
    c, p = concatenate(portraits.parts(name)), portrait.open(name)
    by_query = c.features[c.offsets[:-1]]
    for j in range(p.n_features):
        knots = p.curve(j)[1]
        values = (c.features if p.graded[j] else by_query)[:, j]
        assert beyond(values, knots[1:-1]).min(initial=5) >= 5, j
        lowest, highest = ends(values)
        half = [np.spacing(np.float32(abs(end))) / 2 for end in (lowest, highest)]  # knots are float32
        assert lowest - half[0] <= knots[0] <= knots[-1] <= highest + half[1], j


# Files

MUTANTS = 10_000 if LARGE else 40


@pytest.fixture(scope="module")
def small():
    """A portrait of few numbers, so that most of its file is structure."""
    own = portrait.open("ohsumed")
    return replace(own, grade_counts=own.grade_counts[:12])


@pytest.fixture(scope="module")
def content(small, tmp_path_factory):
    return portrait.save(small, tmp_path_factory.mktemp("whole") / "own.npz").read_bytes()


def changed_inside(content, rng):
    """One value of one array is another, or no number; the archive is whole, and has the old checksum or none."""
    with np.load(io.BytesIO(content)) as parts:
        arrays = dict(parts)
    name = rng.choice([name for name, array in arrays.items() if array.dtype.kind == "f" and array.size])
    values = arrays[name] = np.atleast_1d(arrays[name]).copy()
    values.flat[int(rng.integers(values.size))] = rng.choice([np.nan, np.inf, 0.123, -4.0])
    arrays[name] = values if values.size > 1 else values[0]
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue() + content[-64:] * int(rng.integers(2))


def equal(first, second):
    pairs = zip(asdict(first).values(), asdict(second).values(), strict=True)
    return all(np.array_equal(mine, other) for mine, other in pairs)


def test_a_mutated_portrait_is_the_same_or_refused_by_name(small, content, tmp_path):
    rng, path, n_refused = np.random.default_rng(2012), tmp_path / "mutant.npz", 0
    for number in range(MUTANTS):
        path.write_bytes((damaged, damaged, changed_inside)[number % 3](content, rng))
        try:
            assert equal(portrait.load(path), small)
        except ValueError as error:
            message = str(error)
            assert message.startswith(f"{path}: expected a portrait") and "\n" not in message  # noqa: PT018
            n_refused += 1
    assert n_refused > 0.9 * MUTANTS


def test_parts_of_another_release_are_refused(small, tmp_path, monkeypatch):
    monkeypatch.setattr("helpers.datasets.portrait.files.asdict", lambda p: asdict(p) | {"new": np.zeros(1)})
    path = portrait.save(small, tmp_path / "own.npz")
    monkeypatch.undo()
    with pytest.raises(ValueError, match=re.escape(f"{path}: expected a portrait of this release") + ".*'new'"):
        portrait.load(path)


def test_numpy_opens_a_portrait(small, content):
    with np.load(io.BytesIO(content)) as parts:
        assert set(parts.files) == set(asdict(small)) - {"name", "source"} | {"texts"}
        assert (parts["grade_counts"] == small.grade_counts).all()


def test_a_path_names_a_portrait(small, tmp_path, monkeypatch):
    path = portrait.save(small, tmp_path / "mine.npz")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert equal(portrait.named(str(path)), small)
    assert equal(portrait.named("~/mine.npz"), small)
    assert portrait.named(str(path.with_suffix(".txt"))) is None
    with pytest.raises(FileNotFoundError, match=r"nowhere\.npz"):
        portrait.named("nowhere.npz")


# Drawn on every processor

N_QUERIES = 40
FEATURES = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
OTHER_NUMPY = {"NPY_DISABLE_CPU_FEATURES": " ".join(FEATURES)}
PROCESSORS = {
    "haswell-generic": OTHER_NUMPY | {"OPENBLAS_CORETYPE": "Haswell", "NUMBA_CPU_NAME": "generic"},
    "zen": {"OPENBLAS_CORETYPE": "Zen"},
    "no-fma": OTHER_NUMPY | {"OPENBLAS_CORETYPE": "Nehalem", "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F"},
}


def digest(name):
    drawn = portrait.draw(portrait.open(name), N_QUERIES, np.random.default_rng(1))
    return hashlib.sha256(drawn.features.tobytes() + drawn.grades.tobytes()).hexdigest()


def digests_elsewhere(names, processor):
    """What `digest` says in a process that takes this machine for another one."""
    code = f"from test_portrait import digest\nfor name in {names!r}: print(digest(name))"
    environment = os.environ | PROCESSORS[processor] | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, env=environment, cwd=Path(__file__).parent, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout.split()


@pytest.mark.skipif(not LARGE, reason="compiles all again for another processor: LABEL_STUDIES_TESTS=all")
@pytest.mark.parametrize("processor", PROCESSORS)
def test_a_draw_is_the_same_on_every_processor(processor):
    names = portrait.names()
    assert digests_elsewhere(names, processor) == [digest(name) for name in names]


def test_a_product_is_summed_from_the_first_column_to_the_last():
    # 1 is lost beside 1e16, which is then taken away again; in any other order something of it is left.
    assert product(np.array([[1.0, 1e16, -1e16, 1.0]]), np.ones((4, 1)))[0, 0] == 1
    assert product(np.array([[1.0, 1.0, 1e16, -1e16]]), np.ones((4, 1)))[0, 0] == 2


def test_a_product_is_not_fused_with_the_sum():
    x = np.float32(1 + 2**-12)  # whose square needs a bit more than float32 has
    assert product(np.array([[-1, x]], np.float32), np.array([[np.float32(x * x)], [x]], np.float32))[0, 0] == 0


@given(st.integers(1, 4), st.integers(1, 9), st.integers(1, 2500), st.sampled_from([np.float32, np.float64]))
@settings(max_examples=25, deadline=None)
def test_a_product_is_a_matrix_product(n, m, k, dtype):
    rng = np.random.default_rng(k)
    left, right = rng.standard_normal((m, n)).astype(dtype).T, rng.standard_normal((k, m)).astype(dtype).T
    assert product(left, right).dtype == dtype
    assert product(left, right) == pytest.approx(left @ right, abs=1e-4 if dtype == np.float32 else 1e-12)


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=12), st.lists(st.floats(-6, 6), max_size=20))
def test_curves_are_read_off_as_numpy_does(knots, scores):
    knots = np.sort(np.array(knots, np.float32))
    heights, scores = np.arange(len(knots), dtype=np.float32) ** 2, np.array(scores, np.float32)
    assert _interpolated(scores, knots, heights) == pytest.approx(np.interp(scores, knots, heights), rel=1e-14)
