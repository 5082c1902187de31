"""A small collection of five grades, runs of study 1 with chosen results, and a stand-in for its rankers."""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pandas as pd

from helpers.datasets.collection import Collection, offsets_of
from helpers.studies.overlap.trial import CUTOFFS


def numbered(rng, n_queries=30, n_docs=10):
    """Queries of some documents: the first feature tells the grade, the last is the number of the row."""
    first, noise = rng.random((2, n_queries * n_docs))
    features = np.column_stack([first, noise, np.arange(len(first))])
    grades = np.digitize(first, [0.5, 0.75, 0.85, 0.95])
    return Collection(features, grades, offsets_of([n_docs] * n_queries), name="numbered")


@dataclass
class FirstFeature:
    """In place of a ranker: keeps what it was made with and trained on, and ranks by the first feature."""

    name: str
    settings: dict
    backwards: bool = False
    lambdarank_truncation_level: int = 30
    trained: SimpleNamespace | None = None

    def get_params(self):
        return {"random_state": 0, "gains": None}

    def fit(self, features, labels, group, *, sample_weight, validation):
        rows = features[:, -1].astype(int)
        self.trained = SimpleNamespace(
            rows=rows, labels=labels, group=group, weights=sample_weight, validation=validation
        )

    def predict(self, features):
        return -features[:, 0] if self.backwards else features[:, 0]


def in_place_of_rankers(monkeypatch, backwards_at=(), of="learning_rate"):
    """The list of all stand-ins made with settings from now on; those of some values of a setting rank backwards."""
    made = []

    def make(name, **settings):
        model = FirstFeature(name, settings, settings.get(of) in backwards_at)
        if settings:
            made.append(model)
        return model

    monkeypatch.setattr("helpers.rankers.make", make)
    return made


def runs_of(by_setting, ranker="LambdaRank", **columns):
    """Runs with these values: setting -> (n_draws, n_queries) NDCG@3 by query; NDCG@k is k - 3 hundredths higher."""
    rows = []
    for setting, by_draw in by_setting.items():
        for draw, per_query in enumerate(np.asarray(by_draw, dtype=float)):
            means = {f"ndcg@{k}": np.nanmean(per_query) + (k - 3) / 100 for k in CUTOFFS}
            row = {"ranker": ranker, "setting": setting, "draw": draw, "labels": 1.0, "fair_to_good": 3.0}
            row |= {"squared_error": 0.5}
            rows.append(row | columns | means | {"per_query": per_query.tolist()})
    return pd.DataFrame(rows)
