"""Data sets by name or path, in the layouts of their archives, found once."""

import hashlib
import json
import shutil
import sys
import tarfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import helpers
from helpers.datasets import catalog, fetch
from helpers.datasets.sources import DATA_SETS

LETOR_FOLDS = {  # parts of training, validation, test
    1: ((1, 2, 3), (4,), (5,)),
    2: ((2, 3, 4), (5,), (1,)),
    3: ((3, 4, 5), (1,), (2,)),
    4: ((4, 5, 1), (2,), (3,)),
    5: ((5, 1, 2), (3,), (4,)),
}


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    """An empty data directory, an empty cache, and a working directory that is neither."""
    for folder in ("data", "cache", "elsewhere"):
        (tmp_path / folder).mkdir()
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("LABEL_STUDIES_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path / "elsewhere")
    return tmp_path / "data"


def lines(query_ids, n_features=2):
    """Two documents of each query, of grades 0 and 1; every feature has the query's number."""
    return "".join(
        f"{grade} qid:{query} " + " ".join(f"{index}:{query}.5" for index in range(1, n_features + 1)) + "\n"
        for query in query_ids
        for grade in (0, 1)
    )


def write(path, query_ids, n_features=2):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(lines(query_ids, n_features))


def part(number):
    """The two queries of one of LETOR's five parts: 11 and 12 of part 1."""
    return [10 * number + 1, 10 * number + 2]


def parts(numbers):
    return [query for number in numbers for query in part(number)]


def write_letor_folds(directory):
    for fold, splits in LETOR_FOLDS.items():
        for name, numbers in zip(("train", "vali", "test"), splits, strict=True):
            write(directory / f"Fold{fold}" / f"{name}.txt", parts(numbers))


def write_test_parts(directory):
    for fold, (_, _, test) in LETOR_FOLDS.items():
        write(directory / f"Fold{fold}" / "test.txt", parts(test))


def touch(directory, *names):
    for name in names:
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).touch()


def queries(collection):
    return [int(query) for query in collection.query_ids]


@pytest.mark.parametrize("fold", [1, 4])
@pytest.mark.parametrize(
    ("name", "write_folds"), [("mq2008", write_letor_folds), ("clueweb09-webis", write_test_parts)]
)
def test_splits_of_a_fold_are_letors_whether_training_has_a_file_or_not(data, name, write_folds, fold):
    write_folds(data / DATA_SETS[name].folders[0])
    expected = [parts(numbers) for numbers in LETOR_FOLDS[fold]]
    assert [queries(split) for split in catalog.splits(name, fold)] == expected
    for split, wanted in zip(("train", "validation", "test"), expected, strict=True):
        assert queries(catalog.load(name, fold, split)) == wanted


@pytest.mark.parametrize(
    ("name", "write_folds", "fold"), [("mq2008", write_letor_folds, None), ("clueweb09-webis", write_test_parts, 2)]
)
def test_a_whole_set_has_every_query_once(data, name, write_folds, fold):
    write_folds(data / DATA_SETS[name].folders[0])
    whole = catalog.load(name, fold)
    assert sorted(queries(whole)) == parts(range(1, 6))
    assert queries(catalog.load(name, split="test")) == part(5)  # of the first fold
    assert whole.group.tolist() == [2] * 10
    np.testing.assert_array_equal(whole.features[::2, 0], np.array(queries(whole)) + 0.5)


def test_a_named_set_has_its_features_and_ones_own_those_of_the_widest_file(tmp_path, data):
    write_letor_folds(data / "MQ2008")
    for collection in (catalog.load("mq2008"), catalog.load("mq2008", 1, "test"), *catalog.splits("mq2008")):
        assert (collection.n_features, collection.name) == (46, "mq2008")
    for name, n_features in (("train", 3), ("vali", 5), ("test", 2)):
        write(tmp_path / f"mine/{name}.txt", part(1), n_features)
    splits = catalog.splits(tmp_path / "mine")
    assert [(split.n_features, split.name) for split in splits] == [(5, "mine")] * 3
    np.testing.assert_array_equal(splits[2].features[0], [11.5, 11.5, 0, 0, 0])


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("ohsumed", "OHSUMED/QueryLevelNorm"),
        ("td2003", "Gov/QueryLevelNorm/2003_td_dataset"),
        ("td2003", "2003_td_dataset"),
        ("mq2007", "MQ2007"),
        ("mq2007", "MQ2007/MQ2007"),
    ],
)
def test_folds_are_found_where_the_official_archive_has_them(data, name, folder):
    write_letor_folds(data / folder)
    assert queries(catalog.load(name, 2, "validation")) == part(5)


@pytest.mark.parametrize(("name", "place"), [("yahoo-ltrc", "ltrc_yahoo/set1.{}.txt"), ("istella-s", "sample/{}.txt")])
def test_a_set_without_folds_has_one_split_and_of_a_missing_one_a_quarter_of_the_training_queries(
    data, rng, name, place
):
    validation = data / place.format("vali" if name == "istella-s" else "valid")
    for number, file in enumerate((data / place.format("train"), validation, data / place.format("test"))):
        write(file, range(20 * number + 1, 20 * number + 21))
    assert queries(catalog.load(name)) == list(range(1, 61))
    assert [queries(split)[0] for split in catalog.splits(name)] == [1, 21, 41]
    validation.unlink()
    drawn = catalog.splits(name, rng=rng)
    assert [split.n_queries for split in drawn] == [15, 5, 20]
    assert sorted(queries(drawn[0]) + queries(drawn[1])) == list(range(1, 21))


def test_official_folds_are_asked_of_the_files_and_not_read(tmp_path, data):
    write_letor_folds(data / "MQ2008")
    (data / "MQ2008/Fold3/train.txt").write_text("damaged")
    for name in ("train", "test"):
        write(data / f"MSLR-WEB10K-sample/Fold1/{name}.txt", part(1))
    write(tmp_path / "mine/train.txt", part(1))
    write(tmp_path / "mine/test.txt", part(2))
    assert catalog.fold_numbers("mq2008") == [1, 2, 3, 4, 5]
    assert catalog.fold_numbers("mslr-sample") == [1]
    assert catalog.fold_numbers(tmp_path / "mine") == catalog.fold_numbers(tmp_path / "mine/train.txt") == []


def test_a_path_is_told_from_a_name_by_its_slash(tmp_path, data):
    write_letor_folds(data / "MQ2008")
    write_test_parts(tmp_path / "elsewhere/mq2008")
    write(tmp_path / "elsewhere/mq2008/Fold1/test.txt", [99])
    assert queries(catalog.splits("mq2008")[2]) == part(5)
    assert queries(catalog.splits("./mq2008")[2]) == [99]
    assert {split.name for split in catalog.splits("./mq2008", 3)} == {"mq2008"}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: catalog.load("mq2009"), "no data set 'mq2009', expected one of ohsumed, td2003"),
        (lambda: catalog.load("mq2008", 6), r"fold is 6, but .*MQ2008 has folds \[1, 2, 3, 4, 5\]"),
        (lambda: catalog.load("mq2008", 1, "vali"), "split is 'vali', expected one of train, validation, test"),
        (lambda: catalog.splits("../mine.txt", 2), "fold is 2, but .*mine.txt is a single file"),
        (lambda: catalog.splits("../more.txt"), "rng is None, .* queries of more.txt are divided"),
        (lambda: catalog.splits("../mine.txt", rng=np.random.default_rng(1)), "mine.txt has 2 queries, .* at least 3"),
        (lambda: catalog.splits("../second", 1), r"fold is 1, but .* has folds \[2\]"),
        (lambda: catalog.splits("../four", 1), r"Fold4: expected train.txt and test.txt, or test.txt in each of five"),
        (lambda: catalog.splits("../other"), r"expected Fold1 to Fold5, .* found .*notes.md, train.txt"),
        (lambda: catalog.splits("mq208"), r"elsewhere/mq208: no such file or folder, and no data set .*mq2008"),
        (lambda: catalog.fold_numbers("ohsumed"), "ohsumed is not here"),
    ],
)
def test_what_cannot_be_is_refused_with_what_was_found_and_expected(tmp_path, data, call, message):
    write_letor_folds(data / "MQ2008")
    write(tmp_path / "mine.txt", part(1))
    write(tmp_path / "more.txt", parts([1, 2]))
    touch(tmp_path / "second", "Fold2/train.txt", "Fold2/test.txt")
    touch(tmp_path / "four", *(f"Fold{fold}/test.txt" for fold in (1, 2, 3, 5)))
    touch(tmp_path / "other", "train.txt", "notes.md")
    with pytest.raises((ValueError, FileNotFoundError), match=message):
        call()


@pytest.mark.parametrize("wrapper", ["", "MQ2008/"])
def test_an_archive_that_is_still_zipped_is_unpacked_and_used(data, tmp_path, wrapper):
    write_letor_folds(tmp_path / "packed" / wrapper)
    shutil.make_archive(str(data / "MQ2008"), "zip", tmp_path / "packed")
    assert catalog.sources().set_index("name").here["mq2008"]
    assert queries(catalog.load("mq2008", 1, "test")) == part(5)
    assert sorted(path.name for path in data.iterdir()) == ["MQ2008", "MQ2008.zip"]


def test_a_sha256_that_is_known_is_checked_of_the_sources_own_archive_alone(data, tmp_path, monkeypatch):
    write_letor_folds(tmp_path / "packed")
    monkeypatch.setitem(DATA_SETS, "mq2008", replace(DATA_SETS["mq2008"], archive="MQ2008.zip", sha256="0" * 64))
    archive = Path(shutil.make_archive(str(data / "MQ2008"), "zip", tmp_path / "packed"))
    with pytest.raises(ValueError, match=r"MQ2008\.zip: its sha256 is"):
        catalog.load("mq2008")
    own = hashlib.sha256(archive.read_bytes()).hexdigest()
    monkeypatch.setitem(DATA_SETS, "mq2008", replace(DATA_SETS["mq2008"], sha256=own))
    assert catalog.load("mq2008").n_queries == 10
    with tarfile.open(data / "MSLR-WEB10K.tar.bz2", "w:bz2") as packed:
        packed.add(tmp_path / "packed", ".")
    assert DATA_SETS["mslr-web10k"].sha256
    assert queries(catalog.load("mslr-web10k", 2, "test")) == part(1)


def test_an_archive_of_something_else_is_named(data, tmp_path):
    write(tmp_path / "packed/other.txt", part(1))
    shutil.make_archive(str(data / "MQ2008"), "zip", tmp_path / "packed")
    with pytest.raises(
        FileNotFoundError, match=r"MQ2008.zip was unpacked to .*MQ2008, but Fold1/train.txt is not there"
    ):
        catalog.load("mq2008")


@pytest.mark.parametrize("get", [catalog.load, catalog.fetch])
@pytest.mark.parametrize("name", ["mslr-web10k", "td2003", "robust04"])
def test_an_absent_set_tells_where_to_get_it_and_where_to_put_it(data, get, name):
    with pytest.raises(FileNotFoundError) as refusal:
        get(name)
    wanted = data / DATA_SETS[name].folders[0] / DATA_SETS[name].holds
    for words in (name, DATA_SETS[name].archive, DATA_SETS[name].source, str(wanted)):
        assert words in str(refusal.value)
    assert (DATA_SETS[name].sha256 or "get") in str(refusal.value)
    assert ("Python opens no .rar" in str(refusal.value)) == DATA_SETS[name].archive.endswith(".rar")


def test_fetch_downloads_into_the_official_folder_once_or_tells_how_to_do_without(data, monkeypatch):
    with pytest.raises(FileNotFoundError, match="is not here: `label-studies fetch clueweb09-webis` gets it"):
        catalog.load("clueweb09-webis")
    downloads = []

    def download(data_set, target):
        if data_set is not DATA_SETS["clueweb09-webis"]:
            raise OSError("no answer")
        downloads.append(target)
        write_test_parts(target)

    monkeypatch.setattr(fetch, "download", download)
    assert [catalog.fetch("clueweb09-webis") for _ in range(2)] == [data / "ClueWeb09-Webis"] * 2
    assert downloads == [data / "ClueWeb09-Webis"]
    with pytest.raises(OSError, match=r"no answer; get istella-s-letor.tar.gz from .* and put it into .*data"):
        catalog.fetch("istella-s")


def test_sources_lists_every_set_and_whether_it_is_here(data):
    write_letor_folds(data / "MQ2008")
    sources = catalog.sources()
    assert sources.columns.tolist() == ["name", "title", "source", "terms", "here"]
    assert sources.name.tolist() == catalog.names() == list(DATA_SETS)
    assert sources.name[sources.here].tolist() == ["mq2008"]


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
    found = catalog._split_files(catalog._folder(tmp_path), 1)
    relative = {split: path.relative_to(tmp_path).as_posix() for split, [path] in found.items()}
    expected = {"train": train, "validation": validation, "test": test}
    assert relative == {split: name for split, name in expected.items() if name}
    touch(tmp_path, "Fold2/train.txt", "Fold2/test.txt")  # the first fold that there is, unless one is asked for
    assert catalog._split_files(tmp_path, 2)["train"] == [tmp_path / "Fold2/train.txt"]


# The way from a name to the splits


def walked(call):
    """Modules of the package that are entered, and pairs of which one calls another that is waiting for it."""
    entered, pairs, stack = set(), set(), []
    package = str(Path(helpers.__file__).parent)

    def watch(frame, event, _):
        if event == "call":
            own = frame.f_globals.get("__name__") if frame.f_code.co_filename.startswith(package) else None
            waiting = [module for module in stack if module]
            if own and waiting and own != waiting[-1] and own in waiting:
                pairs.add((waiting[-1], own))
            entered.add(own)
            stack.append(own)
        elif event == "return" and stack:
            stack.pop()

    sys.setprofile(watch)
    try:
        call()
    finally:
        sys.setprofile(None)
    return entered - {None}, pairs


@pytest.mark.parametrize(("name", "most"), [("mq2008", 8), ("robust04", 8)])
def test_few_modules_stand_between_a_name_and_its_splits(data, name, most):
    """Reading the files, and a second time from the cache."""
    write_letor_folds(data / "MQ2008")
    write_runs(data / "Robust04")
    for at_most in (most, most - 1):
        modules, pairs = walked(lambda: catalog.splits(name, 1, np.random.default_rng(0)))
        assert len(modules) <= at_most, sorted(modules)
        assert not pairs, pairs


def write_runs(folder):
    (folder / "runs").mkdir(parents=True)
    pairs = [(query, doc) for query in range(10) for doc in range(3)]
    (folder / "qrels.txt").write_text("".join(f"{q} 0 d{d} {d % 2}\n" for q, d in pairs))
    folds = {"train": list("01234"), "vali": list("567"), "test": list("89")}
    (folder / "folds.json").write_text(json.dumps({"1": folds}))
    (folder / "runs/a.run").write_text("".join(f"{q} Q0 d{d} {d} {1 / (d + 1)} t\n" for q, d in pairs))
