"""Files of folds, and queries divided at random."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.datasets import folds
from helpers.datasets.collection import Collection, concatenate


def touch(directory, *names):
    for name in names:
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).touch()


def names(found, directory):
    return {split: [path.relative_to(directory).as_posix() for path in files] for split, files in found.items()}


def collection(n_queries):
    ids = [f"q{query}" for query in range(n_queries)]
    return Collection(np.arange(2 * n_queries)[:, None], [0, 1] * n_queries, range(0, 2 * n_queries + 1, 2), ids)


def test_a_fold_with_files_of_its_own_is_taken_as_it_is(tmp_path):
    for fold in range(1, 6):
        touch(tmp_path, *(f"Fold{fold}/{name}.txt" for name in ("train", "vali", "test")))
    assert names(folds.files(tmp_path, 4), tmp_path) == {
        "train": ["Fold4/train.txt"],
        "validation": ["Fold4/vali.txt"],
        "test": ["Fold4/test.txt"],
    }


def test_five_test_files_alone_go_round_as_in_letor(tmp_path):
    touch(tmp_path, *(f"Fold{fold}/test.txt" for fold in range(1, 6)))
    # LETOR: FoldK trains on S(K), S(K+1), S(K+2), validates on S(K+3), tests on S(K+4); so S(K) is tested in Fold(K+1)
    assert names(folds.files(tmp_path, 3), tmp_path) == {
        "train": ["Fold4/test.txt", "Fold5/test.txt", "Fold1/test.txt"],
        "validation": ["Fold2/test.txt"],
        "test": ["Fold3/test.txt"],
    }


def test_the_circle_is_letors():
    # FoldK of LETOR trains on SK, S(K+1), S(K+2), validates on S(K+3), tests on S(K+4)
    assert folds.circle(["S5", "S1", "S2", "S3", "S4"]) == [
        (["S1", "S2", "S3"], "S4", "S5"),
        (["S2", "S3", "S4"], "S5", "S1"),
        (["S3", "S4", "S5"], "S1", "S2"),
        (["S4", "S5", "S1"], "S2", "S3"),
        (["S5", "S1", "S2"], "S3", "S4"),
    ]


@given(st.integers(2, 9))
def test_every_part_takes_every_turn_of_the_circle(n):
    for training, validation, test in folds.circle(range(n)):
        assert sorted([*training, validation, test]) == list(range(n))
    assert [test for _, _, test in folds.circle(range(n))] == list(range(n))
    assert sorted(validation for _, validation, _ in folds.circle(range(n))) == list(range(n))


def test_official_folds_are_told_by_the_files(tmp_path):
    touch(tmp_path, "two/Fold1/train.txt", "two/Fold4/test.txt", "none/train.txt", "none/test.txt", "other/notes.md")
    assert folds.numbers(tmp_path / "two") == [1, 4]
    assert folds.numbers(tmp_path / "none") == []
    with pytest.raises(FileNotFoundError, match=r"other: expected Fold1 to Fold5"):
        folds.numbers(tmp_path / "other")


def test_a_missing_part_of_five_is_named(tmp_path):
    touch(tmp_path, *(f"Fold{fold}/test.txt" for fold in (1, 2, 3, 5)))
    with pytest.raises(FileNotFoundError, match=r"Fold4: expected train.txt and test.txt, or test.txt in each of five"):
        folds.files(tmp_path, 1)


@pytest.mark.parametrize(
    ("train", "validation", "test"),
    [
        ("train.txt", "vali.txt", "test.txt"),
        ("train.txt.gz", "valid.txt.xz", "test.txt.bz2"),
        ("set1.train.txt", "set1.valid.txt", "set1.test.txt"),
        ("sample/train.txt", "sample/vali.txt", "sample/test.txt"),
        ("rank.train", None, "rank.test"),
    ],
)
def test_a_folder_without_folds_holds_one_file_of_each_split(tmp_path, train, validation, test):
    touch(tmp_path, *filter(None, (train, validation, test)), "set2.train.txt", "rank.train.query", "README")
    expected = {"train": [train], "validation": [validation], "test": [test]}
    assert names(folds.files(tmp_path), tmp_path) == {k: v for k, v in expected.items() if v != [None]}


def test_the_first_fold_there_is_taken_unless_one_is_asked_for(tmp_path):
    touch(tmp_path, "Fold2/train.txt", "Fold2/test.txt")
    assert names(folds.files(tmp_path), tmp_path)["train"] == ["Fold2/train.txt"]
    with pytest.raises(ValueError, match=r"fold is 1, but .* has folds \[2\]"):
        folds.files(tmp_path, 1)


@pytest.mark.parametrize("fold", [0, 2])
def test_a_folder_without_folds_has_only_fold_1(tmp_path, fold):
    touch(tmp_path, "train.txt", "test.txt")
    assert folds.files(tmp_path, 1)
    with pytest.raises(ValueError, match=f"fold is {fold}, but .* has no folds"):
        folds.files(tmp_path, fold)


def test_a_folder_that_holds_something_else_is_refused_with_what_it_holds(tmp_path):
    touch(tmp_path, "train.txt", "notes.md")
    with pytest.raises(FileNotFoundError, match=r"expected Fold1 to Fold5, .* found notes.md, train.txt"):
        folds.files(tmp_path)


@given(n=st.integers(3, 60), seed=st.integers(0, 2**32))
def test_every_query_is_drawn_into_exactly_one_part_and_none_is_empty(n, seed):
    parts = folds.draw(collection(n), (0.6, 0.2, 0.2), np.random.default_rng(seed))
    assert min(part.n_queries for part in parts) >= 1
    assert sorted(np.concatenate([part.query_ids for part in parts])) == sorted(collection(n).query_ids)


@given(n=st.integers(5, 60), seed=st.integers(0, 2**32))
def test_parts_have_their_shares_to_the_nearest_query(n, seed):
    _, validation, test = folds.draw(collection(n), (0.6, 0.2, 0.2), np.random.default_rng(seed))
    assert validation.n_queries == test.n_queries
    assert abs(test.n_queries - 0.2 * n) <= 0.5


def test_drawn_queries_keep_their_order_and_their_documents(rng):
    whole = collection(20)
    part, _ = folds.draw(whole, (0.5, 0.5), rng)
    index = [int(name[1:]) for name in part.query_ids]
    assert index == sorted(index)
    np.testing.assert_array_equal(part.features, whole.take_queries(index).features)


def test_the_same_generator_draws_the_same_and_another_one_differently():
    one, same, other = (folds.draw(collection(40), (0.5, 0.5), np.random.default_rng(s))[0] for s in (1, 1, 2))
    np.testing.assert_array_equal(one.query_ids, same.query_ids)
    assert set(one.query_ids) != set(other.query_ids)


def test_too_few_queries_to_divide_are_refused(rng):
    with pytest.raises(ValueError, match="has 2 queries, expected at least 3"):
        folds.draw(collection(2), (0.6, 0.2, 0.2), rng)


def test_drawing_needs_a_generator():
    with pytest.raises(ValueError, match="rng is None"):
        folds.draw(collection(9), (0.6, 0.2, 0.2), None)


def test_joined_collections_keep_queries_and_document_ids():
    one, two = (
        Collection([[x], [x]], [0, 1], [0, 1, 2], [f"a{x}", f"b{x}"], [f"c{x}", f"d{x}"], f"n{x}") for x in (1, 2)
    )
    both = concatenate([one, two])
    assert both.query_ids.tolist() == ["a1", "b1", "a2", "b2"]
    assert both.doc_ids.tolist() == ["c1", "d1", "c2", "d2"]
    assert both.features.tolist() == [[1], [1], [2], [2]]
    assert both.name == "n1"


def test_document_ids_that_only_some_collections_have_are_left_out():
    with_ids = Collection([[1.0]], [0], [0, 1], doc_ids=["d1"])
    assert concatenate([with_ids, collection(1)]).doc_ids is None


def test_collections_of_different_features_are_not_joined():
    with pytest.raises(ValueError, match=r"collections have \[1, 2\] features"):
        concatenate([collection(1), Collection([[1.0, 2.0]], [0], [0, 1])])
