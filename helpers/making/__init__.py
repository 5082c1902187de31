"""What makes the files under `data/`: `python -m helpers.making.<what>`, in a checkout; no wheel has it."""
