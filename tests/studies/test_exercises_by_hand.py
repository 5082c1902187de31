"""Answers of exercises that are worked out by hand are right, and those that are likely to be given instead are not."""

import numpy as np
import pandas as pd
import pytest
from given import GIVEN

from helpers.datasets import sampling
from helpers.judging import noise
from helpers.reporting import exercises
from helpers.studies.bounds import exercises as bounds
from helpers.studies.depth import exercises as depth
from helpers.studies.judgments import exercises as judgments
from helpers.studies.robustness import exercises as robustness

TOY = depth.small_collection()
HALVES = [keep(TOY, 0.5, np.random.default_rng(depth.SEED)) for keep in (sampling.queries, sampling.documents)]
LOG = 1 / np.log2(np.arange(2, 7))  # what each place counts
CASES = [
    (bounds.check_1, 0.68, 0.85, GIVEN["02"][1]()),
    (bounds.check_2, (1.96 * 0.02**0.5 / 0.002) ** 2, 20, ([0.0, 0.2],)),
    (bounds.check_3, 0.017, 0.15, GIVEN["02"][3]()),
    (bounds.check_4, 0.21, 0.2, GIVEN["02"][4]()),
    (bounds.check_5, 0.0, 0.1, ([5, 4, 3, 2, 1], np.eye(5), 10)),
    (robustness.check_1, 1 / 11, 0.25, ()),
    (robustness.check_2, 0.0388, 0.4, ()),
    (robustness.check_3, noise.expected_pnoise([9, 1], 0.1), 0.46, ()),
    (robustness.check_4, 246, 62, ([0.1, 0.3, 0.5],)),
    (robustness.check_5, 0.2, 0.3, (lambda seed, ranker: seed / 10,)),
    (depth.check_1, [depth.pairs(half) for half in HALVES], [5, 5], (TOY,)),
    (depth.check_2, np.ceil(2 * (0.02 * 12.7062 / 0.005) ** 2), 2, ([0.0, 0.04],)),  # Student's half is 12.7 times .02
    (depth.check_3, 0.045, 5, (lambda world, share: share * world / 20,)),
    (
        judgments.check_1,
        [(LOG @ gains) / (LOG @ [7, 7, 3, 1, 0]) for gains in ([1, 7, 0, 3, 7], [7, 7, 3, 0, 1])],
        [1, 1],
        (),
    ),
    (judgments.check_2, 0.25, 0.4, (pd.DataFrame([(0, 0), (0, 1), (1, 1)]),)),  # of 2 / 3 where chance gives 8 / 9
    (judgments.check_4, [2 / 3, 1, 1, 2 / 3], [2 / 3, 1, 1, 1], ()),
    (judgments.check_5, 3, 2, (np.array([4.0, 3, 2, 1]),)),
]


@pytest.mark.parametrize(("check", "right", "wrong", "given"), CASES)
def test_an_answer_is_told_right_from_wrong(check, right, wrong, given, capsys):
    for answer, said in ((right, "Right."), (wrong, exercises.NOT_YET)):
        check(answer, *given)
        assert capsys.readouterr().out.startswith(said)
