"""How many documents must people judge before a model may be trusted? Told from a pilot that both judged.

Queries are the units, as the documents of one query are not independent. Of each query the *pseudo-value* is taken,
n theta - (n - 1) theta(q), with theta(q) the measure without that query (Tukey 1958). With s^2 their variance the 95 %
interval of the measure is W = 2 z s / sqrt(n) wide, z = 1.96, so that (2 z s / W)^2 queries make it W wide. How sure
that is follows from how sure s^2 is: Bonett's (2006) interval of a variance of what need not be normal.

Fewer documents a query than in the pilot are drawn from it at random, so that the balance of its grades is kept. The
alternative annotator test has no such law: queries are drawn again, more and more, until it is passed in POWER of the
draws. How sure that is, pilots tell that are drawn again themselves.
"""

from __future__ import annotations

from dataclasses import replace
from math import ceil, inf, isfinite, log, nan

import numpy as np
import pandas as pd
from scipy import stats

from helpers import checks
from helpers.judging.alternative import FEWEST_UNITS, JUDGES, alternative_tests, held_against, passing
from helpers.judging.judgments import Coded, coded, pattern_of
from helpers.judging.models import confusions, measured
from helpers.metrics.significance import LEVEL

KAPPA, BIAS, TEST = "weighted_kappa", "bias", "test"
WIDTHS = {KAPPA: 0.1, BIAS: 0.2}
"""Of the intervals, as who validates a language model asks for; that of the bias in grades."""

POWER = 0.8
DEPTH = 10
FEWEST, SURE_FROM = 6, 11
"""Queries below which nothing tells how sure a variance is, and from which on one of normal values is sure enough; for
the test, queries of the median person."""

TELLS = 10
"""How many times the lower end of an interval of queries its higher end may be where a pilot tells."""

KNOWN, NEEDED, UNTOLD, NEVER = "known already", "needed", "cannot be told", "not passed by more"
COLUMNS = ["judge", "measure", "queries", "documents", "value", "width", "wanted", "depth", "needed", "low", "high"]
COLUMNS += ["needed_documents", "judgments", "state", "tells_from"]

_Z = stats.norm.ppf((1 + LEVEL) / 2)
_THINNINGS, _DRAWS = 40, 100
_LARGE = 1000  # queries; of as many the test takes one sample of their documents, and a fifth of the draws
_STEPS = 1.25 ** np.arange(-12, 13)  # times the queries of the pilot, of which the test is looked for


def needed(
    judged: pd.DataFrame,
    *,
    kappa: float = WIDTHS[KAPPA],
    bias: float = WIDTHS[BIAS],
    depth: int | None = DEPTH,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Queries and documents that people must judge until each model is known, best by weighted kappa first.

    Parameters
    ----------
    judged : long frame of judgments, of a pilot; models are called "model: ..."
    kappa, bias : how wide the 95 % interval of weighted kappa, and of the bias in grades, may be
    depth : documents a query that people will judge, None for as many as in the pilot
    rng : draws documents, and queries for the test

    Returns
    -------
    frame of COLUMNS: judge, measure (weighted_kappa, bias, and of three people or more test, the alternative annotator
        test), queries and documents of the pilot, value (of a test its winning rate), width in the pilot (of a test
        NaN), wanted (width, or power), depth (documents a query, a mean), needed (queries) and its 95 % interval low to
        high, needed_documents, judgments (by as many people a document as in the pilot), state (KNOWN, NEEDED, UNTOLD
        where the ends lie more than TELLS times apart, NEVER), tells_from (queries of a pilot that could tell, NaN
        where not known)

    Raises
    ------
    ValueError
        as `judgments.coded`; where there is no model, none that judged a document which a person judged, a width is not
        above 0, or the depth is no whole number of at least 1.

    Examples
    --------
    The bias is 0 in half of 40 queries and 1 in the others: s^2 is .25 x 40 / 39, and (2 x 1.96 / .2)^2 s^2 is 98.5.

    >>> rows = [(q, d, who, d + q % 2 * (who > "B")) for q in range(40) for d in (0, 1) for who in ("Al", "model: m")]
    >>> frame = pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade"])
    >>> table = needed(frame, rng=np.random.default_rng(0)).set_index("measure")
    >>> table[["value", "needed", "needed_documents"]].loc["bias"].tolist()
    [0.5, 99.0, 198.0]
    """
    checks.cutoff("depth", depth)
    widths = {KAPPA: kappa, BIAS: bias}
    for argument, width in zip(("kappa", "bias"), widths.values(), strict=True):
        if not 0 < width < inf:
            raise ValueError(f"{argument} is {width}, expected the width of an interval, above 0")
    labels = coded(judged.sort_values(["query", "doc", "assessor"]))
    if labels.people.all():
        raise ValueError(f"judged has no model beside people, {_of_people(labels)}")
    drawn, tests = rng.spawn(2)
    votes = labels.votes_of_people
    thinned = samples(labels, depth, drawn)
    models = sorted(np.flatnonzero(~labels.people), key=lambda model: labels.judges[model])
    people = votes.sum() / votes.any(axis=1).sum() if votes.any() else nan
    rows = []
    for model, own in zip(models, tests.spawn(len(models)), strict=True):
        counts = confusions(labels, model)
        queries = counts.any(axis=(1, 2))
        if queries.any():
            fewer = np.stack([confusions(thin, model) for thin in thinned])
            sizes = {"queries": int(queries.sum()), "documents": round(counts.sum()), "people": people}
            sizes |= {"judge": labels.judges[model], "depth": fewer.sum() / len(fewer) / queries.sum()}
            rows += [sizes | row for row in measures(counts[queries], fewer[:, queries], labels.values, widths)]
            if labels.people.sum() >= JUDGES and (test := _tested(labels, thinned, model, queries, own)):
                rows.append(sizes | test)
    if not rows:
        raise ValueError("judged: no model and person judged the same document, expected a pilot that both judged")
    table = pd.DataFrame(rows)
    table["needed_documents"] = np.ceil((table["needed"] * table["depth"]).round(6))
    table["judgments"] = np.ceil((table["needed_documents"] * table["people"]).round(6))
    kappas = table[table["measure"] == KAPPA].set_index("judge")["value"]
    best = kappas.sort_values(ascending=False, kind="stable").index
    return table.set_index("judge").loc[best].reset_index()[COLUMNS]


def _of_people(labels: Coded) -> str:
    """What to do where nobody is a model: to say who is one, of those who judged what others judged, too."""
    beside_others = np.unique(labels.judge[np.bincount(labels.pair)[labels.pair] > 1])
    if not len(beside_others):
        return "and no two judges judged the same document, expected a pilot that a model and a person judged"
    names = sorted(labels.judges[beside_others])
    said = checks.advice("machines", pattern_of(names[0]))
    return f"expected one: {said}, or whoever it is of {checks.some(names, 20)}"


def samples(labels: Coded, depth: int | None, rng: np.random.Generator) -> list[Coded]:
    """The judgments of so many random documents of every query that people judged, several times; or of all, once."""
    judged = labels.votes_of_people.any(axis=1)
    if depth is None or np.bincount(labels.of_query[judged]).max(initial=0) <= depth:
        return [labels]
    found = []
    for _ in range(_THINNINGS):
        order = np.lexsort((rng.random(len(judged)), ~judged, labels.of_query))
        place = np.empty(len(judged), dtype=np.int64)
        place[order] = np.arange(len(judged)) - labels.offsets[labels.of_query]
        kept = (judged & (place < depth))[labels.pair]
        found.append(replace(labels, pair=labels.pair[kept], judge=labels.judge[kept], grade=labels.grade[kept]))
    return found


def measures(counts: np.ndarray, fewer: np.ndarray, values: np.ndarray, widths: dict[str, float]) -> list[dict]:
    """A row each of kappa and bias: what confusions (n_queries, n_grades, n_grades) show, and how many queries those of
    fewer documents need, (samples, n_queries, n_grades, n_grades)."""
    n, rows = len(counts), []
    whole, thinner = _pseudo(counts, values), _pseudo(fewer.reshape(-1, *counts.shape[1:]), values)
    for measure, width in widths.items():
        value, own = whole[measure]
        seen = 2 * _Z * np.sqrt(own.var() / (n - 1)) if n > 1 else nan
        ends = np.array(_variances(thinner[measure][1].reshape(-1, n))) * (2 * _Z / width) ** 2
        row = {"measure": measure, "value": value, "width": seen, "wanted": width}
        rows.append(row | _said(seen <= width, *ends, n))
    return rows


def _pseudo(counts: np.ndarray, values: np.ndarray) -> dict[str, tuple[float, np.ndarray]]:
    """Of both measures the value, and the pseudo-values of all queries."""
    total, n = counts.sum(axis=0), len(counts)
    found = measured(np.concatenate([total[None], total - counts]), np.full(n + 1, nan), values)
    return {name: (float(found[name][0]), n * found[name][0] - (n - 1) * found[name][1:]) for name in WIDTHS}


def _variances(values: np.ndarray) -> tuple[float, float, float]:
    """The variance of values (samples, n_queries) and the ends of its interval (Bonett 2006)."""
    n = values.shape[1]
    variance = values.var() * n / (n - 1) if n > 1 else nan
    if n < FEWEST or not np.isfinite(variance):
        return variance, 0.0, inf
    if variance < 1e-12:
        return 0.0, 0.0, 0.0
    middle = stats.trim_mean(values.ravel(), 1 / (2 * np.sqrt(n - 4)))
    squares = ((values - middle) ** 2).mean(axis=0)  # of which it is not sure in as much as they differ by query
    kurtosis, correction = (squares**2).mean() / values.var() ** 2, n / (n - _Z)
    half = _Z * correction * np.sqrt((kurtosis - (n - 3) / n) / (n - 1))
    return variance, correction * variance * np.exp(-half), correction * variance * np.exp(half)


def _tested(labels: Coded, thinned: list[Coded], model: int, queries: np.ndarray, rng: np.random.Generator) -> dict:
    """The row of the alternative annotator test of one model; none where no three people judged the same."""
    [now], n = alternative_tests(labels, labels.judges[[model]]).to_dict("records"), int(queries.sum())
    few = thinned[: max(1, _LARGE // (5 * n))]
    held = pd.concat([held_against(thin, model).assign(copy=i) for i, thin in enumerate(few)], ignore_index=True)
    if held.empty:
        return {}
    each = held.groupby("judge")["unit"].nunique().median()  # half of them must be beaten
    held["unit"] = (np.cumsum(queries) - 1)[held["unit"]] + n * held.pop("copy")
    sizes = np.unique(np.maximum(np.rint(n * _STEPS), FEWEST_UNITS)).astype(int)
    draws = int(np.clip(20 * _LARGE // n, 20, _DRAWS))
    pilots = np.vstack([np.arange(n), rng.integers(n, size=(draws, n))])
    low, high = np.zeros(len(pilots), dtype=int), np.full(len(pilots), len(sizes))
    while (low < high).any():  # of all pilots at once, half of the sizes left is ruled out
        middle = np.minimum((low + high) // 2, len(sizes) - 1)
        counts = [_drawn(*own, draws, len(few), rng) for own in zip(sizes[middle], pilots, strict=True)]
        enough = passing(held, np.concatenate(counts)).reshape(len(pilots), draws).mean(axis=1) >= POWER
        low, high = np.where((low < high) & ~enough, middle + 1, low), np.where((low < high) & enough, middle, high)
    first = np.append(sizes, inf)[low]
    ends = np.quantile(first[1:], [0.025, 0.975], method="nearest")
    row = {"measure": TEST, "value": now["winning_rate"], "width": nan, "wanted": POWER}
    few = {"state": UNTOLD, "tells_from": ceil(n * SURE_FROM / each)} if each < SURE_FROM else {}
    return row | _said(now["passes"], first[0], *ends, n) | few


def _drawn(size: int, pilot: np.ndarray, draws: int, copies: int, rng: np.random.Generator) -> np.ndarray:
    """(draws, copies * n_queries) how often each query of a pilot comes up in so many, in each of its copies."""
    units = len(pilot) * copies
    unit = rng.choice(pilot, (draws, size)) + len(pilot) * rng.integers(copies, size=(draws, size))
    cells = (unit + units * np.arange(draws)[:, None]).ravel()
    return np.bincount(cells, minlength=units * draws).reshape(draws, units)


def _said(known: bool, seen: float, low: float, high: float, n: int) -> dict:
    """What a row says of the queries needed, from their number and its interval."""
    wide = not high <= TELLS * low
    state = KNOWN if known and n >= FEWEST else NEVER if low == inf else UNTOLD if wide else NEEDED
    found = {"needed": np.ceil(seen), "low": np.ceil(low), "high": np.ceil(high), "state": state, "tells_from": nan}
    if state == UNTOLD and n < FEWEST:
        found["tells_from"] = SURE_FROM
    elif state == UNTOLD and low > 0 and isfinite(high):
        found["tells_from"] = ceil(n * (log(high / low) / log(TELLS)) ** 2)
    return found
