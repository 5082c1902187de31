"""What the kernel of a notebook begins with. Short, as every kernel imports it: it brings nothing else along."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SIDES = ("left", "center", "right")


def line(environment: Mapping[str, str]) -> str:
    """A line of code that has a kernel name its figures, and these variables in its environment."""
    return f"import helpers.command.kernel as _kernel; _kernel.begin({dict(environment)!r}); del _kernel"


def begin(environment: Mapping[str, str]) -> None:
    """Set variables of this process, and have it write beside every figure what it is called, as its plain text."""
    from IPython import get_ipython

    os.environ.update(environment)
    shell = get_ipython()
    formatter = shell.display_formatter.formatters["text/plain"]

    def take_over() -> None:
        formatter.for_type_by_name(
            "matplotlib.figure", "Figure", lambda figure, printer, _: printer.text(name_of(figure))
        )

    for moment in ("pre_execute", "post_execute"):  # matplotlib takes it away where it begins to draw into cells
        shell.events.register(moment, take_over)


def name_of(figure: Figure) -> str:
    """What a figure is called for those who cannot see it: its titles and those of its axes, or what these show."""
    titles = [figure.get_suptitle(), *(axes.get_title(side) for axes in figure.axes for side in _SIDES)]
    return _joined(titles) or _joined(map(_shown, figure.axes)) or "Figure"


def _shown(axes: Axes) -> str:
    return " by ".join(filter(None, [axes.get_ylabel(), axes.get_xlabel()]))


def _joined(texts: Any) -> str:
    """Texts that are not empty, each once and on one line."""
    return "; ".join(dict.fromkeys(filter(None, (" ".join(text.split()) for text in texts))))
