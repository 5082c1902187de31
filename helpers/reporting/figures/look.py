"""One look for every figure: a palette by name, a title that is one line, a text for those who cannot see it, ticks."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator, FuncFormatter, Locator, NullLocator
from matplotlib.transforms import Bbox

COLOURS = sns.color_palette("colorblind")
BLUE, ORANGE, GREEN, RED, PINK, BROWN, ROSE, GREY, YELLOW, SKY = COLOURS
UNJUDGED = "#e4e4e4"

# what has a colour of its own -> that colour, wherever it is drawn
PALETTE = {
    # rankers
    "LambdaRank": GREEN, "LambdaMART": PINK, "RankSVM": SKY, "RankBoost": BROWN, "ListNet": RED, "AdaRank": GREY,
    # what a budget buys, and what it is for
    "queries": BLUE, "documents": ORANGE, "judges": GREEN, "measure": BLUE, "train": ORANGE,
    # families of labelling schemes
    "one label": GREY, "all labels": GREEN, "majority": BLUE, "selective": RED, "weights": PINK,
    "mean, Dawid-Skene": SKY, "highest": BROWN,
    # who judges, what is measured, computed and printed
    "people": BLUE, "machine": ORANGE, "chosen": GREEN, "ours": BLUE, "printed": RED, "measured": BLUE,
    "exact": BLUE, "simulated": ORANGE, "approximate": GREEN, "pNoise": BLUE, "dNoise": ORANGE,
    "weighted kappa": BROWN, "kappa": GREY,
    # collections that are told apart by colour; a portrait has that of its original
    "mq2008": GREEN, "mslr-web10k": BLUE, "mslr-sample": BLUE, "td2003": ORANGE, "ohsumed": GREY, "robust04": RED,
    "clueweb09-webis": PINK, "dbpedia-entity": ROSE, "microblog": SKY,
    # words of a verdict
    "holds": BLUE, "opposite": RED, "too small to matter": "0.75", "cannot tell": "0.92",
    # what stays in the background
    "random": "0.6", "a run": "0.6", "line": "0.4", "band": "0.92", "text": "0.15", "unjudged": UNJUDGED,
}  # fmt: skip

ACROSS = 3  # panels in a row, so that those of six rankers can be read
WIDTH = 9.5  # inches of a figure: 950 pixels in a notebook
SIZES = (12, 11, 10)  # points of a title, the largest that leaves it in one line
# where this variable says so, as in tests, a title that takes more than a line is an error; else it is broken
ONE_LINE = ("LABEL_STUDIES_TITLES", "one line")
RADIUS = 6  # of a point, in points of 1/72 inch
# offsets of a name from its point, the best first: at a slant, where steps and bars through the point do not run
PLACES = [
    (side * across, up)
    for across, ups in ((8, (-8, 8, 0)), (0, (12, -12)), (8, (16, -16, 24, -24, 34, -34)), (20, (44, -44, 56, -56)))
    for up in ups
    for side in ((1, -1) if across else (0,))
]

# which part of a name an offset to the right, to neither side or to the left puts there
ALIGNED = {1: "left", 0: "center", -1: "right"}


def colour(name: str, other: Any = None) -> Any:
    """The colour of what has that name; `other`, where it is given, for names that have none of their own."""
    found = PALETTE.get(str(name).removesuffix("-portrait"), other)
    if found is None:
        raise ValueError(f"no colour for {name!r}, expected one of {', '.join(PALETTE)}")
    return found


def colours(names: Iterable[str]) -> dict[str, Any]:
    """The colour of each name: its own, or the next of those that no name there has."""
    names = list(dict.fromkeys(names))
    own = {name: colour(name, "") for name in names}
    free = iter([each for each in COLOURS if each not in own.values()] + list(COLOURS) * len(names))
    return {name: own[name] or next(free) for name in names}


def set_look() -> None:
    """The look of every figure: white, light grid, colours that a colour-blind reader can tell apart.

    From then on a dollar in a table is a dollar too, and begins no formula.

    >>> with plt.rc_context():
    ...     set_look()
    ...     plt.rcParams["axes.grid"]
    True
    """
    white = {"figure.facecolor": "white", "savefig.facecolor": "white"}  # on a dark page, too
    sns.set_theme(context="notebook", style="whitegrid", palette="colorblind", rc=white)
    pd.set_option("display.html.use_mathjax", False, "styler.html.mathjax", False)


def unread(text: str) -> str:
    """The text as matplotlib takes it where its dollars are dollars, and begin no formula."""
    return str(text).replace("$", r"\$")


def save(drawn: Figure | sns.FacetGrid, path: str | Path) -> None:
    """Write what was drawn to the file at path and close it, so that a notebook does not show it once more.

    >>> from tempfile import TemporaryDirectory
    >>> figure, _ = plt.subplots(figsize=(1, 1))
    >>> with TemporaryDirectory() as folder:
    ...     save(figure, f"{folder}/mine.png")
    ...     [file.name for file in Path(folder).iterdir()]
    ['mine.png']
    """
    drawn.savefig(path, dpi=100)
    plt.close(drawn.figure)


def whose(drawn: Figure | sns.FacetGrid, data: str) -> Figure | sns.FacetGrid:
    """What was drawn, with a line above it that says of which data it is."""
    drawn.figure.text(0, 1.01, f"data: {unread(data)}", fontsize="small", color="0.35", ha="left", va="bottom")
    return drawn


def headed(figure: plt.Figure, title: str, alt: str = "") -> plt.Figure:
    """The figure with its finding above it, and a text for those who cannot see it.

    A notebook keeps the text with the picture (as `alt` of the output's metadata), from where reports, slides and
    nbconvert take it. Made last: whether the title fits is measured.

    Parameters
    ----------
    figure : what was drawn
    title : the finding, in a line as wide as the figure
    alt : what is drawn, in a sentence or two; the title again where it is empty

    Raises
    ------
    ValueError : in tests, for a title that is wider than the figure; elsewhere it is broken into lines

    Examples
    --------
    >>> figure, _ = plt.subplots(figsize=(3, 2), layout="constrained")
    >>> headed(figure, "Half trains as well", "Two bars of the same height.").get_suptitle()
    'Half trains as well'
    >>> plt.close(figure)
    """
    place = {} if figure.get_layout_engine() else {"y": 1.02, "va": "bottom"}
    drawn = figure.suptitle(unread(title), x=0.01, ha="left", fontsize=SIZES[0], **place)
    room = 0.99 * figure.get_figwidth() * figure.dpi
    for size in SIZES:
        drawn.set_fontsize(size)
        width = Text.get_window_extent(drawn).width
        if width <= room:
            break
    else:
        if os.environ.get(ONE_LINE[0]) == ONE_LINE[1]:
            raise ValueError(f"a title of {width / room:.2f} times the width of its figure: {title!r}")
        drawn.set_text("\n".join(textwrap.wrap(unread(title), int(len(title) * room / width))))
    return described(figure, alt or title)


def described(figure: plt.Figure, alt: str) -> plt.Figure:
    """The figure with a text for those who cannot see it, which a notebook keeps with the picture."""
    figure.alt = alt
    figure._repr_mimebundle_ = lambda **_: ({}, {"image/png": {"alt": alt}})
    return figure


def plain_ticks(axis: Axis, ticks: Iterable[float] | Locator, shape: str = "{:g}") -> None:
    """Ticks of a logarithmic axis there, and none between, as plain numbers."""
    axis.set_major_locator(ticks if isinstance(ticks, Locator) else FixedLocator(sorted(ticks)))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: shape.format(value)))


def write_names(ax: plt.Axes, x: Sequence[float], y: Sequence[float], names: Sequence[str], size: float = 9) -> None:
    """Write a name beside each point, at the first of PLACES that covers no point and no other name, or the least.

    To be called when the figure is otherwise complete, as places are measured on it.
    """
    ax.figure.canvas.draw()
    dots = ax.figure.dpi / 72
    centres = ax.transData.transform(np.column_stack([x, y]))
    taken = [Bbox([centre - RADIUS * dots, centre + RADIUS * dots]) for centre in centres]
    for i in np.argsort(-centres[:, 1], kind="stable"):
        text = ax.annotate(
            names[i], (x[i], y[i]), PLACES[0], textcoords="offset points", size=size, va="center", in_layout=False,
            arrowprops={"arrowstyle": "-", "color": "0.6", "linewidth": 0.7, "shrinkA": 0, "shrinkB": 3},
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1, "alpha": 0.75},
        )  # fmt: skip
        extent = Text.get_window_extent(text)
        boxes = [_box(centres[i], np.multiply(place, dots), extent) for place in PLACES]
        best = np.argmin([_covered(box, taken[:i] + taken[i + 1 :], ax.bbox) for box in boxes])
        text.set(position=PLACES[best], horizontalalignment=ALIGNED[np.sign(PLACES[best][0])])
        taken.append(boxes[best])


def _box(centre: np.ndarray, offset: np.ndarray, extent: Bbox) -> Bbox:
    """What a name of that extent covers at an offset from its point."""
    left = {1: 0, 0: -extent.width / 2, -1: -extent.width}[np.sign(offset[0])]
    return Bbox.from_bounds(*(centre + offset + (left, -extent.height / 2)), extent.width, extent.height)


def _covered(box: Bbox, others: Sequence[Bbox], inside: Bbox) -> float:
    """Area of a box that lies on others or outside the axes."""
    shared = [Bbox.intersection(box, other) for other in (*others, inside)]
    areas = [common.width * common.height if common else 0.0 for common in shared]
    return sum(areas[:-1]) + box.width * box.height - areas[-1]
