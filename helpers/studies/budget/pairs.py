"""Every two of many systems, by people's labels and by a machine's."""

from __future__ import annotations

import numpy as np
import pandas as pd


def pair_table(systems: pd.DataFrame) -> pd.DataFrame:
    """Every two systems: frame first, second, rho, sd, bias, below (price at which a machine pays), reversed.

    Parameters
    ----------
    systems : frame system, query, people, machine
    """
    people, machine = (systems.pivot(index="query", columns="system", values=name) for name in ("people", "machine"))
    first, second = np.triu_indices(people.shape[1], 1)
    y, f = (table.to_numpy()[:, first] - table.to_numpy()[:, second] for table in (people, machine))
    with np.errstate(divide="ignore", invalid="ignore"):
        rho = ((y - y.mean(axis=0)) * (f - f.mean(axis=0))).mean(axis=0) / (y.std(axis=0) * f.std(axis=0))
        below = np.where(rho > 0, ((1 - np.sqrt(1 - rho**2)) / rho) ** 2, 0.0)
    columns = {
        "first": people.columns[first],
        "second": people.columns[second],
        "rho": rho,
        "sd": y.std(axis=0, ddof=1),
        "bias": (f - y).mean(axis=0),
        "below": below,
        "reversed": np.sign(f.mean(axis=0)) != np.sign(y.mean(axis=0)),
    }
    return pd.DataFrame(columns).dropna()
