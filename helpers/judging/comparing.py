"""Which runs win by whose labels: scores of every run, pairs that are told apart, decisions, and orders of runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from helpers.judging.judgments import is_model
from helpers.judging.rankings import ALL, Scored
from helpers.metrics.power import FEWEST_CORRECTED
from helpers.metrics.significance import bootstrap_counts, ends, holm, t_p_value, t_tests

LEVEL = 0.05
"""Of the tests that tell two runs apart, their p-values corrected by Holm for all pairs that one judge compares."""

WITH = "people with "
"""Before the name of a model whose labels make people's more precise, by `powered_mean`."""

PERSON, MODEL = "person", "model"
_DIGITS = 12
_AT_ONCE = 2**22
"""Signs of differences held in memory."""

RUNS = ["run", "by", "kind", "queries", "ndcg", "low", "high", "unjudged"]
TESTED = ["difference", "low", "high", "p_value"]
PAIRS = ["first", "second", "by", "kind", "queries", *TESTED, "apart"]
DECISIONS = ["by", "kind", "queries", "best", "ndcg", "low", "high", "beaten", "unjudged"]
COUNTED = ["apart", "kept", "weaker", "reversed", "added"]
DECISIONS += COUNTED
Side = tuple[pd.DataFrame, pd.DataFrame]
ORDERS = ["judge", "tau", "tau_low", "tau_high", "tau_ap", "tau_ap_low", "tau_ap_high", "kept", "reversed", "needed"]


class Compared(NamedTuple):
    """What `compared` finds, kind being ALL, PERSON, MODEL or WITH, ALL the first and the best run by each first.

    runs : run, by, kind, queries, ndcg, low, high, unjudged (share of what it lists down to the cut-off)
    pairs : first (the better by ALL), second, by, kind, queries, difference, low, high (of the pair alone), p_value
        (corrected by Holm), apart
    decisions : a row a judge: by, kind, queries, best (run), its ndcg, low, high, beaten (runs that it is told apart
        from), unjudged (mean over runs), and of the pairs that ALL tell apart: apart (how many they are), kept (told
        apart by this judge, too), weaker (in the same order, but not told apart), reversed (in the other order);
        added (told apart by this judge alone)
    orders : a row a model: judge, Kendall's tau and tau_ap of its order of runs with that by ALL, on queries that both
        judged, with intervals, shares kept and reversed, needed (share of people's queries that are still to be judged
        if the model's labels are free, 1 - rho^2, rho of a difference of two runs over queries; median over pairs)
    """

    runs: pd.DataFrame
    pairs: pd.DataFrame
    decisions: pd.DataFrame
    orders: pd.DataFrame


NONE = Compared(*(pd.DataFrame(columns=columns) for columns in (RUNS, PAIRS, DECISIONS, ORDERS)))
"""Where there are no runs."""


def compared(names: np.ndarray, scores: Sequence[Scored], *, draws: int, rng: np.random.Generator) -> Compared:
    """Which of the runs of these names wins by people, each person where they are several, each model, and people with
    each model, by what `rankings.scored` found, ALL first where there are people; one sample of queries serves all."""
    weights = bootstrap_counts(scores[0].own.shape[1], draws, rng)
    by_kind = {kind: [found for found in scores if _kind(found.judge) == kind] for kind in (ALL, PERSON, MODEL)}
    leading, people, models = by_kind.values()
    order = np.lexsort((names, -(leading or scores)[0].mean.round(_DIGITS)))
    pair = order[np.stack(np.triu_indices(len(names), 1))]
    alone = [*leading, *(people if len(people) > 1 else []), *models]
    both = [found for found in models if leading and found.shared.sum() >= FEWEST_CORRECTED]
    sides = [_alone(found, weights, names, pair) for found in alone] + [_with(found, names, pair) for found in both]
    runs, pairs = (pd.concat(frames, ignore_index=True) for frames in zip(*sides, strict=True))
    decisions = _decisions(runs, pairs)
    orders = [_order(found, weights, pair) for found in models if found.shared.any()]
    orders = pd.DataFrame(orders, columns=[name for name in ORDERS if name not in ("kept", "reversed")])
    shares = decisions.set_index("by")[["kept", "reversed"]].div(decisions.set_index("by")["apart"], axis=0)
    return Compared(runs, pairs, decisions, orders.join(shares, on="judge")[ORDERS])


def rank_correlations(people: np.ndarray, model: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Kendall's tau-b and tau_ap of the order of runs by a model with that by people, of values (n, n_runs) each.

    tau_ap (Yilmaz, Aslam and Robertson 2008) weighs the top: it is twice the mean, over all runs but the model's first,
    of the share of the runs above them, by the model, that are above them by people, too, less 1. Of runs tied by the
    model none is above the other; tied by people, half. NaN where all runs are tied.
    """
    sides = (np.asarray(side, dtype=np.float64).round(_DIGITS) for side in (people, model))
    by_people, by_model = (side[:, None, :] > side[:, :, None] for side in sides)
    tied = ~(by_people | by_people.swapaxes(1, 2))
    above, right, half = (signs.sum(axis=2) for signs in (by_model, by_model & by_people, by_model & tied))
    alike = (2 * right + half - above).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = np.where(above > 0, (right + half / 2) / above, 0.0).sum(axis=1) / (above > 0).sum(axis=1)
        return alike / np.sqrt(above.sum(axis=1) * by_people.sum(axis=(1, 2))), 2 * shares - 1


def _kind(judge: str) -> str:
    return ALL if judge == ALL else MODEL if is_model(judge) else PERSON


def _alone(found: Scored, weights: np.ndarray, names: np.ndarray, pair: np.ndarray) -> Side:
    """What a judge says, or ALL people, of runs and of pairs of them, positions (2, n_pairs)."""
    values, n = found.own[:, found.known], int(found.known.sum())
    low, high = ends(_means(values, weights[:, found.known])) if n > 1 else np.full((2, len(values)), np.nan)
    unknown = found.mean[pair[0]] - found.mean[pair[1]], *[np.nan] * 3
    tests = t_tests(values[pair[0]] - values[pair[1]])[:4] if n > 1 else unknown
    whose = {"by": found.judge, "kind": _kind(found.judge), "queries": n}
    return _side(whose, names, pair, (found.mean, low, high, found.unjudged), tests)


def _with(found: Scored, names: np.ndarray, pair: np.ndarray) -> Side:
    """What people say with a model, of runs and of the differences between two."""
    runs, of_pairs = found.powered(), found.powered(lambda side: side[pair[0]] - side[pair[1]])
    p_values = t_p_value(of_pairs.estimate, of_pairs.error, of_pairs.n - 2)
    tests = of_pairs.estimate, of_pairs.low, of_pairs.high, p_values
    whose = {"by": WITH + found.judge, "kind": WITH.strip(), "queries": runs.N}
    return _side(whose, names, pair, (runs.estimate, runs.low, runs.high, np.nan), tests)


def _side(whose: dict, names: np.ndarray, pair: np.ndarray, scores: tuple, tests: tuple) -> Side:
    """The frames `runs`, the best first, and `pairs`, p-values corrected for their number, of one judge."""
    runs = pd.DataFrame({"run": names, **dict(zip(RUNS[4:], scores, strict=True))}).assign(**whose)
    pairs = pd.DataFrame({"first": names[pair[0]], "second": names[pair[1]], **dict(zip(TESTED, tests, strict=True))})
    known = pairs["p_value"].notna().all()
    p_value = holm(pairs["p_value"]) if known else np.nan
    pairs = pairs.assign(p_value=p_value, apart=(p_value < LEVEL) & known, **whose)
    return runs.iloc[np.lexsort((names, -runs["ndcg"].round(_DIGITS)))][RUNS], pairs[PAIRS]


def _means(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """(draws, n_runs) means over queries of values (n_runs, n_queries), these drawn so often; NaN where none is."""
    with np.errstate(invalid="ignore"):
        return weights @ values.T / weights.sum(axis=1, keepdims=True)


def _decisions(runs: pd.DataFrame, pairs: pd.DataFrame) -> pd.DataFrame:
    """The frame `decisions`."""
    rows, leading = [], None
    for (by, kind), own in pairs.groupby(["by", "kind"], sort=False):
        scores = runs[runs["by"] == by]
        apart, sign = own["apart"].to_numpy(), np.sign(own["difference"].to_numpy())
        winner = np.where(sign > 0, own["first"], own["second"])
        best = scores["run"].iloc[0]
        row = scores.iloc[0].to_dict() | {"best": best, "beaten": int((apart & (winner == best)).sum())}
        leading = (apart, sign) if kind == ALL else leading
        if leading:
            kept, other = leading[0] & apart & (sign == leading[1]), leading[0] & (sign == -leading[1])
            counts = leading[0].sum(), kept.sum(), (leading[0] & ~kept & ~other).sum(), other.sum()
            row |= dict(zip(COUNTED, map(int, (*counts, (apart & ~leading[0]).sum())), strict=True))
        rows.append(row | {"unjudged": scores["unjudged"].mean()})
    return pd.DataFrame(rows, columns=DECISIONS)


def _order(found: Scored, weights: np.ndarray, pair: np.ndarray) -> dict[str, float | str]:
    """A row of `orders`, without the shares of `decisions`."""
    drawn = np.vstack([np.ones(weights.shape[1]), weights])[:, found.shared]
    people, model = (_means(side[:, found.shared], drawn) for side in (found.others, found.own))
    parts = np.array_split(np.arange(len(drawn)), 1 + people.size * people.shape[1] // _AT_ONCE)
    measured = np.hstack([rank_correlations(people[part], model[part]) for part in parts])
    row: dict[str, float | str] = {"judge": found.judge}
    for name, values in zip(("tau", "tau_ap"), measured, strict=True):
        low, high = ends(values[1:]) if found.shared.sum() > 1 else (np.nan, np.nan)
        row |= {name: values[0], f"{name}_low": float(low), f"{name}_high": float(high)}
    return row | {"needed": _needed(found, pair)}


def _needed(found: Scored, pair: np.ndarray) -> float:
    """1 - rho^2 of the differences of two runs over queries, the median over pairs; NaN where none varies, or there
    are fewer than FEWEST_CORRECTED queries, as of two rho is always 1 or -1."""
    if found.shared.sum() < FEWEST_CORRECTED:
        return np.nan
    rho = found.powered(lambda side: side[pair[0]] - side[pair[1]]).rho
    return float(pd.Series(1 - np.minimum(rho**2, 1)).median())  # rounded, rho may be above 1
