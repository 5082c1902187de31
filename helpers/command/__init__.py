"""The command `label-studies`: parameters, notebooks in batch, tables on a terminal."""
