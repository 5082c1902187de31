"""Judgments of every shape, and the answers for them."""

import functools

import numpy as np
from judged_by_hand import long

import helpers

RNG = np.random.default_rng(3)
TRUTH = RNG.integers(0, 4, 240)
PEOPLE = {who: np.where(RNG.random(240) < 0.9, TRUTH, RNG.integers(0, 4, 240)) for who in ("Ann", "Bob", "Cy")}
MODELS = {"model: good": TRUTH, "model: turned": 3 - TRUTH} | {f"model: {n}": 3 - TRUTH for n in range(12)}


def noisy(n_docs, n_judges, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.choice(4, n_docs, p=[0.5, 0.2, 0.2, 0.1])
    said = [np.clip(truth + rng.choice([-1, 0, 1], n_docs, p=[0.2, 0.6, 0.2]), 0, 3) for _ in range(n_judges)]
    return {f"person {j}": grades for j, grades in enumerate(said)}


SHAPES = {
    "one judge": long({"a": [0, 1, 2, 3, 0, 1, 2, 3]}),
    "one judgment": long({"a": [1]}),
    "no overlap": long({"a": [0, 1, 2, 3, -1, -1, -1, -1], "b": [-1, -1, -1, -1, 0, 1, 2, 3]}),
    "two judges": long(noisy(80, 2)),
    "two who agree": long({"a": [0, 1, 2, 3] * 12, "b": [0, 1, 2, 3] * 12}),
    "all irrelevant": long({"a": [0] * 12, "b": [0] * 12, "c": [0] * 12}),
    "all of one grade": long({"a": [2] * 12, "b": [2] * 12}),
    "one query": long(noisy(40, 3), length=40),
    "five judges": long(noisy(120, 5)),
    "a model and a person": long({"a": [0, 1, 2, 3] * 10, "model: m": [0, 2, 1, 3] * 10}),
    "documents alone in their query": long(noisy(20, 3), length=1),
    "a wide scale": long({"a": [0, 100, 50, 20] * 5, "b": [0, 50, 100, 10] * 5}),
    "people and many models": long(PEOPLE | MODELS),
    "people": long(PEOPLE),
    "models alone": long(MODELS),
}


def of(said, length=4, **how):
    """The answers for a frame, or for what judges said of so many documents a query."""
    frame = long(said, length) if isinstance(said, dict) else said
    return helpers.answers(frame, **{"names": True, "cutoff": 3, "seed": 1} | how)


@functools.cache
def of_shape(shape):
    return of(SHAPES[shape])
