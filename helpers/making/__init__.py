"""What makes the files under `data/`: `python -m helpers.making.<what>`."""
