"""Real files and examples of every export, where they are here, against the right reading beside them."""

import csv

import pytest

from helpers.judging import formats

SETTINGS = {
    "opensearch-judgments": {"grades": "0:0,1:1,10:10,100:100"},
    "doccano": {"grades": "13:0,14:1,15:2"},
}
EXPORTS = {
    "argilla-records": "records.json",
    "chorus-wide": "ratings.csv",
    "doccano": "all.jsonl",
    "elasticsearch-rank-eval": "rank_eval.json",
    "es-ltr": "judgments.txt",
    "label-studio-choices": "export.json",
    "label-studio-rating": "export.json",
    "mturk-results": "batch_results.csv",
    "mturk-results-trailing-header": "batch_results.csv",
    "opensearch-judgments": "import_judgments.json",
    "qrels-negative": "qrels.txt",
    "qrels-tabs-crlf-bom": "qrels.txt",
    "quepid-book": "book_1_judgements.csv",
    "quepid-case": "case_1_ratings.csv",
    "umbrela": "judgments.jsonl",
}


def expected(path, assessor=""):
    with open(path, newline="", encoding="utf-8") as file:
        return [[r["query"], r["doc"], r["assessor"] or assessor, int(r["grade"])] for r in csv.DictReader(file)]


def rows(frame):
    return frame[["query", "doc", "assessor", "grade"]].to_numpy().tolist()


@pytest.mark.parametrize("folder", EXPORTS)
def test_an_example_export_is_read_as_the_reading_beside_it(real_data, folder):
    path = real_data / "exports" / folder / EXPORTS[folder]
    reading = formats.read(path, **SETTINGS.get(folder, {}))
    assert rows(reading.frame) == expected(path.parent / "expected.csv", path.stem)
    (apart,) = [*path.parent.glob("expected_*.csv")] or [None]
    unmarked = reading.apart.assign(assessor=reading.apart["assessor"].str.removeprefix("model: "))
    assert rows(unmarked) == (expected(apart) if apart else [])


def test_chorus_has_three_judges_and_a_final_rating(real_data):
    reading = formats.read(real_data / "judgments/chorus-ratings/Broad_Query_Set_individual_ratings.csv")
    counts = reading.frame.groupby("assessor")["grade"].value_counts().unstack().to_numpy().tolist()
    assert counts == [[1554, 104, 103, 1427], [1513, 97, 117, 1461], [1556, 75, 225, 1332]]
    assert reading.apart["grade"].value_counts().sort_index().tolist() == [1471, 198, 93, 1426]
    case = formats.read(real_data / "judgments/chorus-ratings/Broad_Query_Set_rated.csv")
    assert case.format == "quepid-case"
    assert case.frame["grade"].value_counts().sort_index().tolist() == [1853, 238, 105, 1472]


def test_judges_of_llmjudge_are_a_file_each(real_data):
    folder = real_data / "judgments/llmjudge"
    files = [folder / "llmjudge_test_qrel_idx.txt", *sorted((folder / "scores").glob("*.txt"))]
    frame = formats.read(",".join(map(str, files)), machines="none").frame
    assert frame["assessor"].nunique() == len(files)
    assert (frame.groupby("assessor").size() == 4423).all()
    assert sorted(frame.loc[frame["grade"] > 3, "grade"]) == [5, 5, 10]


def test_trecs_crowd_is_read_once_its_repeats_and_broken_links_are_decided(real_data):
    path = real_data / "judgments/trec-rf10-crowd/label.csv"
    with pytest.raises(ValueError, match=r"line 376: 222 gave query all, doc 73 grade 0, and grade 3 in .*, line 373"):
        formats.read(path)
    reading = formats.read(path, grades="0:0,1:1,2:2,3:skip", repeats="first")
    skipped = 6670
    told = next(note for note in reading.notes if note.startswith("Left out"))
    left_out = sum(int(part.rsplit(": ", 1)[1]) for part in told.removeprefix("Left out: ").rstrip(".").split(", "))
    assert f"grades to skip: {skipped}" in told
    assert len(reading.frame) + left_out == 98453
