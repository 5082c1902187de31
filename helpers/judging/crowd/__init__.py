"""What several judges of the same pairs show before any ranker is trained (Figures 1 to 3 of Yang et al. 2010).

Everywhere labels is (n_pairs, m): the grades that a pair of query and document was given, -1 where it has no more;
judges, of the same shape, says who gave them (`judgments.label_matrix`), and truth (n_pairs,) is the right grade,
-1 where it is not known.
"""

from helpers.judging.crowd._at_hand import EXPERTS, trec_rf10, web_search
from helpers.judging.crowd._grades import distribution, featured_judges, homogeneity
from helpers.judging.crowd._majorities import BestJudge, agreement_by_judges, best_judge, majority_chances

__all__ = [
    "EXPERTS",
    "BestJudge",
    "agreement_by_judges",
    "best_judge",
    "distribution",
    "featured_judges",
    "homogeneity",
    "majority_chances",
    "trec_rf10",
    "web_search",
]
