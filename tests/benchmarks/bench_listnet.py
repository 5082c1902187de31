"""An epoch of ListNet beside the same epoch written plainly in PyTorch: time and the same weights; growth, memory."""

import numpy as np
import pytest
import torch
from bench_ranksvm import DOCS_PER_QUERY, FEATURE_ARRAYS, SLOWER_ON_EIGHTFOLD, fit, mslr_shaped, peak_beyond_features
from timing import best_in_turn

from helpers.rankers.base import as_they_stand
from helpers.rankers.linear import feature_scales, top_one_epoch
from helpers.rankers.listnet import ListNet

RATE, FASTER_THAN_TORCH = 0.001, 3


@pytest.mark.parametrize("n_threads", [1, 2])
def test_an_epoch_is_faster_than_pytorch_with_equal_weights(n_threads):
    training = mslr_shaped(1000)
    rows, lists = as_they_stand(training.features), ListNet()._lists(training, None)
    scales = feature_scales(*rows, lists.weights, lists.offsets)
    queries = np.random.default_rng(2007).permutation(training.n_queries)
    tensors = [
        (torch.from_numpy(values * scales), torch.from_numpy(grades.astype(float)))
        for values, grades in ((training.features[part], training.grades[part]) for part in parts(queries))
    ]
    torch.set_num_threads(n_threads)

    coef, module = np.zeros(training.n_features), torch.nn.Linear(training.n_features, 1, bias=False).double()
    torch.nn.init.zeros_(module.weight)
    top_one_epoch(*rows, lists, queries, coef, RATE * scales**2)  # compiles
    torch_epoch(module, tensors)
    np.testing.assert_allclose(module.weight.detach().numpy()[0], coef / scales, atol=1e-8, rtol=0)
    assert np.abs(coef / scales).max() > 0.01  # something was learned

    ours, theirs = best_in_turn(
        5,
        lambda: top_one_epoch(*rows, lists, queries, coef, RATE * scales**2),
        lambda: torch_epoch(module, tensors),
    )
    print(
        f"\nan epoch of 100,000 documents: {1e3 * ours:.0f} ms, PyTorch on {n_threads} threads {1e3 * theirs:.0f} ms:"
    )
    print(f"{theirs / ours:.1f} times as fast")
    assert theirs / ours >= FASTER_THAN_TORCH


def test_time_grows_in_proportion_to_documents():
    training, larger = mslr_shaped(1000), mslr_shaped(8000)
    fit(ListNet(epochs=1), training)  # compiles
    few, many = best_in_turn(2, *(lambda c=c: fit(ListNet(epochs=20), c) for c in (training, larger)))
    print(f"\n20 epochs: {few:.2f} s for 100,000 documents, {many:.2f} s for 800,000: {many / few:.1f} times")
    assert many / few <= SLOWER_ON_EIGHTFOLD


def test_memory_beyond_the_features_stays_below_half_of_them():
    peak = peak_beyond_features("ListNet")
    print(f"\npeak beyond the features: {peak:.2f} feature arrays")
    assert 0 < peak < FEATURE_ARRAYS


def torch_epoch(module, tensors):
    """One step of gradient descent on the top-one cross entropy for each query."""
    optimizer = torch.optim.SGD(module.parameters(), lr=RATE)
    for features, grades in tensors:
        optimizer.zero_grad()
        scores = module(features).squeeze(1)
        loss = torch.nn.functional.cross_entropy(scores, torch.softmax(grades, dim=0))
        loss.backward()
        optimizer.step()


def parts(queries):
    """The rows of each query."""
    return [slice(q * DOCS_PER_QUERY, (q + 1) * DOCS_PER_QUERY) for q in queries]
