"""What the checks of exercises are given beside the answer, made without training: study -> exercise -> how."""

import numpy as np
import pandas as pd

from helpers.engine import results
from helpers.judging.confusion import load_confusions
from helpers.studies import budget, ledger
from helpers.studies.bounds import exercises as bounds
from helpers.studies.bounds.protocol import K
from helpers.studies.budget import stored
from helpers.studies.depth import exercises as depth
from helpers.studies.depth import protocol, tables
from helpers.studies.judgments import exercises as judgments
from helpers.studies.overlap.exercises import WORLDS

PROFILE, LEVELS = (5, 4, 3, 2, 1), np.arange(8)
MADE_UP = {"kept": 1.0, "pnoise": LEVELS / 16, "dnoise": LEVELS % 4, "relative": 1 - LEVELS**2 / 99}

LABELS = np.array([[2, 1, 2, 3, 1], [0, 1, 0, 0, 0], [3, 2, 4, 3, 3], [1, 2, 1, 1, 2], [2, 2, 2, 1, 2], [0, 0, 0, 1, 0],
                   [1, 1, 0, 1, 1], [4, 3, 3, 4, 2]])  # fmt: skip
"""Five people's labels of the notebook's eight documents, in the order in which they are asked."""


def losses():
    kept = results.stored("04")
    found = tables.together({name: kept[name] for name in protocol.COLLECTIONS}, "losses")
    return found.query("ranker == 'LambdaRank'")


GIVEN = {
    "01": {
        1: lambda: (LABELS,),
        2: lambda: (LABELS,),
        4: lambda: (0.02 * np.sin(np.arange(WORLDS)),),
        5: lambda: (lambda seed, setting: 0.0123 * (seed % 3),),
    },
    "02": {
        1: lambda: (PROFILE, K),
        2: lambda: (np.linspace(0.07, 0.15, bounds.WORLDS),),
        3: lambda: (lambda world, habits: (0.4 + 0.01 * world) / habits,),
        4: lambda: (PROFILE, K),
        5: lambda: (PROFILE, load_confusions()["WEB5_truth_vs_worker"].probabilities, K),
    },
    "03": {
        4: lambda: (np.linspace(0.1, 0.6, 20),),
        5: lambda: (lambda seed, ranker: 0.3141 + 0.0123 * seed,),
        6: lambda: (pd.DataFrame(MADE_UP),),
    },
    "04": {
        1: lambda: (depth.small_collection(),),
        2: lambda: (np.random.default_rng(depth.SEED).normal(0.03, 0.04, 20),),
        3: lambda: (lambda world, share: 0.0123 + 0.01 * world * share,),
        4: lambda: (ledger.effects("04"),),
        5: lambda: (losses(),),
    },
    "05": {3: lambda: (5,), 6: lambda: (stored.pilots()["dl21"], budget.Costs(5, 1), 2000.0)},
    "06": {
        2: lambda: (judgments._example(),),
        3: lambda: (np.linspace(0.4, 1, 60) ** 2, 6),
        5: lambda: (np.geomspace(0.02, 1e-4, 300),),
    },
}
