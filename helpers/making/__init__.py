"""What makes the files under `data/`: `python -m helpers.making WHAT`, in a checkout; no wheel has it."""
