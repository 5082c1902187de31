"""What a result was made from is told from anything else by its hash."""

import hashlib

from helpers.engine.provenance import files_read


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def test_several_files_separated_by_commas(tmp_path):
    for name in ("nist.qrels", "model.qrels"):
        (tmp_path / name).write_text(name)
    found = files_read(f"{tmp_path}/nist.qrels, {tmp_path}/model.qrels")
    assert found == [sha256("nist.qrels"), sha256("model.qrels")]


def test_a_file_whose_name_has_a_comma_is_one_file(tmp_path):
    (tmp_path / "a,b.csv").write_text("x")
    assert files_read(f"{tmp_path}/a,b.csv") == [sha256("x")]


def test_a_folder_stands_for_all_files_in_it(tmp_path):
    (tmp_path / "Fold1").mkdir()
    (tmp_path / "Fold1" / "train.txt").write_text("1 qid:1 1:1")
    (tmp_path / "README").write_text("")
    assert files_read(str(tmp_path)) == [sha256("1 qid:1 1:1"), sha256("")]


def test_a_lightgbm_file_is_read_with_its_side_file(tmp_path):
    (tmp_path / "rank.train").write_text("1 1:1")
    (tmp_path / "rank.train.query").write_text("1")
    assert files_read(f"{tmp_path}/rank.train") == [sha256("1 1:1"), sha256("1")]
