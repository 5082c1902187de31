"""The nDCG that a ranker perfect for one assessor can expect from another (Metrikov, Pavlu and Aslam 2012).

The *training* assessor labels every document independently: j with probability ``confusion[i, j]`` where the *testing*
assessor graded i. Documents are ranked by label, equal labels in random order, and scored with the testing grades. The
expected nDCG@k is the ceiling. It needs no ranking, only how many documents of each grade a query has.

`exact` computes it, `simulated` draws labels, `approximate` is the paper's closed form; `interval` and
`double_judgments` say how well a ceiling is known when the matrix is an estimate. They share these arguments:

counts : (n_grades,) documents of each testing grade of one query, or (n_queries, n_grades)
confusion : (n_grades, n_labels) probabilities, or (n_queries, n_grades, n_labels) with a matrix for every query
k : cut-off, a number of ranks; None is the whole list
gain : "exponential" 2^l - 1, or "linear" l; the discount of rank r is 1/log2(1 + r)

All raise ValueError where shapes differ, a count is negative or no whole number, a query has no document, a row of
confusion has a negative entry or does not sum to 1, a query has documents of a grade whose row is NaN, unknown, or k is
no whole number of at least 1. A query whose documents have no gain has the ceiling NaN, as `metrics.ndcg` has with
empty="skip".
"""

from helpers.judging.ceilings.expected import approximate, exact, simulated
from helpers.judging.ceilings.uncertainty import double_judgments, interval

__all__ = ["approximate", "double_judgments", "exact", "interval", "simulated"]
