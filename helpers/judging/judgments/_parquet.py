"""Judgments in parquet files, read as they stand there.

The statistics of columns that such a file may hold are not looked at: pyarrow ends the process where they are damaged.
"""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pyarrow as pa
from pyarrow import parquet

from helpers import texts
from helpers.judging.judgments._frames import ALIASES, LONG

WANTED = (*LONG, *ALIASES)
TEXT = ("string", "large_string", "string_view")
UNNAMED_INDEX = re.compile(r"__index_level_\d+__")
DAMAGED = (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError)


def read(path: Path) -> pd.DataFrame:
    """The columns that judgments have of the file at path, and of all others the names; a named index is a column.

    Raises
    ------
    ValueError
        naming the file: damaged, a column twice, or one of another type than text and numbers.
    FileNotFoundError
        when there is none.
    """
    with path.open("rb") as stream:
        try:
            with parquet.ParquetFile(stream, page_checksum_verification=True) as file:
                found = [name for name in file.schema_arrow.names if not UNNAMED_INDEX.fullmatch(name)]
                table = file.read([name for name in WANTED if name in found])
                table.validate(full=True)
                promised = file.metadata.num_rows
        except DAMAGED as error:
            said = " ".join(str(error).split())
            raise ValueError(f"{path}: cannot be read as parquet ({said:.200}), expected a whole file") from error
    if len(table) != promised:
        raise ValueError(f"{path}: {len(table)} rows were read, expected the {promised} that the file says it has")
    if len(set(found)) < len(found):
        raise ValueError(f"{path}: columns {texts.shown(found)}, expected {', '.join(LONG)}, each once")
    plain = _without_dictionaries(table)
    _check_types(path, plain.schema)
    return plain.to_pandas(ignore_metadata=True, integer_object_nulls=True).reindex(columns=found)


def _without_dictionaries(table: pa.Table) -> pa.Table:
    kinds = [field.type.value_type if pa.types.is_dictionary(field.type) else field.type for field in table.schema]
    return table.cast(pa.schema(list(zip(table.column_names, kinds, strict=True))))


def _check_types(path: Path, schema: pa.Schema) -> None:
    """Raise ValueError unless names are text or whole numbers, and grades these or other numbers."""
    for field in schema:
        fraction = pa.types.is_floating(field.type) and ALIASES.get(field.name, field.name) == "grade"
        if not (pa.types.is_integer(field.type) or str(field.type) in TEXT or fraction):
            raise ValueError(f"{path}: column {field.name} holds {field.type}, expected text or whole numbers")
