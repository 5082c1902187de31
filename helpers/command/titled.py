"""What a figure in an executed notebook is called, for those who cannot see it: its titles, or what its axes show.

A kernel that runs `LINES` writes this beside every figure as its plain text, from where `html.page` takes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LINES = "import helpers.command.titled as _titled; _titled.in_kernel(); del _titled"
"""Code for a kernel to begin with."""

SIDES = ("left", "center", "right")


def in_kernel() -> None:
    """Have this kernel say of each figure that it shows what it is called; matplotlib need not be imported yet."""
    from IPython import get_ipython

    shell = get_ipython()
    formatter = shell.display_formatter.formatters["text/plain"]

    def take_over() -> None:
        formatter.for_type_by_name(
            "matplotlib.figure", "Figure", lambda figure, printer, _: printer.text(name_of(figure))
        )

    for moment in ("pre_execute", "post_execute"):  # matplotlib takes it away where it begins to draw into cells
        shell.events.register(moment, take_over)


def name_of(figure: Figure) -> str:
    """The titles of a figure and of its axes; what its axes show where it has none.

    Parameters
    ----------
    figure : with its axes drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> figure = Figure()
    >>> axes = figure.subplots()
    >>> _ = axes.set(xlabel="judgments", ylabel="NDCG@10")
    >>> name_of(figure)
    'NDCG@10 by judgments'
    >>> _ = axes.set_title("Deep beats\\nshallow", loc="left")
    >>> name_of(figure)
    'Deep beats shallow'
    """
    titles = [figure.get_suptitle(), *(axes.get_title(side) for axes in figure.axes for side in SIDES)]
    return _joined(titles) or _joined(map(_shown, figure.axes)) or "Figure"


def _shown(axes: Axes) -> str:
    return " by ".join(filter(None, [axes.get_ylabel(), axes.get_xlabel()]))


def _joined(texts: Any) -> str:
    """Texts that are not empty, each once and on one line."""
    return "; ".join(dict.fromkeys(filter(None, (" ".join(text.split()) for text in texts))))
