"""Assessors as confusion matrices: known ones, the labels they give, pools of judges, majorities of judges.

Everywhere ``confusion[i, j]`` is the probability that the *training* assessor says j about a document that the
*testing* assessor graded i; its rows sum to one. A row of NaN is a grade of which nothing is known.
"""

from helpers.judging.confusion._drawing import draw_labels, draw_pool
from helpers.judging.confusion._known import COLUMNS, Confusion, load_confusions
from helpers.judging.confusion._majorities import ballots, majority, majority_grade
from helpers.judging.confusion._matrices import checked, ordinal_confusion, probabilities

__all__ = [
    "COLUMNS",
    "Confusion",
    "ballots",
    "checked",
    "draw_labels",
    "draw_pool",
    "load_confusions",
    "majority",
    "majority_grade",
    "ordinal_confusion",
    "probabilities",
]
