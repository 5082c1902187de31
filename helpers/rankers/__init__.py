"""Rankers by name, with one interface: `fit(X, y, group, sample_weight, validation)` and `predict(X)`."""

from collections.abc import Mapping, Sequence

import numpy as np

from helpers import checks
from helpers.datasets.collection import Collection
from helpers.rankers.adarank import AdaRank
from helpers.rankers.base import Ranker, mean_ndcg
from helpers.rankers.lambdamart import LambdaMART
from helpers.rankers.lambdarank import LambdaRank
from helpers.rankers.listnet import ListNet
from helpers.rankers.rankboost import RankBoost
from helpers.rankers.ranksvm import RankSVM

_RANKERS = {r.__name__: r for r in (LambdaMART, LambdaRank, RankSVM, RankBoost, ListNet, AdaRank)}
NAMES = tuple(_RANKERS)

__all__ = [
    "NAMES", "AdaRank", "LambdaMART", "LambdaRank", "ListNet", "RankBoost", "RankSVM", "Ranker", "make", "seeded",
    "starts_at_random", "trained",
]  # fmt: skip


def make(name: str, **settings) -> Ranker:
    """An unfitted ranker of `NAMES` with some settings changed; an unknown name or setting is a ValueError.

    >>> make("LambdaMART", num_leaves=7)
    LambdaMART(num_leaves=7)
    """
    checks.one_of("name", name, NAMES)
    return _RANKERS[name]().set_params(**settings)


def starts_at_random(name: str) -> bool:
    """Whether the ranker of that name, one of `NAMES`, has a random_state: whether another seed changes its result."""
    return "random_state" in make(name).get_params()


def seeded(name: str, seed: int, labels_per_grade: int = 1, gains: Sequence[float] | None = None, **settings) -> Ranker:
    """An unfitted ranker of `NAMES` for one run of a study: told of seed and labels only what it has a setting for."""
    # RankSVM, RankBoost and AdaRank have no seed; the first two use the order of labels alone, however fine these are
    shared = {"random_state": seed, "labels_per_grade": labels_per_grade}
    shared |= {} if gains is None else {"gains": gains}
    has = make(name).get_params()
    return make(name, **{setting: value for setting, value in shared.items() if setting in has}, **settings)


def trained(
    name: str,
    training: Collection,
    validation: Collection | None,
    seed: int = 0,
    settings: Sequence[Mapping] = ({},),
    *,
    weights: np.ndarray | None = None,
) -> Ranker:
    """The ranker as each of the settings of `seeded` trains it, that one whose mean validation NDCG@10 is highest."""
    models = [seeded(name, seed, **chosen) for chosen in settings]
    for model in models:
        model.fit(training.features, training.grades, training.group, sample_weight=weights, validation=validation)
    if len(models) == 1:
        return models[0]
    return max(models, key=lambda model: mean_ndcg(validation, model.predict(validation.features)))
