"""What the comparisons of each study measure: a difference of two things, and its unit."""

from __future__ import annotations

MEASURES: dict[str, dict[str, str]] = {
    "01": {
        "if-good-3 or one label": "NDCG@3 after training on if-good-3, less that on one label a pair",
        "if-good-2 or one label": "NDCG@3 after training on if-good-2, less that on one label a pair",
        "another setting or if-good-3": "NDCG@3 after training on another setting, less that on if-good-3",
        "another k or if-good-3": "NDCG@3 after training with another k, less that on if-good-3",
        "gain for a further label a pair": "NDCG@3 gained for each further label a pair, less what if-good-3 gains",
        "if-good-mean-3 or one label": "NDCG@3 after training on if-good-mean-3, less that on one label a pair",
        "the mean or all labels": "NDCG@3 after training on the mean of the labels, less that on each of them",
        "another query": "NDCG@3 with twice the queries, less that without",
        "another document": "NDCG@3 with twice the documents of each query, less that without",
        "another judge": "NDCG@3 with twice the judges of each document, less that without",
        "another judge or another query": "NDCG@3 with twice the judges, less that with twice the queries",
        "another judge or another document": "NDCG@3 with twice the judges, less that with twice the documents",
        "another document or another query": "NDCG@3 with twice the documents, less that with twice the queries",
        "cost of if-good-3": "labels a pair, how far from 1.4",
        "cost of good-till-bad": "labels a pair, less the upper bound",
        "majority vote or all labels": "NDCG@3 after training on the majority, less that on all of its labels",
        "tripled weights or none": "NDCG@3 with tripled weights, less that on one label a pair",
        "several judges or the best": "share of pairs with the consensus grade, by a majority less by the best judge",
        "featured judges or the majority": "share of labels that one would have to move to get the majority's grades",
    },
    "02": {
        "loss by disagreement": "1 less the nDCG that a ranking perfect for one assessor has with another",
        "error of the limit": "nDCG between the real limit and the predicted one, on average over queries",
        "matrix from elsewhere or own": "nDCG by which predictions are off, by a matrix from elsewhere less its own",
        "approximation on lists ten times as long": "nDCG by which the approximation is off, less on lists ten times "
        "as long",
        "error of the approximation": "nDCG between the approximation and the simulation",
        "ceiling or learned": "nDCG@10 of the ceiling, less that of the best learned ranker",
    },
    "03": {
        "fall at equal dNoise": "NDCG@10 as a share of that without noise, on MSLR-WEB10K less on TD2003",
        "fall of MAP at equal dNoise": "MAP as a share of that without noise, on MSLR-WEB10K less on TD2003",
        "OHSUMED between TD2003 and MSLR": "shares of NDCG@10 kept, the smaller of MSLR less OHSUMED and OHSUMED less "
        "TD2003",
        "explained by pNoise or dNoise": "share of the variance explained, by pNoise less by dNoise",
        "explained by pNoise or by TD2003": "share of the variance explained, by pNoise less by dNoise and TD2003",
        "share lost before the turning point": "share of NDCG@10 lost until the turning point",
        "fall after the turning point": "share of NDCG@10 lost for one of pNoise, after the turning point less before",
        "tied pairs": "share of tied pairs predicted one way, how far from one half",
        "pNoise of TD2003": "pNoise, less .4",
        "pNoise of MSLR": "pNoise, less .4",
    },
    "04": {
        "documents or queries": "NDCG@10 by fewer documents of each query, less that by fewer queries",
        "documents or queries below the floor": "NDCG@10 by fewer documents of each query, less that by fewer queries",
        "all documents or half": "NDCG@10 with all documents of a query, less that with half",
        "all documents or fewer": "NDCG@10 with all documents of a query, less that with fewer",
        "fewer queries or documents": "NDCG@10 by fewer queries, less that by fewer documents of each",
        "fewer queries of 8 documents": "NDCG@10 by fewer queries of 8 documents, less that by fewer documents of each",
    },
    "05": {
        "fifty queries are enough": "nDCG@10, the difference that fifty queries see",
        "200 queries are enough": "nDCG@10, the difference that 200 queries see",
        "a hundred judgments are a solid start": "nDCG@10, the difference that ten queries of ten documents see",
        "judge to twice the depth of the page": "share of a query judged whole that one judged so is worth",
        "pools of depth ten": "share of a query judged whole that one judged so is worth",
        "one opinion and more queries": "worth of one opinion over that of three for the same money, less 1",
        "three opinions and a majority": "worth of one opinion over that of three for the same money, less 1",
        "kappa above .6 is good enough": "correlation of the differences by two judges over queries",
        "fifty labels that agree in .85 of cases are enough": "correlation of the differences by two judges over "
        "queries",
        "100 items decide the alternative annotator test": "share of samples of 100 documents that decide as all do",
        "a language model is as good as a second person": "correlation of differences with a person's, a second "
        "person's less the model's",
    },
    "06": {
        "grades that the rule changes": "share of the documents",
        "highest grades by majority or by the rule": "share of the documents, by majority less by the rule",
        "mean grade with one judge more than three": "grades, with all judges less with three of them",
    },
}
"""Study -> question of a table of comparisons -> what its `difference` is."""


def measured(study: str, question: str) -> str:
    """What the `difference` of a question is; where nobody said so, the question itself.

    Parameters
    ----------
    study : number of the study
    question : of its table of comparisons

    Examples
    --------
    >>> measured("04", "all documents or half")
    'NDCG@10 with all documents of a query, less that with half'
    >>> measured("07", "red or blue")
    'red or blue, the first less the second'
    """
    return MEASURES.get(study, {}).get(question, f"{question}, the first less the second")
