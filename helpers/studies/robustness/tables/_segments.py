"""Two lines that meet at a turning point, by least squares."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

CANDIDATES = np.linspace(0.05, 0.95, 181)  # turning points that are tried, as shares of the range of x
NO_HINGE = 1e-12  # sum of squares below which a hinge is a straight line, but for rounding


class Segments(NamedTuple):
    """start + before * x up to the turning point, and with the slope `after` from there on."""

    start: float
    before: float
    after: float
    turning_point: float

    def at(self, x: np.ndarray) -> np.ndarray:
        """Height of the curve at x.

        >>> Segments(1.0, 0.0, -2.0, 0.25).at(np.array([0.25, 0.5]))
        array([1. , 0.5])
        """
        return self.start + self.before * x + (self.after - self.before) * np.maximum(x - self.turning_point, 0)


def fit(x: np.ndarray, y: np.ndarray) -> Segments:
    """The continuous curve of two lines nearest to the points; its turning point is the best of `CANDIDATES`.

    Given the turning point t, the curve is a regression on 1, x and the hinge max(x - t, 0). By how much the hinge
    lowers the sum of squares follows from its residual h on 1 and x: (h'y)^2 / h'h (Frisch and Waugh 1933), so that
    all turning points are tried at once.

    Parameters
    ----------
    x, y : (n,) numbers

    Raises
    ------
    ValueError
        when there are fewer than four points, as many as the curve has coefficients.

    Examples
    --------
    >>> curve = fit([0, 0.1, 0.2, 0.3, 0.4, 0.5], [1, 1, 1, 0.8, 0.6, 0.4])
    >>> round(curve.turning_point, 6), round(curve.after, 6), round(float(curve.at(0.1)), 6)
    (0.2, -2.0, 1.0)
    """
    return fit_each(x, np.asarray(y, dtype=np.float64)[None])[0]


def fit_each(x: np.ndarray, ys: np.ndarray) -> list[Segments]:
    """The curve of `fit` for each row of ys over the same x.

    Parameters
    ----------
    x, ys : (n,) and (n_curves, n) numbers

    Raises
    ------
    ValueError
        as `fit`.
    """
    x, ys = np.asarray(x, dtype=np.float64), np.asarray(ys, dtype=np.float64)
    if len(x) < 4:
        raise ValueError(f"x has {len(x)} points, expected at least 4")
    line = np.column_stack([np.ones_like(x), x])
    candidates = x.min() + CANDIDATES * np.ptp(x)
    hinges = np.maximum(x[:, None] - candidates, 0)
    basis = np.linalg.qr(line)[0]
    residuals = hinges - basis @ (basis.T @ hinges)
    sizes = (residuals**2).sum(axis=0)
    products = ys @ residuals
    bends = np.divide(products, sizes, out=np.zeros_like(products), where=sizes > NO_HINGE)
    best = np.argmax(bends**2 * sizes, axis=1)
    bend = bends[np.arange(len(ys)), best]
    start, before = np.linalg.lstsq(line, ys.T - bend * hinges[:, best], rcond=None)[0]
    ends = zip(start, before, before + bend, candidates[best], strict=True)
    return [Segments(*map(float, values)) for values in ends]
