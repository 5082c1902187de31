"""What is known of each real data set before it is here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from helpers.datasets.fetch import download, download_archive, mslr_sample

LETOR = "https://www.microsoft.com/en-us/research/project/letor-learning-rank-information-retrieval/letor-{}-0/"
MSLR = "https://www.microsoft.com/en-us/research/project/mslr/"
YAHOO = "https://webscope.sandbox.yahoo.com/catalog.php?datatype=c"
ISTELLA = "http://quickrank.isti.cnr.it/istella-dataset/"
WEBIS = "https://github.com/webis-de/sigir20-sampling-bias-due-to-near-duplicates-in-learning-to-rank"
LIGHTGBM = "https://github.com/microsoft/LightGBM"
ROBUST_RUNS = "https://github.com/jsc/sigir18-fusion-tutorial"
ROBUST_QRELS = "https://github.com/capreolus-ir/capreolus"
MICROBLOG_RUNS = "https://github.com/jinfengr/neural-tweet-search"
TREC_QRELS = "https://github.com/castorini/anserini-tools"
SYNDL = "https://github.com/rahmanidashti/SynDL"
DBPEDIA = "https://github.com/iai-group/DBpedia-Entity"
DBPEDIA_RUNS = "https://github.com/teanalab/kewer (BM25F) and https://github.com/informagi/EMBERT (rerankings)"
MQ2007_PART = "https://github.com/hurshprasad/active-learning-elo-letor"
TARGET_TYPES = "https://github.com/iai-group/sigir2017-query_types"
PEOPLE_2019 = "https://github.com/Parry-Parry/sigir25-annotation"
MACHINES_2019 = "https://github.com/Narabzad/llm-relevance-judgement-comparison"
MICROSOFT_TERMS = "Microsoft's own agreement: for research, not to be passed on"

ISTELLA_ARCHIVE = {
    "address": "http://library.istella.it/dataset/istella-s-letor.tar.gz",
    "sha256": "41b21116a3650cc043dbe16f02ee39f4467f9405b37fdbcc9a6a05e230a38981",
}
WEBIS_FOLDER = WEBIS + "/raw/a203e65d0e637ae46fbf0ac2d1321995d0cce6fb/data/features/ClueWeb09/"
WEBIS_FILES = {
    "Fold1/test.txt": "ab05f742d7bf680db38f39d485788ccefc46ca5f9c450058adcf1b21cb2ed6eb",
    "Fold2/test.txt": "882c9e3d0145608d906b25acccdc8cb1760faca6c13afbd86096b24bd9748680",
    "Fold3/test.txt": "3598b6f1ff411e6fd5572e6bac392efc6814614fec68d881c1e4b5edaeb03c5d",
    "Fold4/test.txt": "cdfa2d696b5bda4dfe27dfbba432e9dff2a481507736af594824881127cd4377",
    "Fold5/test.txt": "a2db821816295163492ddeb9ef94a05bb80cb68c195a5e783167f65960ab03fb",
}
LIGHTGBM_FOLDER = LIGHTGBM + "/raw/bae0b7ba953341a32b2a9c5c5c437a1b976f576f/examples/lambdarank/"
LIGHTGBM_FILES = {
    "rank.train": "a0c7201c89120879c14a5059e091f441cbf2a29b8aaef363885ccb1a530448df",
    "rank.train.query": "40cb5fef637229311cd30fab13cb7fb633b023e86a87ff04ec55db420143d6af",
    "rank.test": "3b1219ce117a0a36d2f76c02de7e7831c1d79af0d40f5195c03178bbe26c824b",
    "rank.test.query": "36dca82ba3bf99201bac3987b00a8fbf6fe5f563e9fa6d0da90e783710a32df4",
}


@dataclass(frozen=True)
class DataSet:
    """What is known of a set before it is here."""

    title: str
    source: str
    terms: str
    n_features: int
    folders: tuple[
        str, ...
    ]  # where it may stand under the data directory; the first is the official one; a folder, or a LETOR file
    holds: str  # a file that is then in the first folder
    beside: str = ""  # what must stand beside that file
    archive: str = ""  # as its source calls it, where there is one
    sha256: str = ""  # of the archive
    qrels: tuple[str, ...] = ()  # of a collection of runs that has several files of qrels: of training and of testing
    download: Callable[[Path], None] | None = None  # puts the set into a new folder


def _files(base: str, sha256: dict[str, str]) -> Callable[[Path], None]:
    return partial(download, addresses={path: (base + path, value) for path, value in sha256.items()})


def _target_types(target: Path) -> None:
    from helpers.datasets import target_types

    target_types.download(target)


DATA_SETS = {
    "ohsumed": DataSet(
        title="OHSUMED of LETOR 3.0, medical abstracts",
        source=LETOR.format(3),
        terms=MICROSOFT_TERMS,
        n_features=45,
        folders=("OHSUMED",),
        holds="QueryLevelNorm/Fold1/train.txt",
        archive="OHSUMED.zip",
    ),
    "td2003": DataSet(
        title="TD2003 of LETOR 3.0, topic distillation on .gov",
        source=LETOR.format(3),
        terms=MICROSOFT_TERMS,
        n_features=64,
        folders=(
            "Gov/QueryLevelNorm/2003_td_dataset",
            "Gov/Gov/QueryLevelNorm/2003_td_dataset",
            "Gov/2003_td_dataset",
            "2003_td_dataset",
        ),
        holds="Fold1/train.txt",
        archive="Gov.rar",
    ),
    "mq2007": DataSet(
        title="MQ2007 of LETOR 4.0, Million Query track",
        source=LETOR.format(4),
        terms=MICROSOFT_TERMS,
        n_features=46,
        folders=("MQ2007",),
        holds="Fold1/train.txt",
        archive="MQ2007.rar",
    ),
    "mq2008": DataSet(
        title="MQ2008 of LETOR 4.0, Million Query track",
        source=LETOR.format(4),
        terms=MICROSOFT_TERMS,
        n_features=46,
        folders=("MQ2008",),
        holds="Fold1/train.txt",
        archive="MQ2008.rar",
    ),
    "mslr-web10k": DataSet(
        title="MSLR-WEB10K, queries of a web search engine",
        source=MSLR,
        terms=MICROSOFT_TERMS,
        n_features=136,
        folders=("MSLR-WEB10K",),
        holds="Fold1/train.txt",
        archive="MSLR-WEB10K.zip",
        sha256="2902142ea33f18c59414f654212de5063033b707d5c3939556124b1120d3a0ba",
    ),
    "mslr-web30k": DataSet(
        title="MSLR-WEB30K, queries of a web search engine",
        source=MSLR,
        terms=MICROSOFT_TERMS,
        n_features=136,
        folders=("MSLR-WEB30K",),
        holds="Fold1/train.txt",
        archive="MSLR-WEB30K.zip",
        sha256="08cb7977e1d5cbdeb57a9a2537a0923dbca6d46a76db9a6afc69e043c85341ae",
    ),
    "yahoo-ltrc": DataSet(
        title="Yahoo Learning to Rank Challenge (C14), set 1",
        source=YAHOO,
        terms="Yahoo's own agreement: on request, for research",
        n_features=700,
        folders=("ltrc_yahoo",),
        holds="set1.train.txt",
        archive="ltrc_yahoo.tar.bz2",
    ),
    "istella-s": DataSet(
        title="Istella-S LETOR, queries of a web search engine",
        source=ISTELLA,
        terms="Istella's own agreement: not for commercial use",
        n_features=220,
        folders=("istella-s-letor", "istella-s", "sample"),
        holds="sample/train.txt",
        archive="istella-s-letor.tar.gz",
        download=partial(download_archive, **ISTELLA_ARCHIVE),
    ),
    "clueweb09-webis": DataSet(
        title="ClueWeb09 features of Webis, TREC Web track 2009-2012",
        source=WEBIS,
        terms="MIT",
        n_features=42,
        folders=("ClueWeb09-Webis",),
        holds="Fold1/test.txt",
        download=_files(WEBIS_FOLDER, WEBIS_FILES),
    ),
    "lightgbm-lambdarank": DataSet(
        title="LightGBM's example of ranking",
        source=LIGHTGBM,
        terms="MIT",
        n_features=300,
        folders=("lightgbm-lambdarank",),
        holds="rank.train",
        download=_files(LIGHTGBM_FOLDER, LIGHTGBM_FILES),
    ),
    "mslr-sample": DataSet(
        title="MSLR-WEB10K Fold1, the first 5,000 rows of training and test",
        source="rankeval 0.8.2, a source package on the Python package index",
        terms=MICROSOFT_TERMS,
        n_features=136,
        folders=("MSLR-WEB10K-sample",),
        holds="Fold1/train.txt",
        download=mslr_sample,
    ),
    "robust04": DataSet(
        title="TREC 2004 Robust track, news: 18 runs, five folds of queries",
        source=f"{ROBUST_RUNS} (runs) and {ROBUST_QRELS} (qrels.robust2004.txt, rob04_yang19_folds.json)",
        terms="NIST's judgments; the repositories are MIT and Apache-2.0, NIST hands participants' runs out on request",
        n_features=54,
        folders=("Robust04",),
        holds="qrels.txt",
        beside="folds.json and runs/, which holds a file for each run",
    ),
    "microblog": DataSet(
        title="TREC 2011-2014 Microblog track, tweets: 3 runs and 18 statistics of text, a fold for each year",
        source=f"{MICROBLOG_RUNS} (runs, and text for features.csv) and {TREC_QRELS} (qrels.microblog*.txt, joined)",
        terms="NIST's judgments, no licence stated; runs Apache-2.0; tweets may not be passed on",
        n_features=27,
        folders=("Microblog",),
        holds="qrels.txt",
        beside="features.csv and runs/, which holds a file for each run",
    ),
    "syndl-dl21": DataSet(
        title="SynDL and TREC Deep Learning 2021, web passages: 63 runs, trained on GPT-4's labels, tested on NIST's",
        source=f"{SYNDL} (qrels-pass.txt as qrels.nist.txt, GPT-4's labels as qrels.gpt4.txt, passages-runs as runs)",
        terms="an MIT badge but no licence file; MS MARCO's terms hold for texts",
        n_features=189,
        folders=("SynDL-DL21",),
        holds="qrels.gpt4.txt",
        beside="qrels.nist.txt and runs/, which holds a file for each run",
        qrels=("qrels.gpt4.txt", "qrels.nist.txt"),
    ),
    "dbpedia-entity": DataSet(
        title="DBpedia-Entity v2, entities: 5 runs, three of them tuned on these labels in folds, and these folds",
        source=f"{DBPEDIA} (collection/v2: qrels-v2.txt as qrels.txt, folds/all_queries.json); runs: {DBPEDIA_RUNS}",
        terms="MIT; no licence stated for the rerankings",
        n_features=15,
        folders=("DBpedia-Entity",),
        holds="qrels.txt",
        beside="folds/all_queries.json and runs/, which holds a file for each run",
    ),
    "mq2007-part": DataSet(
        title="a part of MQ2007 of LETOR 4.0 that others drew, no folds: not for comparison with published figures",
        source=f"{MQ2007_PART} (data/MQ2016: rows of all files under 4 MiB, each once)",
        terms=MICROSOFT_TERMS,
        n_features=46,
        folders=("MQ2007-part/mq2007-59135rows.txt",),
        holds="",
    ),
    "target-types": DataSet(
        title="target types of queries, picked by seven workers each: a judged collection",
        source=TARGET_TYPES,
        terms="no licence stated",
        n_features=24,
        folders=("multi-judge/target-types",),
        holds="features.txt",
        beside="judgments.csv",
        download=_target_types,
    ),
    "dl19-people-machines": DataSet(
        title="TREC Deep Learning 2019 judged again by people, two a passage, with 61 runs: a judged collection",
        source=f"{PEOPLE_2019} (qrels of eight people and runs) and {MACHINES_2019} (five machines and NIST)",
        terms="no licence stated; MS MARCO's terms hold for texts",
        n_features=183,
        folders=("judgments/dl19-people-machines",),
        holds="judgments.csv",
        beside="qrels.nist.txt and runs/, which holds a file for each run",
    ),
}
