"""The figures of study 6, a reader's own judgments; each says of which data it is, and its title what it shows."""

from __future__ import annotations

import re

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns

from helpers.reporting.figures import forms
from helpers.reporting.figures.look import WIDTH, colour, headed, unread

SHOWN = 15  # judges, or pairs of them, that can be read
FEW = 10
PERSON, MODEL, CHANCE = colour("people"), colour("machine"), colour("random")
ENDS = (("chance", " by chance ", "0.4"), ("equal", " equal ", PERSON))
CUT = re.compile(r"; |\.(?= |$)")  # where a title ends


def judge_agreement(table: pd.DataFrame, title: str) -> plt.Figure:
    """Equal grades of every two judges beside the base rate, those first who agree least by weighted kappa, and below
    them the mean of all pairs, also of those that are not drawn."""
    often = table[table["documents"] >= min(FEW, table["documents"].max())] if len(table) > SHOWN else table
    shown = often.sort_values("weighted_kappa", kind="stable").head(SHOWN).iloc[::-1].reset_index(drop=True)
    names = [f"{row.first} and {row.second} ({row.documents:,})" for row in shown.itertuples()]
    if len(table) > 1:
        means = np.average(table[["chance", "equal"]], axis=0, weights=table["documents"])
        everyone = pd.DataFrame([means], columns=["chance", "equal"])
        shown = pd.concat([everyone, shown[["chance", "equal"]]], ignore_index=True)
        names = [f"all {len(table)} pairs ({table['documents'].sum():,})", *names]
    figure, ax = _rows(len(shown))
    ax.hlines(shown.index, shown["chance"], shown["equal"], color=CHANCE, linewidth=2, zorder=1)
    ax.scatter(shown["chance"], shown.index, color=CHANCE, zorder=2)
    ax.scatter(shown["equal"], shown.index, color=PERSON, zorder=2)
    ax.set(yticks=shown.index, yticklabels=map(unread, names))
    ax.set(xlim=(0, 1.02), xlabel="same grade [share of the documents of both]")
    if len(shown):
        last = len(shown) - 1
        ends = sorted((shown[column].iloc[-1], text, tint) for column, text, tint in ENDS)
        for (place, text, tint), side in zip(ends, ("right", "left"), strict=True):
            ax.annotate(text, (place, last), (0, 8), textcoords="offset points", ha=side, color=tint)
    ax.set_ylim(-0.6, len(shown) + 0.1)
    return _told(figure, title)


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
    not all can be shown the best model, of which the title speaks, is."""
    against = table["difference"].notna().any()
    value, ends = ("difference", "difference_{}") if against else ("reached", "{}")
    known = table.dropna(subset=value).reset_index(drop=True)
    best_model = known.index[known["model"].astype(bool)][-1:]
    shown = known.loc[known.index[:SHOWN].union(best_model)].iloc[::-1].reset_index(drop=True)
    more = f"; {len(shown)} of {len(known)} judges" if len(shown) < len(known) else ""
    figure, ax = _rows(len(shown))
    for model, tint in ((False, PERSON), (True, MODEL)):
        rows = shown[shown["model"].astype(bool) == model]
        low, high = (rows[ends.format(end)].fillna(rows[value]) for end in ("low", "high"))
        ax.hlines(rows.index, low, high, color=tint, linewidth=2)
        ax.scatter(rows[value], rows.index, color=tint, zorder=3)
    what = (
        f"nDCG@{cutoff} with other judges, less that of rankings by them" if against else f"nDCG@{cutoff} with another"
    )
    ax.set(
        yticks=shown.index, yticklabels=shown["judge"].map(unread), xlabel=f"{what} (95 % interval over queries{more})"
    )
    if against:
        ax.axvline(0, color="0.3", linewidth=1)
    ax.set_ylim(-0.6, len(shown) - 0.4)
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
    figure = forms.intervals(
        pd.DataFrame(rows), f"agreement with people's grades (95 % interval over queries{more})", hue="measure", at=0
    )
    return _told(figure, title)


def ceiling_points(table: pd.DataFrame, title: str) -> plt.Figure:
    """The ceiling at several cut-offs, measured with real judges and predicted from one matrix, with intervals."""
    figure, ax = plt.subplots(figsize=(WIDTH, 4), layout="constrained")
    places = np.arange(len(table))
    for shift, name, low, high, text, tint in (
        (-0.08, "ceiling", "low", "high", "measured", PERSON),
        (0.08, "predicted", "predicted_low", "predicted_high", "from one matrix", colour("simulated")),
    ):
        known = table[name].notna().to_numpy()
        ax.vlines(places[known] + shift, table[low][known], table[high][known], color=tint, linewidth=2)
        ax.scatter(places[known] + shift, table[name][known], color=tint, zorder=3)
        if known.any():
            last = np.flatnonzero(known)[-1]
            ax.annotate(
                text, (last + shift, table[name].iloc[last]), (9 if shift > 0 else -9, 0),
                textcoords="offset points", color=tint, va="center", ha="left" if shift > 0 else "right",
            )  # fmt: skip
    ax.set(xticks=places, xticklabels=table["cutoff"], xlim=(-0.6, len(table) - 0.2))
    low, high = ax.get_ylim()
    ax.set_ylim(low - 0.02, min(high + 0.02, 1.02))
    ax.set(xlabel="cut-off k [ranks]", ylabel="nDCG@k of a ranking perfect\nfor one judge, with another")
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


def _rows(n: int) -> tuple[plt.Figure, plt.Axes]:
    """A figure with room for n rows."""
    return plt.subplots(figsize=(WIDTH, 1.6 + 0.32 * max(n, 2)), layout="constrained")


def _told(figure: plt.Figure, said: str) -> plt.Figure:
    """The figure with the first clause of what is said of it above, all of it for those who cannot see it."""
    return headed(figure, CUT.split(said)[0], said)
