"""Bodies of Elasticsearch's and OpenSearch's ranking evaluation (``_rank_eval``): requests with their ratings."""

from __future__ import annotations

from helpers.judging.formats.parsed import Parsed, Wanted, frame, name_of, taken, with_keys
from helpers.judging.formats.source import Content

NAME = "rank-eval"
SAYS = "a body of _rank_eval, its requests' ids as queries"
NAMED = ()


def recognise(content: Content) -> bool:
    """Whether the content has a list of requests."""
    return content.is_json and isinstance(content.document, dict) and "requests" in content.document


def parse(content: Content, wanted: Wanted) -> Parsed:
    """Judgments of one assessor, who is called as the file is; the id of a request is the query.

    Parameters
    ----------
    content, wanted : as every format of `helpers.judging.formats` takes them

    Raises
    ------
    ValueError
        also where a request rates the same id in two indices.
    """
    path, rows, indices, without = content.path, [], {}, 0
    for number, request in enumerate(taken(content.document, "requests", list, str(path)), 1):
        query = name_of(request, "id", f"{path}, request {number}")
        ratings = taken(request, "ratings", list, f"{path}, request {query}")
        without += not ratings
        for rating in ratings:
            with_keys(rating, ("_index", "_id", "rating"), f"{path}, request {query}")
            doc = name_of(rating, "_id", f"{path}, request {query}")
            place = f"request {query}, _id {doc}"
            index = name_of(rating, "_index", f"{path}, {place}")
            if indices.setdefault((query, doc), index) != index:
                raise ValueError(f"{path}, {place}: rated in {indices[query, doc]} and in {index}, expected one _index")
            value = taken(rating, "rating", (int, float, str), f"{path}, {place}")
            rows.append((place, query, doc, content.stem, str(value)))
    return Parsed(frame(rows), f"{len(rows)} ratings", {"requests without ratings": without})
