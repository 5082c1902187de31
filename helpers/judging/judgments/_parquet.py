"""Judgments in parquet files, read as they stand there."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pyarrow as pa

from helpers import files
from helpers.judging.formats.table import TEXT, columns_of
from helpers.judging.judgments._frames import ALIASES, LONG

WANTED = (*LONG, *ALIASES)
UNNAMED_INDEX = re.compile(r"__index_level_\d+__")


def read(path: Path) -> pd.DataFrame:
    """The columns that judgments have of the file at path, and of all others the names; a named index is a column.

    Raises
    ------
    ValueError
        naming the file: damaged, a column twice, or one of another type than text and numbers.
    FileNotFoundError
        when there is none.
    """
    table, schema = columns_of(path, files.regular(path).read_bytes(), lambda field: field.name in WANTED)
    found = [name for name in schema.names if not UNNAMED_INDEX.fullmatch(name)]
    plain = _without_dictionaries(table)
    _check_types(path, plain.schema)
    frame = plain.to_pandas(ignore_metadata=True, integer_object_nulls=True, use_threads=False)
    return frame.reindex(columns=found)


def _without_dictionaries(table: pa.Table) -> pa.Table:
    kinds = [field.type.value_type if pa.types.is_dictionary(field.type) else field.type for field in table.schema]
    return table.cast(pa.schema(list(zip(table.column_names, kinds, strict=True))))


def _check_types(path: Path, schema: pa.Schema) -> None:
    """Raise ValueError unless names are text or whole numbers, and grades these or other numbers."""
    for field in schema:
        fraction = pa.types.is_floating(field.type) and ALIASES.get(field.name, field.name) == "grade"
        if not (pa.types.is_integer(field.type) or str(field.type) in TEXT or fraction):
            raise ValueError(f"{path}: column {field.name} holds {field.type}, expected text or whole numbers")
