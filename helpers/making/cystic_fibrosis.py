"""Writes the Cystic Fibrosis collection as a judged collection: apart, as study 1 takes it by its folder.

    python -m helpers.making.cystic_fibrosis

makes `multi-judge/cystic-fibrosis` in the data directory of the files in `judgments/cystic-fibrosis` there.
"""

from __future__ import annotations

from helpers import paths
from helpers.judging import cystic_fibrosis


def main() -> None:
    """Write the folder and say where it is; FileExistsError where it is there."""
    print(cystic_fibrosis.write(paths.user_data() / "multi-judge" / "cystic-fibrosis"))


if __name__ == "__main__":
    main()
