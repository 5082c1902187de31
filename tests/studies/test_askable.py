"""What cannot be asked of data is said before it is tried."""

import numpy as np
import pytest

from helpers.datasets.collection import Collection
from helpers.studies import askable


def collection(grades_of_queries):
    """Queries with these grades each, and one feature."""
    grades = np.concatenate(grades_of_queries)
    offsets = np.cumsum([0, *map(len, grades_of_queries)])
    return Collection(np.zeros((len(grades), 1)), grades, offsets)


def named(name, grades_of_queries):
    made = collection(grades_of_queries)
    made.name = name
    return made


def test_nothing_is_said_of_a_collection_of_which_everything_can_be_asked():
    assert askable.of_collections({"mine": collection([[0, 1] * 6] * 10)}) == []


@pytest.mark.parametrize(
    ("grades", "said"),
    [
        ([[0, 1] * 6] * 3, "mine: 3 queries have a document above grade 0, fewer than 10"),
        ([[0, 1] * 6, *[[0] * 12] * 20], "mine: 1 query has a document above grade 0, fewer than 10"),
        ([[1], [0]] * 20, "mine: no list is longer than 1 document, so that NDCG@10 leaves nothing out"),
        ([[0, 1] * 5] * 20, "mine: no list is longer than 10 documents, so that NDCG@10 leaves nothing out"),
    ],
)
def test_what_cannot_be_asked_of_a_collection_is_said(grades, said):
    assert any(sentence.startswith(said) for sentence in askable.of_collections({"mine": collection(grades)}))


@pytest.mark.parametrize(
    ("grades", "found"),
    [([[1], [0], [2]], "0 of 3"), ([[0, 1], [1]], "1 of 2")],
)
def test_data_of_which_nothing_can_be_asked_is_refused(grades, found):
    right = collection([[0, 1]] * 2)
    expected = rf"^mine: {found} test queries have documents of two grades, expected at least 2$"
    with pytest.raises(ValueError, match=expected):
        askable.check({"training": right, "validation": right, "test": named("mine", grades)})
    askable.check({"training": right, "validation": right, "test": right})
    for alike in ([[0, 0]] * 12, [[1]] * 12):
        message = "mine: 0 of 12 training queries have documents of two grades, expected at least 1"
        with pytest.raises(ValueError, match=message):
            askable.check({"training": named("mine", alike), "validation": right, "test": right})


def test_only_lambdamart_and_only_where_it_trains_minds_long_queries():
    long = collection([[0, 1] * 5001] * 2)
    askable.check({"training": long}, ["RankSVM"])
    askable.check({"test": long}, ["LambdaMART"])
    with pytest.raises(ValueError, match="training: a training query has 10,002 documents, expected at most 10,000"):
        askable.check({"training": long}, ["RankSVM", "LambdaMART"])


def test_each_collection_is_named():
    short = collection([[0, 1]] * 12)
    assert [sentence.split(":")[0] for sentence in askable.of_collections({"a": short, "b": short})] == ["a", "b"]


@pytest.mark.parametrize(("n_docs", "claims"), [(2, 5), (8, 3), (31, 2), (32, 0)])
def test_a_pool_must_be_twice_as_deep_as_a_claim_is(n_docs, claims):
    assert len(askable.of_depth(n_docs)) == claims


def test_every_claim_of_study_3_can_be_asked_of_the_papers_data_sets_or_their_portraits():
    assert askable.of_data_sets(["ohsumed-portrait", "td2003-portrait", "mslr-sample-portrait"]) == []


def test_of_a_data_set_of_ones_own_what_the_paper_says_of_others_is_not_asked():
    said = askable.of_data_sets(["mine.txt"])
    assert [sentence.split(" not asked")[0] for sentence in said] == [
        "without td2003 and mslr",
        "without mslr",
        "without ohsumed",
        *["of one data set"] * 3,
    ]
