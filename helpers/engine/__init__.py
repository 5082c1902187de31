"""Grids of runs: parallel, resumable, the same for any number of workers; and their tables on disk."""
