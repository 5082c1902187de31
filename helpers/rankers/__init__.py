"""Rankers by name, with one interface: `fit(X, y, group, sample_weight, validation)` and `predict(X)`."""

from helpers.rankers.adarank import AdaRank
from helpers.rankers.base import Ranker
from helpers.rankers.lambdamart import LambdaMART
from helpers.rankers.lambdarank import LambdaRank
from helpers.rankers.listnet import ListNet
from helpers.rankers.rankboost import RankBoost
from helpers.rankers.ranksvm import RankSVM

_RANKERS = {r.__name__: r for r in (LambdaMART, LambdaRank, RankSVM, RankBoost, ListNet, AdaRank)}
NAMES = tuple(_RANKERS)

__all__ = ["NAMES", "AdaRank", "LambdaMART", "LambdaRank", "ListNet", "RankBoost", "RankSVM", "Ranker", "make"]


def make(name: str, **settings) -> Ranker:
    """An unfitted ranker of `NAMES` with some settings changed; an unknown name or setting is a ValueError.

    >>> make("LambdaMART", num_leaves=7)
    LambdaMART(num_leaves=7)
    """
    if name not in _RANKERS:
        raise ValueError(f"name is {name!r}, expected one of {', '.join(NAMES)}")
    return _RANKERS[name]().set_params(**settings)
