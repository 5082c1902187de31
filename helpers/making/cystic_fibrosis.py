"""The Cystic Fibrosis collection (Shaw et al. 1991) as training data: features of its texts, labels of four judges.

Writes it as a judged collection: `multi-judge/cystic-fibrosis` in the data directory of the files in
`judgments/cystic-fibrosis` there, as study 1 takes it by its folder.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer

from helpers import paths
from helpers.datasets import letor
from helpers.datasets.collection import Collection, offsets_of
from helpers.files import new_folder
from helpers.judging.aggregates import majority_vote
from helpers.studies.bounds.judges import JUDGES, QUERY_CODES, fields, read_judgments

DOCUMENT_FILES = tuple(f"cf{year}" for year in range(74, 80))
DOCUMENT_CODES = ["PN", "RN", "AN", "AU", "TI", "SO", "MJ", "MN", "AB", "EX", "RF", "CT"]
K1, B = 1.2, 0.75


def load(depth: int = 100) -> tuple[Collection, np.ndarray]:
    """Candidate documents of each query with their FEATURES, graded by majority, and labels (n_docs, 4) of JUDGES.

    Candidates are all judged documents of a query and, up to `depth` together, those others that have the highest BM25
    of the whole text, if it is above 0. The files hold no document that all four judges graded 0: the labels of
    candidates without a judgment are 0, an assumption, as no source says that they were judged.
    """
    *_, query_file = (paths.judgments("cystic-fibrosis", name) for name in (*DOCUMENT_FILES, "cfquery"))
    documents, queries = read_documents(query_file.parent), read_queries(query_file)
    judgments = read_judgments(query_file).pivot(index=["query", "doc"], columns="assessor", values="grade")
    scores = _bm25(*_counts(documents, queries, "whole text"))
    scores[_cells(documents, queries, judgments.index.to_frame())] = np.inf
    ranks = np.argsort(np.argsort(-scores, axis=1, kind="stable"), axis=1)
    query, doc = np.nonzero(np.isinf(scores) | ((ranks < depth) & (scores > 0)))
    pairs = pd.DataFrame({"query": queries.index[query], "doc": documents["doc"].to_numpy()[doc]})
    labels = judgments[list(JUDGES)].reindex(pd.MultiIndex.from_frame(pairs), fill_value=0).to_numpy(np.int8)
    collection = Collection(
        features(documents, queries, pairs),
        majority_vote(labels),
        offsets_of(pairs.groupby("query", sort=False).size()),
        query_ids=pairs["query"].unique(),
        doc_ids=pairs["doc"],
        name="Cystic Fibrosis",
    )
    return collection, labels


def read_documents(directory: str | Path) -> pd.DataFrame:
    """Frame doc (the record number), title, abstract, subjects of the files cf74 to cf79 of a directory, in its order.

    Subjects are the MeSH headings, major and minor; where there is no abstract, it is an extract. ValueError with file
    and line: a field that is unknown or twice in a record, a record without title or number of its own.
    """
    records = pd.concat([_records(Path(directory) / name, DOCUMENT_CODES) for name in DOCUMENT_FILES])
    records = _numbered(records, "RN", "TI")
    subjects = (records["MJ"] + " " + records["MN"]).str.strip()
    texts = {"title": records["TI"], "abstract": records["AB"] + records["EX"], "subjects": subjects}
    return pd.DataFrame(texts).rename_axis("doc").reset_index()


def read_queries(path: str | Path) -> pd.Series:
    """Text of each query of the file cfquery at path, by number."""
    return _numbered(_records(Path(path), QUERY_CODES), "QN", "QU")["QU"].rename("text").rename_axis("query")


def _bm25(documents: csr_array, queries: csr_array) -> np.ndarray:
    """(n_queries, n_docs) BM25 from counts of terms (n_docs, n_terms) and (n_queries, n_terms).

    The sum over terms t of tf(t, q) ln(1 + (n - df(t) + 1/2) / (df(t) + 1/2)) tf(t, d) (K1 + 1) / (tf(t, d) + K) with
    K = K1 (1 - B + B length(d) / mean length), where df(t) of n documents have t (Robertson et al. 1994, Okapi at
    TREC-3). The 1 in the logarithm is Lucene's: without it a term of most documents, here "fibrosis", counts against.
    """
    n_docs, n_terms = documents.shape
    lengths, df = documents.sum(axis=1), np.bincount(documents.indices, minlength=n_terms)
    idf = np.log1p((n_docs - df + 0.5) / (df + 0.5))
    saturation = K1 * (1 - B + B * lengths / lengths.mean())
    weights = documents.astype(np.float64)
    weights.data *= (K1 + 1) / (weights.data + np.repeat(saturation, np.diff(weights.indptr)))
    return (queries.multiply(idf) @ weights.T).toarray()


def _cosine(documents: csr_array, queries: csr_array) -> np.ndarray:
    """(n_queries, n_docs) cosine of the TF-IDF vectors that scikit-learn makes by default."""
    tfidf = TfidfTransformer().fit(documents)
    return (tfidf.transform(queries) @ tfidf.transform(documents).T).toarray()


def _overlap(documents: csr_array, queries: csr_array) -> np.ndarray:
    """(n_queries, n_docs) share of a query's different terms that a document has, 0 where it has no term."""
    asked, present = (queries > 0).astype(float), (documents > 0).astype(float)
    return (asked @ present.T).toarray() / np.maximum(asked.sum(axis=1), 1)[:, None]


def _length(documents: csr_array, queries: csr_array) -> np.ndarray:
    """(n_queries, n_docs) terms in a document, the same for every query."""
    return np.tile(documents.sum(axis=1), (queries.shape[0], 1))


FIELDS = ("title", "abstract", "subjects", "whole text")
MEASURES = {"BM25": _bm25, "TF-IDF cosine": _cosine, "overlap": _overlap, "length": _length}
FEATURES = tuple(f"{measure} of {field}" for field in FIELDS for measure in MEASURES)


def features(documents: pd.DataFrame, queries: pd.Series, pairs: pd.DataFrame) -> np.ndarray:
    """(n_pairs, n_features) float32 FEATURES of pairs (a frame query, doc): MEASURES of a query in each of FIELDS.

    Terms are words of two letters or more that a document has in the field, in lower case, without scikit-learn's
    English stop words.
    """
    cells = _cells(documents, queries, pairs)
    counts = [_counts(documents, queries, field) for field in FIELDS]
    columns = [measure(*count)[cells] for count in counts for measure in MEASURES.values()]
    return np.stack(columns, axis=1).astype(np.float32)


def _counts(documents: pd.DataFrame, queries: pd.Series, field: str) -> tuple[csr_array, csr_array]:
    whole = documents["title"].str.cat(documents[["abstract", "subjects"]], sep=" ")
    vectorizer = CountVectorizer(stop_words="english")
    found = vectorizer.fit_transform(documents.get(field, whole))
    return csr_array(found), csr_array(vectorizer.transform(queries))


def _cells(documents: pd.DataFrame, queries: pd.Series, pairs: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Positions of the queries and documents of pairs."""
    found = []
    for column, known in (("query", queries.index), ("doc", documents["doc"])):
        found.append(pd.Index(known).get_indexer(pairs[column]))
        if (found[-1] < 0).any():
            unknown = pairs[column].iloc[found[-1].argmin()]
            raise ValueError(f"pairs: {column} {unknown!r} is not there, expected one that was read")
    return found[0], found[1]


def _records(path: Path, codes: list[str]) -> pd.DataFrame:
    """One row a record, indexed by file and line, one column a field."""
    records = {}
    for line, code, value in fields(path):
        place = f"{path}, line {line}"
        if code == codes[0]:
            record = records[place] = dict.fromkeys(codes, "")
        if not records or code not in codes or record[code]:
            raise ValueError(f"{place}: field {code}, expected {codes[0]} first, each of {codes} at most once")
        record[code] = " ".join(value.split())
    if not records:
        raise ValueError(f"{path}: no record, expected lines that begin with {', '.join(codes)}")
    return pd.DataFrame.from_dict(records, orient="index")


def _numbered(records: pd.DataFrame, number: str, text: str) -> pd.DataFrame:
    """The records by number, in its order, or ValueError where one has no text or no number of its own."""
    numbers = records[number].str.lstrip("0")
    wrong = ~numbers.str.isdecimal() | (records[text] == "") | numbers.duplicated()
    if wrong.any():
        found = ", ".join(f"{code} {records.loc[wrong.idxmax(), code]!r}" for code in (number, text))
        raise ValueError(f"{wrong.idxmax()}: {found}, expected a number that no other record has, and a text")
    return records.set_index(numbers).sort_index(key=lambda index: index.astype(int))


def _write() -> None:
    """Write the folder, as `judged.read` takes it; FileExistsError where it is there."""
    collection, labels = load()
    pairs = {"query": collection.query_ids[collection.query_index], "doc": collection.doc_ids}
    wide = pd.DataFrame(pairs | dict(zip(JUDGES, labels.T, strict=True)))
    with new_folder(paths.user_data() / "multi-judge" / "cystic-fibrosis") as made:
        letor.write(collection, made / "features.txt")
        wide.melt(["query", "doc"], var_name="assessor", value_name="grade").to_csv(made / "judgments.csv", index=False)
        names = (f"{number} {name}\n" for number, name in enumerate(FEATURES, start=1))
        (made / "names.txt").write_text("".join(names))


TASKS = {"cystic-fibrosis": _write}
