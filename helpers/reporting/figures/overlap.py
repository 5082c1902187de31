"""The figures of study 1, what several labels of a document are worth: those of its paper, and what goes beyond it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.colors import ListedColormap

from helpers.judging import schemes
from helpers.judging.crowd import BestJudge
from helpers.judging.pool import COST, RATIO, Settings
from helpers.reporting.answers import listed
from helpers.reporting.figures.forms import legend, log_ticks, panels, zero_line
from helpers.reporting.figures.look import UNJUDGED, WIDTH, colour, colours, headed

POINTS = "gain over one label [points of NDCG@3]"

# kind of a `schemes.Scheme` -> the family of labelling schemes that has its colour
KINDS = {
    "overlap": "all labels",
    "majority": "majority",
    "if-good": "selective",
    "till-bad": "selective",
    "weighted": "weights",
    "gain": "mean, Dawid-Skene",
    "if-good-gain": "mean, Dawid-Skene",
    "round": "mean, Dawid-Skene",
    "dawid-skene": "mean, Dawid-Skene",
    "highest": "highest",
}
# a use of several labels, as study 1 on people names it, -> its family
USES = {
    "if-good-k": "selective",
    "one fine label": "mean, Dawid-Skene",
    "one fine label, equal cost": "mean, Dawid-Skene",
}
# a way to double a budget -> what it buys
WAYS = {"another query": "queries", "another document": "documents", "another judge": "judges"}

DOT, DIAMOND = {"linestyle": "", "marker": "o", "color": "0.4"}, {"linestyle": "", "marker": "D", "color": "0.15"}
HOLLOW = {"markerfacecolor": "white"}
PRINTED = DIAMOND | {"fillstyle": "none", "markersize": 8}
SLIDES = {"linestyle": "", "marker": "x", "color": "0.5", "markersize": 8}
QUANTITIES = {COST: "labels bought a pair", RATIO: "Fair- training labels for each Good+ one"}


def answer(gains: pd.DataFrame, title: str) -> plt.Figure:
    """What several labels of real people gain over one: a row a collection, what they come to (diamonds), and a
    reader's own run (black); frame use, where, effect, low, high, kind. Hollow costs no more than one label a document.
    """
    rows, uses = list(dict.fromkeys(gains["where"])), list(dict.fromkeys(gains["use"]))
    figure, ax = plt.subplots(figsize=(WIDTH, 0.46 * len(rows) + 1.6), layout="constrained")
    zero_line(ax, upright=True)
    for row in gains.to_dict("records"):
        place = rows.index(row["where"]) + 0.22 * (uses.index(row["use"]) - (len(uses) - 1) / 2)
        tint = colour("text") if row["kind"] == "own" else colour(USES[row["use"]])
        _interval(ax, row, place, tint, row["use"].endswith("equal cost"), row["kind"] == "pooled")
    ax.set(yticks=range(len(rows)), yticklabels=rows, ylim=(len(rows) - 0.4, -0.6), xlabel=POINTS)
    ax.grid(visible=False, axis="y")
    hollow = {use: HOLLOW if use.endswith("equal cost") else {} for use in uses}
    legend(figure, {use: DOT | {"color": colour(USES[use])} | hollow[use] for use in uses})
    return headed(figure, title, f"{title}. A row for each of {listed(rows)}; gains of {listed(uses)}, with intervals.")


def bought_labels(labels: np.ndarray, settings: Sequence[str], title: str = "", good: int = schemes.GOOD) -> plt.Figure:
    """What schemes buy of the labels of a few pairs, a panel each; on the right of a row what a ranker trains on."""
    labels = np.asarray(labels)
    n_grades = int(labels.max()) + 1
    figure, axes = panels(settings, 0.36 * len(labels) + 1.5, across=len(settings), sharey=True)
    for setting, ax in zip(settings, axes, strict=True):
        sample = schemes.collect(setting, labels, None, good=good)
        _bought(ax, labels, sample, n_grades)
        counted = f"{sample.labels_bought} labels bought\n{len(sample.rows)} training instances"
        ax.set_title(f"{setting}\n{counted}", fontsize=11)
    axes[0].set_ylabel("document")
    axes[0].set_yticks(np.arange(len(labels)) + 0.5, np.arange(len(labels)) + 1, rotation=0)
    square = {"linestyle": "", "marker": "s", "markersize": 11}
    tints = {f"grade {grade}": tint for grade, tint in enumerate(_grades(n_grades))} | {"not bought": UNJUDGED}
    legend(figure, {name: square | {"color": tint} for name, tint in tints.items()}, across=len(tints))
    return headed(
        figure, title, f"{title}. Squares of documents by judges, coloured where {listed(settings)} buy a label."
    )


def printed_gains(tables: Mapping[str, pd.DataFrame], title: str) -> plt.Figure:
    """Gains over the baseline, ours with their intervals beside the printed ones: a panel a table of the paper, its
    settings in the paper's order; frame setting, ours, low, high, paper, slides, in NDCG.
    """
    figure, axes = panels(list(tables), 0.3 * max(map(len, tables.values())) + 1.4, across=len(tables))
    for ax, rows in zip(axes, tables.values(), strict=True):
        zero_line(ax, upright=True)
        for place, row in enumerate(rows.rename(columns={"ours": "effect"}).to_dict("records")):
            _interval(ax, row, place, colour(family(row["setting"])))
        other = rows["slides"].where((rows["slides"] - rows["paper"]).abs() > 5e-4)
        ax.plot(100 * rows["paper"], range(len(rows)), **PRINTED)
        ax.plot(100 * other, range(len(rows)), **SLIDES)
        ax.set(yticks=range(len(rows)), yticklabels=rows["setting"], ylim=(len(rows) - 0.5, -0.5), xlabel=POINTS)
    legend(figure, {"ours": DOT, "printed": PRINTED, "slides, where they differ": SLIDES})
    return headed(figure, title, f"{title}. Schemes in the printed order, gains as printed and ours: {listed(tables)}.")


def if_good_curves(table: pd.DataFrame, title: str) -> plt.Figure:
    """Gain by the k of if-good-k, good-till-bad beside it (Figures 4 to 6): a panel a label set, ours with intervals
    and what is printed; frame data, k (inf for good-till-bad), effect, low, high, printed. Nothing is drawn where
    nothing was measured, and no line goes there.
    """
    own = dict(tuple(table.groupby("data", sort=False)))
    figure, axes = panels(list(own), 2.8)
    tint = colour("selective")
    for ax, rows in zip(axes, own.values(), strict=True):
        last = int(rows.loc[np.isfinite(rows["k"]), "k"].max()) + 1
        rows = rows.assign(place=rows["k"].replace(np.inf, last))
        zero_line(ax)
        curve = rows[rows["place"] < last].set_index("place")["effect"].reindex(range(1, last))
        ax.plot(curve.index, 100 * curve, color=tint, linewidth=1)
        ax.vlines(rows["place"], 100 * rows["low"], 100 * rows["high"], color=[tint], linewidth=2)
        ax.plot(rows["place"], 100 * rows["effect"], "o", color=tint)
        ax.plot(rows["place"], 100 * rows["printed"], **PRINTED)
        names = [*range(1, last)] + ["till bad"] * bool(np.isinf(rows["k"]).any())
        ax.set(xticks=range(1, len(names) + 1), xticklabels=names, xlabel="k of if-good-k")
        if ax.get_subplotspec().is_first_col():
            ax.set_ylabel("gain over one label\n[points of NDCG@3]")
    legend(figure, {"ours": DOT | {"color": tint}, "printed": PRINTED})
    return headed(figure, title, f"{title}. NDCG@3 less that of one label, by k, on {listed(own)}.")


def agreement_curves(crowds: Mapping[str, tuple[pd.DataFrame, BestJudge]], title: str) -> plt.Figure:
    """Agreement of m aggregated judges with the truth, beside that of the best judge (Figure 1 of the paper): solid on
    all pairs, dashed on those that the best judge was measured on, thin what the best judge seems to reach.
    """
    many, single = colour("majority"), colour("documents")
    figure, axes = panels(list(crowds), 3.4, across=len(crowds), sharey=True)
    for ax, (agreement, best) in zip(axes, crowds.values(), strict=True):
        ax.plot("m", "agreement", "o-", data=agreement, color=many)
        ax.fill_between(agreement["m"], agreement["low"], agreement["high"], color=many, alpha=0.2)
        ax.plot("m", "held_out", "o--", data=best.majority, color=many)
        ax.axhline(best.honest, color=single, linestyle="--")
        ax.axhline(best.naive, color=single, linewidth=1)
        ax.set(xlabel="labels a pair", xticks=agreement["m"])
    axes[0].set_ylabel("agreement with the truth\n[share of pairs]")
    looks = [(many, "-", "o"), (many, "--", "o"), (single, "--", ""), (single, "-", "")]
    names = [
        "majority, all pairs",
        "majority, the best judge's pairs",
        "best judge, held out",
        "the pairs that chose it",
    ]
    legend(
        figure,
        {name: {"color": c, "linestyle": s, "marker": m} for name, (c, s, m) in zip(names, looks, strict=True)},
    )
    return headed(figure, title, f"{title}. Curves over the number of labels a pair: {listed(crowds)}.")


def grade_shares(tables: Mapping[str, pd.DataFrame], title: str) -> plt.Figure:
    """Which share of somebody's labels has each grade, bars side by side (Figures 2 and 3): frame grade, who, share."""
    figure, axes = panels(list(tables), 3.2, across=len(tables), sharey=True)
    tints = colours(pd.concat(tables.values())["who"])
    for ax, rows in zip(axes, tables.values(), strict=True):
        sns.barplot(rows, x="grade", y="share", hue="who", palette=tints, errorbar=None, ax=ax, legend=False)
        ax.set(xlabel="grade", ylabel="share of labels")
    legend(figure, {who: {"color": tint, "linestyle": "", "marker": "s"} for who, tint in tints.items()})
    return headed(figure, title, f"{title}. Bars of the share of each grade: {listed(tints)}.")


def fitted_costs(table: pd.DataFrame, title: str) -> plt.Figure:
    """Costs and label ratios as printed beside those of the fitted judges (Tables 6 to 8), a row for each label set;
    hollow circles are predictions.
    """
    label_sets = table.groupby("label_set", sort=False)
    heights = [2 + rows["setting"].nunique() for _, rows in label_sets]
    figure, axes = plt.subplots(
        len(heights), len(QUANTITIES), figsize=(WIDTH, 0.27 * sum(heights) + 1.2), sharex="col", sharey="row",
        squeeze=False, layout="constrained", gridspec_kw={"height_ratios": heights},
    )  # fmt: skip
    for (label_set, rows), line in zip(label_sets, axes, strict=True):
        for quantity, ax in zip(QUANTITIES, line, strict=True):
            _fitted(ax, rows[rows["quantity"] == quantity])
            ax.set_title(label_set, fontsize=11)
    for ax, name in zip(axes[-1], QUANTITIES.values(), strict=True):
        ax.set_xlabel(name)
    log_ticks(axes[0, 0].xaxis, (1, 1.5, 2, 3, 5, 8, 11))
    legend(figure, {"printed": PRINTED, "fitted to it": DOT, "predicted": DOT | HOLLOW})
    return headed(figure, title, f"{title}. Printed costs and ratios beside those of the fitted judges.")


def ways_to_double(tables: Mapping[str, pd.DataFrame], title: str) -> plt.Figure:
    """What doubling a budget gains as queries, as documents and as judges, by what it is doubled from."""
    rows = {f"{data}, {ranker}": own for data, table in tables.items() for ranker, own in table.groupby("ranker")}
    figure, axes = panels(list(rows), 2.9, across=2, sharey=True)
    for ax, table in zip(axes, rows.values(), strict=True):
        places = {at: place for place, at in enumerate(dict.fromkeys(table["at"]))}
        zero_line(ax)
        for shift, (way, buys) in zip((-0.2, 0, 0.2), WAYS.items(), strict=True):
            own = table[table["question"] == way]
            x = own["at"].map(places) + shift
            ax.vlines(x, 100 * own["low"], 100 * own["high"], color=[colour(buys)], linewidth=2)
            ax.plot(x, 100 * own["difference"], "o", color=colour(buys), markersize=6)
        names = [f"{own.documents} × {own.labels}" for own in table.drop_duplicates("at").itertuples()]
        ax.set(xticks=range(len(places)), xticklabels=names, xlabel="from documents × labels")
        ax.tick_params(axis="x", labelsize=9)
        ax.grid(visible=False, axis="x")
        if ax.get_subplotspec().is_first_col():
            ax.set_ylabel("gain [points of NDCG@3]")
    legend(figure, {way: DOT | {"color": colour(buys)} for way, buys in WAYS.items()})
    return headed(figure, title, f"{title}. What twice the budget gains in each way, on {listed(rows)}.")


def judge_map(table: pd.DataFrame, judges: Mapping[str, Settings], title: str = "") -> plt.Figure:
    """The setting that wins at equal cost, and its lead over one label (a star: clearly), by the noise of judges."""
    figure, ax = plt.subplots(figsize=(WIDTH, 4.6), layout="constrained")
    wins = table[table["wins"]].drop_duplicates(["noise_irrelevant", "noise_relevant"])
    _winners(ax, wins)
    looks = {name: {"linestyle": "", "marker": "s", "color": colour(name)} for name in map(family, wins["setting"])}
    for (name, settings), marker in zip(judges.items(), cycle("osD^v"), strict=False):
        looks[name] = {"linestyle": "", "marker": marker, "color": "white", "mec": "black", "mew": 1.5, "markersize": 9}
        ax.plot(settings.noise_irrelevant, settings.noise_relevant, label=name, **looks[name])
    ax.set(xlabel="noise about irrelevant documents [grades]", ylabel="noise about relevant documents [grades]")
    legend(figure, looks)
    return headed(figure, title, f"{title}. A map of the scheme that wins by the two noises of the judges.")


def _grades(n_grades: int) -> list[tuple]:
    """A colour for each of n_grades grades, darker the more relevant."""
    return sns.color_palette("crest", n_grades)


def family(setting: str) -> str:
    """The family of a labelling scheme, the setting of a run."""
    scheme = schemes.parse(schemes.current(setting))
    return "one label" if (scheme.kind, scheme.k) == ("overlap", 1) else KINDS[scheme.kind]


def _interval(
    ax: plt.Axes, row: Mapping, place: float, tint: tuple | str, hollow: bool = False, pooled: bool = False
) -> None:
    """A difference with its interval, in points, on a row; what several collections come to is a diamond."""
    ax.plot([100 * row["low"], 100 * row["high"]], [place, place], color=tint, linewidth=3 if pooled else 1.8)
    marker, size = ("D", 9) if pooled else ("o", 7)
    ax.plot([100 * row["effect"]], [place], marker, color=tint, markersize=size, mfc="white" if hollow else tint)


def _bought(ax: plt.Axes, labels: np.ndarray, sample: schemes.LabelSample, n_grades: int) -> None:
    asked = np.take_along_axis(labels, np.argsort(labels < 0, axis=1, kind="stable"), axis=1)
    hidden = np.arange(labels.shape[1]) >= sample.bought[:, None]
    colours = ListedColormap(_grades(n_grades))
    sns.heatmap(
        asked, mask=hidden, ax=ax, cmap=colours, vmin=-0.5, vmax=n_grades - 0.5, annot=True, fmt="d", cbar=False,
        linewidths=1.5, square=True, xticklabels=np.arange(labels.shape[1]) + 1,
    )  # fmt: skip
    ax.set(facecolor=UNJUDGED, xlabel="judge, in the order asked")
    ax.grid(visible=False)
    ax.text(labels.shape[1] + 0.15, -0.3, "trains on", va="center", size=10)
    for pair in range(len(labels)):
        mine = sample.rows == pair
        weighed = zip(sample.meant[mine], sample.weights[mine], strict=True)
        trained = " ".join(f"{label:.3g}" + (f" × {weight:g}" if weight != 1 else "") for label, weight in weighed)
        ax.text(labels.shape[1] + 0.15, pair + 0.5, f"→ {trained}", va="center", size=10)


def _fitted(ax: plt.Axes, rows: pd.DataFrame) -> None:
    ax.hlines(rows["setting"], rows["printed"], rows["fitted"], color="0.8", linewidth=3, zorder=1)
    ax.plot(rows["printed"], rows["setting"], **PRINTED)
    for row in rows.itertuples():
        style, tint = "full" if row.used else "none", colour(family(row.setting))
        ax.plot(row.fitted, row.setting, "o", color=tint, fillstyle=style, markersize=8, mew=2)
    ax.margins(y=0.5 / len(rows))
    if not ax.yaxis_inverted():
        ax.invert_yaxis()


def _winners(ax: plt.Axes, wins: pd.DataFrame) -> None:
    """Cells in the colour of the setting that wins, with its name, its lead, and a star where that is clear."""
    found = list(dict.fromkeys(map(family, wins["setting"])))
    codes = wins.assign(code=[found.index(family(setting)) for setting in wins["setting"]])
    cells = codes.pivot(index="noise_relevant", columns="noise_irrelevant", values="code")
    tints = ListedColormap([colour(name) for name in found])
    ax.pcolormesh(
        cells.columns, cells.index, cells, cmap=tints, vmin=-0.5, vmax=len(found) - 0.5, alpha=0.55, edgecolor="white"
    )
    step = np.diff(np.unique(wins["noise_relevant"])).min()
    for row in wins.itertuples():
        lead = "" if np.isnan(row.difference) else f" {100 * row.difference:+.1f}"
        text = row.setting.replace("baseline", "one label") + lead + " *" * bool(row.clear)
        ax.text(row.noise_irrelevant, row.noise_relevant - 0.45 * step, text, ha="center", va="bottom", size=10)
    ax.set(xticks=wins["noise_irrelevant"].unique(), yticks=wins["noise_relevant"].unique())
    ax.grid(visible=False)
