"""A long frame of judgments from each judge's grades in the order of documents, for tests by hand."""

import pandas as pd


def long(said, length=4, query="q"):
    """Query, doc, assessor, grade of `said`, judge -> grades, -1 where none is given; so many documents a query."""
    rows = [
        (f"{query}{d // length}", f"d{d}", who, int(g))
        for who, grades in said.items()
        for d, g in enumerate(grades)
        if g >= 0
    ]
    return pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade"])
