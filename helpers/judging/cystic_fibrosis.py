"""The Cystic Fibrosis collection (Shaw et al. 1991) as training data: features of its texts, labels of four judges."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer

from helpers.datasets import letor
from helpers.datasets.collection import Collection, offsets_of
from helpers.files import new_folder
from helpers.judging import at_hand
from helpers.judging.judgments import CYSTIC_FIBROSIS_JUDGES, read_cystic_fibrosis
from helpers.judging.schemes import majority_vote

DOCUMENT_FILES = tuple(f"cf{year}" for year in range(74, 80))
DOCUMENT_CODES = ["PN", "RN", "AN", "AU", "TI", "SO", "MJ", "MN", "AB", "EX", "RF", "CT"]
QUERY_CODES = ["QN", "QU", "NR", "RD"]
SEVEN_BITS = bytes(byte & 127 for byte in range(256))  # a line of cf74 has the eighth bit set at the end of its words
K1, B = 1.2, 0.75


@dataclass(frozen=True, eq=False)
class Judged:
    """A collection whose grades are the majority vote of judges, and the labels (n_docs, n_judges) of each, int8."""

    collection: Collection
    labels: np.ndarray


def load(depth: int = 100) -> Judged:
    """Candidate documents of each query with their `FEATURES`, and a column of labels for each CYSTIC_FIBROSIS_JUDGES.

    Candidates are all judged documents of a query and, up to `depth` together, those others that have the highest BM25
    of the whole text, if it is above 0. The files hold no document that all four judges graded 0: the labels of
    candidates without a judgment are 0, an assumption, as no source says that they were judged.

    Queries, and the documents of a query, are in the order of their numbers.

    Raises
    ------
    FileNotFoundError
        when cf74 to cf79 or cfquery are not in the data directory.
    ValueError
        when one of them is damaged, or a judged document is in none.
    """
    *_, query_file = (at_hand.data_file("cystic-fibrosis", name) for name in (*DOCUMENT_FILES, "cfquery"))
    documents, queries = read_documents(query_file.parent), read_queries(query_file)
    judgments = read_cystic_fibrosis(query_file).pivot(index=["query", "doc"], columns="assessor", values="grade")
    pairs = _candidates(documents, queries, judgments.index.to_frame(), depth)
    labels = judgments[list(CYSTIC_FIBROSIS_JUDGES)].reindex(pd.MultiIndex.from_frame(pairs), fill_value=0)
    labels = labels.to_numpy(np.int8)
    collection = Collection(
        features(documents, queries, pairs),
        majority_vote(labels),
        offsets_of(pairs.groupby("query", sort=False).size()),
        query_ids=pairs["query"].unique(),
        doc_ids=pairs["doc"],
        name="Cystic Fibrosis",
    )
    return Judged(collection, labels)


def write(folder: Path) -> Path:
    """A new folder of a judged collection, as `judged.read` takes it: features.txt, judgments.csv and names.txt.

    It holds what `load` gives; errors are those of `load`.
    """
    judged = load()
    pairs = {"query": judged.collection.query_ids[judged.collection.query_index], "doc": judged.collection.doc_ids}
    wide = pd.DataFrame(pairs | dict(zip(CYSTIC_FIBROSIS_JUDGES, judged.labels.T, strict=True)))
    with new_folder(folder) as made:
        letor.write(judged.collection, made / "features.txt")
        wide.melt(["query", "doc"], var_name="assessor", value_name="grade").to_csv(made / "judgments.csv", index=False)
        names = (f"{number} {name}\n" for number, name in enumerate(FEATURES, start=1))
        (made / "names.txt").write_text("".join(names))
    return folder


def read_documents(directory: str | Path) -> pd.DataFrame:
    """Frame doc, title, abstract, subjects of the files cf74 to cf79 of a directory, in the order of doc.

    doc is the record number. Subjects are the MeSH headings, major and minor; where there is no abstract, it is an
    extract.

    Parameters
    ----------
    directory : folder of the files

    Raises
    ------
    ValueError
        with file and line: an unknown field, a field twice in a record, a record without title or a number of its own;
        with the file: no record at all.
    """
    records = pd.concat([_records(Path(directory) / name, DOCUMENT_CODES) for name in DOCUMENT_FILES])
    records = _numbered(records, "RN", "TI")
    subjects = (records["MJ"] + " " + records["MN"]).str.strip()
    texts = {"title": records["TI"], "abstract": records["AB"] + records["EX"], "subjects": subjects}
    return pd.DataFrame(texts).rename_axis("doc").reset_index()


def read_queries(path: str | Path) -> pd.Series:
    """Text of each query of the file cfquery at path, by number; errors as `read_documents`, text in place of title."""
    return _numbered(_records(Path(path), QUERY_CODES), "QN", "QU")["QU"].rename("text").rename_axis("query")


def bm25(documents: csr_array, queries: csr_array) -> np.ndarray:
    """(n_queries, n_docs) BM25 from counts of terms.

    The sum over terms t of tf(t, q) ln(1 + (n - df(t) + 1/2) / (df(t) + 1/2)) tf(t, d) (K1 + 1) / (tf(t, d) + K) with
    K = K1 (1 - B + B length(d) / mean length), where df(t) of n documents have t (Robertson et al. 1994, Okapi at
    TREC-3). The 1 in the logarithm is Lucene's: without it a term of most documents, here "fibrosis", counts against.

    Two documents of length 2, one has the term, twice: ln(1 + 1.5 / 1.5) * 2 * 2.2 / (2 + 1.2).

    Parameters
    ----------
    documents : (n_docs, n_terms) how often each document has each term
    queries : (n_queries, n_terms) the same of the queries

    >>> bm25(csr_array([[2, 0], [0, 2]]), csr_array([[1, 0]])).round(4)
    array([[0.9531, 0.    ]])
    """
    n_docs, n_terms = documents.shape
    lengths, df = documents.sum(axis=1), np.bincount(documents.indices, minlength=n_terms)
    idf = np.log1p((n_docs - df + 0.5) / (df + 0.5))
    saturation = K1 * (1 - B + B * lengths / lengths.mean())
    weights = documents.astype(np.float64)
    weights.data *= (K1 + 1) / (weights.data + np.repeat(saturation, np.diff(weights.indptr)))
    return (queries.multiply(idf) @ weights.T).toarray()


def cosine(documents: csr_array, queries: csr_array) -> np.ndarray:
    """(n_queries, n_docs) cosine of the TF-IDF vectors that scikit-learn makes by default.

    Parameters
    ----------
    documents, queries : as in `bm25`
    """
    tfidf = TfidfTransformer().fit(documents)
    return (tfidf.transform(queries) @ tfidf.transform(documents).T).toarray()


def overlap(documents: csr_array, queries: csr_array) -> np.ndarray:
    """(n_queries, n_docs) share of a query's different terms that a document has, 0 where it has no term.

    Parameters
    ----------
    documents, queries : as in `bm25`

    >>> overlap(csr_array([[2, 0], [1, 3]]), csr_array([[1, 2]]))
    array([[0.5, 1. ]])
    """
    asked, present = (queries > 0).astype(float), (documents > 0).astype(float)
    return (asked @ present.T).toarray() / np.maximum(asked.sum(axis=1), 1)[:, None]


def length(documents: csr_array, queries: csr_array) -> np.ndarray:
    """(n_queries, n_docs) terms in a document, the same for every query.

    Parameters
    ----------
    documents, queries : as in `bm25`
    """
    return np.tile(documents.sum(axis=1), (queries.shape[0], 1))


FIELDS = ("title", "abstract", "subjects", "whole text")
MEASURES = {"BM25": bm25, "TF-IDF cosine": cosine, "overlap": overlap, "length": length}
FEATURES = tuple(f"{measure} of {field}" for field in FIELDS for measure in MEASURES)


def features(documents: pd.DataFrame, queries: pd.Series, pairs: pd.DataFrame) -> np.ndarray:
    """(n_pairs, n_features) float32 `FEATURES` of pairs (a frame query, doc): MEASURES of a query in each of FIELDS.

    Terms are words of two letters or more that a document has in the field, in lower case, without scikit-learn's
    English stop words. ValueError where a query or doc of pairs is not there.

    Parameters
    ----------
    documents : frame of `read_documents`
    queries : of `read_queries`
    pairs : frame query, doc
    """
    cells = _positions("query", queries.index, pairs), _positions("doc", documents["doc"], pairs)
    counts = [_counts(documents, queries, field) for field in FIELDS]
    columns = [measure(*count)[cells] for count in counts for measure in MEASURES.values()]
    return np.stack(columns, axis=1).astype(np.float32)


def _candidates(documents: pd.DataFrame, queries: pd.Series, judged: pd.DataFrame, depth: int) -> pd.DataFrame:
    scores = bm25(*_counts(documents, queries, "whole text"))
    scores[_positions("query", queries.index, judged), _positions("doc", documents["doc"], judged)] = np.inf
    ranks = np.argsort(np.argsort(-scores, axis=1, kind="stable"), axis=1)
    query, doc = np.nonzero(np.isinf(scores) | ((ranks < depth) & (scores > 0)))
    return pd.DataFrame({"query": queries.index[query], "doc": documents["doc"].to_numpy()[doc]})


def _counts(documents: pd.DataFrame, queries: pd.Series, field: str) -> tuple[csr_array, csr_array]:
    whole = documents["title"].str.cat(documents[["abstract", "subjects"]], sep=" ")
    vectorizer = CountVectorizer(stop_words="english")
    found = vectorizer.fit_transform(documents.get(field, whole))
    return csr_array(found), csr_array(vectorizer.transform(queries))


def _positions(column: str, known: pd.Index, pairs: pd.DataFrame) -> np.ndarray:
    positions = pd.Index(known).get_indexer(pairs[column])
    if (positions < 0).any():
        unknown = pairs[column].iloc[positions.argmin()]
        raise ValueError(f"pairs: {column} {unknown!r} is not there, expected one that was read")
    return positions


def _records(path: Path, codes: list[str]) -> pd.DataFrame:
    """One row a record, indexed by file and line, one column a field; a line that begins without a code goes on."""
    text = path.read_bytes().translate(SEVEN_BITS).decode("ascii")
    before, *parts = re.split(r"^([A-Z]{2})(?=\s)", text, flags=re.MULTILINE)
    line, records = 1 + before.count("\n"), {}
    for code, value in zip(parts[::2], parts[1::2], strict=True):
        place = f"{path}, line {line}"
        if code == codes[0]:
            record = records[place] = dict.fromkeys(codes, "")
        if not records or code not in codes or record[code]:
            raise ValueError(f"{place}: field {code}, expected {codes[0]} first, each of {codes} at most once")
        record[code] = " ".join(value.split())
        line += value.count("\n")
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
