"""The figures of study 6, a reader's own judgments; each says of which data it is, and its title what it shows."""

from __future__ import annotations

import re
from collections.abc import Iterable

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns

from helpers.reporting.figures import forms
from helpers.reporting.figures.look import WIDTH, colour, colours, headed, unread

SHOWN = 15  # judges that can be read
MODELS = 5  # whose dots can be told apart
PERSON, MODEL = colour("people"), colour("machine")
CUT = re.compile(r"; |\.(?= |$)")  # where a title ends


def grade_confusion(table: pd.DataFrame, title: str) -> plt.Figure:
    """Where a grade of one judge is another grade of the next: shares of every row."""
    known = table.dropna()
    known = known.loc[:, known.any()]
    figure, ax = plt.subplots(figsize=(WIDTH, 2.2 + 0.38 * max(len(known), 2)), layout="constrained")
    if known.empty:
        ax.set_axis_off()
        return _told(figure, title)
    sns.heatmap(
        known, annot=len(known) <= SHOWN, fmt=".0%", cmap="crest", vmin=0, vmax=1, ax=ax,
        cbar_kws={"label": "share of the row"},
    )  # fmt: skip
    ax.set(xlabel="grade by another judge", ylabel="grade by one judge")
    return _told(figure, title)


def replacement_rows(table: pd.DataFrame, cutoff: int, title: str) -> plt.Figure:
    """What is lost of nDCG where a judge's ranking takes the place of another's, with its interval, worst first; where
    not all can be shown the worst people and the best models are, of whom titles speak."""
    against = table["difference"].notna().any()
    value, ends = ("difference", "difference_{}") if against else ("reached", "{}")
    known = table.dropna(subset=value).reset_index(drop=True)
    models = known.index[known["model"].astype(bool)]
    people = known.index.difference(models)[: max(SHOWN - len(models), SHOWN // 3)]
    models = models[len(people) - SHOWN :]
    shown = known.loc[people.union(models)].iloc[::-1].reset_index(drop=True)
    more = f"; {len(shown)} of {len(known)} judges compared" if len(shown) < len(known) else ""
    what = (
        f"nDCG@{cutoff} with other judges, less that of rankings by them" if against else f"nDCG@{cutoff} with another"
    )
    figure, ax = _rows(shown["judge"], _over_queries(what, more))
    for model, tint in ((False, PERSON), (True, MODEL)):
        rows = shown[shown["model"].astype(bool) == model]
        _dots(ax, rows[value], rows[ends.format("low")], rows[ends.format("high")], tint)
    if against:
        ax.axvline(0, color="0.3", linewidth=1)
    return _told(figure, title)


def model_rows(table: pd.DataFrame, people: pd.DataFrame, title: str) -> plt.Figure:
    """A row a model, best first, and people among themselves: kappa and weighted kappa with people's grades."""
    shown = pd.concat([table.head(SHOWN), people] if len(people) else [table.head(SHOWN)])
    rows = [
        {"name": row["judge"].removeprefix("model: "), "measure": name, "value": row[key]}
        | {end: row[f"{key}_{end}"] for end in ("low", "high")}
        for row in shown.to_dict("records")
        for name, key in (("weighted kappa", "weighted_kappa"), ("kappa", "kappa"))
    ]
    more = f"; the first {SHOWN} of {len(table)} models" if len(table) > SHOWN else ""
    what = _over_queries("agreement with people's grades", more)
    figure = forms.intervals(pd.DataFrame(rows), what, hue="measure", at=0)
    return _told(figure, title)


def run_rows(table: pd.DataFrame, cutoff: int, title: str) -> plt.Figure:
    """The best runs by people with intervals, models' dots beside; also the run that each model puts first, and how
    many there are."""
    own = table[table["by"] == table["by"].iloc[0]].reset_index(drop=True)
    models = table[table["kind"] == "model"]
    names = models["by"].unique()
    models = models[models["by"].isin(names[:MODELS])]
    firsts = own.index[own["run"].isin(models.groupby("by").head(1)["run"])]
    late = firsts[firsts >= SHOWN]
    shown = own.loc[own.index[: SHOWN - len(late)].union(late)].iloc[::-1].reset_index(drop=True)
    places = dict(zip(shown["run"], shown.index, strict=True))
    few = f"; {len(shown)} of {len(own)} runs" if len(shown) < len(own) else ""
    few += f"; {MODELS} of {len(names)} models" if len(names) > MODELS else ""
    figure, ax = _rows(shown["run"], f"nDCG@{cutoff} ({own['by'].iloc[0]}: 95 % interval over queries{few})")
    _dots(ax, shown["ndcg"], shown["low"], shown["high"], PERSON)
    tints = colours([own["by"].iloc[0], *models["by"].str.removeprefix("model: ").unique()])
    for (name, rows), shift in zip(models.groupby("by", sort=False), np.linspace(-0.3, 0.3, MODELS), strict=False):
        dots = rows[rows["run"].isin(places)]
        tint = tints[name.removeprefix("model: ")]
        ax.scatter(dots["ndcg"], dots["run"].map(places) + shift, s=18, color=tint, zorder=2)
    forms.legend(figure, tints, line="", across=6)
    return _told(figure, title)


def ranking_dots(table: pd.DataFrame, what: str, cutoff: int, title: str) -> plt.Figure:
    """How far each run, or imagined ranking, is off when a judge's labels score it, a row a judge, a dot a ranking; of
    many judges those who are off least, and the one of whom the title speaks."""
    off = table.groupby("judge", sort=False)["bias"].median().abs().sort_values(kind="stable").index
    judges = [judge for place, judge in enumerate(off) if place < SHOWN or f" {judge} " in title]
    more = f";\n{len(judges)} of {len(off)} judges compared" if len(judges) < len(off) else ""
    what = f"nDCG@{cutoff} by the judge, less by the other people; a dot is {what}{more}"
    figure, ax = _rows(judges, what)
    for place, judge in enumerate(judges):
        bias = table.loc[table["judge"] == judge, "bias"]
        tint = MODEL if judge.startswith("model: ") else PERSON
        ax.scatter(bias, np.full(len(bias), place), color=tint, alpha=0.5)
    ax.axvline(0, color="0.3", linewidth=1)
    return _told(figure, title)


def asking_curves(table: pd.DataFrame, title: str) -> plt.Figure:
    """What asking again closes of the gap, chosen and at random, mean over hidden judges; a thin line is one."""
    figure, ax = plt.subplots(figsize=(WIDTH, 4), layout="constrained")
    for name, tint, text in (
        ("chosen", colour("chosen"), "the most worth"),
        ("random", colour("random"), "at random"),
    ):
        for _, rows in table.groupby("judge", sort=False):
            ax.plot(rows["share"], rows[name], color=tint, linewidth=0.8, alpha=0.5)
        weighed = table.assign(closed=table[name] * table["gap"]).groupby("share")[["closed", "gap"]].sum()
        mean = weighed["closed"] / weighed["gap"]
        ax.plot(mean.index, mean, "o-", color=tint, linewidth=2.5)
        if len(mean):
            ax.annotate(
                text, (mean.index[-1], mean.iloc[-1]), (8, 0), textcoords="offset points", color=tint, va="center"
            )
    ax.set(xlabel="labels bought [share of the hidden judge's]", ylabel="nDCG regained [share]")
    ax.set(xlim=(0, 0.62), ylim=(min(0, ax.get_ylim()[0]), 1.05))
    ax.axhline(0, color="0.3", linewidth=1)
    return _told(figure, title)


def _over_queries(what: str, more: str) -> str:
    """What an axis has, in two lines where more is said of it."""
    between = "\n" if more else " "
    return f"{what}{between}(95 % interval over queries{more})"


def _rows(names: Iterable[str], what: str) -> tuple[plt.Figure, plt.Axes]:
    """A figure with a row for each name, from below, and what its axis has."""
    names = [unread(name) for name in names]
    figure, ax = plt.subplots(figsize=(WIDTH, 1.6 + 0.32 * max(len(names), 2)), layout="constrained")
    ax.set(yticks=range(len(names)), yticklabels=names, ylim=(-0.6, len(names) - 0.4), xlabel=what)
    return figure, ax


def _dots(ax: plt.Axes, values: pd.Series, low: pd.Series, high: pd.Series, tint: str) -> None:
    """Values and their intervals, if these are known, in the rows of their index."""
    ax.hlines(values.index, low.fillna(values), high.fillna(values), color=tint, linewidth=2)
    ax.scatter(values, values.index, color=tint, zorder=3)


def _told(figure: plt.Figure, said: str) -> plt.Figure:
    """The figure with the first clause of what is said of it above, all of it for those who cannot see it."""
    return headed(figure, CUT.split(said)[0], said)
