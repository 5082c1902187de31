"""Settings of a pool of judges that give the label ratios and costs which Yang et al. 2010 print.

    python -m helpers.judge_fit

writes them to `data/results/01/judges`. Nothing that says how well a ranker does is looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

import numpy as np
import pandas as pd
from numpy.polynomial.hermite_e import hermegauss
from scipy.optimize import least_squares

from helpers import assessors, checks, labeling, paths, portrait, results
from helpers.judge_pool import N_GRADES, PER_PAIR, AlikeJudges, Pool, Settings
from helpers.labeling import GOOD

FOLDER = paths.project("data") / "results" / "01" / "judges"
NODES = 15  # of the quadrature over what all judges see in a document
RATIO, COST = "fair_to_good_ratio", "labeling_overhead"

TARGETS = {
    "clean07": {
        RATIO: ("baseline", "mv3", "mv11", "highest-3"),
        COST: ("if-good-3", "good-till-bad"),
    },
    "clean08": {
        RATIO: ("baseline", "mv3", "mv11", "highest-3"),
        COST: ("if-good-3", "good-till-bad"),
    },
    "clean+": {RATIO: ("baseline", "if-good-2", "if-good-3"), COST: ("if-good-2", "if-good-3")},
}
"""What the settings are fitted to, of Tables 6 to 8. Table 8 has no majority, so that only two of them are free."""

START = Settings(leniency=0.0, noise_irrelevant=0.7, noise_relevant=0.7, appeal=0.5)


def printed() -> pd.DataFrame:
    """Tables 6 to 8: frame source, table, label_set, setting, labeling_overhead, training_overhead, ratio."""
    return pd.read_csv(paths.project("data") / "published" / "yang2010_costs.csv")


def grade_shares() -> np.ndarray:
    """(5,) shares of the grades among the documents that the pool labels: those of the MSLR sample."""
    return portrait.open("mslr-sample").grade_shares


def expected(judges: Settings | AlikeJudges, shares: np.ndarray, names: Sequence[str]) -> pd.DataFrame:
    """What the labels of judges come to for a collection, exactly but for the quadrature over a pool's `appeal`.

    Parameters
    ----------
    judges : settings of a pool, or judges who all err by one matrix
    shares : (5,) share of each grade among the documents
    names : labelling schemes whose training labels are single labels, the highest or the majority

    Returns
    -------
    frame, a row for each scheme: labels a pair, and Fair- labels for each of Good or above among the training labels
    """
    chances, weights = _documents(judges, shares)
    known = _moments(chances, weights)
    rows = {}
    for name in names:
        scheme = labeling.parse(name)
        if scheme.kind == "majority":
            found = weights @ assessors.majority(chances, scheme.k)[:, GOOD:].sum(axis=1)
        else:
            found = labeling.expected_good_share(name, known)
        rows[name] = {COST: labeling.expected_cost(name, known), RATIO: (1 - found) / found}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("setting")


def moments(settings: Settings, shares: np.ndarray) -> np.ndarray:
    """(11,) m_1, m_2, … of `labeling.moments` for the labels that a pool gives to documents with these grade shares."""
    return _moments(*_documents(settings, shares))


def fit(label_set: str, start: Settings = START) -> Settings:
    """The settings nearest to what is printed of a label set, by least squares of the logarithms.

    Clean07 and Clean08 have six numbers for the four settings. Clean+ has five that say no more than m_1 and m_2: there
    leniency and one factor on both noises are fitted, from `start`. Any other label set is a ValueError.
    """
    wanted = _targets(label_set)
    names = tuple(dict.fromkeys(setting for setting, _ in wanted))
    whole = label_set != "clean+"
    make = _free if whole else _scaled

    def misses(x: np.ndarray) -> list[float]:
        found = expected(make(start, x), grade_shares(), names)
        return [np.log(found.loc[setting, column] / value) for (setting, column), value in wanted.items()]

    return make(start, least_squares(misses, np.zeros(4 if whole else 2), diff_step=1e-4).x)


def table(fitted: Mapping[str, Settings | AlikeJudges]) -> pd.DataFrame:
    """Printed beside what these judges come to: frame label_set, setting, quantity, printed, fitted, used.

    Parameters
    ----------
    fitted : the judges of each label set

    Returns
    -------
    frame as above; fitted is `expected` of the judges, used whether a pool is fitted to the printed number
    """
    rows = []
    for label_set, judges in fitted.items():
        costs = printed().query("label_set == @label_set").set_index("setting")
        found, used = expected(judges, grade_shares(), tuple(costs.index)), _targets(label_set)
        for setting in costs.index:
            for column in (COST, RATIO):
                row = {"label_set": label_set, "setting": setting, "quantity": column}
                numbers = {"printed": costs.loc[setting, column], "fitted": found.loc[setting, column]}
                rows.append(row | numbers | {"used": (setting, column) in used})
    return pd.DataFrame(rows)


def stored() -> dict[str, Settings]:
    """The settings in `data/results/01/judges` by label set."""
    frame = pd.read_csv(FOLDER / "settings.csv", index_col="label_set")
    return {label_set: Settings(**row) for label_set, row in frame.to_dict(orient="index").items()}


def main() -> None:
    """Fit the pools of the three label sets and store them."""
    fitted = {"clean07": fit("clean07"), "clean08": fit("clean08")}
    fitted["clean+"] = fit("clean+", fitted["clean07"])
    settings = pd.DataFrame({name: asdict(found) for name, found in fitted.items()}).T.rename_axis("label_set")
    tables = {"settings": settings.round(4).reset_index(), "fit": table(fitted).round(4)}
    results.write(FOLDER, tables, {"fitted to": "Yang et al. 2010, Tables 6 to 8"})


def _documents(judges: Settings | AlikeJudges, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Chance of each label (n_kinds, 5), and share (n_kinds,), of kinds of documents: their grade and their appeal.

    Given both, a document's labels are as good as independent draws from the pool's mean chances: 11 judges of 120
    know next to nothing of each other. Judges who err by one matrix see nothing but the grade.
    """
    if isinstance(judges, AlikeJudges):
        return judges.confusion, np.asarray(shares)
    nodes, weights = hermegauss(NODES)
    grades = np.repeat(np.arange(N_GRADES), NODES)
    chances = Pool(judges).label_chances(grades, np.tile(nodes, N_GRADES)).mean(axis=1)
    return chances, np.outer(shares, weights / weights.sum()).ravel()


def _moments(chances: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return weights @ chances[:, GOOD:].sum(axis=1)[:, None] ** np.arange(1, PER_PAIR + 1)


def _targets(label_set: str) -> dict[tuple[str, str], float]:
    """(setting, column) -> the printed number that the settings are fitted to."""
    checks.one_of("label_set", label_set, TARGETS)
    costs = printed().query("label_set == @label_set").set_index("setting")
    return {(name, column): costs.loc[name, column] for column, names in TARGETS[label_set].items() for name in names}


def _free(start: Settings, x: np.ndarray) -> Settings:
    factors = np.exp(x[1:])
    return Settings(
        start.leniency + x[0],
        start.noise_irrelevant * factors[0],
        start.noise_relevant * factors[1],
        start.appeal * factors[2],
    )


def _scaled(start: Settings, x: np.ndarray) -> Settings:
    return replace(
        start,
        leniency=start.leniency + x[0],
        noise_irrelevant=start.noise_irrelevant * np.exp(x[1]),
        noise_relevant=start.noise_relevant * np.exp(x[1]),
    )


if __name__ == "__main__":
    main()
