"""Qrels and runs joined in plain Python, a line at a time, as the documentation says it."""

import re

NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def joined(qrels, runs):
    """Rows (query, document, grade, features) in order, from the bytes of qrels and of runs by name, or ValueError."""
    grades = read_qrels(qrels)
    lists = {name: read_run(data) for name, data in sorted(runs.items())}
    queries = {query for query, _ in grades}
    for name, run in lists.items():
        if not any(pair in grades for pair in run):
            raise ValueError(f"{name}: no pair")
    enough = {n: run for n, run in lists.items() if len({q for q, _ in run} & queries) >= 0.5 * len(queries)}
    if not enough:
        raise ValueError("no run covers enough queries")
    columns = [features(run) for run in enough.values()]
    nothing = [0.0, 0.0, 0.0]
    rows = [
        (*pair, grade, [value for column in columns for value in column.get(pair, nothing)])
        for pair, grade in sorted(grades.items())
    ]
    return [row for row in rows if any(row[-1][2::3])]


def read_qrels(data):
    grades = {}
    for query, _, document, grade in fields(data, 4):
        value = number(grade)
        if value % 1 or not -127 <= value <= 127:
            raise ValueError(f"grade {grade}")
        if value >= 0 and grades.setdefault((query, document), value) != value:
            raise ValueError(f"{query} {document}")
    if not grades:
        raise ValueError("nothing is judged")
    return grades


def read_run(data):
    run = {}
    for query, _, document, rank, score, _ in fields(data, 6):
        if (query, document) in run or number(rank) % 1 or abs(number(rank)) > 2**53:
            raise ValueError(f"{query} {document}")
        run[query, document] = (int(number(rank)), number(score))
    return run


def features(run):
    """Pair -> scaled score, reciprocal rank, 1."""
    by_query = {}
    for (query, document), (rank, score) in run.items():
        by_query.setdefault(query, []).append((score, document, rank))
    several = any(len(documents) > 1 for documents in by_query.values())
    flat = all(len({score for score, _, _ in documents}) == 1 for documents in by_query.values())
    if several and (flat or all(rank == score for rank, score in run.values())):
        by_query = {query: [(-float(rank), d, rank) for _, d, rank in own] for query, own in by_query.items()}
    found = {}
    for query, documents in by_query.items():
        documents.sort(reverse=True)
        highest, lowest = documents[0][0], documents[-1][0]
        half = highest / 2 - lowest / 2
        for place, (score, document, _) in enumerate(documents, 1):
            found[query, document] = [(score / 2 - lowest / 2) / half if half > 0 else 1.0, 1 / place, 1.0]
    return found


def number(text):
    if not NUMBER.fullmatch(text) or abs(float(text)) == float("inf"):
        raise ValueError(f"{text} is no number")
    return float(text)


def fields(data, n):
    """The fields of each line that has any."""
    text = data.decode().removeprefix("\ufeff")
    if "\0" in text or "\ufeff" in text:
        raise ValueError("no text")
    lines = [[field for field in re.split("[ \t]", line) if field] for line in re.split("\r\n|\r|\n", text)]
    lines = [line for line in lines if line]
    if not lines or any(len(line) != n for line in lines):
        raise ValueError("another number of fields")
    return lines
