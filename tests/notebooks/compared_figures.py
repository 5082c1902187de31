"""Plugin of pytest: what nbval executes is compared in its figures too, which nbval itself leaves out.

    python -m pytest -p tests.notebooks.compared_figures --nbval notebooks

Where the C library draws other normal numbers than where the notebooks were executed (`tests/draws.py`), notebooks that
train on collections drawn from a portrait are executed, and not compared.

A cell fails where it draws another number of figures than are committed, where one has another size, or where it looks
different. How a PNG was compressed does not matter, nor does what no eye sees: two figures look alike where the mean
colours of all squares of SQUARE pixels do.
"""

import base64
import io

import numpy as np
import pytest
from nbval.plugin import IPyNbCell
from PIL import Image

from tests.draws import OTHERWISE, as_stored

SQUARE = 16
"""Pixels; a digit is about 6 wide and 10 high."""

TOLERANCE = 8
"""Levels of 255 in any channel that the mean colour of a square may differ: a digit that moves by half a pixel does."""

PNG = "image/png"


TRAINING = ("01_overlapping_labels", "03_data_robustness", "04_queries_versus_depth")
"""Notebooks that train on collections drawn from a portrait."""


def pytest_report_header():
    """Say what is not compared."""
    return [] if as_stored() else [f"not compared: {', '.join(TRAINING)}, as {OTHERWISE}"]


def pytest_collection_modifyitems(items):
    """Where portraits are drawn otherwise, only execute the cells of notebooks that train on them."""
    if as_stored():
        return
    for item in items:
        if isinstance(item, IPyNbCell) and item.path.stem in TRAINING:
            item.options["check"] = False


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Compare the figures of a cell once nbval has executed it and found its other outputs as committed."""
    outcome = yield
    if isinstance(item, IPyNbCell) and item.options["check"]:
        for difference in differences(pictures(item.cell.outputs), pictures(item.test_outputs)):
            item.raise_cell_error("Cell figures differ", difference)
    return outcome


def pictures(outputs: list[dict]) -> list[str]:
    """The PNG pictures among the outputs of a cell, in base64 as notebooks hold them."""
    return [output["data"][PNG] for output in outputs if PNG in output.get("data", {})]


def differences(committed: list[str], drawn: list[str]) -> list[str]:
    """What differs between two lists of pictures, a sentence each; an empty list where all look alike."""
    if len(committed) != len(drawn):
        return [f"{len(drawn)} figures are drawn, {len(committed)} are committed"]
    pairs = enumerate(zip(committed, drawn, strict=True), start=1)
    found = {number: difference(pixels(old), pixels(new)) for number, (old, new) in pairs}
    return [f"figure {number}: {sentence}" for number, sentence in found.items() if sentence]


def difference(committed: np.ndarray, drawn: np.ndarray) -> str:
    """How a drawn figure, (height, width, 3), differs from the committed one; empty where the two look alike."""
    if committed.shape != drawn.shape:
        old, new = ("{1} x {0}".format(*shape) for shape in (committed.shape, drawn.shape))
        return f"drawn with {new} pixels, committed with {old}"
    apart = np.abs(squares(committed) - squares(drawn)).max(axis=2)
    if apart.max() <= TOLERANCE:
        return ""
    row, column = np.unravel_index(apart.argmax(), apart.shape)
    return (
        f"{np.sum(apart > TOLERANCE)} of {apart.size} squares of {SQUARE} pixels differ by more than {TOLERANCE} of 255"
        f" levels, most the one at x {column * SQUARE}, y {row * SQUARE}: by {apart.max():.0f}"
    )


def pixels(picture: str) -> np.ndarray:
    """(height, width, 3) colours from 0 to 255 of a picture in base64, on white where it is transparent."""
    image = Image.open(io.BytesIO(base64.b64decode(picture))).convert("RGBA")
    white = Image.new("RGBA", image.size, "white")
    return np.asarray(Image.alpha_composite(white, image).convert("RGB"), dtype=np.float64)


def squares(colours: np.ndarray) -> np.ndarray:
    """Mean colours (rows, columns, 3) of squares of SQUARE pixels; those at the right and lower edge may be less."""
    starts = [np.arange(0, length, SQUARE) for length in colours.shape[:2]]
    height, width = (np.diff(start, append=length) for start, length in zip(starts, colours.shape[:2], strict=True))
    sums = np.add.reduceat(np.add.reduceat(colours, starts[0], axis=0), starts[1], axis=1)
    return sums / (height[:, None, None] * width[None, :, None])
