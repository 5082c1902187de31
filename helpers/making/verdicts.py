"""The stored effects and verdicts.

    python -m helpers.making.verdicts [STUDY …]

writes `data/results/<STUDY>/effects.csv`, of all studies or of those named, from what is stored of their runs, and at
last `data/results/verdicts.csv`, a row a claim.
"""

from __future__ import annotations

import sys

from helpers import checks, paths
from helpers.engine import results
from helpers.studies import ledger
from helpers.studies.effects import EFFECTS

ROOT = paths.project("data") / "results"


def main(*studies: str) -> None:
    """Write the effects of these studies, or of all, and the verdicts on all claims.

    Parameters
    ----------
    studies : numbers, keys of EFFECTS
    """
    for study in studies or EFFECTS:
        checks.one_of("study", study, list(EFFECTS))
        results.write(ROOT / study, {"effects": EFFECTS[study]().round(6)})
    results.write(ROOT, {"verdicts": ledger.judged(ledger.effects()).round(6)})


if __name__ == "__main__":
    main(*sys.argv[1:])
