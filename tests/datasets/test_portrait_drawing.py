"""What is drawn from a portrait is the same on every processor, to the last bit."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.datasets import portrait
from helpers.datasets.portrait.drawing import interpolated, product

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
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
    code = f"from test_portrait_drawing import digest\nfor name in {names!r}: print(digest(name))"
    environment = os.environ | PROCESSORS[processor]
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
    assert interpolated(scores, knots, heights) == pytest.approx(np.interp(scores, knots, heights), rel=1e-14)
