"""Five-fold means on real collections, by the LETOR script's NDCG@10, beside those published for other rankers."""

import numpy as np
import pytest

from helpers import catalog, metrics, rankers

PUBLISHED = {
    # LETOR 3.0, QueryLevelNorm, official means
    "ohsumed": {"RankSVM": 0.4140, "RankBoost": 0.4302, "ListNet": 0.4410, "AdaRank-MAP": 0.4429},
    # third-party runs with the official script, means over the folds
    "mq2008": {"ListNet": 0.2093, "RankNet": 0.2108, "AdaRank-MAP": 0.2266, "RankSVM": 0.2278, "RankBoost": 0.2306},
}


@pytest.mark.parametrize("name", rankers.NAMES)
@pytest.mark.parametrize("data_set", PUBLISHED)
def test_a_ranker_is_no_worse_than_the_weakest_published_one(real_data, monkeypatch, data_set, name):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(real_data))
    mean = np.mean([letor_ndcg(name, *catalog.splits(data_set, fold)) for fold in range(1, 6)])
    published = ", ".join(f"{other} {value:.4f}" for other, value in PUBLISHED[data_set].items())
    print(f"\n{data_set}: {name} {mean:.4f}; published: {published}")
    assert min(PUBLISHED[data_set].values()) <= mean <= 1.1 * max(PUBLISHED[data_set].values())


def letor_ndcg(name, training, validation, test):
    ranker = rankers.make(name).fit(training.features, training.grades, training.group, validation=validation)
    return metrics.ndcg(test.grades, ranker.predict(test.features), test.offsets, 10, **metrics.LETOR).mean()
