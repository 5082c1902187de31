"""The figures of study 1 before any ranker is trained: judges and labelling schemes, and the colours of schemes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.colors import ListedColormap
from matplotlib.lines import Line2D

from helpers.judging import schemes
from helpers.judging.crowd import BestJudge
from helpers.judging.pool import COST, RATIO
from helpers.reporting.figures.look import COLOURS, UNJUDGED, in_rows, plain_ticks

MAJORITY, BEST = COLOURS[0], COLOURS[1]

# the colour of every labelling scheme, by what it makes of the labels
FAMILIES = {
    "one label": COLOURS[7],
    "all labels": COLOURS[2],
    "majority": MAJORITY,
    "selective": COLOURS[3],
    "weights": COLOURS[4],
    "mean, Dawid-Skene": COLOURS[9],
    "highest": COLOURS[5],
}

# kind of a `schemes.Scheme` -> its family
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

PRINTED = {"linestyle": "", "color": "0.15", "marker": "D", "fillstyle": "none", "markersize": 8}
QUANTITIES = {COST: "labels bought a pair", RATIO: "Fair- training labels for each Good+ one"}
LABELS = (1, 1.5, 2, 3, 5, 8, 11)


def agreement_curves(panels: Mapping[str, tuple[pd.DataFrame, BestJudge]]) -> plt.Figure:
    """Agreement of m aggregated judges with the truth, beside that of the best judge (Figure 1 of the paper): solid on
    all pairs, dashed on those that the best judge was measured on, thin what the best judge seems to reach.
    """
    figure, axes = in_rows(len(panels), (4.4, 4), legend=2.2, across=len(panels), sharey=True)
    for ax, (title, (agreement, best)) in zip(axes, panels.items(), strict=True):
        ax.plot("m", "agreement", "o-", data=agreement, color=MAJORITY, label="majority, all pairs")
        ax.fill_between(agreement["m"], agreement["low"], agreement["high"], color=MAJORITY, alpha=0.2)
        ax.plot("m", "held_out", "o--", data=best.majority, color=MAJORITY, label="majority, the best judge's pairs")
        ax.axhline(best.honest, color=BEST, linestyle="--", label="best judge, on pairs held out")
        ax.axhline(best.naive, color=BEST, linewidth=1, label="best judge, on the pairs that chose it")
        ax.set(title=title, xlabel="labels a pair", xticks=agreement["m"])
    axes[0].set_ylabel("agreement with the truth [share of pairs]")
    figure.legend(*ax.get_legend_handles_labels(), loc="outside right upper", frameon=False)
    return figure


def label_distribution(shares: Mapping[str, np.ndarray]) -> plt.Figure:
    """Share of each grade among the labels (Figure 3 of the paper), side by side for several sets of labels."""
    long = pd.DataFrame(shares).rename_axis("grade").reset_index().melt("grade", var_name="labels", value_name="share")
    figure, ax = plt.subplots(figsize=(7.5, 3.8), layout="constrained")
    sns.barplot(long, x="grade", y="share", hue="labels", palette=COLOURS[: len(shares)], errorbar=None, ax=ax)
    ax.set(xlabel="grade", ylabel="share of labels")
    sns.move_legend(ax, "center left", bbox_to_anchor=(1, 0.5), title=None, frameon=False)
    return figure


def grade_colours(n_grades: int) -> list[tuple]:
    """A colour for each of n_grades grades, darker the more relevant."""
    return sns.color_palette("crest", n_grades)


def bought_labels(labels: np.ndarray, settings: Sequence[str], title: str = "", good: int = schemes.GOOD) -> plt.Figure:
    """What schemes buy of the labels of a few pairs, a panel each; on the right of a row what a ranker trains on."""
    labels = np.asarray(labels)
    n_pairs, n_judges = labels.shape
    n_grades = int(labels.max()) + 1
    size = 0.45 * n_judges + 1.7, 0.45 * n_pairs + 1.7
    figure, axes = in_rows(len(settings), size, across=len(settings), sharey=True)
    for setting, ax in zip(settings, axes, strict=True):
        sample = schemes.collect(setting, labels, None, good=good)
        _bought(ax, labels, sample, n_grades)
        counted = f"{sample.labels_bought} labels bought\n{len(sample.rows)} training instances"
        ax.set_title(f"{setting}\n{counted}", fontsize=11)
    axes[0].set_ylabel("pair")
    axes[0].set_yticks(np.arange(n_pairs) + 0.5, np.arange(n_pairs) + 1, rotation=0)
    handles = [plt.Rectangle((0, 0), 1, 1, color=colour) for colour in (*grade_colours(n_grades), UNJUDGED)]
    names = [*(f"grade {grade}" for grade in range(n_grades)), "not bought"]
    figure.legend(handles, names, loc="outside lower center", ncols=n_grades + 1, frameon=False)
    figure.suptitle(title)
    return figure


def fitted_costs(table: pd.DataFrame) -> plt.Figure:
    """Costs and label ratios as printed beside those of the fitted judges (Tables 6 to 8), a row for each label set."""
    label_sets = table.groupby("label_set", sort=False)
    heights = [2 + rows["setting"].nunique() for _, rows in label_sets]
    figure, axes = plt.subplots(
        len(heights), len(QUANTITIES), figsize=(11, 0.3 * sum(heights) + 1), sharex="col", sharey="row", squeeze=False,
        layout="constrained", gridspec_kw={"height_ratios": heights},
    )  # fmt: skip
    for (label_set, rows), line in zip(label_sets, axes, strict=True):
        for quantity, ax in zip(QUANTITIES, line, strict=True):
            _fitted(ax, rows[rows["quantity"] == quantity])
            ax.set_title(label_set)
    for ax, name in zip(axes[-1], QUANTITIES.values(), strict=True):
        ax.set_xlabel(name)
    axes[0, 0].set_xscale("log")
    plain_ticks(axes[0, 0].xaxis, LABELS)
    circle = {"linestyle": "", "marker": "o", "markersize": 8, "color": "0.4"}
    handles = [
        Line2D([], [], label="printed", **PRINTED),
        Line2D([], [], label="fitted to it", **circle),
        Line2D([], [], label="predicted", fillstyle="none", **circle),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False)
    return figure


def scheme_colour(setting: str) -> tuple:
    """The colour of a labelling scheme, the setting of a run."""
    return FAMILIES[family(setting)]


def family(setting: str) -> str:
    """The family of a labelling scheme, the setting of a run: a key of FAMILIES."""
    scheme = schemes.parse(schemes.current(setting))
    return "one label" if (scheme.kind, scheme.k) == ("overlap", 1) else KINDS[scheme.kind]


def family_handles(settings: Iterable[str], marker: str = "o") -> list[Line2D]:
    """Entries of a legend for the families of these schemes, the settings of runs, each with that marker."""
    known = {family(setting) for setting in settings}
    return [
        Line2D([], [], linestyle="", marker=marker, color=colour, label=name)
        for name, colour in FAMILIES.items()
        if name in known
    ]


def _bought(ax: plt.Axes, labels: np.ndarray, sample: schemes.LabelSample, n_grades: int) -> None:
    asked = np.take_along_axis(labels, np.argsort(labels < 0, axis=1, kind="stable"), axis=1)
    hidden = np.arange(labels.shape[1]) >= sample.bought[:, None]
    colours = ListedColormap(grade_colours(n_grades))
    sns.heatmap(
        asked, mask=hidden, ax=ax, cmap=colours, vmin=-0.5, vmax=n_grades - 0.5, annot=True, fmt="d", cbar=False,
        linewidths=1.5, square=True, xticklabels=np.arange(labels.shape[1]) + 1,
    )  # fmt: skip
    ax.set(facecolor=UNJUDGED, xlabel="judge, in the order asked")
    ax.grid(visible=False)
    ax.text(labels.shape[1] + 0.15, -0.3, "trains on", va="center", size=10)
    for pair in range(len(labels)):
        ax.text(labels.shape[1] + 0.15, pair + 0.5, f"→ {_trained(sample, pair)}", va="center", size=10)


def _trained(sample: schemes.LabelSample, pair: int) -> str:
    """The training labels of a pair, and their weight where it is not 1."""
    mine = sample.rows == pair
    labels = [f"{grade:.3g}" for grade in sample.meant[mine]]
    weights = [f" × {weight:g}" if weight != 1 else "" for weight in sample.weights[mine]]
    return " ".join(label + weight for label, weight in zip(labels, weights, strict=True))


def _fitted(ax: plt.Axes, rows: pd.DataFrame) -> None:
    ax.hlines(rows["setting"], rows["printed"], rows["fitted"], color="0.8", linewidth=3, zorder=1)
    ax.plot(rows["printed"], rows["setting"], **PRINTED)
    for row in rows.itertuples():
        style = "full" if row.used else "none"
        ax.plot(row.fitted, row.setting, "o", color=scheme_colour(row.setting), fillstyle=style, markersize=8, mew=2)
    ax.margins(y=0.5 / len(rows))
    if not ax.yaxis_inverted():
        ax.invert_yaxis()
