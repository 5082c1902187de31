"""The settings of the pool of judges.

    python -m helpers.making.judges

fits them to what Yang et al. print and writes them to `data/results/01/judges`.
"""

from __future__ import annotations

from dataclasses import asdict

import pandas as pd

from helpers.making import common
from helpers.studies.overlap.judge_fit import FOLDER, fit, table


def main() -> None:
    """Fit the pools of the three label sets and store them."""
    fitted = {"clean07": fit("clean07"), "clean08": fit("clean08")}
    fitted["clean+"] = fit("clean+", fitted["clean07"])
    settings = pd.DataFrame({name: asdict(found) for name, found in fitted.items()}).T.rename_axis("label_set")
    tables = {"settings": settings.reset_index(), "fit": table(fitted)}
    common.write(FOLDER, tables, {"fitted to": "Yang et al. 2010, Tables 6 to 8"}, digits=4)


if __name__ == "__main__":
    main()
