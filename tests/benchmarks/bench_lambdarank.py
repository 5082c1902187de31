"""An epoch of LambdaRank beside the same epoch written plainly in PyTorch: time, and the same weights."""

import numpy as np
import pytest
import torch
from timing import best_in_turn

from helpers.datasets.collection import Collection, offsets_of
from helpers.rankers.base import as_they_stand
from helpers.rankers.lambda_net import initial_net, train_epoch
from helpers.rankers.lambdarank import judged_lists

N_FEATURES, HIDDEN_UNITS, RATE = 136, 10, 0.005
GRADE_SHARES = [0.52, 0.32, 0.13, 0.02, 0.01]  # as in MSLR-WEB10K
FASTER_THAN_TORCH = 3


@pytest.mark.parametrize(("n_queries", "n_docs"), [(200, 8), (60, 120), (20, 350)])
def test_an_epoch_is_faster_than_pytorch_with_equal_weights(n_queries, n_docs):
    rng = np.random.default_rng(2006)
    collection = _collection(n_queries, n_docs, rng)
    rows, lists = as_they_stand(collection.features), judged_lists(collection, None, None)
    start = initial_net(*rows, HIDDEN_UNITS, rng)
    queries = rng.permutation(n_queries)
    tensors = _tensors(collection, start, queries)

    net, module = _copy(start), _module(start)
    train_epoch(*rows, lists, queries, net, RATE)  # compiles
    _torch_epoch(module, tensors)
    np.testing.assert_allclose(module[0].weight.detach().numpy(), net.hidden[:, :-1], atol=1e-6, rtol=0)
    np.testing.assert_allclose(module[0].bias.detach().numpy(), net.hidden[:, -1], atol=1e-6, rtol=0)
    np.testing.assert_allclose(module[2].weight.detach().numpy()[0], net.output, atol=1e-6, rtol=0)
    assert np.abs(net.output).max() > 0.01  # something was learned

    ours, one_thread, two_threads = best_in_turn(
        7,
        lambda: train_epoch(*rows, lists, queries, net, RATE),
        lambda: _torch_epoch(module, tensors, n_threads=1),
        lambda: _torch_epoch(module, tensors, n_threads=2),
    )
    print(
        f"\n{n_queries} queries of {n_docs}: ours {1e3 * ours:.1f} ms, PyTorch on one thread {1e3 * one_thread:.1f} ms,"
    )
    print(f"on two {1e3 * two_threads:.1f} ms: {min(one_thread, two_threads) / ours:.1f} times as fast as the better")
    assert min(one_thread, two_threads) / ours >= FASTER_THAN_TORCH


def _torch_epoch(module, tensors, n_threads=1):
    """One step of gradient descent for each query, its pairs in a matrix."""
    torch.set_num_threads(n_threads)
    optimizer = torch.optim.SGD(module.parameters(), lr=RATE)
    for features, gains in tensors:
        scores = module(features).squeeze(1)
        optimizer.zero_grad()
        scores.backward(-_torch_lambdas(scores.detach(), gains))
        optimizer.step()


def _torch_lambdas(scores, gains):
    ranks = torch.empty(len(scores), dtype=torch.float64)
    ranks[torch.argsort(scores, descending=True, stable=True)] = torch.arange(1.0, len(scores) + 1, dtype=torch.float64)
    discounts = 1 / torch.log2(1 + ranks)
    higher = (gains[:, None] - gains[None, :]).clamp(min=0)
    changes = higher * (discounts[:, None] - discounts[None, :]).abs()
    pushes = changes * torch.sigmoid(scores[None, :] - scores[:, None])
    return pushes.sum(1) - pushes.sum(0)


def _module(net):
    module = torch.nn.Sequential(
        torch.nn.Linear(N_FEATURES, HIDDEN_UNITS), torch.nn.Tanh(), torch.nn.Linear(HIDDEN_UNITS, 1, bias=False)
    ).double()
    with torch.no_grad():
        module[0].weight.copy_(torch.from_numpy(net.hidden[:, :-1]))
        module[0].bias.copy_(torch.from_numpy(net.hidden[:, -1]))
        module[2].weight.copy_(torch.from_numpy(net.output[None]))
    return module


def _tensors(collection, net, queries):
    """Standardised features, and gains divided by the ideal DCG, of each query in turn."""
    features = torch.from_numpy((collection.features - net.mean) * net.scale)
    gains = 2.0**collection.grades - 1
    parts = [slice(collection.offsets[q], collection.offsets[q + 1]) for q in queries]
    return [(features[part], torch.from_numpy(gains[part] / _ideal_dcg(gains[part]))) for part in parts]


def _ideal_dcg(gains):
    return np.sort(gains)[::-1] @ (1 / np.log2(np.arange(2, len(gains) + 2))) or 1.0


def _collection(n_queries, n_docs, rng):
    """Features of very different spreads, grades that depend on some of them, MSLR's share of each grade."""
    features = rng.normal(size=(n_queries * n_docs, N_FEATURES)) * rng.lognormal(sigma=2, size=N_FEATURES)
    quality = features[:, :10] @ (1 / features[:, :10].std(axis=0)) + 3 * rng.normal(size=len(features))
    borders = np.quantile(quality, np.cumsum(GRADE_SHARES)[:-1])
    return Collection(features, np.searchsorted(borders, quality), offsets_of(np.full(n_queries, n_docs)))


def _copy(net):
    return net._replace(hidden=net.hidden.copy(), output=net.output.copy())
