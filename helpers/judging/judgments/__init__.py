"""Judgments of several assessors: reading and checking them, and counting where two assessors differ.

A long frame has one row a judgment, with the columns query, doc, assessor (str) and grade (whole numbers from 0 to 127,
as in a `Collection`). A row whose grade is missing is no judgment: all that take such a frame leave it out.
"""

from helpers.judging.judgments._cystic_fibrosis import CYSTIC_FIBROSIS_JUDGES, read_cystic_fibrosis
from helpers.judging.judgments._files import read, read_assessors, read_long, read_qrels
from helpers.judging.judgments._frames import LONG, checked, summary, without_missing
from helpers.judging.judgments._matrix import LabelMatrix, label_matrix
from helpers.judging.judgments._pairs import confusion_counts, paired, query_confusion_counts

__all__ = [
    "CYSTIC_FIBROSIS_JUDGES",
    "LONG",
    "LabelMatrix",
    "checked",
    "confusion_counts",
    "label_matrix",
    "paired",
    "query_confusion_counts",
    "read",
    "read_assessors",
    "read_cystic_fibrosis",
    "read_long",
    "read_qrels",
    "summary",
    "without_missing",
]
